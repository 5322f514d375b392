/** HTTP/2: frames, header compression, streams of one connection. */
@NullMarked
package dev.fettle.load.http2;

import org.jspecify.annotations.NullMarked;
