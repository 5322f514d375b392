package dev.fettle.insight.diagnose;

import dev.fettle.insight.Simulated;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** What a trial of ten seconds saw: of a healthy server with one CPU, unless it is told otherwise. */
final class Seen {
    static final int SECONDS = 10;

    private int clients = 64;
    private double rate = 1000;
    private double latency = 0.064;
    private double busy = 40;
    private int threads = 200;
    private double cpu = 0.4;
    private int cpus = 1;
    private boolean cpuRead = true;
    private double gc;
    private double compilers;
    private long reconnects;
    private long bytesEach;
    private double occupied;
    private double think;
    private double offered;
    private double connect;
    private long connects = 100;
    private Optional<LatencySummary> connectTimes = Optional.empty();
    private Optional<Scenario> scenario = Optional.empty();
    private boolean tls;
    private int inFlight = 1;
    private Protocol protocol = Protocol.HTTP_1_1;
    private OptionalFigure workersSeen = OptionalFigure.empty();
    private boolean poolRead = true;
    private boolean kept = true;
    private double slowest = -1;
    private double median = -1;
    private int drops;
    private double stolen;
    private boolean profiled;
    private String profiler = "a profiler 1.0: sampled every 10 ms of it";
    private final Profile.Builder profile = new Profile.Builder();
    private Setting set = Setting.DEFAULT;
    private String histogram = "";
    private List<Measurement.Window> windows = List.of();
    private boolean looked = true;
    private Target target = new Target.Embedded(ServerKind.TOMCAT, "work", Map.of(), Optional.empty(), Target.Jvm.SAME);
    private Optional<TrialOutcome.Failure> failure = Optional.empty();
    private final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);
    private final Map<Integer, Long> statuses = new HashMap<>();
    private final Map<String, Series> series = new HashMap<>();
    private final List<Sighting> sightings = new ArrayList<>();
    private ThreadsSeen threadsSeen = ThreadsSeen.NONE;
    private long startMillis;
    private long stepMillis = 1000;
    private List<Verdict.Reason> reasons = List.of();

    Seen target(Target of) {
        target = of;
        return this;
    }

    Seen clients(int n, double perSecond, double seconds) {
        clients = n;
        rate = perSecond;
        latency = seconds;
        return this;
    }

    /** The size of its pool could not be read; so many workers were seen. */
    Seen poolUnread(int seen) {
        poolRead = false;
        workersSeen = OptionalFigure.of(seen);
        return this;
    }

    /** So many requests under way on each connection. */
    Seen inFlight(int n, Protocol over) {
        inFlight = n;
        protocol = over;
        return this;
    }

    Seen workers(double mean, int of) {
        busy = mean;
        threads = of;
        return this;
    }

    Seen cpu(double share) {
        cpu = share;
        return this;
    }

    /** It may use so many CPUs; {@link #cpu} is how many of them it does. */
    Seen cpus(int n) {
        cpus = n;
        return this;
    }

    /** Its CPU time was not read, all else was. */
    Seen cpuUnread() {
        cpuRead = false;
        return this;
    }

    /** And of it the JVM's compilers. */
    Seen cpu(double share, double ofCompilers) {
        compilers = ofCompilers;
        return cpu(share);
    }

    Seen bytes(long each) {
        bytesEach = each;
        return this;
    }

    Seen think(double seconds) {
        think = seconds;
        return this;
    }

    /** An open load. */
    Seen offered(double perSecond) {
        offered = perSecond;
        return this;
    }

    /** And this was set. */
    Seen with(String knob, String value) {
        set = set.with(knob, value);
        return this;
    }

    /** So many connections were occupied on average, also by requests that never ended. */
    Seen occupied(double connections) {
        occupied = connections;
        return this;
    }

    /** A hundred connects that took this long. */
    Seen connects(double seconds) {
        connect = seconds;
        return this;
    }

    /** Over TLS, and so many connects. */
    Seen tls(long n) {
        tls = true;
        connects = n;
        return connects(0.01);
    }

    /** So many connects that took this long, and a few more that took longer. */
    Seen connects(long n, double seconds, long slow, double slowSeconds) {
        var h = new Histogram(3);
        h.recordValueWithCount((long) (seconds * 1e9), n - slow);
        h.recordValueWithCount((long) (slowSeconds * 1e9), slow);
        connectTimes = Optional.of(new LatencySummary(
                n,
                h.getMean(),
                h.getValueAtPercentile(50),
                h.getValueAtPercentile(75),
                h.getValueAtPercentile(90),
                h.getValueAtPercentile(95),
                h.getValueAtPercentile(99),
                h.getValueAtPercentile(99.9),
                h.getValueAtPercentile(99.99),
                h.getMaxValue()));
        return this;
    }

    /** Its users follow a scenario, and keep their cookies. */
    Seen keepsCookies() {
        scenario = Optional.of(
                new Scenario(List.of(new Scenario.Flow("visit", 1, List.of())), List.of(), Map.of(), true, 1));
        return this;
    }

    /** A connection for each request. */
    Seen notKept() {
        kept = false;
        return this;
    }

    /** p99.9 of the answers. */
    Seen median(double seconds) {
        median = seconds;
        return this;
    }

    Seen slowest(double seconds) {
        slowest = seconds;
        return this;
    }

    /** And the hypervisor took this share of the time of its CPUs. */
    Seen stolen(double share) {
        stolen = share;
        return this;
    }

    /** Connections dropped at the target's full accept queue. */
    Seen dropped(int n) {
        drops = n;
        return this;
    }

    /** How long the answers took: pairs of milliseconds and how many. */
    Seen took(double... millisAndCounts) {
        var h = new Histogram(3);
        for (int i = 0; i < millisAndCounts.length; i += 2) {
            h.recordValueWithCount((long) (millisAndCounts[i] * 1e6), (long) millisAndCounts[i + 1]);
        }
        var bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(bytes);
        histogram = Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
        return this;
    }

    /** p99 of each half second, milliseconds; the same as a series of the timeline. */
    Seen p99(double... millis) {
        windows = IntStream.range(0, millis.length)
                .mapToObj(i -> new Measurement.Window(i * 0.5, 0.5, 500, 0, (long) (millis[i] * 1e6), true))
                .toList();
        return over("load.p99", millis);
    }

    Seen gc(double share) {
        gc = share;
        return this;
    }

    Seen reconnects(long n) {
        reconnects = n;
        return this;
    }

    Seen notLooked() {
        looked = false;
        return this;
    }

    /** Of a server that Fettle did not start. */
    Seen of(Target other) {
        target = other;
        return this;
    }

    Seen failed(TrialOutcome.Kind kind) {
        return failed(kind, new Sighting[0]);
    }

    Seen failed(TrialOutcome.Kind kind, Sighting... seen) {
        failure = Optional.of(new TrialOutcome.Failure(kind, "it said so", List.of(seen)));
        return this;
    }

    Seen failed(TrialOutcome.Kind kind, String saying) {
        failure = Optional.of(new TrialOutcome.Failure(kind, saying, List.of()));
        return this;
    }

    Seen errors(ErrorKind kind, long n) {
        errors.put(kind, n);
        return this;
    }

    Seen status(int status, long n) {
        statuses.put(status, n);
        return this;
    }

    /** And so many answers of another status, which the load does not want. */
    Seen answered(int status, long n) {
        return status(200, Math.round(rate * SECONDS)).status(status, n).errors(ErrorKind.STATUS, n);
    }

    Seen always(String signal, double value) {
        double[] v = new double[SECONDS];
        Arrays.fill(v, value);
        return over(signal, v);
    }

    Seen over(String signal, double... values) {
        series.put(signal, Series.of(values));
        return this;
    }

    /** The time from one point of its series to the next, in seconds; 1 unless said otherwise. */
    Seen step(double seconds) {
        stepMillis = Math.round(1000 * seconds);
        return this;
    }

    /** So many seconds at the beginning of its series are warm-up. */
    Seen warmUp(double seconds) {
        startMillis = Math.round(-1000 * seconds);
        return this;
    }

    /** Points of a series that were observed from so many seconds of the measuring on. */
    long points(String signal, double fromSeconds) {
        Timeline t = Timeline.of(startMillis, stepMillis, series, Map.of(), List.of());
        int from = t.firstMeasured() + (int) Math.round(fromSeconds * 1000 / stepMillis);
        return t.find(signal).map(v -> v.observed(from, v.size()).count()).orElse(0L);
    }

    /** What all threads did at a few moments. */
    Seen threads(ThreadsSeen seen) {
        threadsSeen = seen;
        return this;
    }

    Seen sighted(String kind, String what, double count, String detail) {
        sightings.add(new Sighting(kind, what, count, detail));
        return this;
    }

    /** The CPU time of a stack in a profile, in milliseconds; the outermost frame first. */
    Seen profiled(double millis, String... frames) {
        profile.add(List.of(frames), millis);
        profiled = true;
        return this;
    }

    /** By the target's own flight recorder. */
    Seen flightRecorded() {
        profiler = "Java Flight Recorder: running Java code, sampled every 10 ms";
        return this;
    }

    /** All stacks of workers that were seen to run, those that make an exception, and those in TLS. */
    Seen stacks(double running, double throwing, double inTls) {
        return sighted(Sighting.STACKS, Sighting.RUNS, running, "in 9 looks")
                .sighted(Sighting.STACKS, Sighting.RUNS_THROWING, throwing, "in 9 looks")
                .sighted(Sighting.STACKS, Sighting.RUNS_TLS, inTls, "in 9 looks");
    }

    Seen reason(String rule, boolean passing) {
        reasons = List.of(new Verdict.Reason(rule, "because of " + rule, passing));
        return this;
    }

    private Load load() {
        Load closed = Simulated.load(clients)
                .withWire(new Wire(protocol, inFlight, Optional.empty(), TransportKind.AUTO, List.of()));
        Arrivals arrivals = offered > 0
                ? Arrivals.Open.constant(offered)
                : new Arrivals.Closed(Duration.ofNanos((long) (think * 1e9)));
        return (tls
                        ? closed.withWire(new Wire(
                                Protocol.HTTP_1_1,
                                1,
                                Optional.of(new Tls(Optional.empty(), true, false)),
                                TransportKind.AUTO,
                                List.of()))
                        : closed)
                .withArrivals(arrivals)
                .withScenario(scenario)
                .withKeepAlive(kept);
    }

    private long tail(long ns) {
        return slowest < 0 ? ns : (long) (slowest * 1e9);
    }

    private static LatencySummary same(long n, long ns) {
        return new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns);
    }

    TrialOutcome trial() {
        return trial(Phase.DIAGNOSE, 1);
    }

    TrialOutcome trial(Phase phase, int ordinal) {
        long n = Math.round(rate * SECONDS);
        long ns = (long) (latency * 1e9);
        Load load = load();
        var spec = new TrialSpec(
                phase,
                "",
                Map.of(),
                0,
                target,
                poolRead ? set.with("threads.max", Integer.toString(threads)) : set,
                load);
        if (statuses.isEmpty()) {
            statuses.put(200, n);
        }
        var m = new Measurement(
                Duration.ofSeconds(SECONDS),
                n,
                errors,
                Map.of(),
                statuses,
                bytesEach * n,
                occupied * SECONDS,
                new LatencySummary(
                        n, ns, median < 0 ? ns : (long) (median * 1e9), ns, ns, ns, ns, tail(ns), tail(ns), tail(ns)),
                connectTimes.orElseGet(
                        () -> connect > 0 ? same(connects, (long) (connect * 1e9)) : LatencySummary.NONE),
                reconnects,
                clients,
                windows,
                histogram,
                Measurement.Detail.NONE);
        var none = OptionalFigure.empty();
        // a target that failed under load was watched until then
        boolean until = failure.isPresent() && !series.isEmpty();
        var e = new Evidence(
                cpus,
                Evidence.Cpus.UNKNOWN,
                until
                        ? Aggregates.NOTHING
                        : Aggregates.NOTHING
                                .with(
                                        Aggregate.SERVER_CPU_SECONDS,
                                        looked && cpuRead ? OptionalFigure.of(cpu * SECONDS) : none)
                                .with(
                                        Aggregate.COMPILER_CPU_SECONDS,
                                        looked && cpuRead ? OptionalFigure.of(compilers * SECONDS) : none)
                                .with(Aggregate.BUSY_WORKERS, looked ? OptionalFigure.of(busy) : none)
                                .with(Aggregate.SERVER_STEAL, looked ? OptionalFigure.of(stolen) : none)
                                .with(Aggregate.BUSY_WORKERS_MAX, looked ? OptionalFigure.of(busy) : none)
                                .with(Aggregate.WORKERS, workersSeen)
                                .with(Aggregate.GC_MILLIS, looked ? OptionalFigure.of(gc * SECONDS * 1000) : none)
                                .with(
                                        Aggregate.ACCEPT_QUEUE_MAX,
                                        looked ? OptionalFigure.of(drops > 0 ? 100 : 0) : none)
                                .with(Aggregate.ACCEPT_QUEUE_DROPS, looked ? OptionalFigure.of(drops) : none),
                none,
                none,
                OptionalInt.of(100),
                1,
                looked && poolRead ? Map.of("threads.max", Integer.toString(threads)) : Map.of(),
                Map.of(),
                List.of(),
                Timeline.of(startMillis, stepMillis, series, Map.of(), sightings)
                        .withThreads(threadsSeen),
                profiled ? List.of(profile.build(Profile.Kind.CPU, profiler, SECONDS)) : List.of(),
                Conditions.ALONE);
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(20),
                Duration.ZERO,
                failure.isPresent() ? Optional.empty() : Optional.of(m),
                failure.isPresent() && !until ? Optional.empty() : Optional.of(e),
                failure,
                failure.isPresent() || !reasons.isEmpty()
                        ? new Verdict(
                                reasons.isEmpty() ? List.of(new Verdict.Reason("failed", "failed", false)) : reasons)
                        : Verdict.VALID,
                List.of());
    }

    String first() {
        List<dev.fettle.insight.Finding> all = Diagnosis.of(trial()).findings();
        return all.isEmpty() ? "" : all.getFirst().rule();
    }
}
