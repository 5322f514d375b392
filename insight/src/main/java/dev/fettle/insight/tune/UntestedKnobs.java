package dev.fettle.insight.tune;

import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a tune says of the settings that could not win, however fast they were, and of the knobs that no trial changed. Each sentence
 * has a space before it.
 *
 * @param seen the default first
 */
record UntestedKnobs(Plan plan, TuneScript script, Scoring scoring, List<SettingTrials> seen) {

    /** Settings besides the default whose figures were compared with its own. */
    int compared() {
        return (int) others().filter(this::isCompared).count();
    }

    private Stream<SettingTrials> others() {
        return seen.stream().skip(1);
    }

    /** Whether its figures are within the limits, or it was ended early as it was surely worse. */
    private boolean isCompared(SettingTrials o) {
        return scoring.feasible(o) || o.worse();
    }

    /** The fastest of the settings that gave other answers than the default. */
    String answeredOtherwise() {
        List<SettingTrials> others =
                seen.stream().filter(o -> o.otherAnswers().isPresent()).toList();
        return others.stream()
                .max(Comparator.comparingDouble(scoring::rank))
                .map(o -> " " + settings(others.size()) + " gave other answers than the default and can't win: with "
                        + script.changes(o.setting()) + " "
                        + o.otherAnswers().orElse("") + ".")
                .orElse("");
    }

    /** The settings that could not be judged, and the best of those that only a limit ruled out. */
    String notCompared() {
        return unjudged() + beyondLimits();
    }

    private String unjudged() {
        List<SettingTrials> none = others().filter(
                        o -> !isCompared(o) && o.otherAnswers().isEmpty())
                .filter(o -> o.failure().isPresent() || !scoring.observed(o))
                .sorted(Comparator.comparing((SettingTrials o) -> o.failure().isEmpty()))
                .toList();
        return none.stream()
                .findFirst()
                .map(o -> " " + settings(none.size()) + " could not be judged: " + trouble(o)
                        + (none.size() > 1 ? ", for one." : "."))
                .orElse("");
    }

    private String trouble(SettingTrials o) {
        String what = script.changes(o.setting());
        return o.failure()
                .map(how -> "with " + what + " the target " + how)
                .orElseGet(() -> what + " gave no figures to rank it by"
                        + o.problem().map(p -> " (" + p + ")").orElse(""));
    }

    private String beyondLimits() {
        // among trials of one setting, too, some are a little better
        double least = level(seen.getFirst()) + script.belief(seen).margin();
        return others().filter(o -> o.failure().isEmpty() && o.otherAnswers().isEmpty())
                .filter(o -> scoring.observed(o) && !scoring.hopeless(o) && !scoring.withinLimits(o))
                .filter(o -> level(o) > least)
                .max(Comparator.comparingDouble(this::level))
                .map(o -> " With " + script.changes(o.setting()) + " "
                        + scoring.figure().metric().words() + " looked better, but it broke the limit on "
                        + String.join(" and that on ", broken(scoring, o)) + ".")
                .orElse("");
    }

    private double level(SettingTrials o) {
        return Statistics.average(scoring.of(o));
    }

    /** The limits that its figures are beyond: {@code p99 (812 ms, at most 500 ms)}. */
    static List<String> broken(Scoring scoring, SettingTrials o) {
        var broken = new ArrayList<String>();
        scoring.objective()
                .p99AtMost()
                .map(Duration::toNanos)
                .filter(_ -> !scoring.withinP99(o.p99()))
                .ifPresent(limit -> broken.add(
                        "p99 (" + Format.time(o.p99(), limit) + ", at most " + Format.exactTime(limit) + ")"));
        scoring.objective().latencies().forEach(c -> {
            double nanos = Statistics.median(o.each(m -> Scoring.latency(c, m)));
            if (!c.holds(nanos)) {
                broken.add(c.metric().id() + " (" + FigureText.figure(c, nanos) + ", at most " + FigureText.bound(c)
                        + ")");
            }
        });
        if (o.errorShare() > scoring.objective().errorsAtMost()) {
            double limit = scoring.objective().errorsAtMost();
            broken.add(
                    "errors (" + Format.share(o.errorShare(), limit) + ", at most " + Format.exactShare(limit) + ")");
        }
        return broken;
    }

    /** The knobs of which no trial has figures with another value than the default's; no claim is made about them. */
    String neverTried(String before) {
        List<KnobRange> settled = settled();
        List<String> unknown = plan.knobs().stream()
                .filter(k -> !settled.contains(k))
                .map(KnobRange::knob)
                .filter(k -> withAnother(k).noneMatch(o -> o.first().isPresent()))
                .filter(k -> !ignored().contains(k))
                .toList();
        List<String> untried =
                unknown.stream().filter(k -> withAnother(k).findAny().isEmpty()).toList();
        List<String> failed = unknown.stream().filter(k -> !untried.contains(k)).toList();
        var said = new ArrayList<String>();
        if (!untried.isEmpty()) {
            said.add(Format.list(untried, "and") + (untried.size() == 1 ? " was" : " were") + " never tried");
        }
        if (!failed.isEmpty()) {
            said.add(Format.list(failed, "and") + " gave no figures in any trial");
        }
        return said.isEmpty() ? "" : before + String.join(", and ", said) + ".";
    }

    /** The knobs whose only value is the default's. */
    String nothingToTry(String before) {
        List<String> settled = settled().stream()
                .map(k -> k.knob() + "=" + k.choices().getFirst())
                .toList();
        return settled.isEmpty()
                ? ""
                : before + Format.list(settled, "and")
                        + (settled.size() == 1 ? " is what the default has" : " are what the default has")
                        + ", and the plan lists nothing else to try.";
    }

    private List<KnobRange> settled() {
        return new KnobSpace(plan, seen.getFirst()).settled();
    }

    private Stream<SettingTrials> withAnother(String knob) {
        return seen.stream()
                .filter(o -> !o.setting().get(knob).equals(plan.hold().get(knob)));
    }

    /** The knobs whose value did not take effect. */
    String withoutEffect() {
        List<String> ignored = ignored();
        return ignored.isEmpty()
                ? ""
                : Format.list(ignored, "and") + " did not take effect and " + (ignored.size() == 1 ? "was" : "were")
                        + " tried no more.";
    }

    private List<String> ignored() {
        return seen.stream()
                .flatMap(o -> o.ignored().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static String settings(int n) {
        return n == 1 ? "One setting" : n + " settings";
    }
}
