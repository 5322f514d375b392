/** io_uring and the sockets it drives; knows nothing of the engine. */
@NullMarked
package dev.fettle.load.transport.uring;

import org.jspecify.annotations.NullMarked;
