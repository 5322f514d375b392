package dev.fettle.load;

/** A complete response, as far as it is judged. */
interface Answer {
    /** 200 to 599. */
    int status();

    /** Bytes of the body without framing; after a HEAD request the announced length, 0 if none. */
    long bodyLength();
}
