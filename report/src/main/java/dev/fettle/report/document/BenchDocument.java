package dev.fettle.report.document;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.MeasuredValues;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Causes;
import dev.fettle.report.ErrorAdvice;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.Block.Fact;
import dev.fettle.report.document.Block.Facts;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.Checks.Check;
import dev.fettle.report.document.Head.Big;
import dev.fettle.report.document.MeasuredTables.Course;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** A bench: the figures familiar from ab and wrk, and whether they are valid. */
public final class BenchDocument {
    /** Most characters shown of a wrong answer's body; the page and the JSON have more. */
    private static final int MOST_OF_A_BODY = 240;

    /** Share of the generator's CPU time from which stealing counts: 1 %, as for the gate's advice on the server's. */
    private static final double STOLEN = 0.01;

    private final BenchReport r;
    private final Measurement m;

    private BenchDocument(BenchReport report) {
        r = report;
        m = report.measurement();
    }

    /** The whole document. */
    public static Document of(BenchReport report) {
        var d = new BenchDocument(report);
        return new Document(d.head(), d.blocks(), d.checks());
    }

    // -- the answer --------------------------------------------------------------------------------------------------

    private Head head() {
        return new Head(
                "bench · " + r.target(),
                List.of("bench " + r.target()),
                badge(),
                r.failed() || !r.valid() ? "bad" : r.verdict().valid() ? "good" : "warn",
                headline(),
                bigs(),
                List.of(Head.WHEN.format(r.started())),
                List.of());
    }

    private String badge() {
        if (r.failed()) {
            return "A condition is met";
        }
        return r.verdict().valid() ? "Valid" : r.valid() ? "Valid, with caution" : "Void";
    }

    private String headline() {
        String what = r.load().wire().protocol().isWebSocket()
                ? "messages on"
                : r.load().request().method();
        return voiding().map(rule -> "Void (" + rule + "): ").orElse("")
                + Format.rate(m.throughput()) + " of " + what + " "
                + r.load().request().path()
                + (m.latency().count() > 0 ? ", p99 " + Format.time(m.latency().p99()) : "")
                + (m.errorShare() > 0
                        ? ", " + Format.share(m.errorShare()) + (m.lost() > 0 ? " failed or lost" : " failed")
                        : "");
    }

    private Optional<String> voiding() {
        return r.verdict().reasons().stream()
                .filter(x -> !x.passing())
                .map(Verdict.Reason::rule)
                .findFirst();
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        list.add(new Big("Throughput", Format.rate(m.throughput()), Format.whole(m.responses()) + " valid responses"));
        if (r.open()) {
            list.add(new Big(
                    r.load().scenario().isPresent() ? "Iterations offered" : "Offered",
                    Format.rate(m.offeredPerSecond()),
                    Wording.lost(m).orElse("no backlog at the end")));
        }
        if (m.latency().count() > 0) {
            list.add(new Big("p50", Format.time(m.latency().p50()), service(LatencySummary::p50)));
            list.add(new Big("p99", Format.time(m.latency().p99()), service(LatencySummary::p99)));
        }
        list.add(new Big("Failed", Format.whole(m.failed()), failed()));
        voiding().ifPresent(rule -> list.add(new Big("Void", rule, "see below")));
        return list;
    }

    /** Of what kinds, and the share of all requests that failed or were lost: that of a server that hangs is in no count. */
    private String failed() {
        String kinds = Wording.errors(m.errors());
        String all = m.lost() > 0 ? Format.share(m.errorShare()) + " with those lost" : "";
        return kinds + (kinds.isEmpty() || all.isEmpty() ? "" : "; ") + all;
    }

    private String service(ToLongFunction<LatencySummary> figure) {
        LatencySummary s = m.detail().service();
        return r.open() && s.count() > 0 ? "service time " + Format.time(figure.applyAsLong(s)) : "";
    }

    private Checks checks() {
        var figures = new LinkedHashMap<String, String>();
        figures.put("throughputPerSecond", number(m.throughput()));
        figures.put("errorShare", number(m.errorShare()));
        if (m.latency().count() > 0) {
            figures.put("p50Millis", number(m.latency().p50() / 1e6));
            figures.put("p99Millis", number(m.latency().p99() / 1e6));
            figures.put("maxMillis", number(m.latency().max() / 1e6));
        }
        Verdict verdict = r.verdict();
        Check valid = Check.unless(
                "the figures are valid",
                Checks.Outcome.VOID,
                "void",
                verdict.reasons().stream()
                        .filter(x -> !x.passing())
                        .map(x -> x.rule() + ": " + x.message())
                        .toList());
        return new Checks(
                "bench",
                r.target() + r.load().request().path(),
                Optional.of(r.started()),
                m.elapsed(),
                figures,
                Stream.concat(Stream.of(valid), r.checks().stream().map(BenchDocument::check))
                        .toList(),
                Stream.concat(
                                verdict.reasons().stream()
                                        .filter(Verdict.Reason::passing)
                                        .map(x -> "CAUTION " + x.rule() + ": " + x.message()),
                                verdict.advisories().stream().map(a -> "NOTE " + a.rule() + ": " + a.message()))
                        .toList());
    }

    private static Check check(BenchReport.Check c) {
        String name = "not " + c.condition();
        if (c.met()) {
            return new Check(name, Checks.Outcome.FAILED, "condition", c.condition() + ": " + c.text());
        }
        return c.value().isPresent() ? Check.passed(name) : new Check(name, Checks.Outcome.VOID, "no-value", c.text());
    }

    private static String number(double value) {
        return new BigDecimal(value, new MathContext(6)).toPlainString();
    }

    // -- its basis ---------------------------------------------------------------------------------------------------

    private List<Block> blocks() {
        var all = new ArrayList<Block>();
        all.add(new Section("load", "Load", new Facts(load())));
        all.add(new Section("requests", "Requests", new Facts(requests())));
        all.addAll(new BenchLatency(r).sections());
        if (!m.windows().isEmpty()) {
            String title = "Throughput over time";
            all.add(Block.on(
                    Where.NOT_IN_TERMINALS,
                    new Section(
                            "time",
                            "Throughput",
                            new Block.Plot(
                                    "time",
                                    title,
                                    title + ", warm-up shaded",
                                    "",
                                    MeasuredTables.overTime(
                                            "", List.of(new Course("throughput", Optional.empty(), m, true)))))));
        }
        if (!m.detail().steps().isEmpty()) {
            all.add(new Section("steps", "", new Block.Figures("Steps of the scenario", steps())));
        }
        all.addAll(BenchProcess.section(r));
        Causes.of(r)
                .map(Explanation::brief)
                .ifPresent(c -> all.add(new Section(
                        "why",
                        "Why",
                        new Block.Reason(c.title(), "", List.of(), c.sentences(), 0, List.of(), c.refutedBy()))));
        all.add(WrongAnswers.section(WrongAnswerWords.of(m)));
        all.addAll(FlameGraphs.of(r.evidence().profiles()).section());
        all.add(new Section("generator", "Generator", generator()));
        all.add(new Section(
                "conditions",
                "Conditions of --fail-if",
                r.checks().stream()
                        .<Block>map(c -> new Paragraph(
                                (c.met() ? "FAILED: " : c.value().isPresent() ? "passed: " : "not judged: ") + c.text()
                                        + "; fails if " + c.condition(),
                                c.met() ? Tone.BAD : Tone.GOOD))
                        .toList()));
        all.addAll(verdict());
        all.add(new Block.Part(
                Where.ON_PAGE,
                false,
                new Watches(List.of(new Watches.Watched("bench", r.evidence().timeline()))).section()));
        return all;
    }

    private List<Fact> load() {
        Load load = r.load();
        var facts = new ArrayList<Fact>();
        facts.add(
                load.wire().protocol().isWebSocket()
                        ? new Fact("Message", message(load))
                        : new Fact(
                                "Request",
                                load.request().method() + " " + load.request().path()));
        facts.add(new Fact(
                "Load",
                Wording.pace(load.arrivals()) + ", " + (r.open() ? "up to " : "")
                        + Wording.plural(load.connections(), "connection")
                        + (load.keepAlive() ? ", keep-alive" : ", no keep-alive") + Wording.wire(load.wire()) + ", "
                        + Wording.plural(load.threads(), "generator thread")));
        facts.add(new Fact(
                "Time",
                Format.time(m.elapsed())
                        + (load.warmUpAtMost().isZero()
                                ? ""
                                : " after " + Format.time(load.warmUpAtMost()) + " of warm-up")));
        return facts;
    }

    private static String message(Load load) {
        return (load.scenario().isPresent() ? "those of a scenario, " : "")
                + (load.wire().protocol() == Protocol.WEB_SOCKET_TEXT ? "text" : "binary") + ", on "
                + load.request().path() + (load.expect().echo() ? ", its echo expected" : "");
    }

    private List<Fact> requests() {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("Throughput", Format.rate(m.throughput()), Tone.STRONG));
        facts.add(new Fact("Complete requests", Format.whole(m.responses())));
        errors(facts);
        m.detail().offered().ifPresent(o -> offered(facts, o));
        connections(facts);
        double seconds = m.elapsed().toNanos() / 1e9;
        facts.add(new Fact(
                "Transfer rate",
                Format.bytes(seconds > 0 ? m.bytesRead() / seconds : 0) + "/s (" + Format.bytes(m.bytesRead())
                        + " in all)"));
        return facts;
    }

    private void errors(List<Fact> to) {
        to.add(new Fact(
                "Failed requests",
                Format.whole(m.failed())
                        + (m.failed() == 0
                                ? ""
                                : " (" + Format.share(MeasuredValues.errorShare(m.responses(), m.failed())) + ")"),
                m.failed() == 0 ? Tone.PLAIN : Tone.BAD));
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                ErrorAdvice guide = ErrorAdvice.of(kind);
                String example = m.errorExamples().getOrDefault(kind, "");
                to.add(new Fact(
                        "  " + kind.text(),
                        Format.whole(n) + " (" + guide.phase() + ")" + (example.isEmpty() ? "" : ", first: " + example)
                                + " → " + guide.advice()));
            }
        });
        if (m.statuses().size() > 1 || m.statuses().keySet().stream().anyMatch(s -> s >= 300)) {
            var all = new ArrayList<String>();
            m.statuses().forEach((status, n) -> all.add(status + " × " + Format.whole(n)));
            to.add(new Fact("Statuses", String.join(", ", all)));
        }
        for (WrongAnswerWords.Sample sample : WrongAnswerWords.of(m)) {
            String said = WrongAnswerWords.line(sample.answer(), MOST_OF_A_BODY);
            to.add(new Fact("Wrong answer", WrongAnswerWords.title(sample) + (said.isEmpty() ? "" : ": " + said)));
        }
        if (m.detail().abandoned() > 0) {
            to.add(new Fact(
                    "Given up",
                    Format.whole(m.detail().abandoned()) + " under way when the load ended, " + unanswered(),
                    m.unanswered() > 0 ? Tone.BAD : Tone.PLAIN));
        }
    }

    private String unanswered() {
        if (m.unanswered() == 0) {
            return "not counted";
        }
        Optional<Measurement.Stuck> stuck = m.detail().stuck();
        String oldest = stuck.map(s -> ", the oldest for " + Format.time(s.oldestSeconds() * 1e9))
                .orElse("");
        return stuck.filter(s -> s.count() == m.unanswered()).isPresent()
                ? Format.whole(m.unanswered()) + " of them for more than twice as long as any answer took" + oldest
                        + ": they count as errors"
                : Format.whole(m.unanswered()) + " more than at its beginning" + oldest
                        + ": they piled up in the server, and count as errors";
    }

    private void offered(List<Fact> to, Measurement.Offered o) {
        double each = r.load().requestsOnAverage(); // that one arrival makes: one, or the steps of a scenario
        to.add(new Fact(
                "Offered",
                Format.rate(m.offeredPerSecond()) + ", " + Format.whole(o.due())
                        + (each > 1 ? " iterations due" : " requests due")));
        double achieved = o.due() == 0 ? 0 : m.responses() / (each * o.due());
        to.add(new Fact(
                "Achieved",
                Format.share(achieved)
                        + (each > 1 ? " of their requests" : " of them")
                        + (achieved > 1.01 ? ", some that were due before included" : ""),
                achieved < 0.99 ? Tone.CAUTION : Tone.PLAIN));
        to.add(new Fact("Held back", Format.whole(o.held()) + " were due while no connection was free, and waited"));
        to.add(new Fact(
                "Never sent",
                o.unsent() > 0
                        ? Format.whole(o.unsent()) + " were still waiting when the load ended"
                        : "none beyond those that wait now and then",
                o.unsent() > 0 ? Tone.BAD : Tone.PLAIN));
    }

    private void connections(List<Fact> to) {
        if (r.load().keepAlive()) {
            boolean all = m.connectionsOpen() >= r.load().connections();
            boolean reached = r.open()
                    && all
                    && m.detail().offered().map(o -> o.held() > 0).orElse(false);
            to.add(new Fact(
                    "Connections",
                    Format.whole(m.connectionsOpen())
                            + (r.open() ? " opened, at most " : " of ")
                            + Format.whole(r.load().connections())
                            + (r.open() ? " allowed" : " achieved")
                            + (reached ? ": reached, so latency includes waiting for one" : ""),
                    reached || !all && !r.open() ? Tone.CAUTION : Tone.PLAIN));
        }
        if (m.reconnects() > 0) {
            to.add(new Fact("Reconnects", Format.whole(m.reconnects()) + " (closed by the server in an orderly way)"));
        }
        Evidence e = r.evidence();
        if (e.get(Aggregate.SYN_RETRANSMITS).isPresent()
                || e.get(Aggregate.LISTEN_OVERFLOWS).isPresent()) {
            double lost = e.get(Aggregate.SYN_RETRANSMITS).orElse(0)
                    + e.get(Aggregate.ACCEPT_QUEUE_DROPS)
                            .orElse(e.get(Aggregate.LISTEN_OVERFLOWS).orElse(0));
            to.add(new Fact(
                    "Kernel",
                    kernel(e.get(Aggregate.SYN_RETRANSMITS).orElse(Double.NaN), "SYN sent again", "SYNs sent again")
                            + ", " + overflows(e),
                    lost > 0 ? Tone.CAUTION : Tone.PLAIN));
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
                : Format.whole(Math.round(count)) + " " + (Math.round(count) == 1 ? one : many);
    }

    private Table steps() {
        return Table.of(m.detail().steps())
                .words("step", Measurement.Step::name)
                .figure("valid", s -> Value.count(s.latency().count()))
                .figure("failed", s -> Value.count(s.failed()))
                .figure("50 %", s -> Value.time(s.latency().known(LatencySummary::p50)))
                .figure("99 %", s -> Value.time(s.latency().known(LatencySummary::p99)))
                .figure("max", s -> Value.time(s.latency().known(LatencySummary::max)))
                .build();
    }

    // -- whether it is valid -----------------------------------------------------------------------------------------

    private List<Block> generator() {
        Evidence e = r.evidence();
        var figures = new ArrayList<String>();
        e.generatorCpuShare().ifPresent(c -> figures.add("busiest thread " + Format.share(c) + " of a core"));
        e.sendLagP99Millis().ifPresent(l -> figures.add("99 % of the requests left within " + Format.time(l * 1e6)));
        Optional<String> wrong = limited();
        var all = new ArrayList<Block>();
        all.add(new Paragraph(
                String.join(", ", figures) + ": " + wrong.orElse("it was not the limit"),
                wrong.isPresent() ? Tone.CAUTION : Tone.PLAIN));
        m.detail().notes().forEach(n -> all.add(new Paragraph(n)));
        all.addAll(BenchProcess.agents(e));
        return all;
    }

    /** What is wrong with the generator, or not known of it. */
    private Optional<String> limited() {
        return Stream.of(
                        broken(BenchReport.GENERATOR_FAILED, "it failed"),
                        broken("generator-limit", "it was the limit"),
                        broken("agent-lost", "a part of it was lost"),
                        broken("send-lag", "it was late"),
                        broken(BenchReport.GENERATOR_COLD, "it may not have been warm yet, and the limit"),
                        r.evidence().sendLagP99Millis().isPresent()
                                ? Optional.<String>empty()
                                : slowed().map(why -> "whether it was the limit is not known, as " + why))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> broken(String rule, String words) {
        return r.breaks(rule) ? Optional.of(words) : Optional.empty();
    }

    /**
     * What may have slowed it: then a generator that used little CPU time may have got no more. Its lag, where it has a time to keep,
     * would tell. A server on the same CPUs leaves it what it needs only if the two did not fill them.
     */
    private Optional<String> slowed() {
        Evidence e = r.evidence();
        if (e.get(Aggregate.GENERATOR_STEAL).orElse(0) > STOLEN || r.breaks("disturbed")) {
            return Optional.of("others took CPU time from it");
        }
        boolean shared = !Collections.disjoint(e.cpus().server(), e.cpus().generator());
        var all = new HashSet<>(e.cpus().server());
        all.addAll(e.cpus().generator());
        double seconds = m.elapsed().toNanos() / 1e9;
        boolean spare = e.get(Aggregate.SERVER_CPU_SECONDS).isPresent()
                && e.generatorCpuShare().isPresent()
                && e.get(Aggregate.SERVER_CPU_SECONDS).getAsDouble() / seconds
                                + e.generatorCpuShare().getAsDouble() * r.load().threads()
                        < Thresholds.CPU_SPARE * all.size();
        return shared && !spare ? Optional.of("it shares its CPUs with the server") : Optional.empty();
    }

    private List<Block> verdict() {
        Verdict verdict = r.verdict();
        return List.of(
                new Section(
                        "validity",
                        r.valid() ? "Take the figures with caution" : "The figures say nothing about the server",
                        verdict.reasons().stream()
                                .<Block>map(x -> new Paragraph(
                                        (x.passing() ? "CAUTION (" : "VOID (") + x.rule() + "): " + x.message(),
                                        x.passing() ? Tone.CAUTION : Tone.BAD))
                                .toList()),
                new Section(
                        "notes",
                        "Notes on the figures",
                        verdict.advisories().stream()
                                .<Block>map(a -> new Paragraph(a.rule() + ": " + a.message(), Tone.CAUTION))
                                .toList()));
    }
}
