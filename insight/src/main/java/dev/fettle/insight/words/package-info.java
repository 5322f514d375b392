/** Figures and knob values, as a sentence wants them. */
@NullMarked
package dev.fettle.insight.words;

import org.jspecify.annotations.NullMarked;
