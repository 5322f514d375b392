package dev.fettle.load.transport.tls;

import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * {@link Tls} in the JDK's terms: TLS 1.3 or 1.2, trust, the name, the application protocol. Immutable; shared by all
 * threads.
 */
public final class TlsSetup {

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};
    private static final String H2 = "h2";

    private final Tls tls;
    private final int port;
    private final boolean wantsH2;
    private final String serverName;
    private final TrustManager[] trust;

    private TlsSetup(Tls tls, String serverName, Protocol protocol, int port, TrustManager trust) {
        this.tls = tls;
        this.port = port;
        this.wantsH2 = protocol == Protocol.HTTP_2;
        this.serverName = withoutBrackets(serverName);
        this.trust = new TrustManager[] {trust};
    }

    /**
     * Reads the certificates.
     *
     * @param serverName sent in SNI and checked against the certificate; not empty
     * @param port of the server; sessions are resumed per name and port
     * @throws IllegalArgumentException if they cannot be read, or TLS can't send the name
     */
    public static TlsSetup of(Tls tls, String serverName, Protocol protocol, int port) {
        if (serverName.isEmpty()) {
            throw new IllegalArgumentException("TLS needs the server's name");
        }
        TrustManager trust;
        try {
            trust = tls.insecure()
                    ? new TrustAll()
                    : new ExplainedTrust(
                            jdkTrust(
                                    tls.authorities().isEmpty()
                                            ? null
                                            : authorities(
                                                    Path.of(tls.authorities().get()))),
                            tls,
                            serverName);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
        }
        TlsSetup setup = new TlsSetup(tls, serverName, protocol, port, trust);
        setup.newEngine(setup.newContext(new SecureRandom()));
        return setup;
    }

    /**
     * A context that trusts what the load trusts, for another client that checks the server before the load.
     *
     * @throws IllegalArgumentException if the certificates cannot be read, or TLS can't send the name
     */
    public static SSLContext context(Tls tls, String serverName) {
        return of(tls, serverName, Protocol.HTTP_1_1, 443).newContext(new SecureRandom());
    }

    /** Why a server's certificate was refused, in the user's terms; empty if the failure is something else. */
    public static Optional<String> refusal(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof ExplainedTrust.Refused) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static X509ExtendedTrustManager jdkTrust(@Nullable KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(authorities);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    private static KeyStore authorities(Path pem) throws GeneralSecurityException, IOException {
        Collection<? extends Certificate> certificates;
        if (Files.exists(pem) && !Files.isRegularFile(pem)) { // a named pipe waits for whoever writes to it
            throw new IllegalArgumentException(
                    "cannot read the certificates to trust from " + pem + ": it is not a file");
        }
        try (InputStream in = Files.newInputStream(pem)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot read the certificates to trust from " + pem + ": " + reason(e), e);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(pem + " is no PEM file of certificates: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(
                    pem + " has no certificate in it; PEM begins with -----BEGIN CERTIFICATE-----");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("ca" + number++, certificate);
        }
        return store;
    }

    /** The reason without the path, which file exceptions repeat as their message. */
    private static String reason(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException ? "no such file" : e.toString();
    }

    boolean resumes() {
        return tls.resume();
    }

    /** A context whose session cache is empty. */
    SSLContext newContext(SecureRandom random) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust, random);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no TLS: " + e.getMessage(), e);
        }
    }

    /** A client's engine. */
    SSLEngine newEngine(SSLContext context) {
        SSLEngine engine = context.createSSLEngine(serverName, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(new String[] {wantsH2 ? H2 : "http/1.1"});
        if (!isAddress(serverName)) {
            parameters.setServerNames(List.of(sni()));
        }
        if (!tls.insecure()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private SNIHostName sni() {
        try {
            return new SNIHostName(
                    serverName.endsWith(".") ? serverName.substring(0, serverName.length() - 1) : serverName);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + serverName + "' is no host name which TLS can send: " + e.getMessage(), e);
        }
    }

    /** What is wrong with the result of the handshake; null: nothing. */
    @Nullable
    String objection(SSLEngine shaken) {
        return wantsH2 && !H2.equals(shaken.getApplicationProtocol()) ? NO_H2 : null;
    }

    private static final String NO_H2 =
            "the server does not offer HTTP/2 (it did not select h2 by ALPN); it may speak HTTP/1.1";

    /** A failure in the user's terms. */
    String explain(Exception failure) {
        Optional<String> refusal = refusal(failure);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        String message = String.valueOf(failure.getMessage());
        if (wantsH2 && message.contains("no_application_protocol")) {
            return NO_H2;
        }
        int alert = message.indexOf("Received fatal alert: ");
        return alert < 0
                ? "TLS: " + message
                : "the server ended TLS with the alert " + message.substring(alert + "Received fatal alert: ".length());
    }

    private static String withoutBrackets(String name) {
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    /** Whether it is an IP address: these are compared with the certificate, but not sent (RFC 6066, 3). */
    private static boolean isAddress(String name) {
        return name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
