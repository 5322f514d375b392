package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.Probing;
import dev.fettle.insight.Probing.Ends;
import dev.fettle.insight.Probing.Rest;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityTiming;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.CapacitySeen.End;
import dev.fettle.model.trial.CapacitySeen.Probed;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The short search within one trial whose objective is capacity: which rate to offer next on that trial's warm target, and what
 * the probes say together.
 *
 * <p>It is a {@link CapacitySearch} of about seven probes, all in one trial, and not an experiment of its own. So whatever a tune, a
 * sweep or a comparison does with trials (retries, pairs, the race, resuming, the duel) holds for capacities, too: a trial has one
 * score. That score is the middle of the limit's interval, not the confirmed rate that {@code fettle capacity} answers with. A rate
 * confirmed by a few probes is one of few steps below the limit; the middle uses all probes, and what it is wrong by is the same on
 * both sides of a comparison. How much single searches differ is told by repeats on fresh processes, as for every other figure, and
 * not by the interval of one.
 *
 * <p>A pure function of its settings and of the probes so far.
 */
public final class TrialCapacity {
    /** The first rate, as a share of what all clients of the closed load got. */
    private static final double BELOW_CEILING = 0.9;

    private static final double PRECISION = 0.02;
    private static final int MOST_PROBES = 100;

    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    private final Slo slo;
    private final Load load;
    private final long seed;
    private final CapacityTiming timing;
    private final Iteration each;

    /**
     * A search.
     *
     * @param load of the trial: closed; its measuring time is for the whole search
     * @param seed of the probes' arrivals
     */
    public TrialCapacity(Slo slo, Load load, long seed) {
        this.slo = slo;
        this.load = load;
        this.seed = seed;
        this.timing = CapacityTiming.of(load.measure());
        this.each = Iteration.of(load);
    }

    /** How the trial's measuring time is divided. */
    public CapacityTiming timing() {
        return timing;
    }

    /**
     * A probe to make.
     *
     * @param spec its open load
     */
    public record Next(Probe.Phase phase, double rate, Load spec, Probing probing) {}

    /**
     * The next probe; empty at the end.
     *
     * @param most valid responses per second that all clients of the closed load got
     * @param idle median latency of one client alone; when it is reached again, a queue is gone
     * @param probes so far, in order
     */
    public Optional<Next> next(double most, Duration idle, List<Probe> probes) {
        return search(most).next(probes) instanceof CapacitySearch.Step.Offer offer
                ? Optional.of(next(offer, idle, probes))
                : Optional.empty();
    }

    private Next next(CapacitySearch.Step.Offer offer, Duration idle, List<Probe> probes) {
        boolean burdened =
                probes.isEmpty() || ProbeVerdict.of(probes.getLast(), slo).result() != Result.MET;
        var rest = new Rest(idle.multipliedBy(2).plusMillis(1), LONGEST_REST);
        var probing = new Probing(
                load,
                burdened ? Optional.of(rest) : Optional.empty(),
                timing.settle(),
                timing.probe(),
                ProbeShape.drain(slo, load.timeout()),
                slo,
                Ends.WHEN_LOST);
        Load open = new ProbeShape(timing.settle(), timing.probe(), true)
                .at(
                        offer.rate(),
                        load.withConnections(Math.max(Load.OPEN_CONNECTIONS, load.connections())),
                        seed + 7919L * (probes.size() + 1));
        return new Next(offer.phase(), offer.rate(), open, probing);
    }

    /** @param responses valid ones per second that all clients of the closed load got */
    private CapacitySearch search(double responses) {
        double most = responses / each.requests();
        double floor = CapacitySearch.floor(slo, timing.probe(), each);
        return new CapacitySearch(
                slo,
                new CapacitySearch.Settings(
                        Math.max(floor, BELOW_CEILING * most),
                        floor,
                        PRECISION,
                        1,
                        timing.search(),
                        MOST_PROBES,
                        most,
                        Duration.ZERO,
                        Duration.ZERO));
    }

    /**
     * What these probes say together, and the same again if they come from a journal.
     *
     * @throws IllegalStateException if another probe was to follow
     */
    public CapacitySeen found(double before, double after, List<Probe> probes) {
        if (!(search(before).next(probes) instanceof CapacitySearch.Step.Stop(CapacityResult result))) {
            throw new IllegalStateException("the search is not at its end");
        }
        Optional<Interval> limit = result.limit();
        End end = limit.isPresent() ? End.FOUND : end(result, probes);
        return new CapacitySeen(
                end,
                limit.map(Interval::estimate).orElse(0.0),
                limit.map(Interval::low).orElse(0.0),
                limit.map(Interval::high).orElse(0.0),
                why(end, probes),
                before,
                after,
                probes.stream().map(TrialCapacity::kept).toList());
    }

    private End end(CapacityResult result, List<Probe> probes) {
        boolean disturbed = !disturbed(probes).isEmpty();
        return switch (result.outcome()) {
            case GENERATOR_LIMIT -> End.GENERATOR;
            case NOTHING_VALID -> disturbed ? End.DISTURBED : End.GENERATOR;
            case DISTURBED -> End.DISTURBED;
            case NO_RATE -> End.NO_RATE;
            case BUDGET, FOUND, UNCONFIRMED -> disturbed ? End.DISTURBED : End.OUT_OF_TIME;
        };
    }

    /** Those whose disturbance hid something: above every rate that met the SLO. */
    private List<Probe> disturbed(List<Probe> probes) {
        double met = probes.stream()
                .filter(p -> ProbeVerdict.of(p, slo).result() == Result.MET)
                .mapToDouble(Probe::rate)
                .max()
                .orElse(0);
        return probes.stream()
                .filter(p -> ProbeVerdict.of(p, slo).result() == Result.DISTURBED && p.rate() > met)
                .toList();
    }

    private List<Result> results(List<Probe> probes) {
        return probes.stream().map(p -> ProbeVerdict.of(p, slo).result()).toList();
    }

    private String why(End end, List<Probe> probes) {
        String rates = rates(probes);
        return switch (end) {
            case FOUND -> "";
            case NO_RATE ->
                "even " + Format.number(least(probes)) + "/s, the lowest rate that can be judged, broke " + slo;
            case OUT_OF_TIME ->
                rates + " " + (results(probes).contains(Result.MET) ? "did not break " : "did not meet ") + slo
                        + ", and the trial's time was over: give load.measure more of it";
            case GENERATOR ->
                "the generator was the limit in "
                        + rates(probes.stream()
                                .filter(p -> ProbeVerdict.of(p, slo).result() == Result.VOID)
                                .toList())
                        + ", so the server's limit was not reached";
            case DISTURBED -> "others took CPU time during what would have shown it (" + rates(disturbed(probes)) + ")";
        };
    }

    private static String rates(List<Probe> probes) {
        if (probes.isEmpty()) {
            return "no probe";
        }
        String least = Format.number(least(probes));
        String most = Format.number(most(probes));
        return FigureText.count(probes.size(), "probe")
                + (least.equals(most) ? " at " + most : " between " + least + " and " + most) + "/s";
    }

    private static double least(List<Probe> probes) {
        return probes.stream().mapToDouble(Probe::rate).min().orElse(0);
    }

    private static double most(List<Probe> probes) {
        return probes.stream().mapToDouble(Probe::rate).max().orElse(0);
    }

    /** For the journal: what a verdict needs, without histograms, timeline and facts that the trial has anyway. */
    private static Probed kept(Probe p) {
        Evidence e = p.seen().evidence();
        Evidence lean = e.with()
                .effective(Map.of())
                .facts(Map.of())
                .notes(List.of())
                .timeline(Timeline.NONE)
                .profiles(List.of())
                .build();
        return new Probed(
                TrialSpec.Phase.valueOf(p.phase().name()),
                p.rate(),
                p.took(),
                new Observation(p.seen().measurement().withoutHistograms(), lean));
    }
}
