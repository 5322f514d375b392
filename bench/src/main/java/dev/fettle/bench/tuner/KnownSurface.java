package dev.fettle.bench.tuner;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Throughput of every setting of five knobs, by a formula. Choices only, so that every tuner has the same settings. */
enum KnownSurface {
    /** The pool alone. */
    POOL,
    /** The last of the knobs gives 15 % alone. */
    LAST,
    /** Two knobs give 8 % each. */
    TWO,
    /** Two knobs give 25 % together, and take 8 % each alone. */
    TOGETHER,
    /** A number that must be large enough. */
    CLIFF,
    /** A number with a best value. */
    PEAK,
    /** Threads cost each other (the law of scalability), so that many are worse than the best number. */
    RETROGRADE,
    /** A gain beside a region in which the server dies. */
    FAILS;

    /** 25 threads by default, each held for 50 ms; 4,400 a second are what the CPU gives. */
    static final int THREADS = 25;

    static final double HOLD = 0.05;
    static final double CEILING = 4400;
    static final int CLIENTS = 300;
    static final int BACKLOG = 100;

    static final List<KnobRange> KNOBS = List.of(
            KnobRange.choices("threads.max", numbers(4, 1024, 17)),
            KnobRange.choices("jvm.gc", List.of("g1", "serial", "parallel")),
            KnobRange.choices("backlog", numbers(50, 4000, 11)),
            KnobRange.choices("tcp.nodelay", List.of("true", "false")),
            KnobRange.choices("keepalive.requests", List.of("100", "1000", "-1")));

    private double factor(long backlog, String gc, String nodelay, String keepAlive) {
        return switch (this) {
            case POOL -> 1;
            case LAST -> keepAlive.equals("1000") ? 1.15 : 1;
            case TWO -> (gc.equals("parallel") ? 1.08 : 1) * (nodelay.equals("false") ? 1.08 : 1);
            case TOGETHER -> {
                boolean a = gc.equals("serial");
                boolean b = keepAlive.equals("1000");
                yield a && b ? 1.25 : a || b ? 0.92 : 1;
            }
            case CLIFF -> backlog >= 600 ? 1.2 : 1;
            case PEAK -> {
                double off = Math.log(backlog / 700.0) / 0.6;
                yield 1 + 0.2 * Math.exp(-off * off);
            }
            case RETROGRADE -> gc.equals("parallel") ? 1.05 : 1;
            case FAILS ->
                backlog > 1500 || nodelay.equals("false") && gc.equals("serial") ? 0 : gc.equals("parallel") ? 1.15 : 1;
        };
    }

    /** What so many threads cost each other. */
    private double crowd(int threads) {
        return this == RETROGRADE ? 1 / (1 + 0.000_005 * threads * (threads - 1.0)) : 1;
    }

    /** Requests a second; empty where the server dies. */
    OptionalDouble throughput(Setting s) {
        double f = factor(
                s.get("backlog").map(Long::parseLong).orElse((long) BACKLOG),
                s.get("jvm.gc").orElse("g1"),
                s.get("tcp.nodelay").orElse("true"),
                s.get("keepalive.requests").orElse("100"));
        return f == 0 ? OptionalDouble.empty() : OptionalDouble.of(f * pool(threads(s)) * crowd(threads(s)));
    }

    static int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(THREADS);
    }

    /** The lower of the pool's, the clients' and the CPU's ceiling, rounded off as queues do. */
    private static double pool(int threads) {
        double wanted = Math.min(threads, CLIENTS) / HOLD;
        return 1 / Math.pow(Math.pow(wanted, -8) + Math.pow(CEILING, -8), 1 / 8.0);
    }

    double best() {
        double best = 0;
        for (Setting s : all()) {
            best = Math.max(best, throughput(s).orElse(0));
        }
        return best;
    }

    static List<Setting> all() {
        List<Setting> all = List.of(Setting.DEFAULT);
        for (KnobRange k : KNOBS) {
            var more = new ArrayList<Setting>();
            for (Setting s : all) {
                k.choices().forEach(v -> more.add(s.with(k.knob(), v)));
            }
            all = more;
        }
        return all;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<String> numbers(int from, int to, int n) {
        var all = new ArrayList<String>();
        for (int i = 0; i < n; i++) {
            all.add(Long.toString(Math.round(from * Math.pow((double) to / from, i / (n - 1.0)))));
        }
        return all;
    }
}
