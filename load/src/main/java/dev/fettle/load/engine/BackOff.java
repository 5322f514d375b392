package dev.fettle.load.engine;

import dev.fettle.load.api.ErrorKind;

/**
 * How long to pause after a socket was lost, so that a dead server makes neither a busy loop nor millions of errors: 10 ms,
 * doubling with each failure in a row up to 500 ms. The first loss of an established connection causes no pause: a server may
 * close a few under pressure, and the load should go on.
 */
final class BackOff {

    private static final long FIRST_NANOS = 10_000_000;
    private static final long MOST_NANOS = 500_000_000;

    private BackOff() {}

    static long nanos(int failuresInRow, ErrorKind kind) {
        int doublings = failuresInRow - (opens(kind) ? 1 : 2);
        if (doublings < 0) {
            return 0;
        }
        return doublings > 10 ? MOST_NANOS : Math.min(MOST_NANOS, FIRST_NANOS << doublings);
    }

    private static boolean opens(ErrorKind kind) {
        return kind == ErrorKind.REFUSED
                || kind == ErrorKind.CONNECT_TIMEOUT
                || kind == ErrorKind.TLS
                || kind == ErrorKind.OTHER;
    }
}
