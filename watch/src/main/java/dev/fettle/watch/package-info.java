/**
 * Reads a live host and JVM and gives evidence: {@code /proc} of the target and of the network namespace it lives in,
 * its sockets, and the threads of its JVM. Read-only but for attaching to a JVM. What can't be read is left empty and
 * named in a note, never guessed.
 */
@NullMarked
package dev.fettle.watch;

import org.jspecify.annotations.NullMarked;
