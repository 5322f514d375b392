/** An audit as text, Markdown, JSON and SARIF, and the page of all rules. */
@NullMarked
package dev.fettle.report.audit;

import org.jspecify.annotations.NullMarked;
