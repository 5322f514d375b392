/**
 * Linux's io_uring through the foreign-function API, as far as the load engine needs it: a ring, its provided buffers, and
 * the sockets that go with it. Knows nothing of the engine. No native library: libc's functions are called directly.
 *
 * <p>Numbers and layouts are those of the kernel's {@code include/uapi/linux/io_uring.h}; see {@link
 * dev.fettle.load.transport.uring.Abi}. The oldest kernel that will do is 6.0 (single issuer, multishot receive, buffer rings).
 */
@NullMarked
package dev.fettle.load.transport.uring;

import org.jspecify.annotations.NullMarked;
