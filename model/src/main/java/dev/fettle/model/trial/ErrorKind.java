package dev.fettle.model.trial;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Why an attempt of the load did not end in a valid response, and what that means for conclusions. Each failed attempt has
 * exactly one kind. In order of how far the attempt came.
 *
 * <p>JSON has the constants by their names, which never change: journals are read for years. A name that is not known here, as in
 * the journal of a newer version, is read as {@link #UNKNOWN}.
 */
public enum ErrorKind {
    /** The generator's own host was in the way: no file descriptor, no free local port, no route. */
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
    /** No complete answer within the time-out: the server has the request, and works on it or lets it wait. */
    READ_TIMEOUT(Reached.SERVER),
    /** What came is not of the protocol. */
    MALFORMED(Reached.ANSWER),
    /** Another status than is wanted. */
    STATUS(Reached.ANSWER),
    /** A body of another length than is wanted. */
    LENGTH(Reached.ANSWER),
    /** A body that is not what is wanted. */
    BODY(Reached.ANSWER),
    /** An answer that a check of its scenario's step refuses, or that lacks a value which a later step needs. */
    CHECK(Reached.ANSWER),
    /** A kind of another version of Fettle. It failed; nothing else is concluded from it. */
    UNKNOWN(Reached.CONNECTION);

    /** How far a failed attempt came. */
    private enum Reached {
        /** It never left the generator. */
        NOTHING,
        /** The server's host, perhaps; no request was sent. */
        HOST,
        /** A connection: whether the server took up the request can't be known. */
        CONNECTION,
        /** The server, which did not answer in time. */
        SERVER,
        /** An answer came. */
        ANSWER
    }

    private final Reached reached;

    ErrorKind(Reached reached) {
        this.reached = reached;
    }

    /**
     * Whether the server answered, with something else than what was asked for. What is measured with many of these is not the
     * page, so they void a trial, while other failures are the server's behaviour under load and the objective judges them.
     */
    public boolean isWrongAnswer() {
        return reached == Reached.ANSWER;
    }

    /**
     * Whether the request certainly reached the server and cost it threads and CPU as a valid one does: it belongs into the
     * denominator of CPU per request and holding time.
     */
    public boolean costsWork() {
        return reached == Reached.ANSWER || reached == Reached.SERVER;
    }

    /** Whether the generator's own host was the cause: it says nothing about the server. */
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

    /** A copy in the order of the constants, which can't be changed. */
    public static <V> Map<ErrorKind, V> ordered(Map<ErrorKind, V> byKind) {
        return byKind.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(byKind));
    }

    /** Reads counts by kind; the counts of all names that are not known are one. */
    public static final class CountReader extends JsonDeserializer<Map<ErrorKind, Long>> {
        @Override
        public Map<ErrorKind, Long> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            var counts = new EnumMap<ErrorKind, Long>(ErrorKind.class);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                ErrorKind kind = of(in.currentName());
                in.nextToken();
                counts.merge(kind, in.getLongValue(), Long::sum);
            }
            return counts;
        }
    }

    /** Reads texts by kind; of all names that are not known, the first. */
    public static final class TextReader extends JsonDeserializer<Map<ErrorKind, String>> {
        @Override
        public Map<ErrorKind, String> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            var texts = new EnumMap<ErrorKind, String>(ErrorKind.class);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                ErrorKind kind = of(in.currentName());
                in.nextToken();
                texts.putIfAbsent(kind, in.getText());
            }
            return texts;
        }
    }
}
