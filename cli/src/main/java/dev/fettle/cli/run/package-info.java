/** A run from the command line: sessions, progress, what is shown at the end. */
@NullMarked
package dev.fettle.cli.run;

import org.jspecify.annotations.NullMarked;
