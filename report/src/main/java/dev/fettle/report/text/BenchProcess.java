package dev.fettle.report.text;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.report.BenchReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The part of a bench's summary on the watched process, if any. */
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

    private final BenchReport report;
    private final Evidence seen;
    private final Optional<String> pid;

    BenchProcess(BenchReport report) {
        this.report = report;
        this.seen = report.evidence();
        this.pid = Optional.ofNullable(seen.facts().get("pid"));
    }

    /** Writes a section of the summary. */
    void write(TerminalLines out) {
        if (pid.isEmpty()) {
            return;
        }
        String server = Optional.ofNullable(seen.facts().get("server"))
                .map(s -> ", " + Wording.one(s))
                .orElse("");
        out.heading("Process " + pid.get() + server);
        cpu(out);
        seen.get(Aggregate.BUSY_WORKERS)
                .ifPresent(busy -> out.line(
                        "Busy threads",
                        NumberText.number(busy) + " on average"
                                + some(", at most ", seen.get(Aggregate.BUSY_WORKERS_MAX))
                                + some(", of ", seen.get(Aggregate.WORKERS))
                                + Optional.ofNullable(seen.effective().get("threads.max"))
                                        .map(most -> " (threads.max " + most + ")")
                                        .orElse("")));
        seen.get(Aggregate.QUEUED)
                .ifPresent(n -> out.line("Waiting for one", NumberText.number(n) + " requests on average"));
        seen.get(Aggregate.GC_MILLIS)
                .ifPresent(ms -> out.line("Garbage collection", NumberText.latency(ms * 1e6) + " in all"));
        seen.acceptQueueLimit()
                .ifPresent(n -> out.line("Accept queue", "holds " + NumberText.count(n) + ", its limit"));
        waits(out);
        seen.profiles().forEach(p -> ProfileText.write(out, p));
    }

    /** What the workers did during the measurement, and what delayed them. */
    private void waits(TerminalLines out) {
        String mean = WAITS.entrySet().stream()
                .map(w -> Map.entry(seen.timeline().mean(w.getKey()).orElse(0), w.getValue()))
                .filter(w -> w.getKey() >= LEAST_WORKERS)
                .map(w -> NumberText.number(w.getKey()) + " " + w.getValue())
                .collect(Collectors.joining(", "));
        if (!mean.isEmpty()) {
            out.line("Workers, mean", mean);
        }
        sightings(
                out,
                "Lock",
                Sighting.LOCK,
                s -> "waited for by at most " + NumberText.count(Math.round(s.count())) + " at once; ");
        sightings(
                out,
                "Pool",
                Sighting.POOL,
                s -> "waited for by at most " + NumberText.count(Math.round(s.count())) + " at once; ");
        sightings(out, "Deadlock", Sighting.DEADLOCK, _ -> "");
        sightings(out, "Threads kept", Sighting.DUMP, _ -> "");
    }

    private void sightings(TerminalLines out, String name, String kind, Function<Sighting, String> count) {
        seen.timeline().sightings(kind).stream()
                .limit(MOST_SIGHTINGS)
                .forEach(s -> out.line(name, s.what() + ": " + count.apply(s) + s.detail()));
    }

    private void cpu(TerminalLines out) {
        double seconds = report.measurement().elapsed().toNanos() / 1e9;
        // as where the laws are applied: over all that cost work, without the compilers
        long reached = report.measurement().responses() + report.measurement().failed(ErrorKind::costsWork);
        double ofRequests = seen.aggregates().requestCpuSeconds().orElse(0);
        seen.get(Aggregate.SERVER_CPU_SECONDS)
                .ifPresent(cpu -> out.line(
                        "CPU",
                        Format.count(seconds > 0 ? cpu / seconds : 0) + " of "
                                + Wording.plural(seen.serverCpus(), "core")
                                + (reached == 0
                                        ? ""
                                        : ", " + NumberText.latency(ofRequests * 1e9 / reached) + " a request")));
    }

    private static String some(String before, OptionalFigure n) {
        return n.isPresent() ? before + NumberText.count(Math.round(n.getAsDouble())) : "";
    }
}
