package dev.fettle.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Connections that have not said the token yet. They cost no thread and a few bytes each; beyond {@link #MOST}, or after
 * {@link #PATIENCE_MILLIS}, the oldest is closed. Used by one thread.
 */
final class Strangers {
    /** As many as may wait. */
    static final int MOST = 64;

    /** How long one may take for its first line. */
    static final int PATIENCE_MILLIS = 5_000;

    private final Selector selector;
    private final byte[] wanted;
    private final Deque<Stranger> waiting = new ArrayDeque<>();

    /** One of them, with what it has said so far. */
    private static final class Stranger {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer said;
        private final long since = System.nanoTime();

        private Stranger(SocketChannel channel, SelectionKey key, int length) {
            this.channel = channel;
            this.key = key;
            this.said = ByteBuffer.allocate(length);
        }
    }

    Strangers(Selector selector, String token) {
        this.selector = selector;
        this.wanted = (token + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Adds one that has just connected, and listens to what it has said by now. */
    @Nullable
    SocketChannel add(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Stranger stranger = new Stranger(channel, key, wanted.length);
        key.attach(stranger);
        waiting.addLast(stranger);
        return listen(key);
    }

    /** Whether one more has to go first. */
    boolean isFull() {
        return waiting.size() >= MOST;
    }

    /** Closes the oldest, unless it has said the token meanwhile: then that is the result. */
    @Nullable
    SocketChannel dropOldest() {
        Stranger oldest = waiting.getFirst();
        SocketChannel known = listen(oldest.key);
        if (waiting.remove(oldest)) {
            close(oldest);
        }
        return known;
    }

    /** Closes those whose time is over; nanoseconds until that of the next one, -1 if there is none. */
    long dropOverdue() {
        while (!waiting.isEmpty()) {
            long left = waiting.getFirst().since + PATIENCE_MILLIS * 1_000_000L - System.nanoTime();
            if (left > 0) {
                return left;
            }
            close(waiting.removeFirst());
        }
        return -1;
    }

    /**
     * Reads what one says; never beyond its first line. The whole line is compared, in a time that says nothing of where it differs,
     * and a wrong one ends the connection.
     *
     * @return the connection, blocking again, if it has said the token; null if not, or not yet
     */
    @Nullable
    SocketChannel listen(SelectionKey key) {
        Stranger stranger = (Stranger) key.attachment();
        try {
            boolean ended = stranger.channel.read(stranger.said) < 0;
            byte[] line = stranger.said.array();
            boolean whole = !stranger.said.hasRemaining() || hasNewline(line, stranger.said.position());
            if (!whole && !ended) {
                return null;
            }
            waiting.remove(stranger);
            if (whole && MessageDigest.isEqual(line, wanted)) {
                key.cancel();
                selector.selectNow(); // only then can it block
                stranger.channel.configureBlocking(true);
                return stranger.channel;
            }
        } catch (IOException | ClosedSelectorException e) {
            waiting.remove(stranger); // the other end is gone
        }
        close(stranger);
        return null;
    }

    private static boolean hasNewline(byte[] line, int length) {
        for (int i = 0; i < length; i++) {
            if (line[i] == '\n') {
                return true;
            }
        }
        return false;
    }

    void closeAll() {
        while (!waiting.isEmpty()) {
            close(waiting.removeFirst());
        }
    }

    private static void close(Stranger stranger) {
        stranger.key.cancel();
        try {
            stranger.channel.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }
}
