/** Processes that Fettle starts, and their command lines. */
@NullMarked
package dev.fettle.lab.process;

import org.jspecify.annotations.NullMarked;
