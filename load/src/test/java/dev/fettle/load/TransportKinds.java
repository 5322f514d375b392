package dev.fettle.load;

import java.util.List;

/** The transports that tests run on. */
final class TransportKinds {

    private TransportKinds() {}

    /** All that this host has. */
    static List<TransportKind> usable() {
        return List.of(TransportKind.NIO);
    }
}
