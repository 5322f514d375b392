/** Moves bytes: by io_uring or by NIO. */
@NullMarked
package dev.fettle.load.transport;

import org.jspecify.annotations.NullMarked;
