package dev.fettle.insight.capacity;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A pool of threads and a first-come-first-served queue before it (G/G/c), worked through arrival by arrival for as long as it takes:
 * hours for the truth, seconds to minutes for a probe. The recursion is that of Kiefer and Wolfowitz (Trans. Am. Math. Soc. 78, 1955, doi
 * 10.1090/S0002-9947-1955-0066587-0): an arrival takes the thread that is free first. A probe begins with the pool idle, climbs, settles
 * for a second, and ends early once the SLO is lost, as a real one does. One object is one search: its clock runs on.
 */
final class LongQueue implements ProbedServer {

    /** How long a request holds its thread, and what else happens. */
    enum Kind {
        /** Always the same time: M/D/c. */
        CONSTANT,
        /** Exponential: M/M/c. */
        EXPONENTIAL,
        /** Log-normal with a coefficient of variation of 2. */
        LOGNORMAL,
        /** Pareto with a tail index of 2.5. */
        PARETO,
        /** One in ten takes ten times as long as the others: hits and misses of a cache. */
        BIMODAL,
        /** Erlang of four phases, a coefficient of variation of 0.5. */
        ERLANG,
        /** Weibull with a shape of 0.7: a tail between exponential and log-normal. */
        WEIBULL,
        /** Constant, but the whole server is faster or slower for minutes: sd 1 %, correlation time 2 min. */
        DRIFT,
        /** Constant, and it stands still for 60 ms every 2 s or so, at random. */
        STALLS
    }

    /** A server, and what is asked of it: {@code most} requests in it at once, further ones are refused; 0: no bound. */
    record Server(int threads, double hold, Kind kind, String slo, int most) {
        Slo parsed() {
            return Slo.parse(slo);
        }

        double full() {
            return threads / hold;
        }

        Condition latency() {
            return parsed().quality().all().stream()
                    .filter(c -> c.metric().unit() == Condition.Unit.NANOS)
                    .findFirst()
                    .orElseThrow();
        }

        /** Whether a run of this length, from empty, meets the SLO. */
        boolean meets(double rate, double seconds, long seed) {
            Run run = new Run(this, rate, new Random(seed), 0);
            run.until(seconds, 0, seconds);
            return run.met();
        }

        /** The highest rate that meets the SLO in the long run: where runs of this length do half of the time. */
        double truth(double seconds) {
            double low = 0.3 * full();
            double high = 1.02 * full();
            for (int i = 0; i < 14; i++) {
                double middle = (low + high) / 2;
                int met = 0;
                for (long seed = 1; seed <= 3; seed++) {
                    met += meets(middle, seconds, 77 + seed) ? 1 : 0;
                }
                if (met >= 2) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return (low + high) / 2;
        }
    }

    /** One load on it. */
    private static final class Run {
        private static final double STALL_EVERY = 2;
        private static final double STALL = 0.06;
        private static final double DRIFT = 0.01;
        private static final double DRIFT_SECONDS = 120;

        private final Server server;
        private final double rate;
        private final Random random;
        /** A heap: when each thread is free. */
        private final double[] free;

        private final PriorityQueue<Double> leaves = new PriorityQueue<>();
        private final double bound;
        private final Condition.Metric metric;
        private double t;
        private double nextStall;
        private double drift;
        private double driftAt;
        long due;
        long answered;
        long late;
        long refused;
        double sum;

        Run(Server server, double rate, Random random, double clock) {
            this.server = server;
            this.rate = rate;
            this.random = random;
            this.free = new double[server.threads()];
            this.bound = server.latency().bound() / 1e9;
            this.metric = server.latency().metric();
            this.nextStall = STALL_EVERY * -Math.log(1 - random.nextDouble());
            this.drift = DRIFT * new Random((long) (clock * 10)).nextGaussian();
        }

        double holds() {
            return server.hold()
                    * switch (server.kind()) {
                        case CONSTANT, STALLS -> 1;
                        case DRIFT -> Math.exp(drift);
                        case EXPONENTIAL -> -Math.log(1 - random.nextDouble());
                        // exp(σz − σ²/2) has a mean of 1 and a variance of exp(σ²) − 1
                        case LOGNORMAL -> Math.exp(Math.sqrt(Math.log(5)) * random.nextGaussian() - Math.log(5) / 2);
                        case PARETO -> 0.6 * Math.pow(1 - random.nextDouble(), -1 / 2.5);
                        case BIMODAL -> random.nextDouble() < 0.1 ? 10 / 1.9 : 1 / 1.9;
                        case ERLANG ->
                            -0.25
                                    * Math.log((1 - random.nextDouble())
                                            * (1 - random.nextDouble())
                                            * (1 - random.nextDouble())
                                            * (1 - random.nextDouble()));
                        // the mean is the gamma function at 1 + 1/0.7
                        case WEIBULL -> Math.pow(-Math.log(1 - random.nextDouble()), 1 / 0.7) / 1.26582;
                    };
        }

        /** When the request that arrives now is done; negative if it is refused. */
        double next(double at) {
            t = at;
            if (server.kind() == Kind.DRIFT && t > driftAt + 1) {
                double keeps = Math.exp(-(t - driftAt) / DRIFT_SECONDS);
                drift = keeps * drift + Math.sqrt(1 - keeps * keeps) * DRIFT * random.nextGaussian();
                driftAt = t;
            }
            if (server.most() > 0) {
                while (!leaves.isEmpty() && leaves.peek() <= t) {
                    leaves.poll();
                }
                if (leaves.size() >= server.most()) {
                    return -1;
                }
            }
            double begin = Math.max(t, free[0]);
            if (server.kind() == Kind.STALLS) {
                while (begin >= nextStall + STALL) {
                    nextStall += STALL - STALL_EVERY * Math.log(1 - random.nextDouble());
                }
                begin = begin >= nextStall ? nextStall + STALL : begin;
            }
            double done = begin + holds();
            replace(done);
            if (server.most() > 0) {
                leaves.add(done);
            }
            return done;
        }

        private void replace(double done) {
            int i = 0;
            while (2 * i + 1 < free.length) {
                int child = 2 * i + 1;
                if (child + 1 < free.length && free[child + 1] < free[child]) {
                    child++;
                }
                if (free[child] >= done) {
                    break;
                }
                free[i] = free[child];
                i = child;
            }
            free[i] = done;
        }

        double gap(double of) {
            return -Math.log(1 - random.nextDouble()) / of;
        }

        /** Arrivals from the present one until a time; those done after {@code from} count. */
        void until(double end, double from, double measured) {
            for (double at = t + gap(rate); at <= end; at += gap(rate)) {
                double done = next(at);
                if (done < 0) {
                    refused++;
                } else if (done > from) {
                    answered++;
                    sum += done - at;
                    late += done - at > bound ? 1 : 0;
                }
            }
        }

        boolean met() {
            boolean quick = metric == Condition.Metric.MEAN
                    ? sum / answered < bound
                    : late <= (1 - metric.percentile() / 100) * answered;
            return quick && refused < 0.001 * (answered + refused);
        }
    }

    private static final double SETTLE = 1;
    private final Server server;
    private final long seed;
    private final double usual;
    private double clock;

    /** @param usual seconds that a probe measures if it does not say */
    LongQueue(Server server, double usual, long seed) {
        this.server = server;
        this.seed = seed;
        this.usual = usual;
    }

    /** Virtual time of all probes. */
    double clock() {
        return clock;
    }

    @Override
    public Probe probe(CapacitySearch.Step.Offer offer, int ordinal) {
        double measured = offer.measure().isZero() ? usual : offer.measure().toNanos() / 1e9;
        double rate = offer.rate();
        var run = new Run(server, rate, new Random(seed * 1_000_003 + ordinal * 7919L), clock);
        double end = SETTLE + measured;
        double bound = run.bound;
        double mayBeLate = run.metric == Condition.Metric.MEAN
                ? Double.POSITIVE_INFINITY
                : (1 - run.metric.percentile() / 100) * (rate * end + 5 * Math.sqrt(rate * end) + 1) + 1;
        double mayFail = 0.001 * (rate * end + 5 * Math.sqrt(rate * end) + 1) + 1;
        double[] done = new double[(int) (2 * rate * end) + 1000];
        double[] took = new double[done.length];
        int n = 0;
        int late = 0;
        long failed = 0;
        double stop = end;
        double last = 0;
        double climb = SETTLE / 2;
        for (double at = 0; ; ) {
            double now = at < climb ? rate * (0.1 + 0.9 * at / climb) : rate;
            at += run.gap(now);
            if (at > stop) {
                break;
            }
            double leaves = run.next(at);
            if (leaves < 0) {
                failed += at > SETTLE ? 1 : 0;
                if (failed > mayFail) {
                    stop = Math.min(stop, at + 0.25);
                }
                continue;
            }
            last = Math.max(last, leaves);
            if (leaves > SETTLE) {
                done[n] = leaves;
                took[n++] = leaves - at;
                late += leaves - at > bound ? 1 : 0;
                if (late > mayBeLate) {
                    stop = Math.min(stop, Math.max(leaves, SETTLE + 0.25) + 0.25);
                }
            }
        }
        boolean early = stop < end;
        double seconds = Math.min(stop, end) - SETTLE;
        var lists = new ArrayList<List<Double>>();
        double[] seen = new double[n];
        int count = 0;
        long finished = 0;
        for (int i = 0; i < n; i++) {
            boolean within = done[i] <= SETTLE + seconds;
            if (within || !early) {
                seen[count++] = took[i];
                finished += within ? 1 : 0;
                int second = (int) Math.min(seconds - 1e-9, done[i] - SETTLE);
                while (lists.size() <= second) {
                    lists.add(new ArrayList<>());
                }
                lists.get(second).add(took[i]);
            }
        }
        double[] sorted = Arrays.copyOf(seen, count);
        Arrays.sort(sorted);
        var windows = new ArrayList<Window>();
        for (int i = 0; i < lists.size(); i++) {
            double[] w = lists.get(i).stream().mapToDouble(x -> x).sorted().toArray();
            windows.add(new Window(SETTLE + i, 1, w.length, 0, ns(w, 50), ns(w, 90), ns(w, 99), ns(w, 100), true));
        }
        Probe p = Probes.of(
                offer.phase(),
                rate,
                seconds,
                finished,
                new LatencySummary(
                        count,
                        1e9 * Arrays.stream(sorted).average().orElse(0),
                        ns(sorted, 50),
                        ns(sorted, 75),
                        ns(sorted, 90),
                        ns(sorted, 95),
                        ns(sorted, 99),
                        ns(sorted, 99.9),
                        ns(sorted, 99.99),
                        ns(sorted, 100)),
                0.1,
                0.05,
                Duration.ofMillis(Math.round(
                        1000 * (SETTLE + seconds + 0.2 + (early ? 0.4 : 0) + Math.max(0, last - SETTLE - seconds)))));
        clock += p.took().toMillis() / 1e3;
        Measurement m = p.seen().measurement().with().windows(windows).build();
        m = failed > 0 ? Tamper.errors(m, m.responses(), Map.of(ErrorKind.REFUSED, failed)) : m;
        return new Probe(
                p.phase(),
                p.rate(),
                new dev.fettle.model.trial.Observation(m, p.seen().evidence()),
                p.took(),
                p.each(),
                Duration.ofNanos(Math.round(measured * 1e9)));
    }

    private static long ns(double[] sorted, double percent) {
        return sorted.length == 0
                ? 0
                : (long) (1e9 * sorted[Math.max(0, (int) Math.ceil(percent / 100 * sorted.length) - 1)]);
    }
}
