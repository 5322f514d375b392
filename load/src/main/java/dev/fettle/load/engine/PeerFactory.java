package dev.fettle.load.engine;

import dev.fettle.load.client.Loop;
import dev.fettle.load.client.Peer;

/** Makes the peers of an engine loop, for the load's protocol. */
interface PeerFactory {

    /** @param number over all engine threads, from 0 */
    Peer peer(Loop loop, int number);
}
