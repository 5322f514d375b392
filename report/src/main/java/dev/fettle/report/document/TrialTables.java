package dev.fettle.report.document;

import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a run's trials: all of them, and why some are void. */
public record TrialTables(RunReport run) {
    private static final double NANOS = 1e9;

    /** Every trial, in the order in which they ran. */
    public Table all() {
        return Table.<TrialOutcome>of(run.outcomes())
                .figure("#", o -> Value.count(o.ordinal()))
                .words("for", o -> Wording.phase(o.spec()))
                .cells(
                        "what",
                        o -> Value.code(Wording.trial(o.spec(), run.plan().hold())))
                .cells("verdict", TrialTables::verdict)
                .known("throughput /s", of(m -> Value.number(m.throughput())))
                .known("p50", of(m -> Value.time(m.latency().known(LatencySummary::p50))))
                .known("p99", of(m -> Value.time(m.latency().known(LatencySummary::p99))))
                .known("max", of(m -> Value.time(m.latency().known(LatencySummary::max))))
                .known("failed", of(TrialTables::failed))
                .known("CPU time", TrialTables::cpu)
                .known("warm-up", o -> Value.time(o.warmUp()))
                .remarks(
                        "why void, or what to know",
                        Where.EVERYWHERE,
                        o -> String.join(", ", o.valid() ? Wording.advisories(o) : Wording.rules(o)))
                .tone(o -> o.valid() ? Tone.PLAIN : Tone.QUIET)
                .sortable();
    }

    private static Value verdict(TrialOutcome o) {
        return Value.words(Wording.verdict(o), o.valid() ? Tone.GOOD : EarlyStopping.is(o) ? Tone.QUIET : Tone.BAD);
    }

    private static Function<TrialOutcome, Value> of(Function<Measurement, Value> figure) {
        return o -> o.measurement().map(figure).orElse(Value.NONE);
    }

    private static Value failed(Measurement m) {
        String kinds = m.failed() == 0 ? "" : " (" + Wording.errors(m.errors()) + ")";
        String lost = Wording.lost(m).map(l -> "; " + l).orElse("");
        return new Value(Format.whole(m.failed()) + kinds + lost, (double) m.failed() + m.lost());
    }

    private static Value cpu(TrialOutcome o) {
        return o.evidence()
                .map(e -> Value.time(e.get(Aggregate.SERVER_CPU_SECONDS).orElse(Double.NaN) * NANOS))
                .orElse(Value.NONE);
    }

    private record Rule(String id, List<TrialOutcome> trials) {}

    private static List<Rule> byRule(
            Map<String, List<TrialOutcome>> into,
            List<TrialOutcome> trials,
            Function<TrialOutcome, List<String>> rules) {
        trials.forEach(o -> rules.apply(o)
                .forEach(rule -> into.merge(
                        rule,
                        List.of(o),
                        (a, b) -> Stream.concat(a.stream(), b.stream()).toList())));
        return into.entrySet().stream()
                .map(e -> new Rule(e.getKey(), e.getValue()))
                .toList();
    }

    /** The rules that voided trials, the most frequent first. */
    public Table voids() {
        return Table.of(byRule(new TreeMap<>(), run.voids(), Wording::rules).stream()
                        .sorted(Comparator.comparing(r -> -r.trials().size()))
                        .toList())
                .cells("rule", r -> Value.code(r.id()))
                .figure("trials", r -> Value.count(r.trials().size()))
                .words(
                        "may pass on a re-run",
                        r -> r.trials().stream()
                                        .flatMap(o -> o.verdict().reasons().stream())
                                        .anyMatch(x -> x.rule().equals(r.id()) && x.passing())
                                ? "yes"
                                : "no")
                .words(
                        "which",
                        r -> r.trials().stream().map(o -> "#" + o.ordinal()).collect(Collectors.joining(", ")))
                .build();
    }

    /** What to know of valid trials, by rule. */
    public Table advisories() {
        return Table.of(byRule(new LinkedHashMap<>(), run.valid(), Wording::advisories))
                .cells("rule", r -> Value.code(r.id()))
                .figure("trials", r -> Value.count(r.trials().size()))
                .words(
                        "of the first",
                        r -> r.trials().getFirst().verdict().advisories().stream()
                                .filter(a -> a.rule().equals(r.id()))
                                .map(Verdict.Advisory::message)
                                .findFirst()
                                .orElse(""))
                .build();
    }
}
