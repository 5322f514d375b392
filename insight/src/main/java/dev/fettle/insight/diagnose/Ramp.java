package dev.fettle.insight.diagnose;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.RampStep;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Probing;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.trials.ScalingWords;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ramp of clients on one warm target, from one up to as many as the plan has and back, for the universal scalability
 * law. Each number is measured twice, once on the way up and once down: a drift cancels, and the difference between
 * repeats tells the law from a curve that only looks like it.
 */
record Ramp(Plan plan) {
    /** How many different numbers of clients are measured. */
    static final int NUMBERS = 7;

    private static final Duration SETTLE = Duration.ofMillis(300);
    private static final Duration MEASURE = Duration.ofSeconds(1);
    /** With more failures than this share, the rest is a different workload. */
    private static final double FAILED = 0.001;

    private static final Slo ANY = Slo.parse("errors<1%");

    /** All numbers of connections, in order: up and down again; fewer if the plan has few connections. */
    static List<Integer> numbers(int connections) {
        var up = new ArrayList<Integer>();
        for (int i = 0; i < NUMBERS; i++) {
            int n = (int) Math.round(StrictMath.pow(connections, i / (NUMBERS - 1.0)));
            if (up.isEmpty() || n > up.getLast()) {
                up.add(n);
            }
        }
        var all = new ArrayList<>(up);
        all.addAll(up.reversed());
        return all;
    }

    /** The ramp's next trial after these; empty at its end. */
    Optional<Step> next(List<TrialOutcome> seen) {
        List<Integer> numbers = numbers(plan.load().connections());
        if (seen.size() >= numbers.size()) {
            return Optional.empty();
        }
        var probing =
                new Probing(plan.load(), Optional.empty(), SETTLE, MEASURE, Duration.ZERO, ANY, Probing.Ends.NEVER);
        Load load = probing.closed(numbers.get(seen.size()));
        var spec = new TrialSpec(Phase.RAMP, "ramp", Map.of(), 0, plan.target(), plan.hold(), load);
        String purpose = "ramp, " + FigureText.count(load.clients(), "client");
        return Optional.of(new Step.Kept(new Step.Run(spec, purpose, numbers.size() - seen.size()), probing));
    }

    /**
     * What trials with different numbers of clients show together.
     *
     * @param trials closed loads without a pause of the same target and setting
     */
    static Optional<DiagnoseConclusion.Ramp> of(List<TrialOutcome> trials) {
        List<RampStep> steps = trials.stream()
                .filter(t -> t.measurement().isPresent())
                .map(Ramp::step)
                .toList();
        long numbers = steps.stream().map(RampStep::clients).distinct().count();
        if (numbers < 2) {
            return Optional.empty();
        }
        List<Usl.Seen> used = steps.stream()
                .filter(s -> s.left().isEmpty())
                .map(s -> new Usl.Seen(s.clients(), s.throughput()))
                .toList();
        int most = steps.stream().mapToInt(RampStep::clients).max().orElse(0);
        int least = steps.stream().mapToInt(RampStep::clients).min().orElse(0);
        String over = "throughput over " + least + " to " + most + " clients ";
        String without = without(steps);
        long left = used.stream().map(Usl.Seen::n).distinct().count();
        if (left < Usl.FEWEST) {
            return Optional.of(new DiagnoseConclusion.Ramp(
                    steps,
                    Optional.empty(),
                    "The universal scalability law is not used: it takes " + Usl.FEWEST + " numbers of clients, and "
                            + (left == numbers
                                    ? "only " + numbers + " were tried."
                                    : (left == 0 ? "none" : "only " + left) + " of " + numbers + " can be used.")
                            + without));
        }
        return Optional.of(
                switch (Usl.fit(used)) {
                    case Usl.Fit.Fits(Usl usl) ->
                        new DiagnoseConclusion.Ramp(
                                steps,
                                Optional.of(usl),
                                "Universal scalability law: " + over + ScalingWords.follows(usl, "clients") + without);
                    case Usl.Fit.Refused(String why) ->
                        new DiagnoseConclusion.Ramp(
                                steps,
                                Optional.empty(),
                                "The universal scalability law is not used: for " + over.strip() + ", " + why + "."
                                        + without);
                });
    }

    private static String without(List<RampStep> steps) {
        List<String> why = steps.stream().flatMap(s -> s.left().stream()).toList();
        return why.isEmpty()
                ? ""
                : " " + why.size() + " of " + steps.size() + " measurements " + (why.size() == 1 ? "is" : "are")
                        + " left out (first: " + why.getFirst()
                        + ").";
    }

    private static RampStep step(TrialOutcome trial) {
        Measurement m = trial.measurement().orElseThrow();
        return new RampStep(trial.spec().load().clients(), m.throughput(), left(trial, m));
    }

    /** Why a measurement says nothing about how the server scales; empty if it does. */
    private static Optional<String> left(TrialOutcome trial, Measurement m) {
        if (m.responses() == 0) {
            return Optional.of("no valid answer came");
        }
        if (trial.spec().load().thinkSeconds() > 0) {
            return Optional.of("the scenario's clients pause, so fewer are at work than there are");
        }
        double failed = (double) m.failed() / (m.failed() + m.responses());
        if (failed > FAILED) {
            return Optional.of(Format.share(failed) + " of the requests failed");
        }
        Optional<Evidence> e = trial.evidence();
        double generator = e.map(x -> x.generatorCpuShare().orElse(0)).orElse(0.0);
        if (generator > GateRules.GENERATOR_CPU) {
            return Optional.of("the generator used " + Format.share(generator) + " of its core");
        }
        double stolen = e.map(x -> Math.max(
                        x.get(Aggregate.SERVER_STEAL).orElse(0),
                        x.get(Aggregate.GENERATOR_STEAL).orElse(0)))
                .orElse(0.0);
        if (stolen > Steal.MOST) {
            return Optional.of(Format.share(stolen) + " of the CPU time was stolen by the hypervisor");
        }
        double foreign = e.map(x -> x.get(Aggregate.FOREIGN_CPU).orElse(0)).orElse(0.0);
        return foreign > GateRules.FOREIGN_CPU
                ? Optional.of("other processes used " + Format.share(foreign) + " of the CPUs")
                : Optional.empty();
    }

    /**
     * The trials of a run that make a ramp together with this one: same target and setting, and the same load but for the number of its
     * clients, which never pause.
     */
    static List<TrialOutcome> beside(TrialOutcome trial, List<TrialOutcome> run) {
        return run.stream()
                .filter(o -> o.valid() && o.failure().isEmpty())
                .filter(o -> o.spec().target().equals(trial.spec().target())
                        && o.spec().setting().equals(trial.spec().setting())
                        && alike(o).equals(alike(trial)))
                .filter(o -> o.spec().load().arrivals() instanceof Arrivals.Closed
                        && o.spec().load().thinkSeconds() == 0)
                .toList();
    }

    /** A trial's load without its number of clients, and without how long it was offered. */
    private static Load alike(TrialOutcome o) {
        Load load = o.spec().load();
        Wire w = load.wire();
        // requests that wait in a pipe are no clients of their own
        int inFlight = w.protocol() == Protocol.HTTP_1_1 ? w.inFlight() : 1;
        return load.withConnections(1)
                .withWire(w.withInFlight(inFlight))
                .withWarmUpAtMost(Duration.ZERO)
                .withMeasure(Duration.ZERO);
    }
}
