/**
 * What can be wrong with a login page: one class a fault, with real parts (a connection pool, a log, a parser), each switched on by
 * its name in {@code app.fault}. Some faults need nothing here: they are a plan's settings, its load, or its backend.
 */
@NullMarked
package dev.fettle.faults;

import org.jspecify.annotations.NullMarked;
