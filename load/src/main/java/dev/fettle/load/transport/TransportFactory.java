package dev.fettle.load.transport;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.load.transport.tls.TlsTransport;
import java.io.IOException;

/** Opens the transports of a load, one an engine thread. What they have in common, such as what TLS trusts, is read once. */
public interface TransportFactory {

    /**
     * A transport for one engine thread. May be called by another thread than that.
     *
     * @throws IOException if this host has not what it needs
     */
    Transport open(Recorder recorder, LoopClock clock) throws IOException;

    /** What moves the bytes, and, where it is not the better one, why. One line for {@link LoadRun#notes()}. */
    String note();

    /**
     * The factory for how the spec's requests travel.
     *
     * @throws IllegalArgumentException if the certificates to trust cannot be read
     * @throws IOException if the load insists on io_uring, and it is not to be had
     */
    static TransportFactory of(LoadSpec spec) throws IOException {
        TransportFactory raw = RawTransports.of(spec);
        if (spec.wire().tls().isEmpty()) {
            return raw;
        }
        TlsSetup setup = TlsSetup.of(
                spec.wire().tls().get(), spec.wire().protocol(), spec.address().getPort());
        return new Secured(raw, setup);
    }

    /** TLS over another factory's transports. */
    record Secured(TransportFactory raw, TlsSetup setup) implements TransportFactory {
        @Override
        public Transport open(Recorder recorder, LoopClock clock) throws IOException {
            return new TlsTransport(raw.open(recorder, clock), setup);
        }

        @Override
        public String note() {
            return raw.note();
        }
    }
}
