/** Intervals, means, power, noise, and merged histograms. */
@NullMarked
package dev.fettle.insight.stats;

import org.jspecify.annotations.NullMarked;
