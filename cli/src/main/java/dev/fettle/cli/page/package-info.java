/** A page that shows a run while it goes on, for browsers on this machine. */
@NullMarked
package dev.fettle.cli.page;

import org.jspecify.annotations.NullMarked;
