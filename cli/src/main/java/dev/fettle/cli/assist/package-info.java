/** Fettle's commands as tools of the Model Context Protocol, for assistants. */
@NullMarked
package dev.fettle.cli.assist;

import org.jspecify.annotations.NullMarked;
