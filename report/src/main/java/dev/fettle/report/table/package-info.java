/** Flat formats for other tools: CSV, Prometheus, JUnit. */
@NullMarked
package dev.fettle.report.table;

import org.jspecify.annotations.NullMarked;
