package dev.fettle.load.transport;

import dev.fettle.load.api.ErrorKind;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves bytes for the connections of one engine thread, and is used by that thread alone, except for {@link #wakeup}
 * and {@link #openLinks}.
 *
 * <p>The interface is about completions, not readiness: it can be implemented by a ring as well as a selector, with TLS
 * in between.
 */
public interface Transport extends AutoCloseable {

    /** A connection that is not open yet. */
    Link newLink(Handler handler);

    /**
     * Waits for events and calls the handlers.
     *
     * @param maxNanos longest wait, 0 for none
     * @return number of events handled
     */
    int poll(long maxNanos) throws IOException;

    /** Makes a running {@link #poll}, or the next one, return. Callable from any thread. */
    void wakeup();

    /** Number of links that are open now. Callable from any thread. */
    int openLinks();

    /** Closes all links, without calling their handlers. */
    @Override
    void close();

    /** One connection's bytes. */
    interface Link {
        /** Begins to connect; the handler is told the outcome, perhaps before this returns. Only while closed. */
        void connect();

        /**
         * Sends from position to limit of a direct buffer; the handler is told of a failure, perhaps before this
         * returns. Only while connected and not {@link #sending}. The bytes must stay unchanged while {@link #sending};
         * the link may or may not move the position.
         */
        void send(ByteBuffer bytes);

        /**
         * Whether the kernel has not yet accepted all bytes of the last {@link #send}. With NIO, that happens only if
         * the socket's buffer was full. With io_uring it is so after every send, until a {@link #poll} has seen it
         * complete: usually the next one, and before the handler gets what was received after it. A failure is told
         * after what was received before it, which may be the answer.
         */
        boolean sending();

        /**
         * Closes. The handler is told nothing more until the next {@link #connect}. What was being sent goes out as far
         * as the socket accepts it now, and its buffer is free again.
         */
        void close();
    }

    /** Receives what happens on a link. */
    interface Handler {
        /** The connect has succeeded. */
        void connected();

        /** Bytes have arrived, from position to limit. The buffer is only lent. */
        void received(ByteBuffer bytes);

        /**
         * A {@link Link#send} that was still {@link Link#sending} is complete, and its buffer is free again. Not called
         * for a send that was complete when {@code send} returned.
         */
        default void sent() {}

        /** The peer has closed. */
        void ended();

        /** The link broke; it is closed. */
        void broke(ErrorKind kind, IOException cause);
    }
}
