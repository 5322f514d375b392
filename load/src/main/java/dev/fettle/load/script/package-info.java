/** What a client sends one request after the other, and how it judges the answers. */
@NullMarked
package dev.fettle.load.script;

import org.jspecify.annotations.NullMarked;
