/** WebSocket: opening handshake, frames, messages and their answers. */
@NullMarked
package dev.fettle.load.websocket;

import org.jspecify.annotations.NullMarked;
