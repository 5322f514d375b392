package dev.fettle.report.document;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a bench says of the watched process, if there is one, and of the hosts that sent the load. */
final class BenchProcess {
    private static final int MOST_SIGHTINGS = 2;

    /** Fewer workers than this, on average, are not mentioned. */
    private static final double LEAST_WORKERS = 0.1;

    /** The states of workers, by signal. */
    private static final Map<String, String> WAITS = new TreeMap<>(Map.of(
            Signals.WAIT_RUNNING, "run",
            Signals.WAIT_LOCK, "wait for a lock",
            Signals.WAIT_POOL, "wait for a pool",
            Signals.WAIT_SOCKET, "wait for a socket",
            Signals.WAIT_CLIENT, "read from or write to their client",
            Signals.WAIT_LOOKUP, "look up a name",
            Signals.WAIT_FILE, "read or write a file",
            Signals.WAIT_SLEEP, "sleep",
            Signals.WAIT_OTHER, "wait for something else",
            Signals.WAIT_IDLE, "wait for a request"));

    private final Measurement m;
    private final Evidence seen;

    private BenchProcess(BenchReport report) {
        m = report.measurement();
        seen = report.evidence();
    }

    /** The section; none if no process was watched. */
    static List<Block> section(BenchReport report) {
        Map<String, String> facts = report.evidence().facts();
        return Optional.ofNullable(facts.get("pid")).stream()
                .<Block>map(pid -> new Block.Section(
                        "process",
                        "Process " + pid
                                + Optional.ofNullable(facts.get("server"))
                                        .map(s -> ", " + Wording.one(s))
                                        .orElse(""),
                        new Block.Facts(new BenchProcess(report).facts())))
                .toList();
    }

    private List<Fact> facts() {
        var to = new ArrayList<Fact>();
        cpu(to);
        seen.get(Aggregate.BUSY_WORKERS)
                .ifPresent(busy -> to.add(new Fact(
                        "Busy threads",
                        Format.number(busy) + " on average"
                                + some(", at most ", seen.get(Aggregate.BUSY_WORKERS_MAX))
                                + some(", of ", seen.get(Aggregate.WORKERS))
                                + Optional.ofNullable(seen.effective().get("threads.max"))
                                        .map(most -> " (threads.max " + most + ")")
                                        .orElse(""))));
        seen.get(Aggregate.QUEUED)
                .ifPresent(n -> to.add(new Fact("Waiting for one", Format.number(n) + " requests on average")));
        seen.get(Aggregate.GC_MILLIS)
                .ifPresent(ms -> to.add(new Fact("Garbage collection", Format.time(ms * 1e6) + " in all")));
        seen.acceptQueueLimit()
                .ifPresent(n -> to.add(new Fact("Accept queue", "holds " + Format.whole(n) + ", its limit")));
        waits(to);
        return to;
    }

    /** What the workers did during the measurement, and what delayed them. */
    private void waits(List<Fact> to) {
        String mean = WAITS.entrySet().stream()
                .map(w -> Map.entry(seen.timeline().mean(w.getKey()).orElse(0), w.getValue()))
                .filter(w -> w.getKey() >= LEAST_WORKERS)
                .map(w -> Format.number(w.getKey()) + " " + w.getValue())
                .collect(Collectors.joining(", "));
        if (!mean.isEmpty()) {
            to.add(new Fact("Workers, mean", mean));
        }
        sightings(to, "Lock", Sighting.LOCK, true);
        sightings(to, "Pool", Sighting.POOL, true);
        sightings(to, "Deadlock", Sighting.DEADLOCK, false);
        sightings(to, "Threads kept", Sighting.DUMP, false);
    }

    /** @param waited whether it is something that workers waited for */
    private void sightings(List<Fact> to, String name, String kind, boolean waited) {
        seen.timeline().sightings(kind).stream()
                .limit(MOST_SIGHTINGS)
                .forEach(s -> to.add(new Fact(
                        name,
                        s.what() + ": "
                                + (waited
                                        ? "waited for by at most " + Format.whole(Math.round(s.count())) + " at once; "
                                        : "")
                                + s.detail())));
    }

    private void cpu(List<Fact> to) {
        double seconds = m.elapsed().toNanos() / 1e9;
        // as where the laws are applied: over all that cost work, without the compilers
        long reached = m.responses() + m.failed(ErrorKind::costsWork);
        double ofRequests = seen.aggregates().requestCpuSeconds().orElse(0);
        seen.get(Aggregate.SERVER_CPU_SECONDS)
                .ifPresent(cpu -> to.add(new Fact(
                        "CPU",
                        Format.count(seconds > 0 ? cpu / seconds : 0) + " of "
                                + Wording.plural(seen.serverCpus(), "core")
                                + (reached == 0
                                        ? ""
                                        : ", " + Format.time(ofRequests * 1e9 / reached) + " a request"))));
    }

    private static String some(String before, OptionalFigure n) {
        return n.isPresent() ? before + Format.whole(Math.round(n.getAsDouble())) : "";
    }

    /** The hosts that sent the load together, next to each other; none if one generator did. */
    static List<Block> agents(Evidence seen) {
        if (seen.agents().isEmpty()) {
            return List.of();
        }
        Table table = Table.of(seen.agents())
                .words("host", AgentFigures::name)
                .figure("answers", a -> Value.count(a.responses()))
                .figure("failed", a -> Value.count(a.failed()))
                .figure("50 %", a -> time(a, a.latency().p50()))
                .figure("99 %", a -> time(a, a.latency().p99()))
                .figure("began late", a -> Value.time(a.lateMillis() * 1e6))
                .figure("clock ±", a -> Value.time(a.clockErrorMillis() * 1e6))
                .known("CPUs busy", a -> Value.share(a.cpuShare()))
                .remarks("lost", Where.EVERYWHERE, AgentFigures::lost)
                .tone(a -> a.lost().isEmpty() ? Tone.PLAIN : Tone.BAD)
                .build();
        return List.of(new Block.Figures("", "Hosts that sent the load", table));
    }

    private static Value time(AgentFigures a, double nanos) {
        return a.latency().count() == 0 ? Value.words("") : Value.time(nanos);
    }
}
