/** The experiment that compares variants in pairs. */
@NullMarked
package dev.fettle.insight.compare;

import org.jspecify.annotations.NullMarked;
