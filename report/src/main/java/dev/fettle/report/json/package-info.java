/** A run as JSON, following published schemas. */
@NullMarked
package dev.fettle.report.json;

import org.jspecify.annotations.NullMarked;
