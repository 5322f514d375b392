package dev.fettle.load.script;

/** A complete response, as far as its verdict needs it. */
public interface Answer {
    /** Longest head of an answer, in bytes, interim responses and trailers included. */
    int MAX_HEAD = 1024 * 1024;

    /** The status of an answer that has none: a message. */
    int NO_STATUS = 0;

    /** 200 to 599, or {@link #NO_STATUS}. */
    int status();

    /** Bytes of the body, or of the message, without framing; after a HEAD request the announced length, 0 if none. */
    long bodyLength();
}
