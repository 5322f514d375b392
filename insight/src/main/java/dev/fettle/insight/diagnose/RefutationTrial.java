package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.insight.Finding.Test;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Plan;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The experiment that could refute a finding, if it is cheap: one change, one trial of the same target under the same
 * load, and a prediction made beforehand, of the figure that the finding's {@code refutedBy} names ({@link TestedFigure}). Of trials
 * that were still getting faster it takes a gain of 50 % to confirm, and they refute nothing.
 */
final class RefutationTrial {
    /** Factor for the heap, the pool, the backlog and the clients. */
    private static final int TWICE = 2;

    /** Delay of mock backends: they answer at once. */
    private static final Duration AT_ONCE = Duration.ZERO;

    private static final Duration MEASURE = Duration.ofSeconds(6);

    /** Rules that void a trial whose generator could not do more. */
    private static final Set<String> HIDES_A_GAIN = Set.of(GateRules.GENERATOR_LIMIT, GateRules.SEND_LAG);

    private RefutationTrial() {}

    /** The experiment of a rule; none if there is no such rule. */
    static Refutation refutation(String rule) {
        return Diagnosis.rule(rule).map(DiagnosisRule::refutation).orElse(Refutation.NONE);
    }

    /** The trial that tests a finding; empty if none is cheap, or if the target is not ours to change. */
    static Optional<TrialSpec> of(Finding finding, TrialOutcome baseline) {
        return plan(finding, baseline).map(Plan::spec);
    }

    /** The change, in words. */
    static String change(Finding finding, TrialOutcome baseline) {
        return plan(finding, baseline).map(Plan::change).orElse("");
    }

    /** The test of a finding; empty as {@link #of}. */
    static Optional<Plan> plan(Finding finding, TrialOutcome baseline) {
        return baseline.measurement().isPresent() // else there is nothing to compare with
                ? refutation(finding.rule()).change().of(finding, baseline)
                : Optional.empty();
    }

    /**
     * More requests at once for what the workers wait for: if that is full, they get no more. Twice the workers are enough where clients
     * wait for one, and twice the clients where as many workers are idle; else it takes both.
     */
    static Optional<Plan> crowd(TrialOutcome baseline) {
        TrialSpec spec = baseline.spec();
        OperatingPoint now = OperatingPoint.of(baseline).orElseThrow();
        Optional<Plan> workers = twice(OperatingPoint.THREADS, "the worker threads", baseline)
                .map(p -> new Plan(p.spec(), p.change(), Expected.SAME));
        if (now.threadsFull() && !now.everyClientServed()) {
            return workers;
        }
        boolean unbounded = OperatingPoint.knob(spec, baseline.evidence(), OperatingPoint.VIRTUAL)
                .filter("true"::equals)
                .isPresent();
        Optional<Plan> clients = clients(baseline, Expected.SAME);
        return unbounded || TWICE * now.atOnce() <= now.usable().orElse(0)
                ? clients
                : clients.flatMap(c -> workers.map(w -> new Plan(
                        named(
                                spec,
                                w.spec().target(),
                                w.spec().setting(),
                                c.spec().load()),
                        w.change() + " and " + c.change(),
                        Expected.SAME)));
    }

    static Optional<Plan> clients(TrialOutcome baseline, Expected expected) {
        TrialSpec spec = baseline.spec();
        Load load = spec.load();
        int n = load.connections() * TWICE;
        Load more = load.withConnections(n);
        return load.arrivals() instanceof Arrivals.Closed && n <= 60_000
                ? Optional.of(new Plan(
                        named(spec, spec.target(), spec.setting(), more),
                        "with " + more.clients() + " clients instead of " + load.clients(),
                        expected))
                : Optional.empty();
    }

    /** Whether Fettle can set a knob in that target. */
    private static boolean settable(Target target, String knob) {
        return switch (target) {
            case Target.Running r -> r.live();
            case Target.Url u -> false;
            case Target.Command c -> c.toString().contains("{" + knob + "}");
            default ->
                target.knownServer()
                        .map((ServerKind k) -> !Knobs.ofServer(knob)
                                || Knobs.find(knob)
                                        .filter(x -> x.on(k).applies())
                                        .isPresent())
                        .orElse(true);
        };
    }

    static Optional<Plan> set(String knob, String value, String change, TrialOutcome baseline) {
        TrialSpec spec = baseline.spec();
        return settable(spec.target(), knob)
                ? Optional.of(new Plan(
                        named(spec, spec.target(), spec.setting().with(knob, value), spec.load()),
                        change + " (" + knob + "=" + value + ")",
                        Expected.MORE))
                : Optional.empty();
    }

    static Optional<Plan> twice(String knob, String what, TrialOutcome baseline) {
        Optional<String> now = OperatingPoint.knob(baseline.spec(), baseline.evidence(), knob);
        return now.flatMap(v -> doubled(knob, v)).flatMap(v -> set(knob, v, "with twice " + what, baseline));
    }

    private static Optional<String> doubled(String knob, String value) {
        if (value.matches("[0-9]{1,6}[kmgKMG]")) {
            int end = value.length() - 1;
            return Optional.of(TWICE * Long.parseLong(value.substring(0, end)) + value.substring(end));
        }
        OptionalLong n = KnobValues.number(value);
        return n.isPresent() && n.getAsLong() > 0
                ? Optional.of(Long.toString(TWICE * n.getAsLong()))
                : Optional.empty();
    }

    static Optional<Plan> mock(TrialSpec spec) {
        return spec.target()
                .backend()
                .map(b -> new Plan(
                        named(
                                spec,
                                spec.target().calling(new Target.Backend(AT_ONCE, b.bytes())),
                                spec.setting(),
                                spec.load()),
                        "with a mock that answers at once in place of the backend",
                        Expected.MORE));
    }

    static TrialSpec named(TrialSpec spec, Target target, Setting setting, Load load) {
        return new TrialSpec(Phase.TEST, "test", Map.of(), spec.block(), target, setting, load.withMeasure(MEASURE));
    }

    /** Whether it was measured although its warm-up was too short. */
    private static boolean rises(TrialOutcome trial) {
        return trial.verdict().reasons().stream().anyMatch(r -> r.rule().equals(SteadyState.WARM_UP_RULE));
    }

    /** Whether the CPUs were read, and were not full. */
    private static boolean leavesCpu(TrialOutcome trial) {
        var sight = new TrialFacts(trial);
        return sight.cpu().isPresent() && !sight.cpuFull();
    }

    /**
     * Why a test's trial tells nothing although it has figures: it is void, for a reason for which the one that it is compared with is
     * not. A generator at its limit can only hide a gain.
     */
    static Optional<String> untold(TrialOutcome baseline, TrialOutcome tested, boolean better) {
        Set<String> both =
                baseline.verdict().reasons().stream().map(Reason::rule).collect(Collectors.toSet());
        return tested.verdict().reasons().stream()
                .filter(r -> !DiagnoseExperiment.tells(r.rule()) && !both.contains(r.rule()))
                .filter(r -> !better || !HIDES_A_GAIN.contains(r.rule()))
                .findFirst()
                .map(Reason::message);
    }

    /** How a finding's test came out. */
    static Test judge(Finding finding, TrialOutcome baseline, TrialOutcome tested) {
        Plan plan = plan(finding, baseline).orElseThrow();
        Optional<Measurement> before = baseline.measurement();
        Optional<Measurement> after = tested.measurement();
        if (before.isEmpty() || after.isEmpty() || after.get().responses() == 0) {
            return new Test(
                    Outcome.OPEN,
                    plan.change(),
                    "The test gave no figures: "
                            + tested.failure()
                                    .map(TrialOutcome.Failure::message)
                                    .orElse(before.isEmpty() ? "there are none to compare with" : "no valid answer"));
        }
        // two that were still getting faster are compared in the midst of it
        boolean rising = rises(baseline) || rises(tested);
        Refutation test = refutation(finding.rule());
        var figure = test.figure()
                .of(
                        plan.expected(),
                        new TrialFacts(baseline),
                        new TrialFacts(tested),
                        rising ? Thresholds.CLEAR_GAIN_WHILE_RISING : Thresholds.CLEAR_GAIN);
        String figures = plan.change() + ": "
                + Format.number(after.get().throughput()) + "/s instead of "
                + Format.number(before.get().throughput()) + "/s, p50 "
                + Format.time(after.get().latency().p50()) + " instead of "
                + Format.time(before.get().latency().p50()) + figure.words();
        Optional<String> untold = untold(baseline, tested, figure.better());
        if (untold.isPresent()) {
            return new Test(
                    Outcome.OPEN,
                    plan.change(),
                    figures + ". But that trial is void, so it decides nothing: " + untold.get() + ".");
        }
        // other processes may have hidden a gain, but can't have caused one
        boolean taken = !figure.better() && DiagnoseExperiment.disturbed(tested);
        boolean same = figure.same() && !taken;
        boolean noMore = plan.expected() == Expected.SAME && same && !rising;
        boolean behind = test.tests() == Tests.BEHIND && leavesCpu(baseline) && leavesCpu(tested);
        String scope = noMore && test.tests() != Tests.ALL ? scope(finding.rule(), behind) : "";
        Outcome outcome = switch (plan.expected()) {
            case MORE -> figure.better() ? Outcome.CONFIRMED : same ? Outcome.REFUTED : Outcome.OPEN;
            case SAME ->
                noMore && (behind || scope.isEmpty())
                        ? Outcome.CONFIRMED
                        : figure.better() ? Outcome.REFUTED : Outcome.OPEN;
        };
        if (same && figure.cannotTell().isPresent()) {
            return new Test(
                    Outcome.OPEN,
                    plan.change(),
                    figures + ". " + figure.cannotTell().get());
        }
        if (outcome == Outcome.REFUTED && rising) {
            outcome = Outcome.OPEN; // what it gained, or did not, may be its warm-up
        }
        String disturbed = taken
                ? ", while other programs took CPU time from it"
                : rising
                        ? " (at least one of the two trials was still getting faster)"
                        : baseline.valid() && tested.valid() ? "" : " (one of the two trials is not valid by itself)";
        return new Test(
                outcome,
                plan.change(),
                figures + disturbed + ". "
                        + switch (outcome) {
                            case CONFIRMED -> scope.isEmpty() ? "The finding stands." : "So " + scope + ".";
                            case REFUTED ->
                                test.tests() == Tests.COUNTED
                                        ? "What was counted is so, but it is not what limits the server."
                                        : "The finding does not stand.";
                            case OPEN -> scope.isEmpty() ? "That decides nothing." : "So " + scope + ".";
                        },
                scope);
    }

    /**
     * What is shown by more requests at once that get no more, where it is less than the finding says: they leave its cause as it was.
     * Blank if it is all.
     *
     * @param behind whether it shows that something behind the workers is full: only if the CPUs are known not to be
     */
    private static String scope(String rule, boolean behind) {
        String which = Diagnosis.rule(rule)
                .map(r -> r.entry().texts().getOrDefault("tested", ""))
                .orElse("");
        return behind
                ? "what lies behind the workers is full; that it is " + which + " was seen, and not tested"
                : "the clients are not the limit; "
                        + (which.isEmpty() ? "what fills the CPUs" : "whether " + which + " is") + " was not tested";
    }
}
