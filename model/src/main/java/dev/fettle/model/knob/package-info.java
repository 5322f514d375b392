/** The catalogue of knobs, settings, and the servers' own names. */
@NullMarked
package dev.fettle.model.knob;

import org.jspecify.annotations.NullMarked;
