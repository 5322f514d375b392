package dev.fettle.insight.diagnose;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.Finding.Test;
import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.gate.GateAdvice;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import dev.fettle.model.trial.Verdict.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures once, applies all rules, and if it is cheap makes the experiment that could refute the first finding: one
 * more trial with one thing changed.
 */
public final class DiagnoseExperiment implements Experiment {
    /** Shorter measurements miss too much of what happens only now and then. */
    public static final Duration LEAST = Duration.ofSeconds(10);

    private static final Duration MOST = Duration.ofSeconds(60);

    /** Reasons why a trial's figures say nothing about the server, besides those from outside. */
    private static final Set<String> IMPOSSIBLE =
            Set.of("littles-law", "response-size", "not-effective", "generator-limit");

    /** Void, but a property of the server, so it is diagnosed. */
    private static final Set<String> ITS_OWN = Set.of(AttemptStatus.WARM_UP, GateAdvice.NOT_STEADY);

    /** The score from which a rule of JDK Mission Control warns. */
    private static final double JMC_WARNS = 75;

    /** From this ratio on, a request held its worker longer because there were more workers: half of a doubling. */
    private static final double HELD_LONGER = 1.5;

    /** Most trials of a diagnosis with a ramp: one unchanged, one that tests, and those of the ramp. */
    public static final int WITH_RAMP = 2 + 2 * Ramp.NUMBERS;

    private final Slot first;
    private final boolean testing;
    private final Optional<Ramp> ramp;

    /**
     * A diagnosis of a plan's target under its load. With a budget of one trial, nothing is tested; with one of {@link
     * #WITH_RAMP}, a ramp of clients follows.
     */
    public DiagnoseExperiment(Plan plan) {
        Load load = plan.load();
        testing = plan.budget().trials() > 1;
        ramp = plan.budget().trials() == WITH_RAMP ? Optional.of(new Ramp(plan)) : Optional.empty();
        Duration measure = load.measure().compareTo(LEAST) < 0
                ? LEAST
                : load.measure().compareTo(MOST) > 0 ? MOST : load.measure();
        first = new Slot(
                new TrialSpec(Phase.DIAGNOSE, "", Map.of(), 0, plan.target(), plan.hold(), load.withMeasure(measure)),
                "as it is",
                Origin.DIAGNOSE);
    }

    /** The load under which the target is measured. */
    public Load load() {
        return first.spec().load();
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        List<TrialOutcome> ramped = ramped(seen);
        var progress = TrialSlots.replay(this::slot, others(seen));
        return progress.pending()
                .map(slot -> TrialSlots.step(slot, 2 - progress.filled().size()))
                .or(() -> ramp.filter(r -> bears(last(progress.filled().getFirst())))
                        .flatMap(r -> r.next(ramped)))
                .orElseGet(() -> new Step.Stop(conclusion(progress.filled(), ramped)));
    }

    @Override
    public Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        List<Filled> filled = TrialSlots.replay(this::slot, others(seen)).filled();
        return filled.isEmpty() ? Optional.empty() : Optional.of(conclusion(filled, ramped(seen)));
    }

    private static List<TrialOutcome> ramped(List<TrialOutcome> seen) {
        return seen.stream().filter(o -> o.spec().phase() == Phase.RAMP).toList();
    }

    private static List<TrialOutcome> others(List<TrialOutcome> seen) {
        return seen.stream().filter(o -> o.spec().phase() != Phase.RAMP).toList();
    }

    private Optional<Slot> slot(List<Filled> filled) {
        return switch (filled.size()) {
            case 0 -> Optional.of(first);
            case 1 -> testing ? test(last(filled.getFirst())) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static TrialOutcome last(Filled filled) {
        return filled.attempts().getLast();
    }

    private static Optional<Slot> test(TrialOutcome baseline) {
        if (outside(baseline).isPresent() || disturbed(baseline) || new TrialFacts(baseline).crowded()) {
            return Optional.empty();
        }
        return Rivals.test(Diagnosis.of(baseline).findings(), baseline)
                .map(t -> new Slot(t.plan().spec(), t.plan().change(), Origin.TEST));
    }

    /** Whether a ramp makes sense: the target answered, and the generator was not the limit. */
    private static boolean bears(TrialOutcome trial) {
        return trial.failure().isEmpty()
                && trial.measurement().filter(m -> m.responses() > 0).isPresent()
                && outside(trial).isEmpty();
    }

    private static DiagnoseConclusion conclusion(List<Filled> filled, List<TrialOutcome> ramped) {
        return conclude(
                last(filled.getFirst()),
                filled.size() > 1 ? Optional.of(last(filled.get(1))) : Optional.empty(),
                Ramp.of(ramped));
    }

    /**
     * What a trial of a run shows.
     *
     * @param run its trials: those with other numbers of clients make a ramp
     */
    public static DiagnoseConclusion conclude(TrialOutcome trial, List<TrialOutcome> run) {
        return conclude(trial, Optional.empty(), Ramp.of(Ramp.beside(trial, run)));
    }

    /**
     * What was observed of a running server under traffic that is not Fettle's. Nothing is said of how much it could take.
     *
     * @param load any: a trial has one, and nothing of it was sent
     */
    public static DiagnoseConclusion observed(
            Target target, Load load, Evidence evidence, Instant started, Duration took) {
        var spec = new TrialSpec(Phase.OBSERVE, "", Map.of(), 0, target, Setting.DEFAULT, load);
        return conclude(
                new TrialOutcome(
                        1,
                        spec,
                        started,
                        took,
                        Duration.ZERO,
                        Optional.empty(),
                        Optional.of(evidence),
                        Optional.empty(),
                        Verdict.VALID,
                        List.of()),
                List.of());
    }

    /** Why a trial's figures say nothing about the server; empty if they do. */
    private static Optional<String> outside(TrialOutcome trial) {
        if (trial.failure().filter(f -> f.kind().passing()).isPresent()) {
            return trial.failure().map(TrialOutcome.Failure::message);
        }
        Optional<String> starved = maybeStarved(trial);
        if (starved.isPresent()) {
            return starved;
        }
        return trial.verdict().reasons().stream()
                .filter(r -> !tells(r.rule()))
                .filter(r -> r.passing() || IMPOSSIBLE.contains(r.rule()))
                .findFirst()
                .map(Reason::message);
    }

    /** Whether the target may hang only because others have the CPUs, and it is not known whether it waited for one. */
    private static Optional<String> maybeStarved(TrialOutcome trial) {
        return trial.failure()
                .filter(_ -> NoisyNeighbours.ofAHang(new TrialFacts(trial)) == NoisyNeighbours.Lack.POSSIBLE)
                .map(f -> f.seen().stream()
                        .filter(s -> s.kind().equals(Sighting.FOREIGN))
                        .findFirst()
                        .map(s -> "no valid answer came, but other processes used " + Format.share(s.count())
                                + " of the CPUs, so the target may only have waited for one.")
                        .orElse("no valid answer came, but other processes had the CPUs, so the target may only have"
                                + " waited for one."));
    }

    /** Whether a trial that is void by this rule tells something of its server all the same. */
    static boolean tells(String rule) {
        return ITS_OWN.contains(rule) || rule.equals(GateRules.DISTURBED);
    }

    /** Whether others took CPU time while it was measured. */
    static boolean disturbed(TrialOutcome trial) {
        return trial.verdict().reasons().stream().anyMatch(r -> r.rule().equals(GateRules.DISTURBED));
    }

    /**
     * What a trial shows, together with the one that tested it.
     *
     * @param tested the trial with one thing changed, if there was one
     */
    public static DiagnoseConclusion conclude(TrialOutcome trial, Optional<TrialOutcome> tested) {
        return conclude(trial, tested, Optional.empty());
    }

    private static DiagnoseConclusion conclude(
            TrialOutcome trial, Optional<TrialOutcome> tested, Optional<DiagnoseConclusion.Ramp> ramp) {
        return conclude(new TrialFacts(trial), tested, ramp);
    }

    /** What a trial shows that nothing tested but the other trials of its run; empty if nothing is concluded from it. */
    static Optional<DiagnoseConclusion> conclude(TrialFacts sight) {
        return disturbed(sight.trial())
                ? Optional.empty()
                : Optional.of(conclude(sight, Optional.empty(), Optional.empty()))
                        .filter(c -> c.result() != Result.NOT_VALID);
    }

    private static DiagnoseConclusion conclude(
            TrialFacts sight, Optional<TrialOutcome> tested, Optional<DiagnoseConclusion.Ramp> ramp) {
        TrialOutcome trial = sight.trial();
        Diagnosis d = Diagnosis.of(sight);
        List<String> laws = sight.isObserved() ? List.of() : Laws.of(sight, ramp);
        var notes = new ArrayList<String>();
        Optional<String> outside = outside(trial);
        if (outside.isPresent()) {
            notes.add("What was seen is not reported as a finding: it may come from what disturbed the measuring.");
            return nothing(outside.get(), trial, d, laws, ramp, notes);
        }
        notes.addAll(AdvisoryNotes.notes(List.of(trial)));
        trial.verdict().reasons().stream().map(Reason::message).forEach(notes::add);
        notes.add((sight.isObserved() ? "" : "One trial of ") + Math.round(sight.seconds())
                + (sight.isObserved() ? " s of its own traffic were" : " s was")
                + " observed: what takes longer to show (a slow leak, a nightly job) is not in it.");
        if (sight.isObserved()) {
            LogRules.figures(sight).ifPresent(f -> notes.add("By their own count: " + f + "."));
            notes.add("No load was sent: how much it could take was not asked.");
        }
        boolean disturbed = disturbed(trial);
        if (disturbed) {
            notes.add(
                    "Other processes took CPU time: only what that can't cause is reported, and its times are longer than they would"
                            + " be. Measure again when they rest.");
        }
        boolean crowded = sight.crowded();
        if (crowded) {
            notes.add((sight.ownCpusSeen() ? "The target's CPUs" : "This machine's CPUs")
                    + " were full, and others had a part of them: what the want of a CPU can cause is not reported.");
        }
        Diagnosis reported = disturbed || crowded
                ? d.without(rule -> Diagnosis.rule(rule)
                        .filter(r -> r.othersCanCause().test(sight))
                        .isPresent())
                : d;
        if (disturbed && reported.findings().isEmpty()) {
            return nothing(
                    "other processes took CPU time while it was measured, and what was seen may come from that.",
                    trial,
                    d,
                    laws,
                    ramp,
                    notes);
        }
        List<Finding> findings = tested(reported, trial, crowded ? Optional.empty() : tested);
        Optional<Finding> bottleneck =
                findings.stream().filter(f -> !refuted(f)).findFirst();
        Rivals.note(findings, sight).ifPresent(n -> notes.add(0, n));
        return new DiagnoseConclusion(
                bottleneck.isPresent() ? Result.FOUND : Result.NOTHING_FOUND,
                sight.isObserved() ? observed(bottleneck, sight, d) : headline(bottleneck, findings, d),
                bottleneck,
                findings.stream()
                        .filter(f -> bottleneck.isEmpty() || f != bottleneck.get())
                        .toList(),
                disturbed ? List.of() : d.healthy(),
                d.notObserved(),
                laws,
                ramp,
                secondOpinion(trial),
                notes);
    }

    private static DiagnoseConclusion nothing(
            String because,
            TrialOutcome trial,
            Diagnosis d,
            List<String> laws,
            Optional<DiagnoseConclusion.Ramp> ramp,
            List<String> notes) {
        return new DiagnoseConclusion(
                Result.NOT_VALID,
                "Nothing is concluded: " + because,
                Optional.empty(),
                List.of(),
                List.of(),
                d.notObserved(),
                laws,
                ramp,
                secondOpinion(trial),
                notes);
    }

    /** What other tools say about the recording, if there was one. */
    private static List<Looked> secondOpinion(TrialOutcome trial) {
        return trial.evidence().stream()
                .flatMap(e -> e.timeline().sightings(Sighting.JMC).stream())
                .map(x -> new Looked(
                        x.what(),
                        (x.count() >= JMC_WARNS ? "warning" : "information") + ", " + Math.round(x.count()),
                        x.detail()))
                .toList();
    }

    /** Whether a test showed that a finding does not stand. */
    static boolean refuted(Finding f) {
        return f.test().filter(t -> t.outcome() == Outcome.REFUTED).isPresent();
    }

    /**
     * The findings, of which the first one was tested. What was refuted comes last, and what was told as its symptom is a finding of its
     * own: that was seen all the same. Where the same change tests that one, too, it is judged by the same trial.
     */
    private static List<Finding> tested(Diagnosis diagnosis, TrialOutcome trial, Optional<TrialOutcome> tested) {
        if (diagnosis.findings().isEmpty() || tested.isEmpty()) {
            return diagnosis.findings();
        }
        Optional<Rivals.Chosen> chosen = Rivals.test(diagnosis.findings(), trial);
        if (chosen.filter(c -> c.subject() != Rivals.Subject.FIRST).isPresent()) {
            List<Finding> judged = Rivals.judged(diagnosis.findings(), chosen.get(), trial, tested.get());
            String first = diagnosis.findings().getFirst().rule();
            // what followed from a first finding that does not stand was seen all the same
            return judged.stream()
                            .filter(DiagnoseExperiment::refuted)
                            .noneMatch(f -> f.rule().equals(first))
                    ? judged
                    : Stream.of(
                                    judged.stream().filter(f -> f.test().isPresent() && !refuted(f)),
                                    diagnosis.without(first::equals).findings().stream()
                                            .filter(f -> judged.stream()
                                                    .noneMatch(j -> j.test().isPresent()
                                                            && j.rule().equals(f.rule()))),
                                    judged.stream().filter(DiagnoseExperiment::refuted))
                            .flatMap(x -> x)
                            .toList();
        }
        String change = RefutationTrial.change(diagnosis.findings().getFirst(), trial);
        Diagnosis left = diagnosis;
        Optional<Finding> shown = Optional.empty();
        var refuted = new ArrayList<Finding>();
        while (shown.isEmpty()
                && !left.findings().isEmpty()
                && RefutationTrial.change(left.findings().getFirst(), trial).equals(change)) {
            Finding first = left.findings().getFirst();
            Test test = RefutationTrial.judge(first, trial, tested.get());
            if (test.outcome() == Outcome.REFUTED) {
                refuted.add(first.withSymptoms(List.of()).withTest(Optional.of(test)));
                shown = Diagnosis.limits(first, "workers") ? behind(first, trial, tested.get()) : Optional.empty();
            } else {
                shown = Optional.of(told(first, trial, tested.get(), test).withTest(Optional.of(test)));
            }
            // what follows from a pool that is full follows from what the pool waits for, too
            left = shown.isPresent() ? left : left.without(first.rule()::equals);
        }
        var all = new ArrayList<Finding>(left.findings());
        shown.ifPresent(f -> all.set(0, f));
        all.addAll(refuted);
        return all;
    }

    /** What the two trials show about the pool together, which is more than one of them does. */
    private static Finding told(Finding first, TrialOutcome trial, TrialOutcome tested, Test test) {
        if (!Diagnosis.limits(first, "workers") || test.outcome() != Outcome.CONFIRMED) {
            return first;
        }
        return first.withSentence("All workers are busy" + held(trial) + ", while CPU is left; "
                + throughputs(trial, tested) + ", so the pool was the limit.");
    }

    private static String held(TrialOutcome trial) {
        OptionalFigure hold = new TrialFacts(trial).holding();
        return hold.isPresent() ? ", each request holds one for " + Format.seconds(hold.getAsDouble()) : "";
    }

    private static String throughputs(TrialOutcome trial, TrialOutcome tested) {
        return "with twice as many throughput was " + rate(tested) + "/s instead of " + rate(trial) + "/s";
    }

    private static String rate(TrialOutcome trial) {
        return Format.number(trial.measurement().map(Measurement::throughput).orElse(0.0));
    }

    /** The finding that with twice the workers each request holds its worker much longer, and no more are served. */
    private static Optional<Finding> behind(Finding pool, TrialOutcome trial, TrialOutcome tested) {
        RuleEntry entry = DiagnosisRule.entry(Limit.BEHIND_THREADS.rule());
        double before = new TrialFacts(trial).holding().orElse(Double.NaN);
        double after = new TrialFacts(tested).holding().orElse(Double.NaN);
        return after > HELD_LONGER * before
                ? Optional.of(new Finding(
                        entry.id(),
                        Severity.WARNING,
                        entry.text("title"),
                        entry.text("sentence", "gave", throughputs(trial, tested), "after", after, "before", before),
                        List.of(),
                        OptionalFigure.empty(),
                        entry.text("remedy"),
                        Optional.empty(),
                        entry.text("refuted-by"),
                        pool.symptoms(),
                        Optional.empty()))
                : Optional.empty();
    }

    /** Of a target under its own traffic, which is not tested; of one in which nothing is full, what is free. */
    private static String observed(Optional<Finding> bottleneck, TrialFacts sight, Diagnosis d) {
        if (bottleneck.isPresent()) {
            return bottleneck.get().title() + ". Not tested: no load was sent.";
        }
        if (sight.isRecorded()) {
            return "Nothing in it shows a limit or a fault ("
                    + FigureText.count(d.healthy().size(), "thing") + " checked, "
                    + d.notObserved().size() + " not observed).";
        }
        var free = new ArrayList<String>();
        LogRules.figures(sight).ifPresent(free::add);
        OptionalFigure busy = sight.busy();
        OptionalFigure workers = sight.max(Signals.WORKERS_TOTAL);
        if (busy.isPresent() && workers.isPresent()) {
            free.add(Format.count(busy.getAsDouble()) + " of " + FigureText.count((int) workers.getAsDouble(), "worker")
                    + " busy");
        }
        OptionalFigure cpu = sight.cpu();
        if (cpu.isPresent()) {
            free.add(Format.share(cpu.getAsDouble()) + " of " + sight.allowedCpus() + " used");
        }
        return "Nothing is full or broken" + (free.isEmpty() ? "." : ": " + String.join(", ", free) + ".");
    }

    private static String headline(Optional<Finding> bottleneck, List<Finding> findings, Diagnosis d) {
        if (bottleneck.isEmpty()) {
            return findings.isEmpty()
                    ? "Nothing that was checked is full or broken ("
                            + FigureText.count(d.healthy().size(), "thing") + " checked, "
                            + d.notObserved().size() + " not observed)."
                    : "What was found is not what limits the server, by its test, and nothing else that was checked is full or broken.";
        }
        Finding f = bottleneck.get();
        return f.title() + ". "
                + f.test()
                        .map(t -> switch (t.outcome()) {
                            case CONFIRMED ->
                                "Tested and confirmed" + (t.scope().isEmpty() ? "." : ": " + t.scope() + ".");
                            case OPEN ->
                                t.scope().isEmpty()
                                        ? "Tested, and the test decides nothing."
                                        : "Tested: " + t.scope() + ".";
                            case REFUTED -> "";
                        })
                        .orElse("Not tested.");
    }
}
