/** A run as one self-contained HTML page. */
@NullMarked
package dev.fettle.report.html;

import org.jspecify.annotations.NullMarked;
