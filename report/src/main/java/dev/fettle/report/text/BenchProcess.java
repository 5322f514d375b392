package dev.fettle.report.text;

import dev.fettle.model.trial.Evidence;
import dev.fettle.report.BenchReport;
import dev.fettle.report.NumberText;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The part of a bench's summary on the watched process, if any. */
final class BenchProcess {
    private final BenchReport report;
    private final Evidence seen;
    private final Optional<String> pid;

    BenchProcess(BenchReport report) {
        this.report = report;
        this.seen = report.evidence();
        this.pid = Optional.ofNullable(seen.facts().get("pid"));
    }

    /** As a section of the summary. */
    void write(TerminalLines out) {
        if (pid.isEmpty()) {
            return;
        }
        String server = Optional.ofNullable(seen.facts().get("server"))
                .map(s -> ", a " + s)
                .orElse("");
        out.heading("Process " + pid.get() + server);
        cpu(out);
        seen.busyWorkers()
                .ifPresent(busy -> out.line(
                        "Busy threads",
                        NumberText.number(busy) + " on average" + some(", at most ", seen.busyWorkersMax())
                                + some(", of ", seen.workers())
                                + Optional.ofNullable(seen.effective().get("threads.max"))
                                        .map(most -> " (threads.max " + most + ")")
                                        .orElse("")));
        seen.queued().ifPresent(n -> out.line("Waiting for one", NumberText.number(n) + " requests on average"));
        seen.gcMillis().ifPresent(ms -> out.line("Garbage collection", NumberText.latency(ms * 1e6) + " in all"));
        seen.acceptQueueLimit()
                .ifPresent(n -> out.line("Accept queue", "holds " + NumberText.count(n) + ", its limit"));
    }

    private void cpu(TerminalLines out) {
        double seconds = report.measurement().elapsed().toNanos() / 1e9;
        long responses = report.measurement().responses();
        seen.serverCpuSeconds()
                .ifPresent(cpu -> out.line(
                        "CPU",
                        String.format(
                                        Locale.ROOT,
                                        "%.2f of %d cores",
                                        seconds > 0 ? cpu / seconds : 0,
                                        seen.serverCpus())
                                + (responses == 0
                                        ? ""
                                        : ", " + NumberText.latency(cpu * 1e9 / responses) + " a request")));
    }

    private static String some(String before, OptionalDouble n) {
        return n.isPresent() ? before + NumberText.count(Math.round(n.getAsDouble())) : "";
    }
}
