package dev.fettle.lab.target;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.load.api.Wire;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * Makes a TLS handshake with a target as a client that supports everything, and records what was agreed on: the
 * version, the cipher suite, the application protocol, which ALPN decides (RFC 7301), and whether the server resumes
 * sessions.
 */
final class TlsLook {
    private static final int BOUND_MILLIS = 5000;
    private static final String H2 = "h2";
    private static final String HTTP_1_1 = "http/1.1";
    private static final String MARK = "fettle";

    /** A request that no application sees. */
    private static final byte[] KNOCK =
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private TlsLook() {}

    /**
     * Makes the handshake, if the load uses TLS.
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
                    TlsSetup.context(wire.tls().get(), running.address().getHostString());
            alpn = agreed(running, context);
            resumption(running, context, wire.tls().get().resume());
        } catch (IOException | IllegalArgumentException e) {
            running.note("what TLS agrees on was not read: " + e.getMessage());
            return;
        }
        Optional<Boolean> http2 = setting.get("http2").map("true"::equals);
        if (http2.isPresent() && http2.get() != alpn.equals(H2)) {
            throw TrialFailure.notEffective(
                    "http2",
                    "http2 was set to %s, but of h2 and http/1.1 the running target selects %s by ALPN"
                            .formatted(http2.get(), alpn.isEmpty() ? "neither" : alpn));
        }
    }

    private static String agreed(RunningTarget running, SSLContext context) throws IOException {
        try (SSLSocket socket = shaken(running, context, H2, HTTP_1_1)) {
            SSLSession session = socket.getSession();
            String alpn = socket.getApplicationProtocol();
            running.fact("tls", session.getProtocol() + " " + session.getCipherSuite());
            running.fact("alpn", alpn.isEmpty() ? "none" : alpn);
            return alpn;
        }
    }

    /** Finds out whether the server resumes sessions: a value stored in a session is still there if it was resumed. */
    private static void resumption(RunningTarget running, SSLContext context, boolean wanted) {
        try {
            try (SSLSocket first = shaken(running, context, HTTP_1_1)) {
                first.getSession().putValue(MARK, MARK);
                first.getOutputStream().write(KNOCK); // with TLS 1.3, tickets come after the handshake
                if (first.getInputStream().read() < 0) {
                    throw new IOException("it closed before it answered");
                }
            }
            try (SSLSocket second = shaken(running, context, HTTP_1_1)) {
                boolean resumed = second.getSession().getValue(MARK) != null;
                running.fact("tlsResumes", Boolean.toString(resumed));
                if (wanted && !resumed) {
                    running.note("the server resumes no session: each new connection is a full handshake");
                }
            }
        } catch (IOException e) {
            running.note("whether the server resumes sessions was not read: " + e.getMessage());
        }
    }

    private static SSLSocket shaken(RunningTarget running, SSLContext context, String... protocols) throws IOException {
        var plain = new Socket();
        try {
            plain.connect(running.address(), BOUND_MILLIS);
            plain.setSoTimeout(BOUND_MILLIS);
            SSLSocket socket = (SSLSocket) context.getSocketFactory()
                    .createSocket(
                            plain,
                            running.address().getHostString(),
                            running.address().getPort(),
                            true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(protocols);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
