/** Recordings of Java Flight Recorder in a running JVM: started, fetched, read. */
@NullMarked
package dev.fettle.watch.jfr;

import org.jspecify.annotations.NullMarked;
