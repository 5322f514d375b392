package dev.fettle.load.http2;

import dev.fettle.load.client.Client;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The streams that a connection can have at once, and the numbers of those in use. Allocates nothing. */
final class Http2Streams {

    private final Http2Stream[] all;
    /** The streams that are not in use: those from index {@code used} on. */
    private final Http2Stream[] unused;

    private int used;
    /** The streams in use by number: open addressing with linear probing. Numbers follow each other, so they hardly ever collide. */
    private final @Nullable Http2Stream[] table;

    private final int mask;

    Http2Streams(int count) {
        all = new Http2Stream[count];
        Arrays.setAll(all, i -> new Http2Stream());
        unused = all.clone();
        table = new @Nullable Http2Stream[Integer.highestOneBit(count) * 4];
        mask = table.length - 1;
    }

    int used() {
        return used;
    }

    /** How many streams there are, in use or not. */
    int capacity() {
        return all.length;
    }

    /** A stream, in use or not; the index is below {@link #capacity}. */
    Http2Stream at(int index) {
        return all[index];
    }

    /** A stream that is not in use; the caller must begin it with this number first. */
    Http2Stream take(int id) {
        Http2Stream stream = unused[used++];
        int at = home(id);
        while (table[at] != null) {
            at = at + 1 & mask;
        }
        table[at] = stream;
        return stream;
    }

    /** The stream in use under this number; null if there is none. */
    @Nullable
    Http2Stream find(int id) {
        int at = home(id);
        Http2Stream stream = table[at];
        while (stream != null && stream.id() != id) {
            at = at + 1 & mask;
            stream = table[at];
        }
        return stream;
    }

    /** Ends a stream. Returns its client. */
    Client free(Http2Stream stream) {
        int hole = home(stream.id());
        while (table[hole] != stream) {
            hole = hole + 1 & mask;
        }
        // entries that it displaced move up
        int at = hole + 1 & mask;
        for (Http2Stream next = table[at]; next != null; next = table[at]) {
            int distance = at - home(next.id()) & mask;
            if (distance >= (at - hole & mask)) {
                table[hole] = next;
                hole = at;
            }
            at = at + 1 & mask;
        }
        table[hole] = null;
        used--;
        unused[used] = stream;
        return stream.free();
    }

    private int home(int id) {
        return id >> 1 & mask;
    }
}
