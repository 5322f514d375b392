/** Jetty, embedded. */
@NullMarked
package dev.fettle.servers.jetty;

import org.jspecify.annotations.NullMarked;
