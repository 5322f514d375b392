/** Tomcat, embedded. */
@NullMarked
package dev.fettle.servers.tomcat;

import org.jspecify.annotations.NullMarked;
