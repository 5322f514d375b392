/** Logs in which a server, or a proxy in front of it, writes a line for each request. */
@NullMarked
package dev.fettle.watch.accesslog;

import org.jspecify.annotations.NullMarked;
