/** Runs that were kept: in journals, and in results that a command printed as JSON. Read, never run. */
@NullMarked
package dev.fettle.cli.kept;

import org.jspecify.annotations.NullMarked;
