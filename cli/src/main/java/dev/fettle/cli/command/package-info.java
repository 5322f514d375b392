/** The subcommands. */
@NullMarked
package dev.fettle.cli.command;

import org.jspecify.annotations.NullMarked;
