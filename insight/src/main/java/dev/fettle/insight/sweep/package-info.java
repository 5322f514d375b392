/** The experiment that measures a full grid. */
@NullMarked
package dev.fettle.insight.sweep;

import org.jspecify.annotations.NullMarked;
