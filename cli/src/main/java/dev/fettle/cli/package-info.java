/** The {@code fettle} command: reads arguments, wires the rooms together, shows progress. No rule or figure is made here. */
@NullMarked
package dev.fettle.cli;

import org.jspecify.annotations.NullMarked;
