/** The catalogue of knobs with their native names, and settings. */
@NullMarked
package dev.fettle.model.knob;

import org.jspecify.annotations.NullMarked;
