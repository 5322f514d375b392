package dev.fettle.lab.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What is answered to a request. */
public sealed interface Answer {
    /**
     * All of it at once; compressed for who takes that.
     *
     * @param status of HTTP
     * @param type the media type
     * @param headers more of them; those of the guard are added
     */
    record Whole(int status, String type, byte[] body, Map<String, String> headers) implements Answer {
        public Whole {
            headers = Map.copyOf(headers);
        }
    }

    /** Server-Sent Events, as they come. */
    record Stream(Events events) implements Answer {}

    /** What came out of a request that went well. */
    static Answer of(String type, String text) {
        return new Whole(200, type, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** A line of text. */
    static Whole plain(int status, String text) {
        return plain(status, text, Map.of());
    }

    /** A line of text, with more headers. */
    static Whole plain(int status, String text, Map<String, String> headers) {
        return new Whole(status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8), headers);
    }
}
