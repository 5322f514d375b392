/** Many runs over time as a document. */
@NullMarked
package dev.fettle.report.history;

import org.jspecify.annotations.NullMarked;
