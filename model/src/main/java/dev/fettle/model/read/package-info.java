/** Reads a plan's YAML into records, or reports every mistake with its position. */
@NullMarked
package dev.fettle.model.read;

import org.jspecify.annotations.NullMarked;
