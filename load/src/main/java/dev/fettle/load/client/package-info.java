/** A client, the peer that carries its requests, and what both see of their engine thread. */
@NullMarked
package dev.fettle.load.client;

import org.jspecify.annotations.NullMarked;
