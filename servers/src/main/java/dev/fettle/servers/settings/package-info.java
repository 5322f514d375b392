/** The settings a server is started with: knobs, their values as text, and what is wrong with them. */
@NullMarked
package dev.fettle.servers.settings;

import org.jspecify.annotations.NullMarked;
