package dev.fettle.load.script;

import java.nio.ByteBuffer;

/**
 * Receives a response as it arrives, in pieces that are only lent. Called by one engine thread; allocates nothing
 * itself.
 */
public interface ResponseSink {

    /** A response begins; everything about an earlier one must be forgotten. */
    void begin();

    /** A header field of the final response; name in any case, value without the blanks around it. */
    default void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {}

    /** Whether {@link #header} is wanted at all: passing on every field has a cost. */
    default boolean wantsHeaders() {
        return false;
    }

    /** A piece of the body. */
    void body(ByteBuffer b, int from, int to);
}
