package dev.fettle.servers.app;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;

/**
 * Work that costs CPU time. A request burns a fixed number of iterations of a dependent chain of shifts and xors
 * (Marsaglia, "Xorshift RNGs", 2003), which no compiler can shorten because the result goes into the answer.
 *
 * <p>The number comes from a calibration at start-up: once the loop is compiled, batches are timed with the thread's
 * CPU clock until five in a row agree to 2 %, and their median is used. It is CPU time, not wall time: on a busy
 * machine the request takes longer and costs the same. A later change of clock speed goes unnoticed. To give several
 * JVMs exactly the same work, take {@code iterationsPerMs} from the first one's READY line and pass it to the others as
 * {@code app.iterations}, which also saves the calibration.
 */
public final class CpuBurner {
    private static final int BATCH_CALLS = 20;
    private static final int CALL_ITERATIONS = 20_000;

    private final int iterationsPerMilli;

    private CpuBurner(int iterationsPerMilli) {
        this.iterationsPerMilli = iterationsPerMilli;
    }

    /** A burner of the given speed; 0 calibrates, unless no work is wanted. */
    public static CpuBurner calibrated(int iterationsPerMilli, boolean wanted) {
        return new CpuBurner(iterationsPerMilli > 0 || !wanted ? iterationsPerMilli : calibrate());
    }

    public int iterationsPerMilli() {
        return iterationsPerMilli;
    }

    public int iterations(Duration cpu) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round(cpu.toNanos() / 1e6 * iterationsPerMilli));
    }

    public static long burn(long seed, int iterations) {
        long x = seed | 1;
        for (int i = 0; i < iterations; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static int calibrate() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long x = 88_172_645_463_325_252L;
        for (int i = 0; i < 2_000; i++) {
            x = burn(x, 2_000);
        }
        double[] last = new double[5];
        for (int batch = 0; batch < 150; batch++) {
            long before = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < BATCH_CALLS; i++) {
                x = burn(x, CALL_ITERATIONS);
            }
            last[batch % last.length] = Math.max(1, threads.getCurrentThreadCpuTime() - before);
            double[] sorted = last.clone();
            Arrays.sort(sorted);
            if (sorted[0] > 0 && sorted[last.length - 1] <= sorted[0] * 1.02) {
                break;
            }
        }
        Arrays.sort(last);
        double perMilli = BATCH_CALLS * CALL_ITERATIONS * 1e6 / last[last.length / 2];
        // the sum's lowest bit keeps the loops above from being dead code
        return (int) Math.max(1, Math.round(perMilli) + (x == 0 ? 1 : 0));
    }
}
