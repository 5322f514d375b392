/** Starts and runs loads: threads, their loops, dispatchers; and rehearsals that warm up this JVM. */
@NullMarked
package dev.fettle.load.engine;

import org.jspecify.annotations.NullMarked;
