package dev.fettle.load.transport;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.uring.RingKit;
import java.io.IOException;
import java.util.Optional;

/**
 * Transports that move bytes unchanged: by io_uring or by NIO, whichever the load asks for or this host has.
 *
 * @param note see {@link TransportFactory#note}
 */
public record RawTransports(LoadSpec spec, boolean ring, String note) implements TransportFactory {

    /**
     * Chooses a transport. A ring is tried out here, so that a refusal shows before the run and not during it.
     *
     * @throws IOException if the load insists on io_uring, and it is not available
     */
    public static RawTransports of(LoadSpec spec) throws IOException {
        TransportKind kind = spec.wire().transport();
        if (kind == TransportKind.NIO) {
            return new RawTransports(spec, false, "transport: NIO");
        }
        return of(spec, RingKit.tryOut(UringTransport.SIZES));
    }

    /**
     * Chooses for a load that does not insist on NIO.
     *
     * @param refusal why there is no io_uring; empty: there is
     */
    public static RawTransports of(LoadSpec spec, Optional<String> refusal) throws IOException {
        if (refusal.isEmpty()) {
            return new RawTransports(spec, true, "transport: io_uring");
        }
        if (spec.wire().transport() == TransportKind.IO_URING) {
            throw new IOException("io_uring is not to be had here, the other transport is NIO: " + refusal.get());
        }
        return new RawTransports(spec, false, "transport: NIO, for io_uring is not to be had here: " + refusal.get());
    }

    @Override
    public Transport open(Recorder recorder, LoopClock clock, Budget budget) throws IOException {
        return ring
                ? new UringTransport(
                        spec.address(), spec.sources(), RingKit.open(UringTransport.SIZES), recorder, clock)
                : new NioTransport(spec.address(), spec.sources(), recorder, clock);
    }
}
