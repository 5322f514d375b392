/** From a plan's YAML to its records, or every mistake in it with its place. */
@NullMarked
package dev.fettle.model.read;

import org.jspecify.annotations.NullMarked;
