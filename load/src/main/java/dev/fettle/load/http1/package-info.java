/** HTTP/1.1: the connection, pipelined or not, and the response parser. */
@NullMarked
package dev.fettle.load.http1;

import org.jspecify.annotations.NullMarked;
