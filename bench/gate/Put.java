package dev.fettle.examples.boot;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The work page of examples/boot with a loss put in: real.sh fills in KIND and AMOUNT and puts it into a copy of the jar, in place of
 * the page's own class. The answer's length is always the same, its content never.
 */
@RestController
class WorkController {
    private static final String KIND = "@KIND@";
    private static final double AMOUNT = @AMOUNT@;
    private static final int ROUNDS_PER_MILLI = 500_000;
    private static final Object LOCK = new Object();
    private static volatile byte[] kept = {};

    static {
        if (KIND.equals("start")) {
            burn((long) (AMOUNT * ROUNDS_PER_MILLI)); // milliseconds of a start
        }
    }

    @GetMapping(path = "/work", produces = MediaType.TEXT_PLAIN_VALUE)
    String work(@RequestParam(name = "cpu", defaultValue = "0") double cpu) {
        double millis = KIND.equals("cpu") ? cpu * (1 + AMOUNT / 100) : cpu; // per cent of the page's work
        if (KIND.equals("lock")) {
            synchronized (LOCK) { // a part of the work, one request at a time
                long part = burn((long) (millis * AMOUNT / 100 * ROUNDS_PER_MILLI));
                return HexFormat.of().toHexDigits(part ^ burn((long) (millis * (1 - AMOUNT / 100) * ROUNDS_PER_MILLI))) + "\n";
            }
        }
        if (KIND.equals("alloc")) {
            kept = new byte[(int) AMOUNT]; // bytes a request
        }
        if (KIND.equals("statement")) {
            rest((long) (AMOUNT * 1e6)); // milliseconds of waiting for a database, and what its driver burns
            millis += 0.02;
        }
        return HexFormat.of().toHexDigits(burn((long) (millis * ROUNDS_PER_MILLI))) + "\n";
    }

    private static void rest(long nanos) {
        java.util.concurrent.locks.LockSupport.parkNanos(nanos);
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
}
