package dev.fettle.load;

import dev.fettle.load.uring.RingKit;
import java.util.List;

/** The transports that tests run on. */
final class TransportKinds {

    private TransportKinds() {}

    /** All that this host has. UringTransportTest says when that is less than there are. */
    static List<TransportKind> usable() {
        return RingKit.tryOut(UringTransport.SIZES).isEmpty()
                ? List.of(TransportKind.NIO, TransportKind.IO_URING)
                : List.of(TransportKind.NIO);
    }
}
