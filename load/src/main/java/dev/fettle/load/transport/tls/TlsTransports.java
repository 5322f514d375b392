package dev.fettle.load.transport.tls;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import java.io.IOException;

/** TLS over another factory's transports. */
public record TlsTransports(TransportFactory raw, TlsSetup setup) implements TransportFactory {
    @Override
    public Transport open(Recorder recorder, LoopClock clock, Budget budget) throws IOException {
        return new TlsTransport(raw.open(recorder, clock, budget), setup, budget);
    }

    @Override
    public String note() {
        return raw.note();
    }
}
