/** System calls for the engine's own threads through the JDK's foreign-function API: pinning, time slices. */
@NullMarked
package dev.fettle.load.os;

import org.jspecify.annotations.NullMarked;
