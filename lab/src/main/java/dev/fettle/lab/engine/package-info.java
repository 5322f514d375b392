/** A plan's load in the words of the load engine. */
@NullMarked
package dev.fettle.lab.engine;

import org.jspecify.annotations.NullMarked;
