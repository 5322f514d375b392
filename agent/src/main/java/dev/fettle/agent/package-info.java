/**
 * Reads a server from inside its JVM, however it got there: {@link dev.fettle.agent.Premain} is loaded into the JVM of
 * a server that is not ours and finds it; {@code servers} hands over the servers it starts itself. Values are read by
 * reflection, because the server's classes belong to class loaders that this one does not see.
 *
 * <p>A server that was started with the agent lets its live knobs be set; nothing else here changes a server. Java 11, no dependencies.
 */
@NullMarked
package dev.fettle.agent;

import org.jspecify.annotations.NullMarked;
