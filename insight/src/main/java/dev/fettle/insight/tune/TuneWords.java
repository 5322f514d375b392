package dev.fettle.insight.tune;

import dev.fettle.insight.Proof;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.Starts;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A tune's conclusion in sentences. */
final class TuneWords {
    /** A smaller increase of the tail gets no note. */
    private static final double WORSE = 1.05;

    /** Where throughput can't show a gain. */
    static final String THINK_TIME =
            "No improvement shown, and throughput could not show one: the clients' think time sets it, so a server that answers"
                    + " quicker gets hardly more requests. Judge by latency (objective p99), or give the load more clients or"
                    + " less think time.";

    private final Plan plan;
    private final Scoring scoring;
    private final Duel duel;
    private final ObjectiveFigure figure;
    /** The SLO that a capacity is under, to follow a figure. */
    private final String under;

    TuneWords(Plan plan, Scoring scoring, Duel duel) {
        this.plan = plan;
        this.under = plan.objective().metric() == Objective.Metric.CAPACITY
                ? plan.effectiveSlo().map(s -> " at " + s.quality()).orElse("")
                : "";
        this.scoring = scoring;
        this.duel = duel;
        this.figure = scoring.figure();
    }

    /**
     * {@code threads.max=80 has 1.44 times the default's capacity (…): 4,210/s at p99<=50ms,errors<=0.1% against 2,930/s.},
     * {@code threads.max=318 gives 43.1 % more throughput than the default (…): 5,632/s against 3,935/s.}, or {@code threads.max=16
     * lowers CPU time per request by 12.0 % against the default (…): 210 µs against 239 µs.}
     */
    String improved(String what, TuneConclusion.Sides sides) {
        Interval r = duel.ratio().orElseThrow();
        boolean low = figure.metric().low();
        String gives = low
                ? "lowers " + metric() + " by " + Format.less(r.estimate()) + " % against the default ("
                        + (RatioWords.tells(r)
                                ? level(r) + " " + Format.less(r.high()) + " to " + Format.less(r.low())
                                : "at least " + Format.less(r.high()))
                        + " %, " + pairs()
                : r.estimate() < 2 && figure.metric() == Objective.Metric.THROUGHPUT
                        ? "gives " + Format.gain(r.estimate(), r.estimate()) + " % more throughput than the default ("
                                + gain(r) + ", " + pairs()
                        : figure.verb() + " " + times(r);
        return what + " " + gives + underDisturbance() + "): " + figure.text(sides.winnerFigure()) + under + " against "
                + figure.text(sides.baselineFigure()) + ".";
    }

    /**
     * {@code threads.max=8 gives the default's throughput (0.996 times, 95 % interval 0.979 to 1.013) with 68.0 % less p99 (99.5 % interval
     * 62.0 to 73.0 %, 5 pairs): 218 ms against 687 ms. To make p99 the objective: objective: {minimize: p99}.}
     */
    String trade(String what, List<SecondFigure> beside) {
        Interval same = duel.ratio().orElseThrow();
        List<SecondFigure> shown = beside.stream().filter(SecondFigure::shown).toList();
        return what + " " + figure.verb() + " the default's " + metric() + " (" + Format.ratio(same.estimate())
                + " times, " + level(same) + " " + Format.ratio(same.low()) + " to " + Format.ratio(same.high())
                + ", "
                + pairs() + underDisturbance() + ") with "
                + Format.list(shown.stream().map(TuneWords::beside).toList(), "and") + ". "
                + shown.stream()
                        .map(s -> "To make " + s.metric().words() + " the objective: " + s.objective() + ".")
                        .collect(Collectors.joining(" "));
    }

    /** What a winner gives next to the objective, as far as it is shown; empty if nothing is. */
    Optional<String> besides(List<SecondFigure> beside) {
        List<String> shown = beside.stream()
                .filter(SecondFigure::shown)
                .map(TuneWords::beside)
                .toList();
        return shown.isEmpty()
                ? Optional.empty()
                : Optional.of("The same " + pairs() + " show " + Format.list(shown, "and") + ".");
    }

    private static String beside(SecondFigure s) {
        var of = new ObjectiveFigure(s.metric());
        Interval r = s.ratio();
        String change = s.metric().low()
                ? Format.less(r.estimate()) + " % less " + s.metric().words() + " (" + level(r) + " "
                        + Format.less(r.high()) + " to " + Format.less(r.low()) + " %)"
                : Format.gain(r.estimate(), r.estimate()) + " % more "
                        + s.metric().words() + " (" + gain(r) + ")";
        return change + ": " + of.text(s.winner()) + " against " + of.text(s.baseline());
    }

    private String times(Interval r) {
        List<Double> each = duel.each();
        return Format.ratio(r.estimate()) + " times the default's " + metric() + " (" + interval(r, each)
                + (RatioWords.listed(r, each) ? "" : ", " + pairs());
    }

    private String underDisturbance() {
        return disturbed() ? ", shown under disturbance" : "";
    }

    private boolean disturbed() {
        return duel.proof().filter(Proof::disturbed).isPresent();
    }

    /**
     * Why no improvement is claimed.
     *
     * @param what the candidate, as the sentence names it
     */
    String notImproved(String what, Shortfall shortfall, boolean defaultFails) {
        String lead = "No improvement shown: ";
        return switch (shortfall) {
            case Shortfall.NothingFeasible(int others) ->
                lead
                        + (defaultFails
                                ? switch (others) {
                                    case 0 ->
                                        "the default did not meet the limits, and no other setting was worth a trial.";
                                    case 1 ->
                                        "neither the default nor the one other setting was shown to meet the limits.";
                                    default ->
                                        "neither the default nor any of " + others
                                                + " other settings was shown to meet the limits.";
                                }
                                : "the default failed in a trial of the search, and "
                                        + switch (others) {
                                            case 0 -> "no other setting was worth a trial.";
                                            case 1 -> "the one other setting could not be used either.";
                                            default -> "none of " + others + " other settings could be used either.";
                                        });
            case Shortfall.NothingBetter n -> lead + notBetter(n);
            case Shortfall.NoTime t ->
                "Not proved: " + what
                        + " looked better than the default, but there was no time for a duel to prove it: it would have"
                        + " taken until " + Format.seconds(t.needed()) + " of a budget of "
                        + Format.seconds(t.budget())
                        + ". Give it more time.";
            case Shortfall.Answers(String difference) ->
                lead + what + " gives other answers than the default, so their speeds can't be compared: in the duel "
                        + difference + ".";
            case Shortfall.Failed f when duel.ratio().isEmpty() -> lead + what + " " + failed(f) + ".";
            case Shortfall s when duel.ratio().isEmpty() -> lead + "of " + what + ", " + phrase(s) + ".";
            case Shortfall s ->
                lead + what + " " + figure.verb() + " " + times(duel.ratio().get()) + "), but " + phrase(s) + "."
                        + (defaultFails && duel.pairs().size() >= TuneSlots.LEAST_PAIRS && duel.meetsLimits(scoring)
                                ? " It meets the limits, though, which the default does not."
                                : "");
        };
    }

    private static String notBetter(Shortfall.NothingBetter n) {
        String by =
                " by " + Format.share(n.lead()) + " or more once noise is allowed for (a single trial is part luck).";
        boolean all = n.compared() == n.others();
        return switch (n.compared()) {
            case 0 ->
                switch (n.others()) {
                    case 0 -> "going by what limits the default, no other setting was worth a trial.";
                    case 1 -> "the one other setting could not be compared with the default.";
                    default -> "none of " + n.others() + " other settings could be compared with the default.";
                };
            case 1 ->
                "the one other setting" + (all ? "" : " that could be compared")
                        + " does not look better than the default" + by + unseen(n);
            default ->
                "of " + n.compared() + " other settings" + (all ? "" : " that could be compared")
                        + " none measured better than the default" + by + unseen(n);
        };
    }

    /** How large a gain may have gone unseen. */
    private static String unseen(Shortfall.NothingBetter n) {
        if (n.scatter() == Shortfall.NOT_MEASURED) {
            return " No setting was measured twice, so how much trials of one differ is not known.";
        }
        if (n.scatter() <= 0) {
            return "";
        }
        String scatter = " Trials of one setting differ by some " + Format.share(n.scatter()) + ": ";
        return scatter
                + (n.noticed() > 0
                        ? "a gain below " + Format.share(n.noticed()) + " would often have gone unseen."
                        : "a gain as small as that may have gone unseen.");
    }

    /** That the budget had no room for any other setting. */
    static String notTried(Shortfall.NoTime t) {
        return "Not tried: the default took " + Format.seconds(t.spent()) + " of the budget's "
                + Format.seconds(t.budget())
                + ", and one other setting with a duel of " + TuneSlots.LEAST_PAIRS + " pairs would take "
                + Format.seconds(t.needed()) + " in all. Give it more time.";
    }

    /** What was missing, to follow a "but". */
    String phrase(Shortfall shortfall) {
        return switch (shortfall) {
            case Shortfall.NothingFeasible _ -> "nothing met the limits";
            case Shortfall.NothingBetter _ -> "nothing looked better";
            case Shortfall.NoTime _ -> "there was no time for a duel";
            case Shortfall.Failed f -> "it " + failed(f);
            case Shortfall.Answers(String difference) -> "its answers are not the default's: " + difference;
            case Shortfall.TooFewPairs(int counted, int least) ->
                (counted == 0
                                ? "no pair has"
                                : "only " + FigureText.count(counted, "pair") + (counted == 1 ? " has" : " have"))
                        + " figures on both sides, and it takes " + least;
            case Shortfall.Bound(double bound) ->
                "the interval would have to lie " + (figure.metric().low() ? "below " : "above ")
                        + Format.ratio(bound)
                        + leastShown().map(s -> "; " + s).orElse("");
            case Shortfall.Limits(double p99AtMost, double errors) ->
                "it is not sure to meet the limits (" + limits(p99AtMost, errors) + ")";
            case Shortfall.LastHalf(Interval r) ->
                r.bounded()
                        ? (under.isEmpty()
                                        ? "the last half of the measuring alone does not show it ("
                                        : "it is not shown once the change of both sides during the search is counted (")
                                + Format.ratio(r.estimate())
                                + " times, " + interval(r, List.of()) + ")"
                        : "whether the last half of the measuring alone shows it can't be said: there are too few windows";
            case Shortfall.Moving(double by, double allowed) ->
                Double.isFinite(by)
                        ? "the gain may be fading: from the first half of the measuring to the last, the ratio may have got worse by up to "
                                + Format.share(Math.max(0, by)) + "; a gain counts only if that is below "
                                + Format.share(allowed) + ", half of the smallest gain that the interval leaves"
                        : "whether the gain is fading can't be said: there are too few windows";
            case Shortfall.Lopsided(Proof.Arm a, Proof.Arm b, double chance) ->
                "trials were void on one side more often than chance explains (" + voids(a, b) + "; by chance in "
                        + Format.share(chance) + " of such duels)";
        };
    }

    private static String failed(Shortfall.Failed f) {
        if (f.starts().isPresent()) {
            return starts(f.starts().get());
        }
        return f.how() + " in " + (f.of() == 1 ? "the only pair" : f.times() + " of " + f.of() + " pairs");
    }

    /** {@code failed to start in 2 of 14 starts, the default in 3 of 14}. */
    static String starts(Starts s) {
        return "failed to start in " + s.failed() + " of " + FigureText.count(s.of(), "start") + ", the default in "
                + s.defaultFailed() + " of " + s.defaultOf();
    }

    static String voids(Proof.Arm a, Proof.Arm b) {
        return a.voids() + " of " + a.attempts() + " of the default, " + b.voids() + " of " + b.attempts()
                + " of the candidate";
    }

    /**
     * The smallest effect that the duel's pairs could have shown; empty without a pair. What else a win takes, in the last half of the
     * measuring for one, is not in it.
     */
    Optional<String> leastShown() {
        return duel.proof().map(p -> {
            double smallest = p.smallest(); // infinite, or 0 for less of a metric, if the pairs show nothing
            boolean known = smallest > 0 && Double.isFinite(smallest);
            return FigureText.leastShown(
                            known ? OptionalFigure.of(smallest) : OptionalFigure.empty(),
                            "an improvement",
                            duel.pairs().size(),
                            "pair")
                    + (known ? ", by their ratio alone" : "");
        });
    }

    private String limits(double p99AtMost, double errors) {
        return duel.unsure().stream().map(u -> u + ", ").collect(Collectors.joining())
                + "p99 up to "
                + scoring.objective()
                        .p99AtMost()
                        .map(d -> Format.time(p99AtMost, d.toNanos()) + " for a limit of "
                                + Format.exactTime(d.toNanos()))
                        .orElseGet(() -> Format.time(p99AtMost))
                + ", errors "
                + (errors > 0 ? "up to " : "")
                + Format.share(errors, scoring.objective().errorsAtMost()) + " for a limit of "
                + Format.exactShare(scoring.objective().errorsAtMost());
    }

    private String metric() {
        return figure.metric().words();
    }

    private String pairs() {
        return FigureText.count(duel.pairs().size(), "pair");
    }

    private static String interval(Interval r, List<Double> each) {
        return (RatioWords.tells(r) ? level(r) + " " : "") + RatioWords.known(r, each);
    }

    /** How well a gain that is shown is known, in per cent. */
    private static String gain(Interval r) {
        return (RatioWords.tells(r)
                        ? level(r) + " " + Format.gain(r.low(), r.low()) + " to " + Format.gain(r.high(), r.high())
                        : "at least " + Format.gain(r.low(), r.low()))
                + " %";
    }

    private static String level(Interval r) {
        return Format.level(r.level()) + " interval";
    }

    /**
     * What more throughput costs in latency; empty unless the interval shows a cost.
     *
     * @param won whether the duel's other side is the winner
     */
    Optional<String> tail(boolean won) {
        Objective objective = scoring.objective();
        return duel.p99Ratio()
                .filter(r -> objective.metric() != Objective.Metric.P99
                        && objective.metric() != Objective.Metric.CAPACITY
                        && r.bounded()
                        && r.low() > WORSE)
                .map(
                        r -> "The " + (won ? "winner" : "candidate") + "'s p99 is "
                                + Format.gain(r.estimate(), r.estimate())
                                + " % above the default's (" + gain(r)
                                + "). "
                                + objective
                                        .p99AtMost()
                                        .map(limit -> "The plan's limit on it is " + Format.time(limit.toNanos()) + ".")
                                        .orElse(
                                                "The objective did not ask about it; objective.limits.p99 in the plan sets a limit."));
    }

    /** Where the interval comes from. */
    private String basis(int pairs) {
        boolean vague = duel.ratio()
                .filter(r -> RatioWords.tells(r) || RatioWords.oneSided(r))
                .isEmpty();
        String fresh = RunNotes.fresh(plan) ? " of fresh JVMs" : "";
        return pairs < 2
                ? "One pair" + fresh + " has no interval"
                : "The interval is Student's t over " + pairs() + fresh
                        + (vague ? ", and too wide to show anything" : "");
    }

    /** What the duel's pairs say besides their ratio, as notes. */
    List<String> duelNotes() {
        if (duel.proof().isEmpty()) {
            return List.of();
        }
        var notes = new ArrayList<String>();
        Proof p = duel.proof().get();
        int n = duel.pairs().size();
        notes.add(basis(n) + "; "
                + (p.sideBySide() == n
                        ? "both sides of each were up at the same time and loaded in turn."
                        : p.sideBySide() == 0
                                ? "the two sides of each ran one after the other."
                                : "both sides of " + p.sideBySide()
                                        + " of them were up at the same time and loaded in turn."));
        if (RunNotes.fresh(plan)) {
            notes.add((n == 1 ? "One start" : n + " starts")
                    + " of the candidate can't exclude that it comes up otherwise (slow, say) in up to "
                    + Format.share(p.slowStarts()) + " of its starts.");
        }
        if (p.baseline().voids() + p.winner().voids() > 0) {
            notes.add("Void in the duel were " + voids(p.baseline(), p.winner()) + ".");
        }
        if (p.baseline().failures() > 0) {
            int trials = p.baseline().attempts();
            notes.add("The default itself failed in "
                    + (trials == 1 ? "its only trial" : p.baseline().failures() + " of its " + trials + " trials")
                    + " in the duel.");
        }
        if (p.disturbed()) {
            notes.add("The machine was not calm: disturbed trials are among the duel's data"
                    + (p.sideBySide() == n
                            ? ", on both sides alike. "
                            : "; where the two sides of a pair ran one after the other, a disturbance may have met only"
                                    + " one of them. ")
                    + "So the interval is one of " + Format.share(Duel.DISTURBED_LEVEL) + ". "
                    + p.cpuPerRequest()
                            .filter(Interval::bounded)
                            .map(r -> "CPU time a response, which others disturb less, was "
                                    + Format.ratio(r.estimate()) + " times the default's ("
                                    + interval(r, List.of())
                                    + ").")
                            .orElse("CPU time a response is not known."));
        }
        if (p.aaBound() > 1.01) {
            notes.add("These pairs show differences of a factor of " + Format.ratio(p.aaBound())
                    + " where there are none (by their order, or between slices of the default alone); an improvement has to"
                    + " be larger than that.");
        }
        if (p.takenBound() > 1.01) {
            notes.add("CPU time that others took may have made a factor of " + Format.ratio(p.takenBound())
                    + " of the ratio, because it cost the default more than the candidate; an improvement has to be larger"
                    + " than that.");
        }
        return notes;
    }
}
