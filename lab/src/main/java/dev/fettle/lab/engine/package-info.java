/** Translates a plan's load into the load engine's terms. */
@NullMarked
package dev.fettle.lab.engine;

import org.jspecify.annotations.NullMarked;
