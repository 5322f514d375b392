/** The catalogue of knobs, for a terminal and as Markdown. */
@NullMarked
package dev.fettle.report.knobs;

import org.jspecify.annotations.NullMarked;
