/** Options that several commands share. */
@NullMarked
package dev.fettle.cli.option;

import org.jspecify.annotations.NullMarked;
