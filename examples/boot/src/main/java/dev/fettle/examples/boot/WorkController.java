package dev.fettle.examples.boot;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;


/**
 * {@code /} answers at once; {@code /work?cpu=0.2&wait=50} burns CPU time and waits, in milliseconds, as a page that asks a
 * database does.
 */
@RestController
class WorkController {
    /** About a millisecond of a core of today. A constant and not measured at start: every JVM then does the same work. */
    private static final int ROUNDS_PER_MILLI = 500_000;

    private static final double LONGEST_MILLIS = 60_000;

    @GetMapping(path = "/", produces = MediaType.TEXT_PLAIN_VALUE)
    String hello() {
        return "Hello World\n";
    }

    @GetMapping(path = "/work", produces = MediaType.TEXT_PLAIN_VALUE)
    String work(
            @RequestParam(name = "cpu", defaultValue = "0") double cpu,
            @RequestParam(name = "wait", defaultValue = "0") double wait) {
        // the result goes into the answer, so that no compiler can leave the loop out
        long result = burn((long) (bounded(cpu) * ROUNDS_PER_MILLI));
        hold((long) (bounded(wait) * 1e6));
        return HexFormat.of().toHexDigits(result) + "\n";
    }

    private static double bounded(double millis) {
        return Math.max(0, Math.min(LONGEST_MILLIS, millis));
    }

    private static long burn(long rounds) {
        long x = ThreadLocalRandom.current().nextLong() | 1;
        for (long i = 0; i < rounds; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    /** Parking may end early for no reason, hence the loop. */
    private static void hold(long nanos) {
        long start = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                return;
            }
        }
    }
}
