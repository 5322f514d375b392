package dev.fettle.load.transport;

import dev.fettle.load.ErrorKind;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves bytes for the connections of one engine thread, and is used by that thread alone, but for {@link #wakeup} and
 * {@link #openLinks}.
 *
 * <p>The shape is that of completions, not of readiness: a ring can stand behind it as well as a selector, and TLS between.
 */
public interface Transport extends AutoCloseable {

    /** A connection to be, closed at first. */
    Link newLink(Handler handler);

    /**
     * Waits for events and calls the handlers.
     *
     * @param maxNanos how long to wait at most, 0 for not at all
     * @return how many events were handled
     */
    int poll(long maxNanos) throws IOException;

    /** Makes a {@link #poll} under way, or the next one, return. From any thread. */
    void wakeup();

    /** Links established at this moment. From any thread. */
    int openLinks();

    /** Closes all links, without calling their handlers. */
    @Override
    void close();

    /** One connection's bytes. */
    interface Link {
        /** Begins to connect; the handler hears the outcome, perhaps before this returns. Only while closed. */
        void connect();

        /**
         * Sends from position to limit of a direct buffer; the handler hears of a failure, perhaps before this returns. Only
         * while connected and not {@link #sending}. The bytes must stay as they are while {@link #sending}; the link may move
         * the position, and may leave it.
         */
        void send(ByteBuffer bytes);

        /**
         * Whether the kernel has not yet taken all bytes of the last {@link #send}. With NIO that is so after a send only when
         * the socket's buffer was full. With io_uring it is so after every send, until a {@link #poll} has seen it complete:
         * usually the next one, and always before the handler is given what was received after it.
         */
        boolean sending();

        /**
         * Closes. The handler hears nothing more until the next {@link #connect}. What was being sent goes out as far as the
         * socket takes it now, and its buffer is free again.
         */
        void close();
    }

    /** What a link tells. */
    interface Handler {
        /** The connect has succeeded. */
        void connected();

        /** Bytes came, from position to limit. The buffer is only lent. */
        void received(ByteBuffer bytes);

        /**
         * What {@link Link#send} left {@link Link#sending} is out, and its buffer is free again. Not called for what was out
         * when {@code send} returned.
         */
        default void sent() {}

        /** The peer has closed. */
        void ended();

        /** The link broke; it is closed. */
        void broke(ErrorKind kind, IOException cause);
    }
}
