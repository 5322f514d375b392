/**
 * Renders results for people and programs, as pure functions: terminal text, one self-contained HTML file, JSON, CSV, and
 * server configuration ready to paste.
 *
 * <p>Start with {@link dev.fettle.report.RunReport}, the input of all of them. Nothing here does I/O, except that {@link
 * dev.fettle.report.html.HtmlReport} reads its own style sheet and scripts from the class path. Nothing reads a clock.
 */
@NullMarked
package dev.fettle.report;

import org.jspecify.annotations.NullMarked;
