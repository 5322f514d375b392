/** The experiment that runs through a grid. */
@NullMarked
package dev.fettle.insight.sweep;

import org.jspecify.annotations.NullMarked;
