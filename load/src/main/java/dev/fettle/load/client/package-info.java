/** Clients, the peers that carry their requests, and the part of the engine thread that both see. */
@NullMarked
package dev.fettle.load.client;

import org.jspecify.annotations.NullMarked;
