/** Reads plans: YAML in, a {@link dev.fettle.model.Plan} or every mistake in it with its place out. */
@NullMarked
package dev.fettle.model.plan;

import org.jspecify.annotations.NullMarked;
