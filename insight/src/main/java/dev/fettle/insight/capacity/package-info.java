/** The search for the highest rate that meets an SLO, and the look at overload. */
@NullMarked
package dev.fettle.insight.capacity;

import org.jspecify.annotations.NullMarked;
