/** The terminal: screen, signals, exit codes. */
@NullMarked
package dev.fettle.cli.terminal;

import org.jspecify.annotations.NullMarked;
