package dev.fettle.load;

import java.io.IOException;

/** Opens the transports of a load, one an engine thread. What they have in common, such as what TLS trusts, is read once. */
interface TransportFactory {

    /**
     * A transport for one engine thread.
     *
     * @throws IOException if this host has not what it needs
     */
    Transport open(Recorder recorder, LoopClock clock) throws IOException;

    /**
     * The factory for how the spec's requests travel.
     *
     * @throws IllegalArgumentException if the certificates to trust cannot be read
     */
    static TransportFactory of(LoadSpec spec) {
        TransportFactory raw = (recorder, clock) -> new NioTransport(spec.address(), recorder, clock);
        if (spec.wire().tls().isEmpty()) {
            return raw;
        }
        TlsSetup setup = TlsSetup.of(
                spec.wire().tls().get(), spec.wire().protocol(), spec.address().getPort());
        return (recorder, clock) -> new TlsTransport(raw.open(recorder, clock), setup);
    }
}
