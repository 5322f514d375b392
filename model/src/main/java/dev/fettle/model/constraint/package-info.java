/** Checks which settings can work. */
@NullMarked
package dev.fettle.model.constraint;

import org.jspecify.annotations.NullMarked;
