/** Reads a running JVM: its threads, its server's beans. */
@NullMarked
package dev.fettle.watch.jvm;

import org.jspecify.annotations.NullMarked;
