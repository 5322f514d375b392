package dev.fettle.insight.audit;

import java.util.Optional;

/**
 * The result of trying a setting.
 *
 * @param setting as it was tried, for example {@code -XX:+UseParNewGC} or {@code net.core.somaxconn = abc}; only a name, {@code
 *     net.ipv4.tcp_tw_recycle}, if only that was asked for
 * @param on what it was tried on: {@code JDK 25.0.3}, {@code Linux 6.18}
 * @param words the output, one line
 * @param byDefault the value without it, if there is one
 */
public record Probe(String setting, String on, Outcome outcome, String words, Optional<String> byDefault) {
    /** How a try came out. */
    public enum Outcome {
        /** Accepted. */
        ACCEPTED,
        /** Accepted, with a warning that it will be removed. */
        DEPRECATED,
        /** Ignored. */
        IGNORED,
        /** It exists, but takes another value, or none. */
        CHANGED,
        /** The program does not start with it. */
        REFUSED,
        /** It does not exist. */
        ABSENT
    }
}
