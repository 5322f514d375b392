package dev.fettle.insight;

import dev.fettle.insight.Slots.Filled;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.model.Objective;
import dev.fettle.model.Plan;
import dev.fettle.model.Setting;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Draws the conclusion of a tune from its filled slots. */
final class TuneReport {
    private final Plan plan;
    private final TuneScript script;
    private final List<Filled> filled;
    private final List<Observation> seen;
    private final Scoring scoring;
    private final Duel duel;
    /** How the winner's answers in the duel differ from all of the default's. */
    private final Optional<String> otherAnswers;

    TuneReport(Plan plan, TuneScript script, List<Filled> filled) {
        this.plan = plan;
        this.script = script;
        this.filled = filled;
        this.seen = script.observations(filled);
        this.scoring = new Scoring(plan.objective());
        this.duel = Duel.of(plan, filled);
        this.otherAnswers = AnswerCheck.of(valid(TuneScript.BASELINE, false), valid(TuneScript.CANDIDATE, true))
                .map(AnswerCheck.Difference::text);
    }

    TuneConclusion conclusion() {
        Observation baseline = seen.getFirst();
        Optional<Observation> winner = baseline.valid().isEmpty() ? Optional.empty() : script.winner(filled);
        Result result = baseline.valid().isEmpty()
                ? Result.NO_BASELINE
                : winner.isPresent()
                                && otherAnswers.isEmpty()
                                && duel.better(plan.objective())
                                && duel.meetsLimits(scoring)
                        ? Result.IMPROVED
                        : Result.NO_IMPROVEMENT_SHOWN;
        Setting setting = winner.map(Observation::setting).orElse(plan.hold());
        return new TuneConclusion(
                result,
                headline(result, baseline, winner),
                plan.hold(),
                setting,
                duel.ratio(),
                duel.p99Ratio(),
                duel.threshold(plan.objective()),
                duel.pairs(),
                candidates(),
                why(plan.hold(), baseline),
                why(setting, winner.orElse(baseline)),
                notes(baseline, winner));
    }

    private String headline(Result result, Observation baseline, Optional<Observation> winner) {
        if (result == Result.NO_BASELINE) {
            return "The default gave no valid trial, so nothing can be compared with it ("
                    + baseline.problem().orElse("no measurement") + ").";
        }
        if (winner.isEmpty()) {
            int others = seen.size() - 1;
            if (others == 0 && scoring.feasible(baseline)) {
                return "No improvement shown: "
                        + (script.hadTimeForOne(filled)
                                ? "going by what limits the default, no other setting was worth a trial."
                                : "nothing was tried. The default took "
                                        + Say.seconds(TuneScript.seconds(attempts())) + " of the budget's "
                                        + Say.seconds(plan.budget().time().toSeconds())
                                        + ", which leaves no room for another setting and a duel; give it more time.");
            }
            return (scoring.feasible(baseline)
                            ? "No improvement shown: of " + Say.count(others, "other setting")
                                    + " none looked better than the default by more than the noise."
                            : "No improvement shown: neither the default nor any of "
                                    + Say.count(others, "other setting") + " met the limits.")
                    + answeredOtherwise();
        }
        String what = script.changes(winner.get().setting());
        if (duel.ratio().isEmpty()) {
            return "No improvement shown: " + what
                    + " looked better than the default, but there was no duel to prove it.";
        }
        Interval r = duel.ratio().get();
        if (otherAnswers.isPresent()) {
            return "No improvement shown: " + what + " gives other answers than the default, so their speeds can't be"
                    + " compared: in the duel " + otherAnswers.get() + ".";
        }
        String interval = "95 % interval " + Say.ratio(r.low()) + " to " + Say.ratio(r.high()) + ", "
                + Say.count(duel.pairs().size(), "pair");
        boolean latency = plan.objective().metric() == Objective.Metric.P99;
        String metric = latency ? "p99" : "throughput";
        if (result == Result.IMPROVED) {
            boolean share = !latency && r.estimate() < 2;
            String gives = share
                    ? Say.gain(r.estimate()) + " % more throughput than the default (95 % interval " + Say.gain(r.low())
                            + " to " + Say.gain(r.high()) + " %, "
                            + Say.count(duel.pairs().size(), "pair")
                    : Say.ratio(r.estimate()) + " times the default's " + metric + " (" + interval;
            return what + " gives " + gives + "): "
                    + (latency
                            ? Say.nanos(median(false, true)) + " against " + Say.nanos(median(true, true))
                            : Say.number(median(false, false)) + "/s against " + Say.number(median(true, false)) + "/s")
                    + ".";
        }
        if (duel.better(plan.objective())) {
            return "No improvement shown: " + what + " gives " + Say.ratio(r.estimate()) + " times the default's "
                    + metric + ", but it is not sure to meet the limits (" + limits() + ").";
        }
        String meets = !scoring.feasible(baseline) && duel.meetsLimits(scoring)
                ? " It meets the limits, though, which the default does not."
                : "";
        return "No improvement shown: " + what + " gives " + Say.ratio(r.estimate()) + " times the default's " + metric
                + " ("
                + interval + "), and the interval would have to lie " + (latency ? "below " : "above ")
                + Say.ratio(duel.threshold(plan.objective())) + "." + meets;
    }

    /** Of the settings that gave other answers than the default, the quickest. */
    private String answeredOtherwise() {
        List<Observation> others =
                seen.stream().filter(o -> o.otherAnswers().isPresent()).toList();
        return others.stream()
                .max(Comparator.comparingDouble(scoring::rank))
                .map(o -> " " + Say.count(others.size(), "setting")
                        + " gave other answers than the default and can't win: with " + script.changes(o.setting())
                        + " "
                        + o.otherAnswers().orElse("") + ".")
                .orElse("");
    }

    private List<TrialOutcome> valid(String variant, boolean duelOnly) {
        return filled.stream()
                .filter(f ->
                        f.slot().spec().variant().equals(variant) && (!duelOnly || TuneScript.phase(f) == Phase.DUEL))
                .flatMap(f -> f.valid().stream())
                .toList();
    }

    private String limits() {
        return "p99 up to " + Say.nanos(duel.p99AtMost())
                + plan.objective()
                        .p99AtMost()
                        .map(d -> " for a limit of " + Say.nanos(d.toNanos()))
                        .orElse("") + ", errors "
                + Say.percent(duel.winnerErrors()) + " for a limit of "
                + Say.percent(plan.objective().errorsAtMost());
    }

    private double median(boolean baseline, boolean latency) {
        return Statistics.median(duel.pairs().stream()
                .mapToDouble(p ->
                        latency ? (baseline ? p.baselineP99() : p.winnerP99()) : baseline ? p.baseline() : p.winner())
                .toArray());
    }

    private List<Candidate> candidates() {
        return seen.stream()
                .sorted(Comparator.comparing((Observation o) -> !scoring.feasible(o))
                        .thenComparing(o -> o.valid().isEmpty())
                        .thenComparing(o -> -scoring.rank(o)))
                .map(o -> new Candidate(
                        o.setting(),
                        o.valid().size(),
                        o.voids(),
                        Statistics.mean(o.throughputs()),
                        (long) o.p99(),
                        o.errorShare(),
                        scoring.feasible(o),
                        o.origin(),
                        o.problem(),
                        o.otherAnswers()))
                .toList();
    }

    /** Explained on the duel's first valid trial of the setting, or the first of all. */
    private Optional<Explanation> why(Setting setting, Observation o) {
        return filled.stream()
                .filter(f -> TuneScript.phase(f) == Phase.DUEL
                        && f.slot().spec().setting().equals(setting))
                .map(Filled::valid)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> o.valid().stream().findFirst())
                .flatMap(Explainer::explain);
    }

    private List<TrialOutcome> attempts() {
        return filled.stream().flatMap(f -> f.attempts().stream()).toList();
    }

    private List<String> notes(Observation baseline, Optional<Observation> winner) {
        var notes = new ArrayList<String>();
        List<TrialOutcome> attempts = attempts();
        long voids = attempts.stream().filter(t -> !t.valid()).count();
        if (voids > 0) {
            notes.add(voids + " of " + attempts.size()
                    + " trials were void or failed; none of them was used. An attempt that is void for a"
                    + " passing reason is repeated at once, up to " + Slots.RETRIES + " times.");
        }
        OneJvm.note(plan).ifPresent(notes::add);
        if (baseline.valid().isEmpty()) {
            return notes;
        }
        if (!scoring.feasible(baseline)) {
            notes.add("The default itself does not meet the limits (p99 " + Say.nanos(baseline.p99()) + ", errors "
                    + Say.percent(baseline.errorShare()) + "): throughput counts valid responses only.");
        }
        if (winner.isPresent()) {
            duelNotes(notes);
        } else {
            notes.add("There was no duel: it is only held when something looks better than the default.");
        }
        long search = seen.stream().filter(o -> o.valid().isEmpty()).count();
        if (search > 0) {
            notes.add(Say.count((int) search, "setting")
                    + " gave no valid trial and could not be judged; see the problems listed.");
        }
        return notes;
    }

    private void duelNotes(List<String> notes) {
        int planned = script.pairs(filled);
        if (planned < TuneScript.LEAST_PAIRS) {
            notes.add("The time of " + Say.seconds(plan.budget().time().toSeconds()) + " leaves room for no duel of "
                    + TuneScript.LEAST_PAIRS + " pairs; give the budget more time.");
        } else if (duel.pairs().size() < plan.budget().pairs()) {
            notes.add(duel.pairs().size() + " of " + plan.budget().pairs() + " pairs of the duel count"
                    + (planned < plan.budget().pairs() ? "; there was time for " + planned : "")
                    + (duel.dropped() > 0 ? "; " + duel.dropped() + " lack a valid trial on one side" : "") + ".");
        }
        if (duel.aaBound() > 1.01) {
            notes.add("The default's own runs of even and odd pairs differ by a factor of " + Say.ratio(duel.aaBound())
                    + "; an improvement has to be larger than that.");
        }
        notes.add(
                "The duel's data were used for nothing before; the search's figures, chosen for being high, are not in its ratio.");
    }
}
