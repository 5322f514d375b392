package dev.fettle.report.recommend;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run showed of one setting against another, the basis of a recommended configuration.
 *
 * @param baseline the setting compared with
 * @param winner the setting to write
 * @param better whether it was shown to be better; that covers only the knobs in which the two differ
 * @param headline one line: what was found or, if nothing was shown, why nothing is written
 * @param gain the gain, and over what
 * @param ofBaseline the trials of the baseline
 * @param why lines on what limited the server before and after
 */
record Recommendation(
        Setting baseline,
        Setting winner,
        boolean better,
        String headline,
        String gain,
        Predicate<TrialOutcome> ofBaseline,
        List<String> why) {

    /**
     * From a tune, or from a comparison, whose baseline is the first variant.
     *
     * @throws IllegalArgumentException with a message for the user, if the run is not finished, or of another kind
     */
    static Recommendation of(RunReport run) {
        boolean kind = run.kind().equals("tune") || run.kind().equals("compare");
        Conclusion found = run.conclusion()
                .filter(c -> kind)
                .orElseThrow(() -> new IllegalArgumentException(
                        run.runId() + " is " + (kind ? "an unfinished " : "a ") + run.kind()
                                + (kind ? ": 'fettle resume' goes on with it" : "")
                                + "; a configuration comes from a finished tune or comparison"));
        return switch (found) {
            case TuneConclusion t -> of(run, t);
            case CompareConclusion c -> of(run, c);
            default -> throw new IllegalArgumentException(run.runId() + " found no setting to write");
        };
    }

    private static Recommendation of(RunReport run, TuneConclusion t) {
        boolean improved = t.shown();
        String metric = run.plan().objective().metric().words();
        Setting base = Wording.beyond(t.baseline(), run.plan().hold());
        var why = new ArrayList<String>();
        t.baselineWhy().flatMap(w -> w.sentences().stream().findFirst()).ifPresent(s -> why.add("Before: " + s));
        t.winnerWhy()
                .filter(w -> improved)
                .flatMap(w -> w.sentences().stream().findFirst())
                .ifPresent(s -> why.add("With it: " + s));
        return new Recommendation(
                t.baseline(),
                t.winner(),
                improved,
                t.headline(),
                t.result() == TuneConclusion.Result.TRADE
                        ? t.beside().stream()
                                        .filter(SecondFigure::shown)
                                        .map(s -> s.metric().words() + " " + NumberText.change(s.ratio()))
                                        .collect(Collectors.joining(", "))
                                + " at the same " + metric
                                + " against " + (base.isDefault() ? "the default" : base.toString())
                        : improved
                                ? metric + " "
                                        + t.ratio().map(NumberText::change).orElse("improved") + " against "
                                        + (base.isDefault() ? "the default" : base.toString())
                                : "no improvement shown; nothing here was shown to be better than the default",
                o -> o.spec().phase() == Phase.BASELINE,
                why);
    }

    private static Recommendation of(RunReport run, CompareConclusion c) {
        if (run.plan().compare().orElseThrow().layered()) {
            return nothing(run, "layers are parts of one application: none of them is a setting to choose");
        }
        List<Variant> variants = run.plan().compare().orElseThrow().variants();
        Variant first = variants.getFirst();
        List<Variant> faster = variants.stream()
                .skip(1)
                .filter(v -> gains(c, first, v).size() == c.conditions().size() && withinLimits(c, v))
                .toList();
        Optional<Variant> settings = faster.stream()
                .filter(v -> v.target().equals(first.target())
                        && v.target().equals(run.plan().target()))
                .max(Comparator.comparingDouble(v -> advantage(c, least(c, first, v))));
        if (settings.isEmpty()) {
            return nothing(run, faster.isEmpty() ? notFaster(c, variants) : otherTarget(first, faster.getFirst()));
        }
        Variant winner = settings.get();
        String gain = Wording.metric(c) + " " + NumberText.change(least(c, first, winner))
                + (c.conditions().size() > 1
                        ? " or more in each of " + c.conditions().size() + " conditions"
                        : "");
        Setting missing = Wording.beyond(first.setting(), winner.setting());
        List<String> left = missing.values().keySet().stream()
                .filter(k -> winner.setting().get(k).isEmpty())
                .toList();
        String without = left.isEmpty()
                ? ""
                : "; '" + winner.name() + "' leaves alone " + String.join(", ", left) + ", which '" + first.name()
                        + "' sets";
        return new Recommendation(
                first.setting(),
                winner.setting(),
                true,
                "'" + winner.name() + "' was shown to be better than '" + first.name() + "': " + gain + without,
                gain + " against the variant '" + first.name() + "'" + without,
                o -> o.spec().variant().equals(first.name()),
                List.of());
    }

    /** Whether a variant meets the objective's limits under every condition. */
    private static boolean withinLimits(CompareConclusion c, Variant v) {
        return c.conditions().stream()
                .flatMap(x -> x.variants().stream())
                .filter(x -> x.name().equals(v.name()))
                .allMatch(x -> x.broken().isEmpty());
    }

    /** Ratio of a variant's metric to the first's, for each condition in which it was shown to be better. */
    private static List<Interval> gains(CompareConclusion c, Variant first, Variant other) {
        return between(c, first, other)
                .filter(Contrast::differenceShown)
                .map(Contrast::ratio)
                .map(Interval::inverse)
                .filter(r -> advantage(c, r) > 1)
                .toList();
    }

    private static Stream<Contrast> between(CompareConclusion c, Variant first, Variant other) {
        return c.conditions().stream()
                .flatMap(x -> x.contrasts().stream())
                .filter(x -> x.a().equals(first.name()) && x.b().equals(other.name()));
    }

    /** Why a variant with better figures than the first can't be called better, if it can't. */
    private static Optional<String> withheld(CompareConclusion c, Variant first, Variant other) {
        return between(c, first, other)
                .filter(x -> advantage(c, x.ratio().inverse()) > 1)
                .flatMap(x -> x.withheld().stream())
                .findFirst();
    }

    /** A ratio as an advantage: above 1 for more throughput, or for less of a metric to be minimised. */
    private static double advantage(CompareConclusion c, Interval ratio) {
        return c.metric().low() ? 1 / ratio.estimate() : ratio.estimate();
    }

    /** Its smallest gain. */
    private static Interval least(CompareConclusion c, Variant first, Variant other) {
        return gains(c, first, other).stream()
                .min(Comparator.comparingDouble(r -> advantage(c, r)))
                .orElseThrow();
    }

    private static String notFaster(CompareConclusion c, List<Variant> variants) {
        Variant first = variants.getFirst();
        for (Variant v : variants.subList(1, variants.size())) {
            Optional<String> withheld = withheld(c, first, v);
            if (withheld.isPresent()) {
                return withheld.get();
            }
            int shown = gains(c, first, v).size();
            if (shown == c.conditions().size()) { // so the limits are the reason
                return "'" + v.name() + "' was shown to be better than '" + first.name()
                        + "', but breaks the objective's limits";
            }
            if (shown > 0) {
                return "'" + v.name() + "' was shown to be better than '" + first.name() + "' in " + shown + " of "
                        + c.conditions().size() + " conditions only, and a configuration applies in all of them";
            }
        }
        if (variants.size() > 2) {
            return "none of the variants was shown to be better than the first, '" + first.name() + "'";
        }
        boolean slower = c.conditions().stream()
                .flatMap(x -> x.contrasts().stream())
                .anyMatch(Contrast::differenceShown); // and none is in its favour
        return "'" + variants.getLast().name() + "' was " + (slower ? "shown to be worse" : "not shown to be better")
                + " than '" + first.name() + "'";
    }

    private static String otherTarget(Variant first, Variant faster) {
        return "'" + faster.name() + "' was shown to be better than '" + first.name()
                + "', but not by a setting: it is another target";
    }

    private static Recommendation nothing(RunReport run, String why) {
        Setting held = run.plan().hold();
        return new Recommendation(held, held, false, why, "nothing was shown for these values", o -> false, List.of());
    }
}
