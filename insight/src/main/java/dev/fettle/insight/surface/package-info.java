/** A response surface over several knobs: a Gaussian process that says how sure it is. */
@NullMarked
package dev.fettle.insight.surface;

import org.jspecify.annotations.NullMarked;
