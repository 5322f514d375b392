package dev.fettle.load;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How connections are secured.
 *
 * @param serverName name sent in SNI and checked against the certificate; not empty
 * @param authorities PEM file of the certificates to trust; empty: those the JDK trusts
 * @param insecure whether to accept any certificate, for any name
 * @param resume whether a new connection may resume an earlier session; if not, each makes a full handshake
 */
public record Tls(String serverName, Optional<Path> authorities, boolean insecure, boolean resume) {
    /** Checks the name. */
    public Tls {
        if (serverName.isEmpty()) {
            throw new IllegalArgumentException("TLS needs the server's name");
        }
    }
}
