package dev.fettle.load.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Header fields that a block can refer to by number: the static ones (RFC 7541, appendix A), then the dynamic ones, newest first;
 * the oldest are dropped when there is no room. Name and value lie side by side in {@link #bytes}. Allocates nothing after its
 * construction.
 */
final class HpackTable {

    private static final List<String> STATIC = """
            :authority
            :method: GET
            :method: POST
            :path: /
            :path: /index.html
            :scheme: http
            :scheme: https
            :status: 200
            :status: 204
            :status: 206
            :status: 304
            :status: 400
            :status: 404
            :status: 500
            accept-charset
            accept-encoding: gzip, deflate
            accept-language
            accept-ranges
            accept
            access-control-allow-origin
            age
            allow
            authorization
            cache-control
            content-disposition
            content-encoding
            content-language
            content-length
            content-location
            content-range
            content-type
            cookie
            date
            etag
            expect
            expires
            from
            host
            if-match
            if-modified-since
            if-none-match
            if-range
            if-unmodified-since
            last-modified
            link
            location
            max-forwards
            proxy-authenticate
            proxy-authorization
            range
            referer
            refresh
            retry-after
            server
            set-cookie
            strict-transport-security
            transfer-encoding
            user-agent
            vary
            via
            www-authenticate
            """.lines().toList();

    private static final int OVERHEAD = 32;

    private final ByteBuffer staticBytes;
    private final int[] staticFrom = new int[STATIC.size() + 1];
    private final int[] staticValue = new int[STATIC.size()];

    private final int limit;
    /** Twice as large as its content may be, so that the content seldom has to be moved to the front. */
    private final ByteBuffer bytes;

    private final int[] from;
    private final int[] value;
    private final int[] to;
    private int newest;
    private int count;
    private int size;
    private int max;

    /** @param limit size allowed to the peer, as RFC 7541, 4.1 counts it */
    HpackTable(int limit) {
        this.limit = limit;
        this.max = limit;
        bytes = ByteBuffer.allocate(2 * limit).order(ByteOrder.LITTLE_ENDIAN);
        int entries = limit / OVERHEAD + 1;
        from = new int[entries];
        value = new int[entries];
        to = new int[entries];
        staticBytes = ByteBuffer.allocate(2048).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < STATIC.size(); i++) {
            String field = STATIC.get(i);
            int colon = field.indexOf(": ", 1);
            String name = colon < 0 ? field : field.substring(0, colon);
            staticFrom[i] = staticBytes.position();
            staticValue[i] = staticFrom[i] + name.length();
            staticBytes.put(name.getBytes(ISO_8859_1));
            staticBytes.put((colon < 0 ? "" : field.substring(colon + 2)).getBytes(ISO_8859_1));
        }
        staticFrom[STATIC.size()] = staticBytes.position();
    }

    /** Empties the dynamic part, for a new connection. */
    void clear() {
        count = 0;
        size = 0;
        max = limit;
        bytes.clear();
    }

    /** Whether there is a field with this number, from 1. */
    boolean has(int index) {
        return index >= 1 && index <= STATIC.size() + count;
    }

    /** The buffer with the field of this number. */
    ByteBuffer bytes(int index) {
        return index <= STATIC.size() ? staticBytes : bytes;
    }

    int nameFrom(int index) {
        return index <= STATIC.size() ? staticFrom[index - 1] : from[slot(index)];
    }

    /** Where the name ends and the value begins. */
    int valueFrom(int index) {
        return index <= STATIC.size() ? staticValue[index - 1] : value[slot(index)];
    }

    int valueTo(int index) {
        return index <= STATIC.size() ? staticFrom[index] : to[slot(index)];
    }

    private int slot(int index) {
        return Math.floorMod(newest - (index - STATIC.size() - 1), from.length);
    }

    /** Changes the size that the peer uses; false if it may not have a table of this size. */
    boolean resize(int newMax) {
        if (newMax < 0 || newMax > limit) {
            return false;
        }
        max = newMax;
        evict(0);
        return true;
    }

    /** Adds a field from another buffer. One that is larger than the whole table empties it. */
    void add(ByteBuffer source, int nameFrom, int nameTo, int valueTo) {
        int length = valueTo - nameFrom;
        int needed = length + OVERHEAD;
        evict(needed);
        if (needed > max) {
            return;
        }
        if (bytes.remaining() < length) {
            moveToFront();
        }
        int at = bytes.position();
        bytes.put(at, source, nameFrom, length).position(at + length);
        newest = newest + 1 == from.length ? 0 : newest + 1;
        from[newest] = at;
        value[newest] = at + nameTo - nameFrom;
        to[newest] = at + length;
        count++;
        size += needed;
    }

    private void evict(int needed) {
        while (count > 0 && size + needed > max) {
            int oldest = Math.floorMod(newest - count + 1, from.length);
            size -= to[oldest] - from[oldest] + OVERHEAD;
            count--;
        }
    }

    private void moveToFront() {
        if (count == 0) {
            bytes.clear();
            return;
        }
        int begin = from[Math.floorMod(newest - count + 1, from.length)];
        int end = bytes.position();
        bytes.position(begin).limit(end).compact();
        for (int i = 0; i < count; i++) {
            int slot = Math.floorMod(newest - i, from.length);
            from[slot] -= begin;
            value[slot] -= begin;
            to[slot] -= begin;
        }
    }
}
