package dev.fettle.bench.fuzz;

import dev.fettle.bench.Options;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Parses millions of mutated streams whole, in pieces and with Netty, and reports every crash, hang, split difference
 * and unexplained disagreement. Options: {@code inputs}, {@code seed}, {@code threads}, {@code only} (a number: only
 * that stream, with both readings). Exit code 1 if anything failed.
 */
public final class FuzzParser {

    private static final int MOST_SHOWN = 40;
    private static final long HANG_SECONDS = 20;

    private final long seed;
    private final AtomicLong next = new AtomicLong();
    private final long inputs;
    private final List<Worker> workers = new ArrayList<>();
    private final Map<String, String> failures = new TreeMap<>();
    private long failed;

    private FuzzParser(long seed, long inputs) {
        this.seed = seed;
        this.inputs = inputs;
    }

    /** See the class. */
    public static void main(String[] args) throws InterruptedException {
        Options options = Options.parse(args, "inputs", "seed", "threads", "only");
        long seed = options.number("seed", 1);
        if (options.has("only")) {
            showOne(seed, options.number("only", 0));
            return;
        }
        FuzzParser fuzz = new FuzzParser(seed, options.number("inputs", 10_000_000));
        System.exit(
                fuzz.run((int) options.number("threads", Runtime.getRuntime().availableProcessors())) ? 0 : 1);
    }

    private static void showOne(long seed, long number) {
        Input input = StreamMaker.make(seed, number);
        System.out.println(input.escaped());
        System.out.println("ours    " + new OurReader().whole(input));
        System.out.println("Netty's " + NettyReader.read(input));
        System.out.println(new Check().run(input, number));
    }

    private boolean run(int threads) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker();
            workers.add(worker);
            worker.thread.start();
        }
        for (Worker worker : workers) {
            while (!worker.thread.join(java.time.Duration.ofSeconds(1))) {
                watch();
            }
        }
        report((System.nanoTime() - start) / 1e9);
        return failed == 0;
    }

    /** A stream that takes forever is as bad as a crash, and ends the run. */
    private void watch() {
        for (Worker worker : workers) {
            long number = worker.number;
            if (number >= 0
                    && System.nanoTime() - worker.since > HANG_SECONDS * 1_000_000_000L
                    && number == worker.number) {
                System.out.println("HANG at stream " + number + " of seed " + seed + ":");
                System.out.println(StreamMaker.make(seed, number).escaped());
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private void report(double seconds) {
        Map<IntendedDifference, Long> intended = new EnumMap<>(IntendedDifference.class);
        long same = 0;
        long responses = 0;
        for (Worker worker : workers) {
            same += worker.same;
            responses += worker.responses;
            worker.intended.forEach((difference, count) -> intended.merge(difference, count, Long::sum));
        }
        failures.values().forEach(System.out::println);
        System.out.printf(
                "%,d streams (seed %d), %,d responses, each whole, in pieces and by Netty, in %.0f s%n",
                inputs, seed, responses, seconds);
        System.out.printf("%,12d  read the same by both%n", same);
        intended.forEach((difference, count) -> System.out.printf(
                "%,12d  %s, %s: %s%n", count, difference.direction(), difference.paragraph(), difference.what()));
        System.out.printf("%,12d  crashes, hangs, split differences and unexplained disagreements%n", failed);
    }

    private synchronized void fail(long number, Input input, String what) {
        failed++;
        // one of each kind is enough
        String kind = what.replaceAll("[0-9-]+", "");
        if (failures.size() < MOST_SHOWN && !failures.containsKey(kind)) {
            Check check = new Check();
            Input small = Shrinker.shrink(input, it -> check.run(it, number) instanceof Check.Verdict.Failure);
            String detail = check.run(small, number) instanceof Check.Verdict.Failure(String shrunk) ? shrunk : what;
            failures.put(
                    kind,
                    "FAILURE at stream " + number + " of seed " + seed + ", shrunk:\n  " + small.escaped() + "\n  "
                            + detail);
        }
    }

    private final class Worker implements Runnable {
        private static final int BATCH = 1000;
        private final Thread thread = new Thread(this, "fuzz");
        private final Check check = new Check();
        private final Map<IntendedDifference, Long> intended = new EnumMap<>(IntendedDifference.class);
        private long same;
        private long responses;
        private volatile long number = -1;
        private volatile long since;

        @Override
        public void run() {
            for (long from; (from = next.getAndAdd(BATCH)) < inputs; ) {
                for (long i = from; i < Math.min(inputs, from + BATCH); i++) {
                    since = System.nanoTime();
                    number = i;
                    one(i);
                }
            }
            number = -1;
        }

        private void one(long i) {
            Input input = StreamMaker.make(seed, i);
            switch (check.run(input, i)) {
                case Check.Verdict.Same(int count) -> {
                    same++;
                    responses += count;
                }
                case Check.Verdict.Intended(int count, IntendedDifference difference) -> {
                    intended.merge(difference, 1L, Long::sum);
                    responses += count;
                }
                case Check.Verdict.Failure(String what) -> fail(i, input, what);
            }
        }
    }
}
