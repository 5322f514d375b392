package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.Probing;
import dev.fettle.insight.Probing.Ends;
import dev.fettle.insight.Probing.Rest;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.trials.Overload;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Searches for the highest rate that meets an SLO, and tries a spike. All probes run on one process: the result is the
 * capacity of this process, warm, and its interval does not include differences between processes. Those take several
 * launches: the whole search is repeated in each of several processes, one after the other, told apart by the trials'
 * block.
 */
public final class CapacityExperiment implements Experiment {
    /** The rule of an advisory that is reported along with the result. */
    public static final String NOTE = "note";
    /** The fact that tells processes of one run apart: the time of launch. */
    public static final String LAUNCHED = "target.launched";

    /** The first rate as a share of the throughput that the clients got: a safe place to begin. */
    private static final double FIRST = 0.25;

    /** The first rate after a ramp, as a share of the most that the clients got. */
    private static final double BELOW_CEILING = 0.9;
    /** The ramp goes on while multiplying the clients gives at least this factor in throughput. */
    private static final double STILL_MORE = 1.3;

    private static final int RAMP_BY = 4;
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final Duration WARM = Duration.ofMillis(500);
    private static final Duration IDLE = Duration.ofSeconds(1);
    /** Time in which connections are opened and queues form; not measured. */
    private static final Duration SETTLE = Duration.ofSeconds(1);
    /** Duration of the base load before a spike. */
    private static final Duration BEFORE = Duration.ofSeconds(5);

    private static final Duration LONGEST_REST = Duration.ofSeconds(10);
    private static final int MOST_PROBES = 500;
    /** For the latency of one client that got no answer: nothing is slower than that. */
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final Plan plan;
    private final CapacityOptions ask;

    /** @param plan a plan that says what is searched */
    public CapacityExperiment(Plan plan) {
        this.plan = plan;
        this.ask = plan.capacity().orElseThrow().options();
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        if (ask.launches() == 1) {
            return ofOne(seen);
        }
        var found = new ArrayList<CapacityConclusion>();
        for (int launch = 0; launch < ask.launches(); launch++) {
            int n = launch;
            switch (ofOne(seen.stream().filter(o -> o.spec().block() == n).toList())) {
                case Step.Stop(CapacityConclusion c) -> found.add(c);
                case Step.Kept(Step.Run run, Probing how) -> {
                    String purpose = "process " + (n + 1) + " of " + ask.launches() + ", " + run.purpose();
                    return new Step.Kept(new Step.Run(of(run.spec(), n), purpose, run.leftAtMost()), how);
                }
                case Step other -> throw new IllegalStateException("a search does not ask for " + other);
            }
        }
        return new Step.Stop(CapacityLaunches.together(found));
    }

    /** The same trial in another process. */
    private static TrialSpec of(TrialSpec spec, int launch) {
        return spec.withBlock(launch);
    }

    /** The search in one process. */
    private Step ofOne(List<TrialOutcome> seen) {
        List<Judged> probes = Judged.of(seen);
        Optional<TrialOutcome> warm = first(seen, Phase.WARM_UP);
        if (warm.isEmpty() && probes.isEmpty()) {
            return closed(Phase.WARM_UP, Probing.WARM_UP_CLIENTS, WARM, "warming up");
        }
        Optional<TrialOutcome> idle = first(seen, Phase.IDLE);
        if (idle.isEmpty()) {
            return closed(Phase.IDLE, 1, IDLE, "one client alone");
        }
        if (ramps() && probes.isEmpty()) {
            OptionalInt more = moreClients(seen);
            if (more.isPresent()) {
                int clients = Probing.from(plan.load(), more.getAsInt()).clients();
                return closed(Phase.WARM_UP, clients, RAMP, clients + " clients, to see what it can finish");
            }
        }
        Optional<Long> median = idle.flatMap(TrialOutcome::measurement)
                .filter(m -> m.responses() > 0)
                .map(m -> m.latency().p50());
        var rest = new Rest(Duration.ofNanos(2 * median.orElse(NEVER) + 1_000_000), LONGEST_REST);
        Optional<CapacityResult> result = Optional.empty();
        if (ask.search()) {
            switch (search(seen).next(probes.stream().map(Judged::probe).toList())) {
                case CapacitySearch.Step.Offer offer -> {
                    return probe(offer, probes, rest);
                }
                case CapacitySearch.Step.Stop(CapacityResult found) -> result = Optional.of(found);
            }
        }
        List<String> notes = notes(seen);
        Optional<OverloadResult> overload = Optional.empty();
        if (ask.spike().isPresent()) {
            CapacityOptions.Spike spike = ask.spike().get();
            double reference = spike.reference()
                    .orElse(result.filter(r -> r.outcome().confirmed())
                            .map(CapacityResult::rate)
                            .orElse(0.0));
            Optional<TrialOutcome> spiked =
                    first(seen, Phase.SPIKE).filter(o -> o.measurement().isPresent());
            if (reference <= 0) {
                notes.add("No spike was tried: without a confirmed capacity there is no rate to exceed.");
            } else if (spiked.isEmpty()) {
                return spike(spike, reference, rest);
            } else {
                TrialOutcome trial = spiked.get();
                overload = Optional.of(Overload.result(
                        ask.slo(),
                        spike.base() * reference,
                        spike.factor() * reference,
                        trial.measurement().orElseThrow(),
                        trial.verdict(),
                        plan.load().requestsOnAverage() > 1));
            }
        }
        OptionalFigure millis =
                OptionalFigure.of(median.stream().mapToDouble(ns -> ns / 1e6).findFirst());
        return new Step.Stop(new CapacityConclusion(millis, result, overload, List.of(), notes));
    }

    private static Optional<TrialOutcome> first(List<TrialOutcome> seen, Phase phase) {
        return seen.stream().filter(o -> o.spec().phase() == phase).findFirst();
    }

    /** Whether closed-loop clients show beforehand roughly how much the server can finish. */
    private boolean ramps() {
        return ask.search() && ask.from().isEmpty();
    }

    /**
     * The number of clients of the ramp's next step; empty if more clients would get no more, or there are no more of
     * them.
     */
    private OptionalInt moreClients(List<TrialOutcome> seen) {
        List<Double> got = throughputs(seen);
        int steps = got.size();
        boolean full = steps > 1 && got.get(steps - 1) < STILL_MORE * got.get(steps - 2);
        double clients = Probing.WARM_UP_CLIENTS * StrictMath.pow(RAMP_BY, steps);
        int most = plan.load().clients();
        boolean all = clients >= RAMP_BY * most;
        return full || all || steps == 0 || got.getLast() <= 0
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.min(clients, most));
    }

    private static List<Double> throughputs(List<TrialOutcome> seen) {
        return seen.stream()
                .filter(o -> o.spec().phase() == Phase.WARM_UP)
                .flatMap(o -> o.measurement().stream())
                .map(Measurement::throughput)
                .toList();
    }

    private CapacitySearch search(List<TrialOutcome> seen) {
        Iteration each = Iteration.of(plan.load());
        double floor = CapacitySearch.floor(ask.slo(), ask.probe(), each);
        List<Double> got = throughputs(seen);
        double most = got.stream().mapToDouble(x -> x).max().orElse(0) / each.requests();
        boolean ramped = got.size() > 1;
        double guess = (ramped ? BELOW_CEILING : FIRST) * most;
        return new CapacitySearch(
                ask.slo(),
                new CapacitySearch.Settings(
                        Math.max(floor, ask.from().orElse(guess)),
                        floor,
                        ask.precision(),
                        ask.confirmations(),
                        ask.budget(),
                        MOST_PROBES,
                        ramped ? most : 0,
                        ask.probe(),
                        ask.hold()));
    }

    private Step closed(Phase phase, int clients, Duration length, String purpose) {
        var probing =
                new Probing(plan.load(), Optional.empty(), Duration.ZERO, length, Duration.ZERO, ask.slo(), Ends.NEVER);
        return new Step.Kept(new Step.Run(spec(phase, probing.clients(clients)), purpose, 0), probing);
    }

    private Step probe(CapacitySearch.Step.Offer offer, List<Judged> probes, Rest rest) {
        int ordinal = probes.size() + 1;
        Duration settle = SETTLE.compareTo(ask.probe()) < 0 ? SETTLE : ask.probe();
        Duration measure = offer.measure();
        boolean burdened =
                probes.isEmpty() ? ramps() : probes.getLast().verdict().result() != Result.MET;
        var probing = new Probing(
                plan.load(),
                burdened ? Optional.of(rest) : Optional.empty(),
                settle,
                measure,
                ProbeShape.drain(ask.slo(), plan.load().timeout()),
                ask.slo(),
                Ends.WHEN_LOST);
        Load load = new ProbeShape(settle, measure, ask.poisson()).at(offer.rate(), plan.load(), seed(ordinal));
        String purpose = "probe " + ordinal + ": " + CapacityWords.perSecond(offer.rate());
        return new Step.Kept(new Step.Run(spec(Phase.valueOf(offer.phase().name()), load), purpose, 0), probing);
    }

    private Step spike(CapacityOptions.Spike spike, double reference, Rest rest) {
        double base = spike.base() * reference;
        List<Stage> stages = List.of(
                stage(base, BEFORE), stage(spike.factor() * reference, spike.length()), stage(base, spike.watch()));
        Duration length = BEFORE.plus(spike.length()).plus(spike.watch());
        var probing = new Probing(
                plan.load(), Optional.of(rest), Duration.ZERO, length, Duration.ZERO, ask.slo(), Ends.WHEN_RECOVERED);
        Load load = plan.load().withArrivals(new Arrivals.Open(stages, ask.poisson(), seed(0)));
        return new Step.Kept(new Step.Run(spec(Phase.SPIKE, load), "spike", 0), probing);
    }

    private static Stage stage(double rate, Duration length) {
        return new Stage(rate, rate, length, 1);
    }

    private long seed(int ordinal) {
        return ask.seed() + 7919L * ordinal;
    }

    private TrialSpec spec(Phase phase, Load load) {
        return new TrialSpec(phase, "", Map.of(), 0, plan.target(), plan.hold(), load);
    }

    /** What the trials say about how they ran, each note once. */
    private static List<String> notes(List<TrialOutcome> seen) {
        var notes = new ArrayList<String>();
        seen.stream()
                .flatMap(o -> o.evidence().stream())
                .flatMap(e -> e.notes().stream())
                .forEach(notes::add);
        seen.stream()
                .flatMap(o -> o.verdict().advisories().stream())
                .filter(a -> a.rule().equals(NOTE))
                .map(Verdict.Advisory::message)
                .forEach(notes::add);
        notes.addAll(AdvisoryNotes.ofCpus(seen.stream()
                .filter(o -> Judged.isProbe(o.spec().phase()) || o.spec().phase() == Phase.SPIKE)
                .toList()));
        List<String> launched = seen.stream()
                .filter(o -> Judged.isProbe(o.spec().phase()) || o.spec().phase() == Phase.SPIKE)
                .map(o -> o.evidence().map(e -> e.facts().get(LAUNCHED)).orElse(""))
                .toList();
        for (int i = 1; i < launched.size(); i++) {
            if (!launched.get(i).equals(launched.get(i - 1))) {
                notes.add("The run was cut off and resumed after "
                        + (i == 1 ? "one probe" : i + " probes")
                        + ": the target was warmed up again in between, so what was measured may be of two processes.");
            }
        }
        return new ArrayList<>(notes.stream().distinct().toList());
    }
}
