/** Logs of garbage collections that JVMs have written. */
@NullMarked
package dev.fettle.watch.gclog;

import org.jspecify.annotations.NullMarked;
