/** Calls of the kernel for the engine's own threads, by the JDK's foreign-function API: pinning, time slices. */
@NullMarked
package dev.fettle.load.os;

import org.jspecify.annotations.NullMarked;
