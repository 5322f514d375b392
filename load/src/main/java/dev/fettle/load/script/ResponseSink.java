package dev.fettle.load.script;

import java.nio.ByteBuffer;

/** Looks at a response as it comes, in pieces that are only lent. Called by one engine thread; allocates nothing itself. */
public interface ResponseSink {

    /** A response begins; what was seen of an earlier one is to be forgotten. */
    void begin();

    /** A header field of the final response; name in any case, value without the blanks around it. */
    default void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {}

    /** Whether {@link #header} is wanted at all: looking at every field costs. */
    default boolean wantsHeaders() {
        return false;
    }

    /** A piece of the body. */
    void body(ByteBuffer b, int from, int to);
}
