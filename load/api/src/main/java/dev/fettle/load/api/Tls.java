package dev.fettle.load.api;

import java.util.Optional;

/**
 * How connections are secured.
 *
 * @param authorities PEM file of the certificates to trust; empty: those the JDK trusts
 * @param insecure whether to accept any certificate, for any name
 * @param resume whether a new connection may resume an earlier session; if not, each makes a full handshake
 */
public record Tls(Optional<String> authorities, boolean insecure, boolean resume) {}
