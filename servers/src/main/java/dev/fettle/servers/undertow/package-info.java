/** Undertow, embedded. */
@NullMarked
package dev.fettle.servers.undertow;

import org.jspecify.annotations.NullMarked;
