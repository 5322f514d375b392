/**
 * The JVM under test: an embedded Tomcat, Jetty or Undertow with a sample application, started by Fettle's lab as a
 * child process and never linked into it.
 *
 * <p>{@link dev.fettle.servers.Main} is the server process, {@link dev.fettle.servers.Backend} the slow service that the
 * {@code login} application calls. Both speak to the lab by one line on standard output; the server also opens a control
 * port on the loopback address.
 */
@NullMarked
package dev.fettle.servers;

import org.jspecify.annotations.NullMarked;
