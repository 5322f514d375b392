/** Reads the host: processes, CPUs, sockets, limits, and what others do. */
@NullMarked
package dev.fettle.watch.host;

import org.jspecify.annotations.NullMarked;
