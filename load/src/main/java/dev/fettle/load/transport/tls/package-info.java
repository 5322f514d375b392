/** TLS as a transport over another one, and which certificates are trusted. */
@NullMarked
package dev.fettle.load.transport.tls;

import org.jspecify.annotations.NullMarked;
