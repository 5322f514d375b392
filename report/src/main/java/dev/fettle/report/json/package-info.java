/** A run as JSON, by published schemas. */
@NullMarked
package dev.fettle.report.json;

import org.jspecify.annotations.NullMarked;
