/** The experiment that holds variants against a reference, in pairs. */
@NullMarked
package dev.fettle.insight.compare;

import org.jspecify.annotations.NullMarked;
