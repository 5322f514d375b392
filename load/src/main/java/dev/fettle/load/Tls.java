package dev.fettle.load;

import dev.fettle.load.transport.tls.ExplainedTrust;
import dev.fettle.load.transport.tls.TlsSetup;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How connections are secured.
 *
 * @param serverName name sent by SNI and held against the certificate; not empty
 * @param authorities PEM file of the certificates to trust; empty: those that the JDK trusts
 * @param insecure whether any certificate is taken, for any name
 * @param resume whether a new connection may resume an earlier session; if not, each makes a full handshake
 */
public record Tls(String serverName, Optional<Path> authorities, boolean insecure, boolean resume) {
    /** Checks the name. */
    public Tls {
        if (serverName.isEmpty()) {
            throw new IllegalArgumentException("TLS needs the server's name");
        }
    }

    /**
     * A context that trusts what the load trusts, for another client that looks at the server before the load comes.
     *
     * @throws IllegalArgumentException if the certificates cannot be read, or the name is none that TLS can send
     */
    public SSLContext context() {
        return TlsSetup.of(this, Protocol.HTTP_1_1, 443).newContext(new SecureRandom());
    }

    /** Why a server's certificate was refused, in the user's terms; empty if the failure is none of that. */
    public static Optional<String> refusal(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof ExplainedTrust.Refused) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }
}
