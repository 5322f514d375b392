package dev.fettle.report.text;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Causes;
import dev.fettle.report.ErrorAdvice;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The summary of {@code fettle bench URL}: the figures familiar from ab and wrk, and whether they are valid.
 *
 * @param width in columns
 * @param colour whether to use ANSI colours
 */
public record BenchSummary(int width, boolean colour) {
    /** Most characters shown of a wrong answer's body; the page and the JSON have more. */
    private static final int MOST_OF_A_BODY = 240;

    /** Share of the generator's CPU time from which stealing counts: 1 %, as for the gate's advice on the server's. */
    private static final double STOLEN = 0.01;

    /** The summary as text, each line ended by a line feed. */
    public String text(BenchReport r) {
        var out = new TerminalLines(width, colour);
        load(out, r);
        requests(out, r.measurement());
        offered(out, r.measurement(), r.load().requestsOnAverage());
        connections(out, r);
        rates(out, r.measurement());
        new BenchLatency(r, out).write();
        steps(out, r.measurement());
        new BenchProcess(r).write(out);
        Causes.of(r).ifPresent(e -> why(out, e.brief()));
        generator(out, r);
        checks(out, r);
        verdict(out, r.verdict());
        return out.toString();
    }

    private static void why(TerminalLines out, Explanation.Brief why) {
        out.heading("Why");
        out.paragraph(why.title() + ".", TerminalStyle.BOLD);
        why.sentences().forEach(s -> out.paragraph(s, TerminalStyle.PLAIN));
        if (!why.refutedBy().isBlank()) {
            out.paragraph("It would be refuted by: " + why.refutedBy(), TerminalStyle.DIM);
        }
    }

    private static void load(TerminalLines out, BenchReport r) {
        Load load = r.load();
        out.line("Target", r.target());
        if (load.wire().protocol().isWebSocket()) {
            out.line("Message", message(load));
        } else {
            out.line("Request", load.request().method() + " " + load.request().path());
        }
        out.line(
                "Load",
                Wording.pace(load.arrivals()) + ", " + (r.open() ? "up to " : "")
                        + Wording.plural(load.connections(), "connection")
                        + (load.keepAlive() ? ", keep-alive" : ", no keep-alive") + Wording.wire(load.wire()) + ", "
                        + Wording.plural(load.threads(), "generator thread"));
        out.line(
                "Time",
                NumberText.duration(r.measurement().elapsed())
                        + (load.warmUpAtMost().isZero()
                                ? ""
                                : " after " + NumberText.duration(load.warmUpAtMost()) + " of warm-up"));
    }

    private static String message(Load load) {
        return (load.scenario().isPresent() ? "those of a scenario, " : "")
                + (load.wire().protocol() == Protocol.WEB_SOCKET_TEXT ? "text" : "binary") + ", on "
                + load.request().path() + (load.expect().echo() ? ", its echo expected" : "");
    }

    private static void requests(TerminalLines out, Measurement m) {
        out.line("Complete requests", NumberText.count(m.responses()));
        out.line(
                "Failed requests",
                NumberText.count(m.failed())
                        + (m.failed() == 0
                                ? ""
                                : " ("
                                        + NumberText.share(dev.fettle.model.trial.MeasuredValues.errorShare(
                                                m.responses(), m.failed()))
                                        + ")"),
                m.failed() == 0 ? TerminalStyle.PLAIN : TerminalStyle.BAD);
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                ErrorAdvice guide = ErrorAdvice.of(kind);
                String example = m.errorExamples().getOrDefault(kind, "");
                out.line(
                        "  " + kind.text(),
                        NumberText.count(n) + " (" + guide.phase() + ")"
                                + (example.isEmpty() ? "" : ", first: " + example));
                out.line("", "→ " + guide.advice(), TerminalStyle.DIM);
            }
        });
        if (m.statuses().size() > 1 || m.statuses().keySet().stream().anyMatch(s -> s >= 300)) {
            var all = new ArrayList<String>();
            m.statuses().forEach((status, n) -> all.add(status + " × " + NumberText.count(n)));
            out.line("Statuses", String.join(", ", all));
        }
        for (WrongAnswerWords.Sample sample : WrongAnswerWords.of(m)) {
            out.line("Wrong answer", WrongAnswerWords.title(sample));
            String said = WrongAnswerWords.line(sample.answer(), MOST_OF_A_BODY);
            if (!said.isEmpty()) {
                out.line("", said, TerminalStyle.DIM);
            }
        }
        if (m.detail().abandoned() > 0) {
            out.line(
                    "Given up",
                    NumberText.count(m.detail().abandoned()) + " under way when the load ended, " + unanswered(m),
                    m.unanswered() > 0 ? TerminalStyle.BAD : TerminalStyle.PLAIN);
        }
    }

    private static String unanswered(Measurement m) {
        if (m.unanswered() == 0) {
            return "not counted";
        }
        Optional<Measurement.Stuck> stuck = m.detail().stuck();
        String oldest = stuck.map(s -> ", the oldest for " + NumberText.latency(s.oldestSeconds() * 1e9))
                .orElse("");
        return stuck.filter(s -> s.count() == m.unanswered()).isPresent()
                ? NumberText.count(m.unanswered()) + " of them for more than twice as long as any answer took" + oldest
                        + ": they count as errors"
                : NumberText.count(m.unanswered()) + " more than at its beginning" + oldest
                        + ": they piled up in the server, and count as errors";
    }

    /** @param each requests that one arrival makes: one, or the steps of a scenario */
    private static void offered(TerminalLines out, Measurement m, double each) {
        m.detail().offered().ifPresent(o -> {
            out.line(
                    "Offered",
                    NumberText.rate(m.offeredPerSecond()) + ", " + NumberText.count(o.due())
                            + (each > 1 ? " iterations due" : " requests due"));
            double achieved = o.due() == 0 ? 0 : m.responses() / (each * o.due());
            out.line(
                    "Achieved",
                    NumberText.share(achieved)
                            + (each > 1 ? " of their requests" : " of them")
                            + (achieved > 1.01 ? ", some that were due before included" : ""),
                    achieved < 0.99 ? TerminalStyle.WARN : TerminalStyle.PLAIN);
            out.line("Held back", NumberText.count(o.held()) + " were due while no connection was free, and waited");
            out.line(
                    "Never sent",
                    o.unsent() > 0
                            ? NumberText.count(o.unsent()) + " were still waiting when the load ended"
                            : "none beyond those that wait now and then",
                    o.unsent() > 0 ? TerminalStyle.BAD : TerminalStyle.PLAIN);
        });
    }

    private static void connections(TerminalLines out, BenchReport r) {
        Measurement m = r.measurement();
        if (r.load().keepAlive()) {
            boolean all = m.connectionsOpen() >= r.load().connections();
            boolean reached = r.open()
                    && all
                    && m.detail().offered().map(o -> o.held() > 0).orElse(false);
            out.line(
                    "Connections",
                    NumberText.count(m.connectionsOpen())
                            + (r.open() ? " opened, at most " : " of ")
                            + NumberText.count(r.load().connections())
                            + (r.open() ? " allowed" : " achieved")
                            + (reached ? ": reached, so latency includes waiting for one" : ""),
                    reached || !all && !r.open() ? TerminalStyle.WARN : TerminalStyle.PLAIN);
        }
        if (m.reconnects() > 0) {
            out.line("Reconnects", NumberText.count(m.reconnects()) + " (closed by the server in an orderly way)");
        }
        Evidence e = r.evidence();
        if (e.get(Aggregate.SYN_RETRANSMITS).isPresent()
                || e.get(Aggregate.LISTEN_OVERFLOWS).isPresent()) {
            double lost = e.get(Aggregate.SYN_RETRANSMITS).orElse(0)
                    + e.get(Aggregate.ACCEPT_QUEUE_DROPS)
                            .orElse(e.get(Aggregate.LISTEN_OVERFLOWS).orElse(0));
            out.line(
                    "Kernel",
                    kernel(e.get(Aggregate.SYN_RETRANSMITS).orElse(Double.NaN), "SYN sent again", "SYNs sent again")
                            + ", " + overflows(e),
                    lost > 0 ? TerminalStyle.WARN : TerminalStyle.PLAIN);
        }
    }

    /** Those of the server's own socket if they are known; else those of every socket that listens there. */
    private static String overflows(Evidence e) {
        return e.get(Aggregate.ACCEPT_QUEUE_DROPS).isPresent()
                ? kernel(
                        e.get(Aggregate.ACCEPT_QUEUE_DROPS).getAsDouble(),
                        "overflow of the server's accept queue",
                        "overflows of the server's accept queue")
                : kernel(
                                e.get(Aggregate.LISTEN_OVERFLOWS).orElse(Double.NaN),
                                "accept-queue overflow",
                                "accept-queue overflows")
                        + " in this network namespace";
    }

    private static String kernel(double count, String one, String many) {
        return Double.isNaN(count)
                ? "unknown " + many
                : NumberText.count(Math.round(count)) + " " + (Math.round(count) == 1 ? one : many);
    }

    private static void rates(TerminalLines out, Measurement m) {
        double seconds = m.elapsed().toNanos() / 1e9;
        out.line("Throughput", NumberText.rate(m.throughput()), TerminalStyle.BOLD);
        out.line(
                "Transfer rate",
                NumberText.bytes(seconds > 0 ? m.bytesRead() / seconds : 0) + "/s (" + NumberText.bytes(m.bytesRead())
                        + " in all)");
    }

    private void steps(TerminalLines out, Measurement m) {
        List<Measurement.Step> steps = m.detail().steps();
        if (steps.isEmpty()) {
            return;
        }
        out.heading("Steps of the scenario");
        int name = Math.clamp(width - 60, 10, 40);
        String form = "  %-" + name + "s%10s%10s%11s%11s%11s";
        out.raw(String.format(Locale.ROOT, form, "", "valid", "failed", "50 %", "99 %", "max"));
        for (Measurement.Step s : steps) {
            out.raw(String.format(
                    Locale.ROOT,
                    form,
                    Wording.cut(Wording.clean(s.name()), name - 1),
                    NumberText.count(s.latency().count()),
                    NumberText.count(s.failed()),
                    NumberText.latency(s.latency().known(LatencySummary::p50)),
                    NumberText.latency(s.latency().known(LatencySummary::p99)),
                    NumberText.latency(s.latency().known(LatencySummary::max))));
        }
    }

    private static void generator(TerminalLines out, BenchReport r) {
        Evidence e = r.evidence();
        out.heading("Generator");
        var figures = new ArrayList<String>();
        e.generatorCpuShare().ifPresent(c -> figures.add("busiest thread " + NumberText.share(c) + " of a core"));
        e.sendLagP99Millis()
                .ifPresent(l -> figures.add("99 % of the requests left within " + NumberText.latency(l * 1e6)));
        boolean cold = r.verdict().reasons().stream().anyMatch(x -> x.rule().equals(BenchReport.GENERATOR_COLD));
        boolean limit = r.verdict().reasons().stream().anyMatch(x -> x.rule().equals("generator-limit"));
        boolean late = r.verdict().reasons().stream().anyMatch(x -> x.rule().equals("send-lag"));
        Optional<String> unknown = e.sendLagP99Millis().isPresent() ? Optional.empty() : slowed(r);
        boolean failed = r.verdict().reasons().stream().anyMatch(x -> x.rule().equals(BenchReport.GENERATOR_FAILED));
        String said;
        if (failed) {
            said = "it failed";
        } else if (limit) {
            said = "it was the limit";
        } else if (late) {
            said = "it was late";
        } else if (cold) {
            said = "it may not have been warm yet, and the limit";
        } else if (unknown.isPresent()) {
            said = "whether it was the limit is not known, as " + unknown.get();
        } else {
            said = "it was not the limit";
        }
        out.paragraph(
                String.join(", ", figures) + ": " + said,
                failed || limit || late || cold || unknown.isPresent() ? TerminalStyle.WARN : TerminalStyle.PLAIN);
        r.measurement().detail().notes().forEach(n -> out.paragraph(n, TerminalStyle.PLAIN));
    }

    /**
     * What may have slowed it: then a generator that used little CPU time may have got no more. Its lag, where it has a time to keep,
     * would tell. A server on the same CPUs leaves it what it needs only if the two did not fill them.
     */
    private static Optional<String> slowed(BenchReport r) {
        Evidence e = r.evidence();
        if (e.get(Aggregate.GENERATOR_STEAL).orElse(0) > STOLEN
                || r.verdict().reasons().stream().anyMatch(x -> x.rule().equals("disturbed"))) {
            return Optional.of("others took CPU time from it");
        }
        boolean shared = !Collections.disjoint(e.cpus().server(), e.cpus().generator());
        var all = new HashSet<>(e.cpus().server());
        all.addAll(e.cpus().generator());
        double seconds = r.measurement().elapsed().toNanos() / 1e9;
        boolean spare = e.get(Aggregate.SERVER_CPU_SECONDS).isPresent()
                && e.generatorCpuShare().isPresent()
                && e.get(Aggregate.SERVER_CPU_SECONDS).getAsDouble() / seconds
                                + e.generatorCpuShare().getAsDouble() * r.load().threads()
                        < Thresholds.CPU_SPARE * all.size();
        return shared && !spare ? Optional.of("it shares its CPUs with the server") : Optional.empty();
    }

    private static void checks(TerminalLines out, BenchReport r) {
        if (r.checks().isEmpty()) {
            return;
        }
        out.heading("Conditions of --fail-if");
        r.checks()
                .forEach(c -> out.paragraph(
                        (c.met() ? "FAILED: " : c.value().isPresent() ? "passed: " : "not judged: ") + c.text()
                                + "; fails if " + c.condition(),
                        c.met() ? TerminalStyle.BAD : TerminalStyle.GOOD));
    }

    private static void verdict(TerminalLines out, Verdict verdict) {
        if (!verdict.valid()) {
            out.heading(
                    verdict.reasons().stream().allMatch(Verdict.Reason::passing)
                            ? "Take the figures with caution"
                            : "The figures say nothing about the server");
            verdict.reasons()
                    .forEach(x -> out.paragraph(
                            (x.passing() ? "CAUTION (" : "VOID (") + x.rule() + "): " + x.message(),
                            x.passing() ? TerminalStyle.WARN : TerminalStyle.BAD));
        }
        if (!verdict.advisories().isEmpty()) {
            out.heading("Notes on the figures");
            verdict.advisories().forEach(a -> out.paragraph(a.rule() + ": " + a.message(), TerminalStyle.WARN));
        }
    }
}
