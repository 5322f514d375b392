/**
 * Reads a server from inside its JVM, whichever way it came there: {@link dev.fettle.agent.Premain} is loaded into the JVM
 * of a server that is not ours and finds it there; {@code target} hands over the servers that it starts itself. The values
 * are read by reflection, since the server's classes belong to class loaders that this one does not see.
 *
 * <p>Nothing here changes a server. Java 11, and no dependency.
 */
@NullMarked
package dev.fettle.agent;

import org.jspecify.annotations.NullMarked;
