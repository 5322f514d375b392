/**
 * The {@code fettle} command: reads arguments, wires the modules together, shows progress. It contains no rules and
 * computes no figures.
 */
@NullMarked
package dev.fettle.cli;

import org.jspecify.annotations.NullMarked;
