/** The experiment that looks for a better setting and proves it. */
@NullMarked
package dev.fettle.insight.tune;

import org.jspecify.annotations.NullMarked;
