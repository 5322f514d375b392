/** A result as Markdown, for a pull request, an issue or a wiki. */
@NullMarked
package dev.fettle.report.markdown;

import org.jspecify.annotations.NullMarked;
