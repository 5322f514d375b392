/** A response surface over several knobs: a Gaussian process that knows its own uncertainty. */
@NullMarked
package dev.fettle.insight.surface;

import org.jspecify.annotations.NullMarked;
