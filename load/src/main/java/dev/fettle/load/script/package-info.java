/** The requests that a client sends one after the other, and how it judges the answers. */
@NullMarked
package dev.fettle.load.script;

import org.jspecify.annotations.NullMarked;
