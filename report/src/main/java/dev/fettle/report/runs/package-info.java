/** The runs of a team: the list of them, and two of them next to each other. */
@NullMarked
package dev.fettle.report.runs;

import org.jspecify.annotations.NullMarked;
