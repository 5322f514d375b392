/** A run for a terminal. */
@NullMarked
package dev.fettle.report.text;

import org.jspecify.annotations.NullMarked;
