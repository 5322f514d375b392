/** Recordings of Java Flight Recorder in a JVM that runs: started, fetched, read. */
@NullMarked
package dev.fettle.watch.jfr;

import org.jspecify.annotations.NullMarked;
