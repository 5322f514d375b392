package dev.fettle.insight.tune;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.FailedStarts;
import dev.fettle.insight.FailedStarts.Because;
import dev.fettle.insight.KnobShare;
import dev.fettle.insight.Proof;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.insight.explain.PoolNotes;
import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AnswerCheck;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.StartVerdict;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.WarmDrift;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the conclusion of a tune from its filled slots. */
final class TuneReport {
    private final Plan plan;
    private final TuneScript script;
    private final List<Filled> filled;
    private final List<SettingTrials> seen;
    private final Scoring scoring;
    private final Duel duel;
    private final TuneTime time;
    private final TuneWords words;
    private final UntestedKnobs leftOut;
    /** How the winner's answers in the duel differ from those of the default in all its trials. */
    private final Optional<String> otherAnswers;

    TuneReport(Plan plan, TuneScript script, List<Filled> slots) {
        this.plan = plan;
        this.script = script;
        this.filled = TuneSlots.settled(slots, plan.hold());
        this.seen = TuneSlots.observations(filled);
        this.scoring = new Scoring(plan.objective());
        this.duel = Duel.of(plan, this.filled);
        this.time = new TuneTime(plan);
        this.words = new TuneWords(plan, scoring, duel);
        this.leftOut = new UntestedKnobs(plan, script, scoring, seen);
        this.otherAnswers = AnswerCheck.of(counted(TuneSlots.BASELINE, false), counted(TuneSlots.CANDIDATE, true))
                .map(AnswerCheck.Difference::text);
    }

    TuneConclusion conclusion() {
        SettingTrials baseline = seen.getFirst();
        Optional<SettingTrials> winner = scoring.observed(baseline) ? script.winner(filled) : Optional.empty();
        List<Shortfall> missing = scoring.observed(baseline) ? shortfalls(winner) : List.of();
        List<SecondFigure> beside = new SecondMetric(plan, scoring).figures(duel, missing);
        Result result = result(baseline, missing, beside);
        Setting setting = winner.map(SettingTrials::setting).orElse(plan.hold());
        // what crashes, or gives other answers, gives nothing
        List<Shortfall> left = result == Result.TRADE ? List.of() : missing;
        boolean useless =
                missing.stream().anyMatch(s -> s instanceof Shortfall.Failed || s instanceof Shortfall.Answers);
        List<KnobShare> shares = winner.isEmpty() || useless ? List.of() : script.shares(filled, setting);
        var without = new TuneConclusion(
                result,
                "",
                plan.hold(),
                setting,
                duel.ratio(),
                duel.p99Ratio(),
                duel.threshold(plan.objective()),
                duel.pairs(),
                candidates(),
                why(plan.hold(), baseline),
                why(setting, winner.orElse(baseline)),
                notes(baseline, winner, left, shares, result == Result.IMPROVED ? beside : List.of()),
                left,
                duel.proof(),
                shares,
                TwoScores.of(plan.objective()).flatMap(t -> t.tradeOff(seen)),
                beside,
                winner.flatMap(w -> failedStarts(w.setting())).stream().toList());
        return without.withHeadline(headline(without, baseline));
    }

    private Result result(SettingTrials baseline, List<Shortfall> missing, List<SecondFigure> beside) {
        if (!scoring.observed(baseline)) {
            return Result.NO_BASELINE;
        }
        if (missing.isEmpty()) {
            return Result.IMPROVED;
        }
        if (beside.stream().anyMatch(SecondFigure::shown)) {
            return Result.TRADE;
        }
        return missing.getFirst() instanceof Shortfall.NoTime ? Result.NOT_TRIED : Result.NO_IMPROVEMENT_SHOWN;
    }

    private List<Shortfall> shortfalls(Optional<SettingTrials> winner) {
        if (winner.isPresent()) {
            boolean held = filled.stream().anyMatch(f -> TuneSlots.duel(f));
            if (!held) {
                return List.of(noTime(0));
            }
            var missing = new ArrayList<Shortfall>();
            otherAnswers.map(Shortfall.Answers::new).ifPresent(missing::add);
            missing.addAll(duel.shortfalls(scoring));
            return missing;
        }
        int others = seen.size() - 1;
        if (others == 0 && !time.hadTimeForOne(filled)) {
            return List.of(noTime(1));
        }
        return List.of(
                seen.stream().anyMatch(scoring::feasible)
                        ? nothingBetter(others)
                        : new Shortfall.NothingFeasible(others));
    }

    private Shortfall nothingBetter(int others) {
        Posterior belief = script.belief(seen);
        double scatter = belief.seesNoise() ? belief.sigma() : Shortfall.NOT_MEASURED;
        return new Shortfall.NothingBetter(
                others,
                StrictMath.expm1(belief.leastLead(seen.getFirst())),
                leftOut.compared(),
                belief.contenders().size() > 1 ? scatter : 0,
                scatter > 0 ? StrictMath.expm1(belief.leastNoticed().orElse(0)) : 0);
    }

    private Shortfall.NoTime noTime(int trials) {
        return new Shortfall.NoTime(
                TuneTime.seconds(attempts()), plan.budget().time().toNanos() / 1e9, time.needed(filled, trials));
    }

    private String headline(TuneConclusion c, SettingTrials baseline) {
        String what = script.changes(c.winner());
        return switch (c.result()) {
            case NO_BASELINE ->
                unobserved(baseline)
                        .orElseGet(() -> "The default gave no valid trial, so nothing can be compared with it ("
                                + baseline.problem().orElse("no measurement") + ")." + neverStarted());
            case NOT_TRIED -> {
                var none = (Shortfall.NoTime) c.shortfalls().getFirst();
                yield seen.size() == 1
                        ? TuneWords.notTried(none)
                        : words.notImproved(what, none, breaksLimits(baseline));
            }
            case IMPROVED -> words.improved(what, c.sides().orElseThrow());
            case TRADE -> words.trade(what, c.beside());
            case NO_IMPROVEMENT_SHOWN -> {
                Shortfall first = c.shortfalls().getFirst();
                yield (thinkTimeDecides(first)
                                ? TuneWords.THINK_TIME
                                : words.notImproved(what, first, breaksLimits(baseline)))
                        + leftOut.answeredOtherwise()
                        + (first instanceof Shortfall.NothingBetter ? leftOut.notCompared() : "")
                        + leftOut.neverTried(" ")
                        + leftOut.nothingToTry(" ");
            }
        };
    }

    /** Whether the clients' think time is why throughput shows no gain. It does not make a candidate fail, or answer otherwise. */
    private boolean thinkTimeDecides(Shortfall first) {
        boolean noGain = first instanceof Shortfall.NothingBetter
                || first instanceof Shortfall.Bound
                || first instanceof Shortfall.LastHalf
                || first instanceof Shortfall.Moving;
        return noGain
                && plan.objective().metric() == Objective.Metric.THROUGHPUT
                && AdvisoryNotes.thinkTimeDecides(attempts());
    }

    /** Why there is no answer: the default has figures, but not that of the objective. */
    private Optional<String> unobserved(SettingTrials baseline) {
        return baseline.valid().stream()
                .findFirst()
                .map(t ->
                        "Nothing can be judged by " + scoring.figure().metric().words() + ", for it was not observed: "
                                + scoring.figure().whyNot(t) + ".");
    }

    /** Whether the default breaks the limits by its figures, which a trial in which it failed has not. */
    private boolean breaksLimits(SettingTrials baseline) {
        return scoring.hopeless(baseline) || !scoring.withinLimits(baseline);
    }

    private static String noRate(SettingTrials o) {
        return o.measurements().stream()
                .flatMap(m -> m.detail().capacity().stream())
                .map(CapacitySeen::why)
                .filter(w -> !w.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Trials whose figures are used, disturbed ones included: a pair of such counts, too. */
    private List<TrialOutcome> counted(String variant, boolean duelOnly) {
        return filled.stream()
                .filter(f -> f.slot().spec().variant().equals(variant) && (!duelOnly || TuneSlots.duel(f)))
                .flatMap(f -> f.counted().stream())
                .toList();
    }

    private List<Candidate> candidates() {
        return seen.stream()
                .sorted(Comparator.comparing((SettingTrials o) -> !scoring.feasible(o))
                        .thenComparing(o -> o.valid().isEmpty())
                        .thenComparing(o -> -scoring.rank(o)))
                .map(o -> new Candidate(
                        o.setting(),
                        o.valid().size(),
                        o.voids(),
                        Statistics.rate(o.throughputs()),
                        (long) o.p99(),
                        o.errorShare(),
                        scoring.feasible(o),
                        o.origin().id(),
                        o.problem(),
                        o.otherAnswers(),
                        scoring.hopeless(o)
                                ? OptionalFigure.empty()
                                : scoring.figure().mean(o.valid()),
                        o.worse() ? EarlyStopping.atBest(o.early().orElseThrow()) : OptionalFigure.empty()))
                .toList();
    }

    /** Explained by the duel's first valid trial of the setting, or else by its first of all. */
    private Optional<Explanation> why(Setting setting, SettingTrials o) {
        Optional<TrialOutcome> ofDuel = filled.stream()
                .filter(f -> TuneSlots.duel(f) && f.slot().spec().setting().equals(setting))
                .map(Filled::valid)
                .flatMap(Optional::stream)
                .findFirst();
        return ofDuel.or(() -> o.valid().stream().filter(TrialOutcome::valid).findFirst())
                .flatMap(t -> Diagnosis.explain(t, proven(), moved()))
                .map(e -> ofDuel.map(t -> ofOneTrial(e, t)).orElse(e));
    }

    /** Says which of the setting's trials the figures are of. */
    private Explanation ofOneTrial(Explanation e, TrialOutcome trial) {
        return duel.begun() < 2
                ? e
                : e.with(
                        e.sentences().size(),
                        "Where no mean is given, the figures are of one trial: the one in pair "
                                + (trial.spec().block() + 1) + " of the duel.");
    }

    /** How far the warm JVM of a trial had moved, as a logarithm of throughput. */
    private ToDoubleFunction<TrialOutcome> moved() {
        WarmDrift drift = WarmSlots.drift(filled);
        var throughput = new ObjectiveFigure(Objective.Metric.THROUGHPUT);
        return t -> drift.of(t, throughput);
    }

    /**
     * The valid trials. Of settings that were in the duel only the duel's, so that one result has one pair of figures.
     */
    private List<TrialOutcome> proven() {
        Set<Setting> inDuel = filled.stream()
                .filter(f -> TuneSlots.duel(f) && f.valid().isPresent())
                .map(f -> f.slot().spec().setting())
                .collect(Collectors.toSet());
        return filled.stream()
                .filter(f ->
                        TuneSlots.duel(f) || !inDuel.contains(f.slot().spec().setting()))
                .map(Filled::valid)
                .flatMap(Optional::stream)
                .toList();
    }

    private List<TrialOutcome> valid() {
        return filled.stream().map(Filled::valid).flatMap(Optional::stream).toList();
    }

    private List<TrialOutcome> attempts() {
        return TrialSlots.attempts(filled);
    }

    private List<String> notes(
            SettingTrials baseline,
            Optional<SettingTrials> winner,
            List<Shortfall> missing,
            List<KnobShare> shares,
            List<SecondFigure> beside) {
        var notes = new ArrayList<String>();
        List<TrialOutcome> attempts = attempts();
        notes.addAll(new AttemptNotes(plan, filled).all());
        RunNotes.sharedJvm(plan).ifPresent(notes::add);
        RunNotes.meaning(plan).ifPresent(notes::add);
        notes.addAll(AdvisoryNotes.notes(attempts));
        if (!scoring.observed(baseline)) {
            return notes;
        }
        WarmStartSearch.note(plan.earlier(), seen).ifPresent(notes::add);
        script.warmNote(filled).ifPresent(notes::add);
        if (baseline.unsure()) {
            notes.add("The search's figures of the default come from trials that are void ("
                    + baseline.valid().stream()
                            .flatMap(t -> t.verdict().reasons().stream())
                            .findFirst()
                            .map(r -> r.rule() + ": " + r.message())
                            .orElse("disturbed")
                    + "): they rank settings, and prove nothing.");
        }
        baseline.failure().ifPresent(how -> notes.add("The default itself " + how + " in a trial of the search."));
        if (scoring.hopeless(baseline)) {
            notes.add("The default itself meets the SLO at no rate: " + noRate(baseline) + ".");
        } else if (!scoring.withinLimits(baseline)) {
            notes.add("The default itself does not meet the limit on "
                    + String.join(" and that on ", UntestedKnobs.broken(scoring, baseline))
                    + ": throughput counts valid responses only.");
        }
        Stream.of(leftOut.neverTried("Of the plan's knobs, "), leftOut.nothingToTry(""), leftOut.withoutEffect())
                .filter(n -> !n.isEmpty())
                .forEach(notes::add);
        notes.addAll(PoolNotes.of(valid(), plan.objective().metric(), moved()));
        if (winner.isPresent()) {
            words.tail(missing.isEmpty()).ifPresent(notes::add);
            words.besides(beside).ifPresent(notes::add);
            script.passedOver(filled)
                    .map(
                            o -> script.changes(o.setting())
                                    + " looked better still, but is too near a limit on latency to be nearly sure that a duel shows that it meets it.")
                    .ifPresent(notes::add);
            starts(winner.get().setting()).ifPresent(notes::add);
            KnobShares.words(shares, scoring.figure()).ifPresent(notes::add);
            duelNotes(notes, missing);
        } else {
            notes.add("There was no duel: it is only held when something measured better than the default.");
        }
        long search =
                seen.stream().filter(o -> o.valid().isEmpty() && !o.worse()).count();
        if (search > 0) {
            notes.add(FigureText.count((int) search, "setting")
                    + " gave no valid trial and could not be judged; see the problems listed.");
        }
        return notes;
    }

    /** How often the default was started without success; empty if it was started once, or did start. */
    private String neverStarted() {
        List<TrialOutcome> starts = attempts();
        return starts.size() > 1 && starts.stream().allMatch(StartVerdict::failedToStart)
                ? " It failed to start in " + starts.size() + " of " + starts.size() + " starts."
                : "";
    }

    /** How often the candidate and the default failed to start, where one of them did. */
    private Optional<FailedStarts> failedStarts(Setting winner) {
        var check = StartCheck.of(filled, winner, plan.hold());
        return check.is(StartCheck.State.STARTS) && check.starts().defaultFailed() == 0
                ? Optional.empty()
                : Optional.of(new FailedStarts(
                        script.changes(winner),
                        check.starts(),
                        switch (check.state()) {
                            case BLAMED -> Because.ITS_OWN_DOING;
                            case CLEARED, STARTS -> Because.CHANCE;
                            case OPEN -> Because.NOT_KNOWN;
                        }));
    }

    private Optional<String> starts(Setting winner) {
        return failedStarts(winner)
                .map(f -> f.of() + " " + TuneWords.starts(f.counts())
                        + switch (f.because()) {
                            case ITS_OWN_DOING -> ": that is the setting's doing.";
                            case CHANCE ->
                                f.counts().failed() == 0
                                        ? "."
                                        : ": no more often than chance explains, so such pairs were repeated.";
                            case NOT_KNOWN -> ": too few to say whether that is the setting's doing.";
                        });
    }

    private void duelNotes(List<String> notes, List<Shortfall> missing) {
        int planned = time.pairs(filled);
        if (planned < TuneSlots.LEAST_PAIRS) {
            notes.add("The time of " + Format.seconds(plan.budget().time().toSeconds()) + " leaves room for no duel of "
                    + TuneSlots.LEAST_PAIRS + " pairs; give the budget more time.");
        } else if (duel.pairs().size() < plan.budget().pairs()) {
            int dropped = duel.begun() - duel.pairs().size();
            notes.add(duel.pairs().size() + " of " + plan.budget().pairs() + " pairs of the duel count"
                    + (duel.begun() < plan.budget().pairs() && duel.failure().isEmpty()
                            ? "; there was time for " + duel.begun()
                            : "")
                    + (dropped > 0 ? "; " + dropped + " lack figures on one side" : "") + ".");
        }
        var looks = InterimAnalyses.of(plan);
        if (looks.again(duel.pairs().stream().map(TuneConclusion.Pair::block).toList(), duel.begun())) {
            notes.add("After " + looks.first()
                    + " pairs it was open, and there was time, so more were held. That was settled"
                    + " beforehand: interim analyses after "
                    + Format.list(looks.all().stream().map(String::valueOf).toList(), "and")
                    + " pairs, "
                    + (duel.proof().filter(Proof::disturbed).isPresent()
                            ? "each with an interval of " + Format.level(Duel.DISTURBED_LEVEL)
                                    + " as the machine was not calm"
                            : "the first with an interval of " + Format.level(Statistics.LEVEL) + ", the others with "
                                    + Format.level(InterimAnalyses.LATER_LEVEL))
                    + ", so that repeated analyses do not find luck: all together show a gain that is not there in at"
                    + " most 5 % of such duels.");
        }
        boolean told = !missing.isEmpty() && !thinkTimeDecides(missing.getFirst()); // by the headline
        missing.stream().skip(told ? 1 : 0).forEach(s -> notes.add("Missing, too: " + words.phrase(s) + "."));
        if (!missing.isEmpty() && !(missing.getFirst() instanceof Shortfall.Bound)) {
            words.leastShown().ifPresent(s -> notes.add("What could have been shown: " + s + "."));
        }
        notes.addAll(words.duelNotes());
        if (duel.begun() > 0) {
            notes.add(
                    "The duel's data were used for nothing before; the search's figures, chosen for being the best, are not in its ratio.");
        }
    }
}
