package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The headline of a comparison: the differences shown, or, if there is none, how small a difference would have been
 * shown.
 */
record CompareHeadline(Metric metric, boolean spike, List<Condition> conditions, String nothing) {
    /** Seconds of a window: a shorter difference in recovery can't be seen. */
    private static final double WINDOW = 0.5;

    /**
     * Variants whose answers differ come first: their speeds are not compared.
     *
     * @param nothing what to say if no block has a ratio
     */
    static String text(Metric metric, boolean spike, List<Condition> conditions, String nothing) {
        var otherwise = new ArrayList<String>();
        var alike = new ArrayList<Condition>();
        for (Condition c : conditions) {
            c.contrasts().forEach(k -> k.otherAnswers().ifPresent(o -> otherwise.add(o + GridFigures.at(c.point()))));
            alike.add(new Condition(
                    c.point(),
                    c.variants(),
                    c.contrasts().stream()
                            .filter(k -> k.otherAnswers().isEmpty())
                            .toList(),
                    List.of()));
        }
        if (otherwise.isEmpty()) {
            return new CompareHeadline(metric, spike, conditions, nothing).text();
        }
        int more = otherwise.size() - 1;
        String rest = more == 0 ? "" : " Answers differ in " + FigureText.count(more, "other contrast") + ", too.";
        var compared = new CompareHeadline(metric, spike, alike, nothing);
        return otherwise.getFirst() + ", so their speeds can't be compared." + rest
                + (compared.contrasts().anyMatch(k -> k.pairs() > 0) ? " " + compared.text() : beside(alike));
    }

    private String text() {
        var shown = new ArrayList<String>();
        var hidden = new ArrayList<Contrast>();
        var without = new ArrayList<String>();
        var withheld = new ArrayList<String>();
        for (Condition c : conditions) {
            for (Contrast k : c.contrasts()) {
                if (k.differenceShown()) {
                    shown.add(sentence(k) + GridFigures.at(c.point()));
                } else if (k.withheld().isPresent()) {
                    withheld.add(k.withheld().get() + GridFigures.at(c.point()));
                } else if (k.pairs() > 0) {
                    hidden.add(k);
                } else {
                    without.add(k.a() + " and " + k.b() + GridFigures.at(c.point()));
                }
            }
        }
        var said = new ArrayList<String>();
        if (!withheld.isEmpty()) {
            said.add(FigureText.some(withheld) + ".");
        }
        if (!shown.isEmpty()) {
            said.add(some(shown, hidden));
        } else if (!hidden.isEmpty()) {
            said.add(none(hidden, withheld.isEmpty() ? "" : "other "));
        }
        return said.isEmpty()
                ? nothing + beside(conditions)
                : String.join(" ", said) + noRatio(without) + beside(conditions);
    }

    /** The contrasts of which no block has a ratio. */
    private static String noRatio(List<String> without) {
        return without.isEmpty() ? "" : " No block has a factor between " + FigureText.some(without) + ".";
    }

    private Stream<Contrast> contrasts() {
        return conditions.stream().flatMap(c -> c.contrasts().stream());
    }

    private String none(List<Contrast> hidden, String other) {
        if (hidden.size() > 1) {
            return "No difference shown in any of " + hidden.size() + " " + other + "contrasts" + least(hidden, "; ")
                    + ".";
        }
        Contrast one = hidden.getFirst();
        return "No difference shown: " + interval(one) + "; "
                + FigureText.leastShown(one.leastShown(), "a difference", one.pairs(), "block") + ".";
    }

    private static String some(List<String> shown, List<Contrast> hidden) {
        String list = String.join("; ", shown.subList(0, Math.min(FigureText.LISTED, shown.size())));
        String more = shown.size() > FigureText.LISTED
                ? "; and " + FigureText.count(shown.size() - FigureText.LISTED, "more difference")
                : "";
        String none = hidden.isEmpty()
                ? ""
                : " No difference shown in " + FigureText.count(hidden.size(), "other contrast") + least(hidden, "; ")
                        + ".";
        return list + more + "." + none;
    }

    /** The smallest difference that the least sensitive of the contrasts without one would have shown. */
    private static String least(List<Contrast> hidden, String before) {
        if (hidden.stream().anyMatch(k -> k.leastShown().isEmpty())) {
            return before + "fewer than two blocks can't show any difference";
        }
        Contrast worst = hidden.stream()
                .max((a, b) -> Double.compare(least(a), least(b)))
                .orElseThrow();
        return before
                + (hidden.size() == 1 ? "" : "at worst, ")
                + FigureText.leastShown(OptionalFigure.of(least(worst)), "a difference", worst.pairs(), "block");
    }

    private static double least(Contrast k) {
        return k.leastShown().orElse(Double.POSITIVE_INFINITY);
    }

    /** What has to be known next to the speeds. */
    static String beside(List<Condition> conditions) {
        return failures(conditions) + limits(conditions);
    }

    /** The variants that failed in some block. */
    private static String failures(List<Condition> conditions) {
        var failed = new ArrayList<String>();
        for (Condition c : conditions) {
            c.variants()
                    .forEach(v ->
                            v.failed().ifPresent(how -> failed.add(v.name() + " " + how + GridFigures.at(c.point()))));
        }
        return failed.isEmpty() ? "" : " Failed: " + FigureText.some(failed) + ".";
    }

    /** The variants that break the objective's limits. */
    private static String limits(List<Condition> conditions) {
        var broken = new ArrayList<String>();
        for (Condition c : conditions) {
            c.variants().stream()
                    .filter(v -> !v.broken().isEmpty())
                    .forEach(v -> broken.add(
                            v.name() + GridFigures.at(c.point()) + " (" + String.join(", ", v.broken()) + ")"));
        }
        return broken.isEmpty() ? "" : " Not within the limits: " + FigureText.some(broken) + ".";
    }

    /** Names the better one first: more throughput, or less of what should be low. */
    private String sentence(Contrast k) {
        boolean first = k.ratio().estimate() >= 1 != metric.low();
        String better = first ? k.a() : k.b();
        String worse = first ? k.b() : k.a();
        Interval r = first ? k.ratio() : k.ratio().inverse();
        List<Double> each = first ? k.each() : k.each().stream().map(x -> 1 / x).toList();
        return better + " " + new ObjectiveFigure(metric).verb() + " " + Format.ratio(r.estimate()) + " times the "
                + (spike ? "good answers in the spike" : metric.words()) + " of " + worse + " ("
                + RatioWords.known(r, each) + ", " + FigureText.count(k.pairs(), "block") + ")" + recovered(k, better);
    }

    /** How much sooner or later the better one recovers, if that is shown. */
    private String recovered(Contrast k, String better) {
        return k.recovery()
                .filter(Interval::bounded)
                .filter(r -> r.low() > WINDOW || r.high() < -WINDOW)
                .map(r -> {
                    double later = better.equals(k.a()) ? r.estimate() : -r.estimate();
                    return ", and is back to normal " + Format.seconds(Math.abs(later))
                            + (later > 0 ? " later" : " sooner");
                })
                .orElse("");
    }

    private String interval(Contrast k) {
        return (spike
                        ? "the good answers in the spike of "
                        : metric == Metric.THROUGHPUT ? "" : metric.words() + " of ")
                + k.a() + " over "
                + k.b() + (spike ? " are " : " is ")
                + Format.ratio(k.ratio().estimate())
                + (k.ratio().bounded() ? " (" + RatioWords.known(k.ratio(), k.each()) + ")" : "")
                + " in " + FigureText.count(k.pairs(), "block");
    }
}
