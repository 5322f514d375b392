/** What a result's tables say, once for the terminal, the page and other outputs: values with units, no layout. */
@NullMarked
package dev.fettle.report.document;

import org.jspecify.annotations.NullMarked;
