package dev.fettle.report.document;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.text.Format;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Checks.Check;
import dev.fettle.report.document.Checks.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What of a run passes or fails. A figure that is void never passes. */
final class RunChecks {
    private RunChecks() {}

    /** @param head of the run's document */
    static Checks of(RunReport run, Head head) {
        var figures = new LinkedHashMap<String, String>();
        head.bigs().forEach(b -> figures.put(b.name(), b.value()));
        List<Check> all = run.conclusion()
                .map(c -> of(run, c))
                .orElseGet(() -> List.of(
                        new Check("the run came to a conclusion", Outcome.VOID, "unfinished", head.headline())));
        return new Checks(
                run.kind(), run.plan().name(), Optional.of(run.started()), run.took(), figures, all, head.notes());
    }

    private static List<Check> of(RunReport run, Conclusion conclusion) {
        return switch (conclusion) {
            case TuneConclusion t -> tune(run, t);
            case SweepConclusion s -> s.cells().stream().map(RunChecks::cell).toList();
            case CompareConclusion c ->
                c.conditions().stream()
                        .flatMap(x -> x.variants().stream().map(v -> variant(x, v)))
                        .toList();
            case DiagnoseConclusion d -> diagnose(d);
            case GateConclusion g -> gate(run, g);
            case CapacityConclusion c -> capacity(run, c);
        };
    }

    private static List<Check> tune(RunReport run, TuneConclusion t) {
        String answered = "it is known whether another setting is better";
        Check known = switch (t.result()) {
            case IMPROVED, TRADE, NO_IMPROVEMENT_SHOWN -> Check.passed(answered);
            case NOT_TRIED -> new Check(answered, Outcome.SKIPPED, "not-tried", t.headline());
            case NO_BASELINE -> new Check(answered, Outcome.VOID, "no-baseline", t.headline());
        };
        Setting best = t.shown() ? t.winner() : t.baseline();
        return Stream.concat(
                        Stream.of(known),
                        t.candidates().stream()
                                .filter(c -> c.setting().equals(best) && c.trials() > 0)
                                .map(c -> Check.unless(
                                        "within the limits: "
                                                + Wording.setting(
                                                        best, run.plan().hold()),
                                        Outcome.FAILED,
                                        "limit",
                                        c.meetsLimits() ? List.of() : List.of("it breaks a limit of the objective"))))
                .toList();
    }

    private static Check cell(SweepConclusion.Cell c) {
        String name = c.point().isEmpty() ? "default" : Wording.point(c.point());
        return measured(name, c.trials(), c.problems(), c.broken(), c.failed());
    }

    private static Check variant(CompareConclusion.Condition x, CompareConclusion.VariantResult v) {
        return measured(v.name() + Wording.at(x.point()), v.trials(), v.problems(), v.broken(), v.failed());
    }

    /** Of a cell or a variant: whether it was measured, and is within the limits. */
    private static Check measured(
            String name, int trials, List<String> problems, List<String> broken, Optional<String> failed) {
        var against = new ArrayList<>(broken);
        failed.ifPresent(against::add);
        return trials == 0
                ? new Check(
                        name, Outcome.VOID, "void", problems.isEmpty() ? "no valid trial" : String.join("\n", problems))
                : Check.unless(name, Outcome.FAILED, broken.isEmpty() ? "failed" : "limit", against);
    }

    /** Of a diagnosis: each rule that could be asked, and those that could not. */
    static List<Check> diagnose(DiagnoseConclusion d) {
        var all = new ArrayList<Check>();
        String valid = "the measurement can be used";
        all.add(
                d.result() == DiagnoseConclusion.Result.NOT_VALID
                        ? new Check(valid, Outcome.VOID, "void", d.headline())
                        : Check.passed(valid));
        Stream.concat(d.bottleneck().stream(), d.others().stream()).forEach(f -> all.add(found(f)));
        d.healthy().forEach(l -> all.add(Check.passed(rule(l))));
        d.notObserved().forEach(l -> all.add(new Check(rule(l), Outcome.SKIPPED, "not-observed", l.words())));
        return all;
    }

    /** What every server reaches some day is no failure, nor is what costs more than it should: what is broken is one. */
    private static Check found(Finding f) {
        return Check.unless(
                f.rule() + ": " + f.title(),
                Outcome.FAILED,
                "fault",
                f.severity() == Finding.Severity.FAULT ? List.of(f.sentence()) : List.of());
    }

    private static String rule(Looked l) {
        return l.rule() + ": " + l.what();
    }

    /** What base against base shows passes nothing: no head was asked about. */
    private static List<Check> gate(RunReport run, GateConclusion g) {
        String no = "head no worse than base";
        if (g.result() == GateConclusion.Result.NOT_VALID || g.result() == GateConclusion.Result.MACHINE_ONLY) {
            boolean asked = g.result() == GateConclusion.Result.NOT_VALID;
            return List.of(new Check(
                    no, asked ? Outcome.VOID : Outcome.SKIPPED, asked ? "void" : "machine-only", g.headline()));
        }
        var all = new ArrayList<Check>();
        g.metrics().stream()
                .filter(m -> m.decides() || m.answer() == GateConclusion.Answer.WORSE)
                .forEach(m -> all.add(decided(run, m.metric().label() + ": " + no, m.answer(), g.headline())));
        g.failure().ifPresent(f -> all.add(new Check("the head runs", Outcome.FAILED, "failed", "the head " + f)));
        g.answers()
                .filter(a ->
                        run.plan().gate().filter(GateAsked::answersMayDiffer).isEmpty())
                .ifPresent(a -> all.add(new Check("the head answers as the base does", Outcome.FAILED, "answers", a)));
        return all;
    }

    private static Check decided(RunReport run, String name, GateConclusion.Answer answer, String why) {
        return switch (answer) {
            case NO_WORSE -> Check.passed(name);
            case WORSE -> new Check(name, Outcome.FAILED, "worse", why);
            case CANT_TELL -> {
                boolean fails = run.plan()
                        .gate()
                        .filter(a -> a.unsure() == GateAsked.WhenUnsure.FAILS)
                        .isPresent();
                yield new Check(name, fails ? Outcome.FAILED : Outcome.SKIPPED, "cant-tell", why);
            }
        };
    }

    private static List<Check> capacity(RunReport run, CapacityConclusion c) {
        var all = new ArrayList<Check>();
        c.result().ifPresent(r -> {
            String confirmed = "the highest rate within " + r.slo() + " is confirmed";
            all.add(
                    r.outcome().confirmed()
                            ? Check.passed(confirmed)
                            : new Check(confirmed, Outcome.VOID, id(r.outcome()), r.headline()));
            run.plan().capacity().ifPresent(asked -> asked.atLeast().ifPresent(rate -> all.add(atLeast(r, rate))));
            r.slo()
                    .throughput()
                    .forEach(
                            x -> all.add(atLeast(x.toString(), r, !r.unreached().contains(x), x.bound())));
        });
        c.overload()
                .ifPresent(o -> all.add(Check.unless(
                        "the spike can be used",
                        Outcome.VOID,
                        "void",
                        o.voided().stream().toList())));
        return all;
    }

    private static Check atLeast(CapacityResult r, double rate) {
        return atLeast("at least " + Format.rate(rate), r, r.rate() >= rate, rate);
    }

    /** A rate that was asked for: reached and confirmed, surely missed, or not known. */
    private static Check atLeast(String name, CapacityResult r, boolean reached, double rate) {
        if (reached && r.outcome().confirmed()) {
            return Check.passed(name);
        }
        return reached || r.mayBear(rate)
                ? new Check(name, Outcome.VOID, "not-known", r.headline())
                : new Check(name, Outcome.FAILED, "missed", r.headline());
    }

    private static String id(CapacityResult.Outcome o) {
        return o.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
