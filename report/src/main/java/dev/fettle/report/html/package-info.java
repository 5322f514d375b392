/** A run as one page that needs no network. */
@NullMarked
package dev.fettle.report.html;

import org.jspecify.annotations.NullMarked;
