package dev.fettle.lab.target;

import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * Shakes hands with a target as a client that can do everything would, and keeps what was agreed on: the version, the cipher suite,
 * and the protocol above, which ALPN decides (RFC 7301).
 */
final class TlsLook {
    private static final int BOUND_MILLIS = 5000;
    private static final String H2 = "h2";

    private TlsLook() {}

    /**
     * Looks, if the load goes over TLS.
     *
     * @throws TrialFailure NOT_EFFECTIVE if {@code http2} was set and ALPN agrees on something else
     */
    static void at(RunningTarget running, Load load, Setting setting) throws TrialFailure {
        Wire wire = load.wire();
        if (wire.tls().isEmpty()) {
            return;
        }
        String alpn;
        try {
            SSLContext context =
                    Loads.tls(wire, running.address()).map(TlsSetup::context).orElseThrow();
            alpn = agreed(running, context);
        } catch (IOException | IllegalArgumentException e) {
            running.note("what TLS agrees on was not read: " + e.getMessage());
            return;
        }
        Optional<Boolean> http2 = setting.get("http2").map("true"::equals);
        if (http2.isPresent() && http2.get() != alpn.equals(H2)) {
            throw new TrialFailure(
                    Kind.NOT_EFFECTIVE,
                    "http2 was set to %s, but of h2 and http/1.1 the running target selects %s by ALPN"
                            .formatted(http2.get(), alpn.isEmpty() ? "neither" : alpn));
        }
    }

    private static String agreed(RunningTarget running, SSLContext context) throws IOException {
        try (var plain = new Socket()) {
            plain.connect(running.address(), BOUND_MILLIS);
            plain.setSoTimeout(BOUND_MILLIS);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                    .createSocket(plain, running.address().getHostString(), running.address().getPort(), true)) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {H2, "http/1.1"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                SSLSession session = socket.getSession();
                String alpn = socket.getApplicationProtocol();
                running.fact("tls", session.getProtocol() + " " + session.getCipherSuite());
                running.fact("alpn", alpn.isEmpty() ? "none" : alpn);
                return alpn;
            }
        }
    }
}
