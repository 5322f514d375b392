/** Reads the host: processes, CPUs, sockets, limits, and other programs' load. */
@NullMarked
package dev.fettle.watch.host;

import org.jspecify.annotations.NullMarked;
