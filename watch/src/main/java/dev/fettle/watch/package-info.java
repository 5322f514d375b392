/**
 * Observes a live host and JVM and collects evidence: {@code /proc} of the target and of its network namespace, its
 * sockets, and the threads of its JVM. Read-only except for attaching to a JVM. What can't be read is left empty and
 * named in a note, never guessed.
 */
@NullMarked
package dev.fettle.watch;

import org.jspecify.annotations.NullMarked;
