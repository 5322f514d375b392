package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Heaps of simulated servers, healthy ones and leaking ones, under each kind of collector, in heaps of many sizes, seen young and old:
 * what grows only by what young collections leave, or until it is full, is never called growth; what leaks is.
 */
class GrowthErrorRatesTest {
    private static final int RUNS = Math.max(500, Integer.getInteger("fettle.runs", 500));
    private static final double MB = 1 << 20;
    private static final double STEP = 0.25;
    private static final String RULE = "live-heap-grows";

    /** How a collector works, as far as its figures tell. */
    private enum Collector {
        /** Young collections promote garbage; a full one, when the old generation is full, leaves what is live. */
        FULL,
        /** The old generation is marked at 45 % of the heap; then mixed collections leave a part of its garbage. */
        MARKED,
        /** Each cycle is of the whole heap, and leaves what came while it ran. */
        CYCLES
    }

    /** Bytes that are live after some seconds, without noise. */
    private interface Live {
        double at(double seconds);
    }

    /** A server that runs for some time before it is measured. */
    private record World(Collector collector, double heap, double warmUp, double measured, double promoted, Live live) {

        Seen seen(Random random) {
            var used = new ArrayList<Double>();
            var afterGc = new ArrayList<Double>();
            var found = new ArrayList<Double>();
            double garbage = 0;
            double least = Double.NaN;
            for (double t = STEP; t < warmUp + measured; t += STEP) {
                double now = live.at(t) * (1 + 0.01 * random.nextGaussian());
                garbage += promoted * STEP * (0.7 + 0.6 * random.nextDouble());
                double value = Double.NaN;
                switch (collector) {
                    case FULL -> {
                        if (now + garbage > 0.66 * heap) {
                            garbage = 0;
                            value = now;
                        }
                    }
                    case MARKED -> {
                        if (now + garbage > 0.45 * heap) {
                            value = least;
                            garbage *= 0.05 + 0.3 * random.nextDouble();
                            least = now + garbage;
                        }
                        least = Math.min(least, now + garbage);
                    }
                    case CYCLES -> {
                        if (now + 4 * garbage > 0.5 * heap) {
                            garbage = garbage * 0.2 * random.nextDouble();
                            value = now + garbage;
                        }
                    }
                }
                used.add(now + garbage + 0.1 * heap * random.nextDouble());
                afterGc.add(now + garbage);
                found.add(value);
            }
            return new Seen()
                    .step(STEP)
                    .warmUp(warmUp)
                    .over("heap.used", array(used))
                    .over("heap.afterGc", array(afterGc))
                    .over("heap.live", array(found))
                    .always("heap.committed", heap)
                    .always("heap.max", heap)
                    .always("alloc.rate", 20 * promoted);
        }
    }

    private static double[] array(List<Double> all) {
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Optional<Finding> growth(Seen seen) {
        return Diagnosis.of(seen.trial()).findings().stream()
                .filter(f -> f.rule().equals(RULE))
                .findFirst();
    }

    private static World drawn(Random r, Live live, double heap) {
        Collector c = Collector.values()[r.nextInt(3)];
        double warmUp = new double[] {0, 3, 10, 60}[r.nextInt(4)];
        double measured = 10 + r.nextInt(50);
        // of some MB a second that are allocated, a part is promoted
        return new World(c, heap, warmUp, measured, heap * Math.exp(-1 - 4 * r.nextDouble()), live);
    }

    /** What is healthy: steady, a cache that fills while it is looked at, or before, a batch that comes again, a drift up and down. */
    private static Live healthy(Random r, double heap) {
        double base = heap * (0.05 + 0.2 * r.nextDouble());
        double more = heap * 0.2 * r.nextDouble();
        return switch (r.nextInt(5)) {
            case 0 -> t -> base;
            case 1 -> {
                double tau = 0.5 + 5 * r.nextDouble();
                yield t -> base + more * (1 - Math.exp(-t / tau));
            }
            case 2 -> {
                double full = 1 + 6 * r.nextDouble();
                yield t -> base + more * Math.min(1, t / full);
            }
            case 3 -> {
                double period = 2 + 8 * r.nextDouble();
                double at = r.nextDouble();
                yield t -> base + more * ((t / period + at) % 1);
            }
            default -> {
                double period = 3 + 10 * r.nextDouble();
                double at = 7 * r.nextDouble();
                yield t -> base + more / 2 * Math.sin(at + 2 * Math.PI * t / period);
            }
        };
    }

    @Test
    void noHealthyHeapGrows() {
        var random = new Random(34);
        var wrong = new ArrayList<String>();
        int enough = 0;
        for (int i = 0; i < RUNS; i++) {
            double heap = (32 << random.nextInt(8)) * MB;
            World w = drawn(random, healthy(random, heap), heap);
            Seen seen = w.seen(random);
            growth(seen).ifPresent(f -> wrong.add(w + ": " + f.sentence()));
            enough += seen.points("heap.live", 0) >= 6 ? 1 : 0;
        }
        assertThat(enough)
                .as("looks of which the test could have said something")
                .isGreaterThan(RUNS / 3);
        assertThat(wrong).isEmpty();
    }

    /** 5 s after its start, 256 MB, G1: only young collections so far, each of which promotes some garbage. */
    @Test
    void whatYoungCollectionsLeaveIsNotLive() {
        var seen = new Seen()
                .over("heap.afterGc", 20 * MB, 31 * MB, 43 * MB, 54 * MB, 66 * MB, 78 * MB, 89 * MB, 101 * MB)
                .always("heap.max", 256 * MB)
                .always("alloc.rate", 400 * MB);
        assertThat(growth(seen)).isEmpty();
        assertThat(Diagnosis.of(seen.trial()).notObserved())
                .anySatisfy(l -> assertThat(l.rule()).isEqualTo(RULE));
    }

    /** 8 KB and 40 KB a request, from the start or beginning late, wherever six collections of the whole heap were seen since. */
    @Test
    void whatLeaksIsFound() {
        var random = new Random(35);
        var missed = new TreeMap<String, int[]>();
        for (int i = 0; i < RUNS; i++) {
            double each = (i % 2 == 0 ? 8 : 40) * 1024;
            boolean late = i % 4 >= 2;
            double rate = 200 + 1800 * random.nextDouble();
            Collector c = Collector.values()[random.nextInt(3)];
            double measured = 15 + random.nextInt(30);
            double begin = late ? 0.4 * measured : 0;
            double base = 30 * MB;
            // as much room as it takes to leak that long
            double heap = Math.max(256 * MB, 3 * (base + each * rate * (measured - begin)));
            World w = new World(c, heap, 0, measured, heap / 3, t -> base + each * rate * Math.max(0, t - begin));
            Seen seen = w.seen(random);
            if (seen.points("heap.live", begin) < 8 || each * rate * (measured - begin) < 0.1 * heap) {
                continue;
            }
            int[] n = missed.computeIfAbsent((int) (each / 1024) + " KB" + (late ? " late" : ""), k -> new int[2]);
            n[0]++;
            n[1] += growth(seen).isPresent() ? 0 : 1;
        }
        assertThat(missed).hasSize(4);
        assertThat(missed).allSatisfy((what, n) -> {
            assertThat(n[0]).as(what + " looks with enough points").isGreaterThan(20);
            assertThat((double) n[1] / n[0]).as(what + " missed").isLessThan(0.2);
        });
    }

    @Test
    void whatSessionsOrRequestsUnderWayMayHoldIsNotCalledGrowth() {
        double[] live = new double[12];
        double[] sessions = new double[12];
        double[] rising = new double[12];
        for (int i = 0; i < 12; i++) {
            live[i] = (50 + 4 * i) * MB;
            sessions[i] = 1000 + 400 * i;
            rising[i] = 500 + 80 * i;
        }
        assertThat(growth(grown(live))).isPresent();
        assertThat(growth(grown(live).over("sessions.active", sessions))).isEmpty();
        assertThat(growth(grown(live).over("load.rate", rising))).isEmpty();
        // 400 sessions can't hold 44 MB a piece
        assertThat(growth(grown(live).over("sessions.active", 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)))
                .isPresent();
    }

    private static Seen grown(double... live) {
        return new Seen().over("heap.live", live).always("heap.max", 256 * MB);
    }

    /** Memory outside the heap: compiled code, classes and stacks come at the start, and then no more. */
    @Test
    void memoryOutsideTheHeapThatLevelsOffIsNotCalledGrowth() {
        var random = new Random(36);
        int wrong = 0;
        for (int i = 0; i < RUNS; i++) {
            double tau = 0.5 + 5 * random.nextDouble();
            double most = (50 + 300 * random.nextDouble()) * MB;
            int n = 12 + random.nextInt(40);
            double[] rss = new double[n];
            for (int k = 0; k < n; k++) {
                rss[k] = 150 * MB + most * (1 - Math.exp(-k / tau)) + MB * random.nextGaussian();
            }
            wrong += native_(rss) ? 1 : 0;
        }
        assertThat(wrong).isZero();
        double[] leak = new double[20];
        for (int k = 0; k < 20; k++) {
            leak[k] = (150 + 12 * k + random.nextGaussian()) * MB;
        }
        assertThat(native_(leak)).isTrue();
    }

    private static boolean native_(double... rss) {
        return Diagnosis.of(new Seen()
                        .over("memory.rss", rss)
                        .always("heap.committed", 64 * MB)
                        .trial())
                .findings()
                .stream()
                .anyMatch(f -> f.rule().equals("native-memory-grows"));
    }
}
