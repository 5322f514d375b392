/** Formats figures and knob values for sentences. */
@NullMarked
package dev.fettle.insight.words;

import org.jspecify.annotations.NullMarked;
