package dev.fettle.load.engine;

import dev.fettle.load.api.TransportKind;
import dev.fettle.load.transport.UringTransport;
import dev.fettle.load.transport.uring.RingKit;
import java.util.List;

/** The transports that tests run on. */
public final class TransportKinds {

    private TransportKinds() {}

    /** All that this host has. UringTransportTest says when that is less than there are. */
    public static List<TransportKind> usable() {
        return RingKit.tryOut(UringTransport.SIZES).isEmpty()
                ? List.of(TransportKind.NIO, TransportKind.IO_URING)
                : List.of(TransportKind.NIO);
    }
}
