package dev.fettle.insight;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * A server that exists only as a formula: n clients, m worker threads, a wait w and s CPU seconds a request on c cores. The
 * exact throughput of that closed network is the machine-repair model M/M/c//K with K = min(m, n).
 *
 * @param threads the server's own default of threads.max
 * @param switching how much each thread beyond the cores adds to the CPU time of a request
 * @param noise deviation of a trial's throughput, relative
 * @param voidShare share of the attempts that are void for a passing reason and carry absurd figures
 * @param timeout latency beyond which every request times out; infinite for none
 */
public record Simulated(
        int threads,
        double waiting,
        double cpu,
        int cores,
        int clients,
        double switching,
        double noise,
        long seed,
        double voidShare,
        double timeout) {

    public static Simulated server(int threads, double waiting, double cpu, int cores, int clients) {
        return new Simulated(threads, waiting, cpu, cores, clients, 0, 0.02, 1, 0, Double.POSITIVE_INFINITY);
    }

    public Simulated noise(double n) {
        return new Simulated(threads, waiting, cpu, cores, clients, switching, n, seed, voidShare, timeout);
    }

    public Simulated seed(long s) {
        return new Simulated(threads, waiting, cpu, cores, clients, switching, noise, s, voidShare, timeout);
    }

    public Simulated voids(double share) {
        return new Simulated(threads, waiting, cpu, cores, clients, switching, noise, seed, share, timeout);
    }

    Simulated switching(double perThread) {
        return new Simulated(threads, waiting, cpu, cores, clients, perThread, noise, seed, voidShare, timeout);
    }

    public Simulated timeout(double seconds) {
        return new Simulated(threads, waiting, cpu, cores, clients, switching, noise, seed, voidShare, seconds);
    }

    /** The true throughput with m threads. */
    public double throughput(int m) {
        int k = Math.min(m, clients);
        double s = demand(m);
        if (waiting <= 0) {
            return Math.min(k, cores) / s;
        }
        // birth-death chain over the number of requests that want a CPU, scaled against overflow
        double p = 1;
        double sum = 1;
        double busy = 0;
        for (int j = 1; j <= k; j++) {
            p *= (k - j + 1) / waiting / (Math.min(j, cores) / s);
            sum += p;
            busy += p * Math.min(j, cores);
            if (sum > 1e200) {
                p /= 1e200;
                sum /= 1e200;
                busy /= 1e200;
            }
        }
        return busy / sum / s;
    }

    private double demand(int m) {
        return cpu * (1 + switching * Math.max(0, Math.min(m, clients) - cores));
    }

    public int threadsOf(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(threads);
    }

    /** Something that trials can be run on. */
    public interface Server {
        TrialOutcome run(int ordinal, TrialSpec spec);
    }

    /** Runs a trial. */
    public TrialOutcome run(int ordinal, TrialSpec spec) {
        var random = new Random(seed * 1_000_003 + ordinal * 7919L);
        random.nextInt();
        double lucky = Math.exp(noise * random.nextGaussian());
        boolean spoilt = random.nextDouble() < voidShare;
        int m = threadsOf(spec.setting());
        return outcome(ordinal, spec, m, throughput(m) * lucky, demand(m), spoilt, random);
    }

    /** What a trial of 10 s reports that had x requests a second on m threads, all of them busy if there are clients enough. */
    public TrialOutcome outcome(
            int ordinal, TrialSpec spec, int m, double x, double cpuPerRequest, boolean spoilt, Random random) {
        double latency = clients / x;
        boolean late = latency > timeout;
        double seconds = 10;
        // half of what is late is lost
        long lost = late ? (long) (x * seconds / 2) : 0;
        long responses = (long) (x * seconds) - lost;
        if (spoilt) {
            responses *= 20;
        }
        double busy = Math.min(m, clients);
        var measurement = new Measurement(
                Duration.ofSeconds(10),
                responses,
                lost > 0 ? Map.of(ErrorKind.READ_TIMEOUT, lost) : Map.of(),
                Map.of(),
                Map.of(200, responses),
                responses * 200,
                clients * seconds,
                summary(responses, latency),
                LatencySummary.NONE,
                0,
                clients,
                windows(responses / seconds, latency, random),
                histogram(responses, latency),
                Measurement.Detail.NONE);
        var evidence = new Evidence(
                cores,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING
                        .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(x * seconds * cpuPerRequest))
                        .with(Aggregate.COMPILER_CPU_SECONDS, OptionalFigure.of(0))
                        .with(Aggregate.STEAL, OptionalFigure.of(0))
                        .with(Aggregate.FOREIGN_CPU, OptionalFigure.of(0))
                        .with(Aggregate.BUSY_WORKERS, OptionalFigure.of(busy))
                        .with(Aggregate.BUSY_WORKERS_MAX, OptionalFigure.of(busy))
                        .with(Aggregate.WORKERS, OptionalFigure.of(m))
                        .with(Aggregate.QUEUED, OptionalFigure.of(Math.max(0, clients - m)))
                        .with(Aggregate.GC_MILLIS, OptionalFigure.of(5))
                        .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(0))
                        .with(Aggregate.SYN_RETRANSMITS, OptionalFigure.of(0))
                        .with(Aggregate.LOAD_AVERAGE, OptionalFigure.of(1)),
                OptionalFigure.of(0.3),
                OptionalFigure.empty(),
                OptionalInt.of(1000),
                500,
                Map.of("threads.max", Integer.toString(m)),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        Verdict verdict = spoilt ? new Verdict(List.of(new Verdict.Reason("send-lag", "late", true))) : Verdict.VALID;
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(15),
                Duration.ofSeconds(3),
                Optional.of(measurement),
                Optional.of(evidence),
                Optional.empty(),
                verdict,
                List.of());
    }

    /** The trial with other evidence. */
    public static TrialOutcome with(TrialOutcome o, UnaryOperator<Evidence> change) {
        return o.withEvidence(o.evidence().map(change));
    }

    /** A warm-up of two seconds, then ten of measuring that differ by 1 %. */
    private static List<Measurement.Window> windows(double rate, double latency, Random random) {
        var windows = new ArrayList<Measurement.Window>();
        for (int i = 0; i < 12; i++) {
            double own = Math.exp(0.01 * random.nextGaussian());
            windows.add(
                    new Measurement.Window(i, 1, Math.round(rate * own), 0, (long) (latency / own * 1.5e9), i >= 2));
        }
        return windows;
    }

    /** Runs an experiment to its end. */
    public Run drive(Experiment experiment) {
        return drive(experiment, o -> o);
    }

    /** Runs an experiment to its end, with outcomes tampered with. */
    public Run drive(Experiment experiment, UnaryOperator<TrialOutcome> tamper) {
        return drive((ordinal, spec) -> tamper.apply(run(ordinal, spec)), experiment);
    }

    /** Runs an experiment on a server to its end. */
    public static Run drive(Server server, Experiment experiment) {
        var seen = new ArrayList<TrialOutcome>();
        var steps = new ArrayList<Experiment.Step.Run>();
        while (seen.size() < 5000) {
            switch (experiment.next(List.copyOf(seen))) {
                case Experiment.Step.Stop(Conclusion c) -> {
                    return new Run(c, seen, steps);
                }
                case Experiment.Step.Run step -> {
                    steps.add(step);
                    seen.add(server.run(seen.size() + 1, step.spec()));
                }
                case Experiment.Step.Kept kept -> {
                    steps.add(kept.run());
                    seen.add(server.run(seen.size() + 1, kept.run().spec()));
                }
                case Experiment.Step.Live live -> {
                    steps.add(live.run());
                    seen.add(server.run(seen.size() + 1, live.run().spec()));
                }
                case Experiment.Step.Pair pair -> {
                    for (var step : List.of(pair.first(), pair.second())) {
                        steps.add(step);
                        seen.add(server.run(seen.size() + 1, step.spec()));
                    }
                }
            }
        }
        throw new AssertionError("no end after " + seen.size() + " trials");
    }

    /** A whole run. */
    public record Run(Conclusion conclusion, List<TrialOutcome> seen, List<Experiment.Step.Run> steps) {
        public TuneConclusion tune() {
            return (TuneConclusion) conclusion;
        }

        public long trials(TrialSpec.Phase phase) {
            return seen.stream().filter(t -> t.spec().phase() == phase).count();
        }

        public double seconds() {
            return seen.stream().mapToDouble(t -> t.took().toMillis() / 1e3).sum();
        }
    }

    /** A plan that tunes the threads of this server. */
    public Plan plan(long from, long to) {
        return plan(
                List.of(KnobRange.interval("threads.max", from, to)),
                Objective.DEFAULT,
                new Budget(12, Duration.ofHours(1), 5));
    }

    public Plan plan(List<KnobRange> knobs, Objective objective, Budget budget) {
        return Plan.of("simulated", target(), load(clients))
                .with()
                .knobs(knobs)
                .objective(objective)
                .budget(budget)
                .seed(seed)
                .build();
    }

    public static Target target() {
        return new Target.Command(
                List.of(List.of("{java}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of("threads.max", "", "backlog", "", "jvm.gc", "", "threads.virtual", ""),
                Target.Jvm.SAME);
    }

    /** A step of a user's, which gets the page, checks nothing, and is followed by a pause. */
    public static Scenario.Step step(String name, Duration pause) {
        return new Scenario.Step(
                name,
                "GET",
                "/",
                Map.of(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                List.of(),
                List.of(),
                pause,
                pause,
                false);
    }

    /** A scenario of so many steps without pauses, all alike. */
    public static Scenario scenario(int steps) {
        var flow = new Scenario.Flow("user", 1, Collections.nCopies(steps, step("page", Duration.ZERO)));
        return new Scenario(List.of(flow), List.of(), Map.of(), false, 1);
    }

    public static Load load(int connections) {
        return new Load(
                connections,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
    }

    private static LatencySummary summary(long n, double seconds) {
        long ns = (long) (seconds * 1e9);
        return new LatencySummary(
                n, ns, ns, ns * 11 / 10, ns * 12 / 10, ns * 13 / 10, ns * 15 / 10, ns * 17 / 10, ns * 18 / 10, ns * 2);
    }

    public static String histogram(long n, double seconds) {
        Encoder e = ENCODERS.get();
        Histogram h = e.histogram;
        h.reset();
        long us = (long) (seconds * 1e9);
        h.recordValueWithCount(us, Math.max(1, n * 98 / 100));
        h.recordValueWithCount(us * 3 / 2, Math.max(1, n * 2 / 100));
        if (e.bytes.capacity() < h.getNeededByteBufferCapacity()) {
            e.bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        }
        e.bytes.clear();
        int length = h.encodeIntoCompressedByteBuffer(e.bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(e.bytes.array(), length));
    }

    /** What is needed for each of thousands of trials, and takes long to allocate. */
    private static final class Encoder {
        private final Histogram histogram = new Histogram(3);
        private ByteBuffer bytes = ByteBuffer.allocate(0);
    }

    private static final ThreadLocal<Encoder> ENCODERS = ThreadLocal.withInitial(Encoder::new);
}
