package dev.fettle.load.api;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Why an attempt of the load did not end in a valid response, and what that means for conclusions. Each failed attempt
 * has exactly one kind. Ordered by how far the attempt got.
 *
 * <p>In JSON the constants have these names, which never change, as journals are read for years. An unknown name, for
 * example in the journal of a newer version, is read as {@link #UNKNOWN}.
 */
public enum ErrorKind {
    /** The generator's own host lacked something: a file descriptor, a free local port, a route. */
    OTHER(Reached.NOTHING),
    /** Nobody listened on the port. */
    REFUSED(Reached.HOST),
    /** The connect did not finish in time: a full accept queue, a dropped SYN. */
    CONNECT_TIMEOUT(Reached.HOST),
    /** The TLS handshake failed, or a record was broken. */
    TLS(Reached.HOST),
    /** The server reset the connection. */
    RESET(Reached.CONNECTION),
    /** The server closed the connection before its answer was complete. */
    CLOSED_EARLY(Reached.CONNECTION),
    /** No complete answer within the time-out: the server has the request, and works on it or keeps it waiting. */
    READ_TIMEOUT(Reached.SERVER),
    /** The bytes received break the protocol. */
    MALFORMED(Reached.ANSWER),
    /** A status other than expected. */
    STATUS(Reached.ANSWER),
    /** A body of another length than expected. */
    LENGTH(Reached.ANSWER),
    /** A body other than expected. */
    BODY(Reached.ANSWER),
    /** An answer that fails a check of its scenario's step, or that lacks a value needed by a later step. */
    CHECK(Reached.ANSWER),
    /** A kind from another version of Fettle. The attempt failed; nothing else is concluded from it. */
    UNKNOWN(Reached.CONNECTION);

    /** How far a failed attempt got. */
    private enum Reached {
        /** It never left the generator. */
        NOTHING,
        /** To the server's host at most; no request was sent. */
        HOST,
        /** To a connection; whether the server began to process the request is unknown. */
        CONNECTION,
        /** To the server, which did not answer in time. */
        SERVER,
        /** To an answer. */
        ANSWER
    }

    private final Reached reached;

    ErrorKind(Reached reached) {
        this.reached = reached;
    }

    /**
     * Whether the server answered with something other than what was asked for. With many of these, it is not the page
     * that was measured, so they void a trial. Other failures are the server's behaviour under load, and the objective
     * judges them.
     */
    public boolean isWrongAnswer() {
        return reached == Reached.ANSWER;
    }

    /**
     * Whether the request certainly reached the server and cost it threads and CPU like a valid one. Then it belongs in
     * the denominator of CPU per request and holding time.
     */
    public boolean costsWork() {
        return reached == Reached.ANSWER || reached == Reached.SERVER;
    }

    /** Whether the generator's own host was the cause: then it says nothing about the server. */
    public boolean isGenerators() {
        return reached == Reached.NOTHING;
    }

    /** For people: {@code read timeout}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The kind of that name; {@link #UNKNOWN} if there is none. */
    public static ErrorKind of(String name) {
        for (ErrorKind kind : values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return UNKNOWN;
    }

    /** An immutable copy in the order of the constants. */
    public static <V> Map<ErrorKind, V> ordered(Map<ErrorKind, V> byKind) {
        return byKind.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(byKind));
    }
}
