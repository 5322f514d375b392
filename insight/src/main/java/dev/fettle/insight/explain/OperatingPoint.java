package dev.fettle.insight.explain;

import dev.fettle.insight.words.FigureText;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What one trial shows about the server's limits, by the operational laws (Denning and Buzen, The Operational Analysis of
 * Queueing Network Models, ACM Computing Surveys 10(3), 1978).
 *
 * @param throughput X, valid responses per second
 * @param served requests per second that reached the server, including those answered late or wrongly, which cost threads
 *     and CPU too
 * @param clients N, clients of a closed load ({@link Load#clients()}), or the maximum of an open one
 * @param atOnce how many of their requests the server can work on at once ({@link Load#atOnce()})
 * @param think Z, a client's mean pause between an answer and its next request, seconds
 * @param offered requests per second that an open load asks for; empty for a closed one
 * @param cores CPUs the target may use
 * @param allowed CPUs' worth of time that it may use: all of them, or less by its control group's quota
 * @param busy mean busy worker threads
 * @param usable worker threads that can run requests; empty where unknown or unbounded (virtual threads)
 * @param queued mean requests that wait for one of them, by the pool's own count
 * @param leased threads of the pool that never run requests (Jetty's acceptors and selectors), 0 elsewhere
 * @param holding R_hold = busy / X: seconds that a request holds its thread (Little's law on the pool); of a pool that is always
 *     waited for, all its threads / X
 * @param cpuPerRequest S = CPU seconds / requests (service demand law), the JVM's compilers left out
 * @param utilisation U = X·S / allowed
 * @param otherWork whether the target has work of others, too ({@link #OTHER_WORK}): what a request of this load holds and costs is
 *     not known then, and with it what follows from these
 */
public record OperatingPoint(
        double throughput,
        double served,
        int clients,
        int atOnce,
        double think,
        OptionalFigure offered,
        int cores,
        double allowed,
        OptionalFigure busy,
        OptionalFigure usable,
        OptionalFigure queued,
        int leased,
        OptionalFigure holding,
        OptionalFigure cpuPerRequest,
        OptionalFigure utilisation,
        boolean otherWork) {

    /** How it shows that a target has work of others, too. */
    public static final String OTHER_WORK =
            "more workers are busy than this load has requests under way: the target does other work, too";

    /** The knob for the size of the worker pool. */
    public static final String THREADS = "threads.max";

    public static final String VIRTUAL = "threads.virtual";

    /** CPU use from which the CPU is called full. */
    public static final double CPU_FULL = Thresholds.CPU_FULL;

    /** Below this, busy threads are waiting rather than computing. */
    public static final double CPU_SPARE = Thresholds.CPU_SPARE;

    /** Headroom on the threads needed, because arrivals come in bunches. */
    public static final double HEADROOM = 1.3;

    /** Busy workers over the requests under way, from which on there is other work: looks are few, and load comes in bunches. */
    private static final double MORE_THAN_UNDER_WAY = 1.2;

    /**
     * A guest's workers over its server's default, below which the default is not taken for the pool's size. Not over HTTP/2, where the
     * server may let few streams of a connection into the workers.
     */
    private static final double ABOUT_THE_DEFAULT = 0.9;

    /** Share of the clients that pause or have a worker, from which on none waits for one. */
    public static final double ALL_SERVED = Bounds.value("all-served");

    /** The laws applied to a trial; empty if it has no measurement. */
    public static Optional<OperatingPoint> of(TrialOutcome trial) {
        return trial.measurement().map(m -> of(trial.spec(), m, trial.evidence()));
    }

    private static OperatingPoint of(TrialSpec spec, Measurement m, Optional<Evidence> evidence) {
        double elapsed = m.elapsed().toNanos() / 1e9;
        long reached = m.responses() + m.failed(ErrorKind::costsWork);
        double served = elapsed > 0 ? reached / elapsed : 0;
        int cores = evidence.map(Evidence::serverCpus).orElse(0);
        double allowed = evidence.map(OperatingPoint::allowedOf).orElse(0.0);
        OptionalFigure busy = OptionalFigure.from(evidence, e -> e.get(Aggregate.BUSY_WORKERS));
        OptionalFigure cpu = OptionalFigure.from(evidence, e -> e.aggregates().requestCpuSeconds());
        boolean mistaken = poolMistaken(spec, evidence);
        int leased = mistaken ? 0 : leased(spec, evidence);
        OptionalFigure threads = mistaken ? OptionalFigure.empty() : threads(spec, evidence);
        OptionalFigure usable = virtual(spec, evidence)
                ? OptionalFigure.empty()
                : threads.isPresent()
                        ? OptionalFigure.of(Math.max(1, threads.getAsDouble() - leased))
                        : OptionalFigure.from(evidence, e -> e.get(Aggregate.WORKERS));
        OptionalFigure queued = OptionalFigure.from(evidence, e -> e.get(Aggregate.QUEUED));
        OptionalFigure held = isWaitedFor(busy, usable, queued) ? usable : busy;
        boolean otherWork = hasOtherWork(spec, m, served, busy);
        boolean ran = served > 0 && !otherWork;
        return new OperatingPoint(
                m.throughput(),
                served,
                spec.load().clients(),
                spec.load().atOnce(),
                spec.load().thinkSeconds(),
                offered(spec.load()),
                cores,
                allowed,
                busy,
                usable,
                queued,
                leased,
                ran && held.isPresent() ? OptionalFigure.of(held.getAsDouble() / served) : OptionalFigure.empty(),
                ran && cpu.isPresent() ? OptionalFigure.of(cpu.getAsDouble() / reached) : OptionalFigure.empty(),
                cpu.isPresent() && cores > 0 && elapsed > 0
                        ? OptionalFigure.of(cpu.getAsDouble() / (allowed * elapsed))
                        : OptionalFigure.empty(),
                otherWork);
    }

    /**
     * Whether more workers are busy than this load has requests under way, by Little's law. Only of a server that Fettle did not start,
     * as one that it started has no other clients; and not where requests failed, as a worker may be busy with one whose client has
     * given up, nor over WebSockets, where it may belong to a connection.
     */
    private static boolean hasOtherWork(TrialSpec spec, Measurement m, double served, OptionalFigure busy) {
        double seconds = m.elapsed().toNanos() / 1e9;
        // requests that fail, or never end, have no latency, but occupy a connection
        double underWay = Math.max(served * m.latency().mean() / 1e9, seconds > 0 ? m.occupied() / seconds : 0);
        return spec.target().running().isPresent()
                && busy.isPresent()
                && m.latency().count() > 0
                && m.errorShare() <= Thresholds.ERRORS
                && !spec.load().wire().protocol().isWebSocket()
                && busy.getAsDouble() > MORE_THAN_UNDER_WAY * underWay + 1;
    }

    /** The requests a second that an open load ends with: its rate, times the requests of an iteration where it has a scenario. */
    private static OptionalFigure offered(Load load) {
        return load.arrivals() instanceof Arrivals.Open open
                ? OptionalFigure.of(open.stages().getLast().to() * load.requestsOnAverage())
                : OptionalFigure.empty();
    }

    /** CPUs' worth of time that a target may use: all of its CPUs, or less by its control group's quota. */
    public static double allowedOf(Evidence e) {
        return Math.min(e.serverCpus(), e.timeline().max(Signals.CGROUP_QUOTA).orElse(e.serverCpus()));
    }

    /** What it may use: {@code 2 CPUs}, {@code the 1.50 CPUs that its quota allows}. */
    public String cpus() {
        return cpus(allowed, cores);
    }

    /** The same of any target. */
    public static String cpus(double allowed, int cores) {
        return allowed < cores
                ? "the " + Format.number(allowed) + " CPUs that its quota allows"
                : FigureText.count(cores, "CPU");
    }

    /** Whether its quota allows it less than its CPUs. */
    public boolean byQuota() {
        return allowed < cores;
    }

    /** Requests per second at which the CPUs are full: allowed / S. */
    public OptionalFigure cpuCeiling() {
        return cores > 0 && cpuPerRequest.isPresent() && cpuPerRequest.getAsDouble() > 0
                ? OptionalFigure.of(allowed / cpuPerRequest.getAsDouble())
                : OptionalFigure.empty();
    }

    /** Requests per second at which all usable threads are busy: m / R_hold. */
    public OptionalFigure threadCeiling() {
        return usable.isPresent() && holding.isPresent() && holding.getAsDouble() > 0
                ? OptionalFigure.of(usable.getAsDouble() / holding.getAsDouble())
                : OptionalFigure.empty();
    }

    /**
     * Requests per second that the clients can ask for when none of them waits in line: N / (R_hold + Z), with N what the
     * server can work on at once.
     */
    public OptionalFigure clientCeiling() {
        if (offered.isPresent()) {
            return offered;
        }
        return holding.isPresent() && holding.getAsDouble() > 0
                ? OptionalFigure.of(atOnce / (holding.getAsDouble() + think))
                : OptionalFigure.empty();
    }

    /**
     * Threads (leased ones included) at which threads stop being the limit: X*·R_hold with headroom, X* the lower one of the
     * CPU's and the clients' ceiling. More threads than clients never help a closed load.
     */
    public OptionalFigure threadsNeeded() {
        if (holding.isEmpty() || clientCeiling().isEmpty()) {
            return OptionalFigure.empty();
        }
        double ceiling = Math.min(
                cpuCeiling().orElse(Double.POSITIVE_INFINITY), clientCeiling().getAsDouble());
        return OptionalFigure.of(Math.min(Math.ceil(ceiling * holding.getAsDouble() * HEADROOM), atOnce) + leased);
    }

    /**
     * The same under an open load that asks for all that the CPUs can do, however few clients this one had; empty where the CPU's
     * ceiling is unknown.
     */
    public OptionalFigure threadsNeededAtAnyRate() {
        return holding.isPresent() && cpuCeiling().isPresent()
                ? OptionalFigure.of(Math.ceil(cpuCeiling().getAsDouble() * holding.getAsDouble() * HEADROOM) + leased)
                : OptionalFigure.empty();
    }

    /** Whether every client of a closed load is thinking or being served, so that none waits in line. */
    public boolean everyClientServed() {
        return offered.isEmpty()
                && busy.isPresent()
                && !otherWork
                && busy.getAsDouble() + throughput * think >= ALL_SERVED * atOnce;
    }

    /**
     * Whether the pool that was seen differs from what is said of it, by a command's plan, or by the default of a guest's server
     * whose own value could not be read: there were more workers, or all of them were busy at once although they were clearly fewer.
     */
    static boolean poolMistaken(TrialSpec spec, Optional<Evidence> evidence) {
        OptionalFigure said = threads(spec, evidence);
        OptionalFigure seen = OptionalFigure.from(evidence, e -> e.get(Aggregate.WORKERS));
        boolean guest = isUnread(spec, evidence);
        if (!(guest || spec.target() instanceof Target.Command) || said.isEmpty() || seen.isEmpty()) {
            return false;
        }
        double most = Math.max(
                seen.getAsDouble(),
                evidence.orElseThrow().get(Aggregate.BUSY_WORKERS_MAX).orElse(0));
        boolean more = most > said.getAsDouble() + Math.max(1, 0.05 * said.getAsDouble());
        // a pool for which no more requests waited had no reason to grow
        double underWay =
                evidence.orElseThrow().timeline().mean(Signals.LOAD_INFLIGHT).orElse(Double.POSITIVE_INFINITY);
        boolean wanted = spec.load().arrivals() instanceof Arrivals.Closed
                && Math.min(spec.load().atOnce(), underWay) > 1.1 * seen.getAsDouble();
        boolean fewer = wanted
                && allBusy(evidence.orElseThrow(), seen.getAsDouble())
                && seen.getAsDouble()
                        < (guest && spec.load().wire().protocol() == Protocol.HTTP_1_1
                                ? ABOUT_THE_DEFAULT * (said.getAsDouble() - leased(spec, evidence))
                                : 0.5 * said.getAsDouble());
        return more || fewer;
    }

    /** Whether this is a guest of which nobody could read the pool's size, so that only its server's default is known. */
    private static boolean isUnread(TrialSpec spec, Optional<Evidence> evidence) {
        return spec.target().running().isPresent()
                && evidence.filter(e -> e.effective().containsKey(THREADS)).isEmpty()
                && spec.setting().get(THREADS).isEmpty()
                && spec.target().configured().get(THREADS).isEmpty();
    }

    /** Whether it was seen how many threads there are, and how many of them are busy. */
    public boolean poolSeen() {
        return busy.isPresent() && usable.isPresent();
    }

    /** Whether at least 95 % of the usable threads are busy on average, or requests always wait for one. */
    public boolean threadsFull() {
        return poolSeen()
                && (busy.getAsDouble() >= Thresholds.THREADS_FULL * usable.getAsDouble()
                        || isWaitedFor(busy, usable, queued));
    }

    /**
     * Whether at least as many requests wait for a thread as there are threads. Then none idles but for the moment in which it takes
     * the next request: all are busy, even if looks caught some of them in that moment, of two threads half of them.
     */
    private static boolean isWaitedFor(OptionalFigure busy, OptionalFigure usable, OptionalFigure queued) {
        return busy.isPresent()
                && usable.isPresent()
                && queued.orElse(0) >= usable.getAsDouble()
                && busy.getAsDouble() >= Thresholds.THREADS_WAITED_FOR * usable.getAsDouble()
                && busy.getAsDouble() < usable.getAsDouble();
    }

    /** Whether the CPUs are full, even if the threads that wait for them are all busy, too. */
    public boolean cpuFull() {
        double cpu = utilisation.orElse(0);
        return cpu >= CPU_FULL || (threadsFull() && cpu >= CPU_SPARE);
    }

    /** The pool's size in force: read back, set, or the command's known default. */
    static OptionalFigure threads(TrialSpec spec, Optional<Evidence> evidence) {
        OptionalLong n = knob(spec, evidence, THREADS).map(KnobValues::number).orElse(OptionalLong.empty());
        return n.isPresent() ? OptionalFigure.of(n.getAsLong()) : OptionalFigure.empty();
    }

    /** A knob's value in force: read back, set, or the target's default where it is known. */
    public static Optional<String> knob(TrialSpec spec, Optional<Evidence> evidence, String name) {
        return evidence.map(e -> e.effective().get(name))
                .or(() -> spec.setting().get(name))
                .or(() -> byDefault(spec, evidence.map(Evidence::serverCpus).orElse(1), name));
    }

    private static Optional<String> byDefault(TrialSpec spec, int cpus, String name) {
        return spec.target() instanceof Target.Command c
                ? Optional.ofNullable(c.configures().get(name)).filter(v -> !v.isBlank())
                : spec.target().knownServer().flatMap(s -> byDefault(s, spec, cpus, name));
    }

    private static Optional<String> byDefault(ServerKind server, TrialSpec spec, int cpus, String name) {
        Setting inForce = spec.target().configured().with(spec.setting());
        return Defaults.effective(server, name, inForce, Math.max(1, cpus)).stream()
                .mapToObj(Long::toString)
                .findFirst();
    }

    private static boolean virtual(TrialSpec spec, Optional<Evidence> evidence) {
        return knob(spec, evidence, VIRTUAL).filter("true"::equals).isPresent();
    }

    /**
     * For a command, whose insides are unknown: the pool's threads that never showed up as workers, although all
     * workers were busy at the same time. A pool that could still grow would have grown then.
     */
    private static int leasedByCommand(TrialSpec spec, Optional<Evidence> evidence) {
        double max = threads(spec, evidence).orElse(0);
        double workers =
                OptionalFigure.from(evidence, e -> e.get(Aggregate.WORKERS)).orElse(max);
        boolean all = evidence.filter(e -> allBusy(e, workers)).isPresent();
        return all && workers < max && spec.load().atOnce() > workers ? (int) (max - workers) : 0;
    }

    /** Whether all workers were busy at once, and nearly all of them on average: one look at some of many may catch only busy ones. */
    private static boolean allBusy(Evidence e, double workers) {
        return e.get(Aggregate.BUSY_WORKERS_MAX).orElse(0) >= workers
                && e.get(Aggregate.BUSY_WORKERS).orElse(0) >= Thresholds.THREADS_FULL * workers;
    }

    /** Threads of the pool that the server uses for other things than requests, as Jetty does for acceptors and selectors. */
    private static int leased(TrialSpec spec, Optional<Evidence> evidence) {
        if (spec.target() instanceof Target.Command) {
            return leasedByCommand(spec, evidence);
        }
        Optional<ServerKind> server = spec.target().knownServer();
        List<String> taken = server.map(s -> s.rules().takenFromPool()).orElse(List.of());
        if (taken.isEmpty()) {
            return 0;
        }
        Setting inForce = spec.target().configured().with(spec.setting());
        for (String knob : Stream.concat(Stream.of(THREADS), taken.stream()).toList()) {
            Optional<String> read = evidence.map(x -> x.effective().get(knob));
            inForce = read.isPresent() ? inForce.with(knob, read.get()) : inForce;
        }
        int cores = Math.max(1, evidence.map(Evidence::serverCpus).orElse(1));
        long threads = 0;
        for (String knob : taken) {
            threads += Defaults.effective(server.get(), knob, inForce, cores).orElse(1);
        }
        return (int) Math.clamp(threads, 0, 1000);
    }
}
