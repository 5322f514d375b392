package dev.fettle.insight.builds;

import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Measured;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The sentences of a gate. */
record GateWords(GateAsked asked, GateEvidence evidence, List<Measured> metrics, Result result) {

    String headline() {
        return switch (result) {
            case NOT_VALID -> invalid();
            case MACHINE_ONLY -> machine();
            case WORSE ->
                evidence.headIsToBlame()
                        ? fails()
                        : "Worse" + disturbed() + ": " + list(worse(), GateWords::change) + ".";
            case NO_WORSE ->
                "No worse" + disturbed() + ": " + list(deciding(), GateWords::change) + ", so a loss of "
                        + list(deciding(), GateWords::allowed) + " is excluded.";
            case CANT_TELL -> cantTell();
        };
    }

    private List<Measured> deciding() {
        return of(m -> m.decides() && m.metric() != GateMetric.ERRORS);
    }

    /** Said of an answer that rests on pairs which others disturbed, too. */
    private String disturbed() {
        return evidence.disturbed() > 0 ? ", under disturbance" : "";
    }

    private List<Measured> of(Predicate<Measured> which) {
        return metrics.stream().filter(which).toList();
    }

    private List<Measured> worse() {
        return of(m -> m.answer() == Answer.WORSE);
    }

    private static String list(List<Measured> some, Function<Measured, String> text) {
        return Format.list(some.stream().map(text).distinct().toList(), "and");
    }

    /** {@code CPU per request +5.1 % (+4.2 % to +6.0 %)}. */
    private static String change(Measured m) {
        Interval c = m.change();
        var figure = new GateFigure(m.metric());
        String bounds =
                c.bounded() ? " (" + figure.changeText(c.low()) + " to " + figure.changeText(c.high()) + ")" : "";
        return m.metric().label() + " " + figure.changeText(c.estimate()) + bounds;
    }

    private static String allowed(Measured m) {
        return Format.exactShare(m.allowed());
    }

    private String fails() {
        return "Worse: head " + evidence.failure().orElse("failed") + ", base in "
                + evidence.base().failed() + " of " + evidence.base().started() + ".";
    }

    private String invalid() {
        int failed = evidence.base().failed();
        return failed > 0 && failed == evidence.base().started()
                ? "Nothing could be compared: the base failed in all of " + FigureText.count(failed, "start") + "."
                : "Nothing could be compared: no pair gave figures on both sides.";
    }

    private String machine() {
        return "Base against base, " + FigureText.count(evidence.samePairs().size(), "pair") + ": "
                + metrics.stream()
                        .filter(m -> m.decides() && m.pairs() > 0 && m.metric() != GateMetric.ERRORS)
                        .map(m -> m.metric().label() + " differs by up to " + Format.share(farthest(m.sameEach())))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private static double farthest(List<Double> ratios) {
        return ratios.stream().mapToDouble(r -> Math.abs(r - 1)).max().orElse(0);
    }

    private String cantTell() {
        var why = evidence.otherAnswers();
        if (why.isPresent() && !asked.answersMayDiffer()) {
            return "Can't tell: head answers otherwise than base: " + why.get()
                    + ". Another answer is other work: if it is meant, compare with --answers-may-differ.";
        }
        if (evidence.failure().isPresent()) {
            return "Can't tell: head " + evidence.failure().get() + ", base in "
                    + evidence.base().failed() + " of " + evidence.base().started()
                    + ": too few to say whose doing it is, and nothing passes that fails.";
        }
        List<Measured> open = of(m -> m.decides() && m.answer() == Answer.CANT_TELL);
        String unknown = open.stream()
                .filter(m -> m.pairs() == 0)
                .findFirst()
                .map(m -> m.metric().label() + " was not observed (" + m.base().why() + ")")
                .orElse("");
        if (!unknown.isEmpty()) {
            return "Can't tell: " + unknown + ".";
        }
        int most = open.stream().mapToInt(Measured::pairs).max().orElse(0);
        if (most < GateEvidence.LEAST_PAIRS) {
            return "Can't tell: only " + FigureText.count(most, "pair") + " with figures in "
                    + Format.seconds(evidence.seconds()) + ", and it takes " + GateEvidence.LEAST_PAIRS
                    + ". A pair takes about " + Format.seconds(evidence.eachPair()) + ": give it more --time.";
        }
        List<Measured> answered =
                of(m -> m.decides() && m.answer() == Answer.NO_WORSE && m.metric() != GateMetric.ERRORS);
        return "Can't tell: " + list(open, GateWords::change)
                + open.stream().flatMapToDouble(m -> m.couldShow().stream()).max().stream()
                        .mapToObj(l -> "; the smallest loss that would have been seen is " + Format.share(l))
                        .findFirst()
                        .orElse("")
                + open.stream().flatMapToDouble(m -> m.minutes().stream()).max().stream()
                        .mapToObj(m -> ", and about " + Format.whole(m) + " minutes would settle it")
                        .findFirst()
                        .orElse("")
                + "."
                + (answered.isEmpty()
                        ? ""
                        : " By " + list(answered, m -> m.metric().label()) + " it is no worse ("
                                + list(
                                        answered,
                                        m -> new GateFigure(m.metric())
                                                .changeText(m.change().estimate())) + ").");
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        evidence.firstFailure().ifPresent(f -> notes.add("The head that failed first: " + f));
        if (evidence.disturbed() > 0) {
            notes.add("In " + evidence.disturbed() + " of " + evidence.counted()
                    + " pairs others took more CPU time than a"
                    + " valid trial allows. They count: both sides were loaded in turn all the while, and their scatter widens the"
                    + " intervals.");
        }
        long nothing = evidence.all().size() - evidence.counted();
        if (nothing > 0) {
            notes.add("No figures on both sides: " + FigureText.count((int) nothing, "pair")
                    + "; others took their place.");
        }
        metrics.stream()
                .filter(m -> m.withheld().isPresent())
                .forEach(m -> notes.add("Nothing is claimed by " + m.metric().label() + ": "
                        + m.withheld().get() + " ("
                        + FigureText.count(m.sameEach().size(), "pair") + " of base and base)."));
        if (!asked.aa() && evidence.counted() > 0) {
            notes.add(
                    "\"Worse\": the whole interval of a metric lies beyond 0, and its loss is at least what is allowed."
                            + " \"No worse\": no interval of a metric that decides reaches a loss of what is allowed.");
        }
        if (asked.answersMayDiffer()) {
            evidence.otherAnswers().ifPresent(a -> notes.add("Head answers otherwise than base: " + a + "."));
        }
        steadiest().forEach(notes::add);
        return notes;
    }

    /** CPU time per request is steadier than what clients see, where others take CPU time: said where this run shows it. */
    private List<String> steadiest() {
        List<Measured> wide = of(m -> m.decides() && m.change().bounded() && m.metric() != GateMetric.ERRORS);
        return wide.stream()
                .filter(m -> m.metric() == GateMetric.CPU)
                .filter(cpu -> wide.stream().anyMatch(m -> width(m) > 2 * width(cpu)))
                .map(cpu -> {
                    Measured widest = wide.stream()
                            .max(Comparator.comparingDouble(GateWords::width))
                            .orElse(cpu);
                    return "CPU per request is the steadiest figure here: its interval is "
                            + Format.ratio(width(widest) / width(cpu)) + " times as narrow as that of "
                            + widest.metric().label() + ".";
                })
                .toList();
    }

    private static double width(Measured m) {
        return m.change().high() - m.change().low();
    }
}
