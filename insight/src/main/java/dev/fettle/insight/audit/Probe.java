package dev.fettle.insight.audit;

import java.util.Optional;

/**
 * What trying a setting said.
 *
 * @param setting as it was tried, for example {@code -XX:+UseParNewGC} or {@code net.ipv4.tcp_tw_recycle}
 * @param on what it was tried on: {@code JDK 25.0.3}, {@code Linux 6.18}
 * @param words what was said, one line
 * @param byDefault the value without it, if there is one
 */
public record Probe(String setting, String on, Outcome outcome, String words, Optional<String> byDefault) {
    /** What became of it. */
    public enum Outcome {
        /** It is taken. */
        ACCEPTED,
        /** It is taken, with a warning that it will go. */
        DEPRECATED,
        /** It is passed over. */
        IGNORED,
        /** It exists, and takes another value, or none. */
        CHANGED,
        /** Nothing starts with it. */
        REFUSED,
        /** There is no such thing. */
        ABSENT
    }
}
