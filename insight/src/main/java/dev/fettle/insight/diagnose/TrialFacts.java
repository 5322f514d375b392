package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.stats.Growth;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.insight.stats.Latencies.Spread;
import dev.fettle.insight.waits.WaitGraph;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a trial saw, in the form that rules need: figures of its evidence, and of its timeline's series over the
 * measured time. What was not observed is empty, never zero.
 */
final class TrialFacts {
    private final TrialOutcome trial;
    private final Optional<Evidence> evidence;
    private final Optional<OperatingPoint> point;
    private final Optional<Explanation> explained;
    private final Optional<CpuProfile> profile;
    private final TimelineStats lines;
    private final Stacks stacks;
    private final Stacks deepStacks;
    /** Part of the CPUs that a target has to use itself, where these are full with others' work, for its own to be what counts. */
    private static final double OWN_PART = Bounds.value("own-cpu");

    private @Nullable Optional<Spread> latencies;
    private @Nullable WaitGraph waits;

    /** Looks at the threads of a target that stopped answering that count: before it did, it was another. */
    private static final int OF_A_HANG = 3;

    TrialFacts(TrialOutcome trial) {
        this(trial, List.of(), t -> 0);
    }

    /**
     * @param run the trials of its run, against which claims about what limits it are tested
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput
     */
    TrialFacts(TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        this.trial = trial;
        this.evidence = trial.evidence();
        this.point = OperatingPoint.of(trial);
        this.explained = PointLimit.of(trial, run, moved).map(PointLimit::explanation);
        this.lines = TimelineStats.of(trial);
        Stacks workers = new Stacks(lines, false);
        Stacks all = new Stacks(lines, true);
        this.stacks = workers.looked() || !all.looked() ? workers : all;
        this.deepStacks = all.tooFew().isEmpty() ? all : stacks;
        this.profile = CpuProfile.of(evidence, lines);
    }

    TrialOutcome trial() {
        return trial;
    }

    /** Whether it was observed under traffic that is not Fettle's: nothing is known of what its clients get. */
    boolean isObserved() {
        return trial.spec().phase() == Phase.OBSERVE;
    }

    /** Whether only what somebody recorded of it is known, and not the process. */
    boolean isRecorded() {
        return isObserved() && !trial.spec().target().hasProcess();
    }

    /** Whether Fettle started the target, and reads what it writes. */
    boolean isLaunched() {
        return trial.spec().target().isLaunched();
    }

    Optional<Measurement> measurement() {
        return trial.measurement();
    }

    Optional<Evidence> evidence() {
        return evidence;
    }

    Optional<OperatingPoint> point() {
        return point;
    }

    Optional<Explanation> explained() {
        return explained;
    }

    boolean limitIs(Explanation.Limit limit) {
        return explained.filter(x -> x.limit() == limit).isPresent();
    }

    /** Seconds measured; of a target that failed those for which it was watched. */
    double seconds() {
        return measurement().map(m -> m.elapsed().toNanos() / 1e9).orElseGet(lines::seconds);
    }

    /** Valid answers; of a target that failed those that its timeline has. */
    double answered() {
        return measurement().map(m -> (double) m.responses()).orElseGet(lines::answered);
    }

    /** Why there are no figures of answers. */
    String noAnswers() {
        return isObserved()
                ? "no load was sent: what clients get was not observed"
                : measurement().isEmpty() ? "the target failed before it was measured" : "no valid answer came";
    }

    /** Mean latency of valid answers, seconds. */
    OptionalFigure latency() {
        return OptionalFigure.of(measurement().filter(m -> m.latency().count() > 0).stream()
                .mapToDouble(m -> m.latency().mean() / 1e9)
                .findFirst());
    }

    /** Requests a second that reached the server; without load by its own count, 0 if there is none. */
    double served() {
        return point.map(OperatingPoint::served)
                .orElseGet(() -> isObserved() ? meanOrNone(Signals.REQUESTS_RATE) : 0.0);
    }

    /** How long valid answers took, each of them. */
    Optional<Spread> latencies() {
        if (latencies == null) { // several rules ask, and it takes long to unpack
            latencies = measurement().flatMap(Latencies::spread);
        }
        return latencies;
    }

    /** Who waited for whom at the moments at which all threads were looked at. */
    WaitGraph waits() {
        if (waits == null) { // several rules ask
            ThreadsSeen seen = lines.timeline().threads();
            boolean hung = trial.failure()
                    .filter(f -> f.kind() == TrialOutcome.Kind.HUNG)
                    .isPresent();
            waits = WaitGraph.of(hung ? seen.last(OF_A_HANG) : seen);
        }
        return waits;
    }

    /** What all threads did at the moments at which they were looked at, those of the warm-up too. */
    ThreadsSeen threadsSeen() {
        return lines.timeline().threads();
    }

    long errors(ErrorKind... kinds) {
        long n = 0;
        for (ErrorKind k : kinds) {
            n += measurement().map(m -> m.errors().getOrDefault(k, 0L)).orElse(0L);
        }
        return n;
    }

    /** Attempts, failed and lost ones included. */
    long attempts() {
        return measurement().map(m -> m.responses() + m.failed() + m.lost()).orElse(0L);
    }

    /** Busy workers, mean; of a target that failed those that its timeline has. */
    OptionalFigure busy() {
        OptionalFigure counted = OptionalFigure.from(point, OperatingPoint::busy);
        return counted.isPresent() ? counted : mean(Signals.WORKERS_BUSY);
    }

    /** Mean time for which a request holds its worker, seconds; without load its processing time by the server's own count. */
    OptionalFigure holding() {
        return point.isPresent() || !isObserved()
                ? OptionalFigure.from(point, OperatingPoint::holding)
                : each(Signals.REQUESTS_UNDER_WAY, Signals.REQUESTS_RATE);
    }

    /**
     * How long each of those under way takes, by Little's law, seconds; empty without requests.
     *
     * @param underWay the signal of how many are under way
     * @param rate the signal of how many come, per second
     */
    OptionalFigure each(String underWay, String rate) {
        OptionalFigure n = mean(underWay);
        OptionalFigure perSecond = mean(rate);
        return n.isPresent() && perSecond.isPresent() && perSecond.getAsDouble() > 0
                ? OptionalFigure.of(n.getAsDouble() / perSecond.getAsDouble())
                : OptionalFigure.empty();
    }

    /** How many there were in all of what comes so often, per second; empty if it was not observed. */
    OptionalFigure counted(String rate) {
        double[] values = values(rate);
        return values.length == 0
                ? OptionalFigure.empty()
                : OptionalFigure.of(Arrays.stream(values).sum() * lines.stepSeconds());
    }

    /** Share of the CPU time that the target may use that it uses, in all, 0 to 1. */
    OptionalFigure cpu() {
        OptionalFigure used = OptionalFigure.from(evidence, e -> e.get(Aggregate.SERVER_CPU_SECONDS));
        double most = allowed() * seconds();
        return used.isPresent() && most > 0 ? OptionalFigure.of(used.getAsDouble() / most) : OptionalFigure.empty();
    }

    /** CPUs' worth of time that the target may use: its CPUs, or less by its quota. */
    double allowed() {
        return evidence.map(OperatingPoint::allowedOf).orElse(0.0);
    }

    /** What the target may use: {@code 2 CPUs}, {@code the 1.50 CPUs that its quota allows}. */
    String allowedCpus() {
        return OperatingPoint.cpus(allowed(), cpus());
    }

    /** The share of the target's CPU time that the JVM's compilers took; 0 if it was not read. */
    double compilers() {
        double all =
                evidence.map(e -> e.get(Aggregate.SERVER_CPU_SECONDS).orElse(0)).orElse(0.0);
        return all > 0
                ? evidence.map(e -> e.get(Aggregate.COMPILER_CPU_SECONDS).orElse(0))
                                .orElse(0.0)
                        / all
                : 0;
    }

    int cpus() {
        return evidence.map(Evidence::serverCpus).orElse(0);
    }

    /**
     * Whether the CPUs are full, whatever uses them: requests alone, or requests and the JVM's compilers. The compilers
     * will soon have nothing to do, but until then they take CPU time from requests.
     */
    boolean cpuFull() {
        return limitIs(Explanation.Limit.CPU)
                || fullWithCompilers()
                || isObserved() && cpu().orElse(0) >= Thresholds.CPU_FULL;
    }

    /**
     * Whether the CPUs that the target may run on are full with the work of others, and its threads wait for one. Of a target that answers,
     * only where Fettle did not start it: one that it started has CPUs of its own, or its trial says that others took their time.
     */
    boolean crowded() {
        return starved()
                || !isLaunched()
                        && !cpuFull()
                        && busyCpus() >= Thresholds.CPU_FULL
                        && meanOrNone(Signals.RUNQUEUE_WAIT) >= 1
                        && NoisyNeighbours.wantsCpu(this);
    }

    /** Whether it answered nothing any more because its threads got no CPU, whoever started it. */
    boolean starved() {
        return NoisyNeighbours.ofAHang(this) == NoisyNeighbours.Lack.SEEN;
    }

    /** Seconds of a point of the figures over time. */
    double stepSeconds() {
        return lines.stepSeconds();
    }

    /** The share of their time for which the CPUs that the target may run on are busy; in old recordings all those of the machine. */
    double busyCpus() {
        return mean(Signals.CPUS_BUSY).orElseGet(() -> meanOrNone(Signals.HOST_BUSY));
    }

    /** Whose CPUs these are: {@code its}, {@code the machine's}. */
    String whoseCpus() {
        return ownCpusSeen() ? "its" : "the machine's";
    }

    /** Whether it was seen how busy the CPUs are that the target may run on. */
    boolean ownCpusSeen() {
        return mean(Signals.CPUS_BUSY).isPresent();
    }

    /** What full CPUs hide: time that the target does not use is not free. */
    String whyCrowded() {
        return whoseCpus() + " CPUs are full, with others' work: what the target leaves of them is not free";
    }

    /**
     * Whether CPU time is what the target is short of, whoever else takes some: its CPUs are full and it uses a good part of them, or one
     * thread of it has what a thread can have.
     */
    boolean cpuShort() {
        return cpuFull() || crowded() && (cpu().orElse(0) >= OWN_PART || mostWaitForCpu()) || threadShort();
    }

    /** Whether most of the requests under way have a thread that is ready and has no CPU: alone, the target would fill the CPUs as well. */
    private boolean mostWaitForCpu() {
        return underWay() > 0 && meanOrNone(Signals.RUNQUEUE_WAIT) >= Thresholds.MOST_OF_A_REQUEST * underWay();
    }

    /**
     * Whether one thread, and not the CPUs, is what has no CPU time left: it does most of what is done, while requests wait. Where the
     * CPUs are full, too, it waits for one as others do.
     */
    boolean threadShort() {
        return !cpuFull() && HotThreadRule.isShort(this);
    }

    private boolean fullWithCompilers() {
        return point.isPresent() && cpu().orElse(0) >= Thresholds.CPU_FULL;
    }

    /** Requests under way at once, on average; the clients, or without load the busy workers, where that was not counted. */
    double underWay() {
        return mean(Signals.LOAD_INFLIGHT)
                .orElseGet(() ->
                        isObserved() ? busy().orElse(0) : trial.spec().load().clients());
    }

    /** Connections that the server closed after an answer, over its answers. */
    double closedPerAnswer() {
        return measurement()
                .filter(m -> m.responses() > 0)
                .map(m -> (double) m.reconnects() / m.responses())
                .orElse(0.0);
    }

    /** Share of the measured time in garbage collection. */
    OptionalFigure gcShare() {
        OptionalFigure millis = OptionalFigure.from(evidence, e -> e.get(Aggregate.GC_MILLIS));
        return millis.isPresent() && seconds() > 0
                ? OptionalFigure.of(millis.getAsDouble() / 1e3 / seconds())
                : mean(Signals.GC_SHARE);
    }

    /** A series' mean over the measured time. */
    OptionalFigure mean(String signal) {
        return lines.mean(signal);
    }

    /** The same, or 0 if it was not observed: for sums of which at least one part was. */
    double meanOrNone(String signal) {
        return lines.mean(signal).orElse(0);
    }

    OptionalFigure max(String signal) {
        return lines.max(signal);
    }

    OptionalFigure sum(String signal) {
        return lines.sum(signal);
    }

    /** Its very first value, in the warm-up. */
    OptionalFigure before(String signal) {
        return lines.before(signal);
    }

    OptionalFigure last(String signal) {
        return lines.last(signal);
    }

    /** All its values under load, including the warm-up. */
    double[] ever(String signal) {
        return lines.ever(signal);
    }

    double[] values(String signal) {
        return lines.values(signal);
    }

    /** A series while requests were answered: the seconds since measuring began, and the values. */
    double[][] whileServed(String signal) {
        return lines.whileServed(signal);
    }

    /** Whether a series grows over the measured time, from its beginning or from some time in the midst of it. */
    Growth growth(String signal) {
        double[][] timed = lines.whileServed(signal);
        return Growth.beginningLate(timed[0], timed[1], lines.mostInWarmUp(signal));
    }

    /** Whether a series rises over the measured time. */
    Growth rise(String signal) {
        double[][] timed = lines.whileServed(signal);
        return Growth.of(timed[0], timed[1]);
    }

    /** The largest value of another series about the time when one is highest. */
    OptionalFigure aboutPeak(String peak, String other) {
        return lines.aboutPeak(peak, other);
    }

    /** Why a series is missing. */
    String why(String signal) {
        return lines.why(signal);
    }

    /** Names of the series with a prefix. */
    List<String> names(String prefix) {
        return lines.names(prefix);
    }

    /** The most frequent name of a kind of sighting. */
    Optional<String> sighting(String kind) {
        return lines.sighting(kind).map(Sighting::what);
    }

    /** All names of a kind of sighting, the most frequent, or the highest figure, first. */
    List<String> sighted(String kind) {
        return lines.sightings(kind).stream().map(Sighting::what).toList();
    }

    /** All sightings of a kind, the most frequent first. */
    List<Sighting> sightings(String kind) {
        return lines.sightings(kind);
    }

    /** The sightings of all kinds. */
    List<Sighting> sightings() {
        return lines.sightings();
    }

    /** The peer of most of the connections that the target opened. */
    Optional<String> outgoing() {
        return lines.sightings(Sighting.PEER_ESTABLISHED).stream()
                .filter(p -> !p.ofClient())
                .map(Sighting::what)
                .findFirst();
    }

    /** The service whose answers a recording has the longest waits for. */
    Optional<String> longestRead() {
        return lines.sightings(Sighting.JFR_SOCKET_READ).stream()
                .map(Sighting::what)
                .filter(p -> !p.endsWith(Sighting.CLIENTS_PORT))
                .findFirst();
    }

    /** The peer of most of the connections that it has closed and the target has not (CLOSE_WAIT): a client, or a service. */
    Optional<Sighting> closedBy() {
        return Stream.of(Sighting.PEER_CLOSE_WAIT, Sighting.CLIENT_CLOSE_WAIT)
                .flatMap(kind -> lines.sighting(kind).stream())
                .max(Comparator.comparingDouble(Sighting::count));
    }

    /** The details of a sighting. */
    Optional<String> detail(String kind) {
        return lines.sighting(kind).map(Sighting::detail).filter(d -> !d.isBlank());
    }

    /**
     * Why the number of busy workers, and so the holding time, is not believed: they used more CPU time than so few can, or not all of
     * them work on requests of this load. Empty if it is.
     */
    Optional<String> busyDoubted() {
        if (point.filter(OperatingPoint::otherWork).isPresent()) {
            return Optional.of(OperatingPoint.OTHER_WORK);
        }
        double busy = busy().orElse(Double.NaN);
        OptionalFigure used = mean(Signals.CPU_WORKERS);
        return used.isPresent() && busy < Stacks.SHOWN * used.getAsDouble()
                ? Optional.of("only " + Format.count(busy) + " workers were seen busy, while they used "
                        + Format.share(used.getAsDouble())
                        + " of a CPU: requests as short as these are mostly missed by samples of the threads")
                : Optional.empty();
    }

    /** What the stacks of workers show; where a server's workers are not known, those of all threads. */
    Stacks stacks() {
        return stacks;
    }

    /** What whole stacks show, of all threads where enough of them were seen: a library's call may be deep below the program's own. */
    Stacks deepStacks() {
        return deepStacks;
    }

    /** The profile of the CPU time, if one was taken that tells shares. */
    Optional<CpuProfile> profile() {
        return profile;
    }

    /** The method from which most workers do something, by the prefix of the watch's detail for such a frame. */
    Optional<String> mostly(String doing) {
        return lines.sightings(Sighting.FRAME).stream()
                .filter(f -> f.detail().startsWith(doing))
                .max(Comparator.comparingDouble(Sighting::count))
                .map(Sighting::what);
    }

    /**
     * A profile that is of CPU time: the samples of the flight recorder are of Java code alone, and most of the cost of an exception is
     * in the JVM.
     */
    private Optional<CpuProfile> ofAllCode() {
        return profile.filter(p -> !p.isOfJava());
    }

    /**
     * The share in which exceptions are made, and where most of them are: of the CPU time if there is a profile of it, else of running
     * workers' stacks.
     */
    Optional<Stacks.Hot> throwing() {
        return ofAllCode().map(CpuProfile::throwing).orElseGet(stacks::throwing);
    }

    /** The share that is in TLS, of the same. */
    double inTls() {
        return ofAllCode().map(CpuProfile::inTls).orElseGet(stacks::inTls);
    }

    /** What the shares of {@link #throwing} and {@link #inTls} are shares of. */
    String sharesOf() {
        return ofAllCode()
                .map(p -> "the target's CPU time in " + p.words())
                .orElse("the stacks of " + stacks.whose() + " that run");
    }

    /** Why there are no such shares; empty if there are. */
    Optional<String> sharesUnseen() {
        return ofAllCode().isPresent() ? Optional.empty() : stacks.tooFew();
    }

    /** Two series at the points where both are known; of the second, the latest value. */
    double[][] together(String one, String other) {
        return lines.together(one, other);
    }

    /**
     * Mean number of threads that wait for something over the busy ones: its share of a request's time in the worker.
     */
    OptionalFigure shareOfHolding(String wait) {
        OptionalFigure n = mean(wait);
        OptionalFigure all = busy();
        return n.isPresent() && all.isPresent() && all.getAsDouble() > 0
                ? OptionalFigure.of(Math.min(1, n.getAsDouble() / all.getAsDouble()))
                : OptionalFigure.empty();
    }

    /**
     * How many requests of one connection are under way at once, where a server answers them one after the other (HTTP/1.1): 1, or on
     * average up to the depth of the pipeline.
     */
    double inLine() {
        var load = trial.spec().load();
        double underWay = served() * latency().orElse(0);
        return load.wire().protocol() == Protocol.HTTP_1_1
                ? Math.clamp(underWay / load.connections(), 1, load.wire().inFlight())
                : 1;
    }

    /** Mean latency without what a request waits for those before it in its connection's pipeline, seconds. */
    OptionalFigure ownLatency() {
        OptionalFigure r = latency();
        return r.map(v -> v / inLine());
    }

    /** Share of a request's own latency spent outside a worker: in a queue in front of the workers. */
    OptionalFigure queueShare() {
        OptionalFigure r = ownLatency();
        OptionalFigure hold = holding();
        return r.isPresent() && hold.isPresent() && r.getAsDouble() > 0
                ? OptionalFigure.of(Math.clamp(1 - hold.getAsDouble() / r.getAsDouble(), 0, 1))
                : OptionalFigure.empty();
    }
}
