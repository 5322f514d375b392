package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.insight.Finding.Test;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Plan;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * The first two findings of a diagnosis, if each could explain why requests take as long as they do and neither follows from the other, and
 * what tells them apart: a change that helps against one of them only. A first finding without such a change is tested by a single client:
 * whoever waits for others (at a lock, for a pool) does not wait when alone; what a request does itself takes as long then ({@code alone} of the
 * rules).
 *
 * @param first which comes first by the order of rules
 * @param second which does not follow from it
 */
record Rivals(Finding first, Finding second) {
    private static final String SERVICE = "service";
    private static final String VANISHES = "vanishes";

    /** A single client is told from many if there are some. */
    private static final int SOME = 4;

    private static final double FAST = Bounds.value("alone-fast");
    private static final double SLOW = Bounds.value("alone-slow");
    private static final double SECONDS_APART = Bounds.value("came-first");

    /** Of its mean at the end, from where on a series has begun, and below which it had not at first. */
    private static final double BEGUN = 0.5;

    private static final double NOT_YET = 0.25;
    private static final int FEWEST = 6;

    /** What a test is about. */
    enum Subject {
        FIRST,
        SECOND,
        /** The first one, by a single client. */
        ALONE
    }

    /** A test, and which of them it is about. */
    record Chosen(Subject subject, Plan plan) {}

    /** The first two of a diagnosis; empty if one of them alone explains it. */
    static Optional<Rivals> of(List<Finding> findings) {
        List<Finding> standing =
                findings.stream().filter(f -> !DiagnoseExperiment.refuted(f)).toList();
        return standing.stream()
                .findFirst()
                .filter(f -> Diagnosis.limits(f, SERVICE))
                .flatMap(f -> standing.stream()
                        .skip(1)
                        .filter(o -> o.severity() == f.severity() && Diagnosis.limits(o, SERVICE))
                        .findFirst()
                        .map(o -> new Rivals(f, o)));
    }

    /**
     * The test to make after a trial: the first finding's, unless that leaves open which of two it is, and another one does not.
     *
     * @return empty if none is cheap
     */
    static Optional<Chosen> test(List<Finding> findings, TrialOutcome baseline) {
        Optional<Chosen> own = findings.stream()
                .findFirst()
                .flatMap(f -> RefutationTrial.plan(f, baseline))
                .map(p -> new Chosen(Subject.FIRST, p));
        return helps(own)
                ? own
                : of(findings)
                        .flatMap(r -> RefutationTrial.plan(r.second, baseline))
                        .map(p -> new Chosen(Subject.SECOND, p))
                        .filter(c -> helps(Optional.of(c)))
                        .or(() -> own)
                        .or(() -> findings.stream()
                                .findFirst()
                                .filter(f -> !alone(f).isEmpty())
                                .flatMap(_ -> oneClient(baseline))
                                .map(p -> new Chosen(Subject.ALONE, p)));
    }

    private static boolean helps(Optional<Chosen> test) {
        return test.filter(t -> t.plan.expected() == Expected.MORE).isPresent();
    }

    private static Optional<Plan> oneClient(TrialOutcome baseline) {
        TrialSpec spec = baseline.spec();
        Load load = spec.load();
        return baseline.measurement().isPresent()
                        && load.arrivals() instanceof Arrivals.Closed
                        && load.clients() >= SOME
                ? Optional.of(new Plan(
                        RefutationTrial.named(spec, spec.target(), spec.setting(), load.withConnections(1)),
                        "with one client instead of " + load.clients(),
                        Expected.SAME))
                : Optional.empty();
    }

    private static String alone(Finding f) {
        return DiagnosisRule.entry(f.rule()).texts().getOrDefault("alone", "");
    }

    /** All findings after a test of the second one, or by a single client: one that stands comes first, one that does not last. */
    static List<Finding> judged(List<Finding> findings, Chosen test, TrialOutcome baseline, TrialOutcome tested) {
        if (test.subject == Subject.SECOND) {
            Rivals r = of(findings).orElseThrow();
            return r.bySecond(findings, RefutationTrial.judge(r.second, baseline, tested));
        }
        return byOneClient(findings, test, baseline, tested);
    }

    private List<Finding> bySecond(List<Finding> findings, Test t) {
        Finding after = second.withTest(Optional.of(t));
        return switch (t.outcome()) {
            case CONFIRMED -> ordered(findings, after, true);
            case REFUTED -> ordered(findings, after, false);
            case OPEN -> findings.stream().map(f -> f == second ? after : f).toList();
        };
    }

    private static List<Finding> byOneClient(
            List<Finding> findings, Chosen test, TrialOutcome baseline, TrialOutcome tested) {
        OptionalFigure was = new TrialFacts(baseline).latency();
        OptionalFigure is = new TrialFacts(tested).latency();
        boolean both = was.isPresent() && is.isPresent() && was.getAsDouble() > 0;
        double ratio = both ? is.getAsDouble() / was.getAsDouble() : Double.NaN;
        Optional<String> untold = RefutationTrial.untold(baseline, tested, false);
        Finding first = findings.getFirst();
        if (untold.isPresent() || !both) {
            String why = untold.map(u -> ", as that trial is void: " + u).orElse("");
            return ordered(findings, with(first, Outcome.OPEN, test, ": the test decides nothing" + why), true);
        }
        String figures = ": a request takes " + Format.seconds(is.getAsDouble()) + " instead of "
                + Format.seconds(was.getAsDouble()) + ". ";
        boolean waits = alone(first).equals(VANISHES);
        if (ratio >= SLOW) {
            String so = "Nobody waits for others then, and it takes as long: ";
            return waits
                    ? ordered(
                            findings,
                            with(first, Outcome.REFUTED, test, figures + so + "it is not what limits the server.")
                                    .withSymptoms(List.of()),
                            false)
                    : ordered(
                            findings, with(first, Outcome.CONFIRMED, test, figures + so + "the finding stands."), true);
        }
        // who sleeps while others wait for it is slow for them alone
        return ordered(
                findings,
                ratio <= FAST && waits
                        ? with(
                                first,
                                Outcome.CONFIRMED,
                                test,
                                figures + "Its wait for others is gone: the finding stands.")
                        : with(first, Outcome.OPEN, test, figures + "That decides nothing."),
                true);
    }

    private static Finding with(Finding f, Outcome outcome, Chosen test, String words) {
        return f.withTest(Optional.of(new Test(outcome, test.plan.change(), test.plan.change() + words)));
    }

    private static List<Finding> ordered(List<Finding> findings, Finding moved, boolean top) {
        var all = new ArrayList<>(
                findings.stream().filter(f -> !f.rule().equals(moved.rule())).toList());
        all.add(top ? 0 : all.size(), moved);
        return all;
    }

    /** That two causes remain, and what would tell them apart; empty if a test decided, or there is one only. */
    static Optional<String> note(List<Finding> findings, TrialFacts s) {
        return of(findings).filter(r -> !r.isDecided()).map(r -> r.words(s));
    }

    private boolean isDecided() {
        return first.test().filter(t -> t.outcome() != Outcome.OPEN).isPresent();
    }

    private String words(TrialFacts s) {
        return "Two causes remain: " + first.title() + "; or " + second.title()
                + ". To tell them apart: against the first speaks: " + bare(first.refutedBy())
                + "; against the second: " + bare(second.refutedBy()) + "."
                + earlier(s);
    }

    private static String bare(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** Which of them was there before the other, if that was seen. */
    private String earlier(TrialFacts s) {
        OptionalDouble one = began(first, s);
        OptionalDouble other = began(second, s);
        if (one.isEmpty() || other.isEmpty() || Math.abs(one.getAsDouble() - other.getAsDouble()) < SECONDS_APART) {
            return "";
        }
        boolean firstOne = one.getAsDouble() < other.getAsDouble();
        return " The " + (firstOne ? "first" : "second") + " began "
                + Format.seconds(Math.abs(one.getAsDouble() - other.getAsDouble())) + " before the other.";
    }

    /** When the signal that shows a finding best rose to what it is at the end; empty if it was there from the beginning. */
    private static OptionalDouble began(Finding f, TrialFacts s) {
        return Diagnosis.signals(f.rule()).stream()
                .findFirst()
                .map(s::whileServed)
                .map(series -> began(series[0], series[1]))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble began(double[] times, double[] values) {
        if (values.length < FEWEST) {
            return OptionalDouble.empty();
        }
        int third = values.length / 3;
        double end = DoubleStream.of(values)
                .skip(values.length - (long) third)
                .average()
                .orElse(0);
        if (end <= 0 || values[0] >= NOT_YET * end || values[1] >= NOT_YET * end) {
            return OptionalDouble.empty();
        }
        for (int i = 2; i < values.length; i++) {
            if (values[i] >= BEGUN * end) {
                return OptionalDouble.of(times[i]);
            }
        }
        return OptionalDouble.empty();
    }
}
