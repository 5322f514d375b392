/** Terminal output. */
@NullMarked
package dev.fettle.report.text;

import org.jspecify.annotations.NullMarked;
