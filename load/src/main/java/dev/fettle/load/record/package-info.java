/** Counts and histograms of one engine thread, handed over as windows on request. */
@NullMarked
package dev.fettle.load.record;

import org.jspecify.annotations.NullMarked;
