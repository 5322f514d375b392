package dev.fettle.lab;

import dev.fettle.insight.trials.PairSlices;
import dev.fettle.insight.trials.PairSlices.Kept;
import dev.fettle.insight.trials.PairSlices.Outside;
import dev.fettle.insight.trials.PairSlices.Schedule;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.Session;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialStage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Runs two launched trials in turn: warmed up for the same time, then measured in alternating slices, so that whatever the
 * machine does affects both alike. Trials that search for their capacity take turns probe by probe instead.
 */
final class SideBySide {
    /** Slice of the warm-up, which need not be as fine as when measuring. */
    private static final Duration WARM_UP_SLICE = Duration.ofSeconds(2);

    /** The unjudged beginning of each slice. */
    private static final Duration SETTLING = Duration.ofMillis(250);

    /** How long to wait for requests in flight; slower ones run on during the partner's slice, where a few hardly matter. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** CPUs' worth used by a resting partner from which it is noted. */
    private static final double NOTABLE_CPU = 0.05;

    private final Clock clock;
    private final Trial first;
    private final Trial second;
    private final Optional<BiFunction<Trial, Trial, CapacityRun>> search;
    private final List<Outside> seen = new ArrayList<>();
    private int planned;
    private int turn;

    /** Under load from its begin; empty before that. */
    private Optional<Side> a = Optional.empty();

    private Optional<Side> b = Optional.empty();

    /** Thrown when a side has failed. */
    private static final class Fell extends Exception {
        private final transient Trial trial;
        private final TrialFailure why;

        Fell(Trial trial, TrialFailure why) {
            super(why);
            this.trial = trial;
            this.why = why;
        }
    }

    /** An action on one side. */
    private interface Part {
        void with(LoadedTarget load) throws TrialFailure, LabException, InterruptedException;
    }

    /** One side, under load. */
    private record Side(Trial trial, LoadedTarget load) {
        void part(Part part) throws Fell, LabException, InterruptedException {
            try {
                part.with(load);
            } catch (TrialFailure e) {
                throw new Fell(trial, e);
            }
        }
    }

    /** @param search makes the search for a trial's capacity, given its partner; empty: throughput is measured */
    SideBySide(Clock clock, Trial first, Trial second, Optional<BiFunction<Trial, Trial, CapacityRun>> search) {
        this.clock = clock;
        this.first = first;
        this.second = second;
        this.search = search;
    }

    /** Runs both to the end; each is then done or has failed. */
    void run() throws LabException, InterruptedException {
        Load load = first.spec().load();
        var session = new Session<Fell>(first.progress(), second.progress())
                .then(TrialStage.WARM_UP, load.warmUpAtMost().multipliedBy(2), () -> {
                    begin();
                    warmUp();
                });
        if (search.isPresent()) {
            CapacityRun ofA = search.get().apply(first, second);
            CapacityRun ofB = search.get().apply(second, first);
            Duration bound = load.measure().multipliedBy(2);
            session.then(TrialStage.MEASURE, bound, () -> look(ofA, ofB))
                    .then(TrialStage.PROBE, bound, () -> probe(ofA, ofB));
        } else {
            session.then(TrialStage.MEASURE, this::planned, this::measure);
        }
        try {
            session.run();
        } catch (Fell e) {
            e.trial.failed(e.why);
            survived(e.trial == first ? second : first, e.trial);
        }
    }

    private void begin() throws Fell, InterruptedException {
        var since = OptionalLong.of(clock.nanos());
        a = Optional.of(begin(first, second, since));
        b = Optional.of(begin(second, first, since));
    }

    private static Side begin(Trial one, Trial other, OptionalLong since) throws Fell, InterruptedException {
        Load load = one.spec().load();
        Duration eachSide = load.warmUpAtMost().plus(load.measure().multipliedBy(3));
        var beside = new CoRunner(
                since,
                OptionalLong.of(other.pid()),
                other.processes(),
                eachSide.multipliedBy(4).plusMinutes(10));
        try {
            var side = new Side(one, one.begin(beside));
            side.load().rest(QUIET);
            return side;
        } catch (TrialFailure e) {
            throw new Fell(one, e);
        }
    }

    private Side a() {
        return a.orElseThrow();
    }

    private Side b() {
        return b.orElseThrow();
    }

    /** The failure of a trial whose partner failed; it says nothing about the trial itself. */
    static TrialFailure partnerFailed(Trial partner) {
        return new TrialFailure(
                Kind.LAB,
                "its partner in the pair failed: "
                        + partner.failure().map(f -> f.message()).orElse("it could not go on"));
    }

    /** Alternates first, second, second, first, and so on. */
    private List<Side> order() {
        return turn++ % 2 == 0 ? List.of(a(), b()) : List.of(b(), a());
    }

    private Side other(Side side) {
        return side == a() ? b() : a();
    }

    private void warmUp() throws Fell, LabException, InterruptedException {
        Duration bound = first.spec().load().warmUpAtMost();
        Duration slice = bound.compareTo(WARM_UP_SLICE) < 0 ? bound : WARM_UP_SLICE;
        Duration done = Duration.ZERO;
        while (done.compareTo(bound) < 0 && !(a().load().steady() && b().load().steady())) {
            for (Side side : order()) {
                side.part(load -> {
                    load.warmUpSlice(SETTLING, slice);
                    load.rest(QUIET);
                });
                other(side).part(LoadedTarget::lookAfter);
            }
            done = done.plus(SETTLING).plus(slice);
        }
        a().load().endWarmUp();
        b().load().endWarmUp();
    }

    private Schedule schedule() {
        return PairSlices.schedule(
                first.spec().load().measure(),
                Math.max(a().load().meanLatency(), b().load().meanLatency()));
    }

    /** How long measuring both takes. */
    private Duration planned() {
        Schedule schedule = schedule();
        return schedule.measured().plus(schedule.settling()).multipliedBy(2L * schedule.slices());
    }

    private void measure() throws Fell, LabException, InterruptedException {
        Schedule schedule = schedule();
        planned = schedule.slices();
        turn = 0;
        while (!PairSlices.enough(seen, planned)) {
            int i = seen.size();
            for (Side side : order()) {
                side.trial().progress().slice(i + 1, Math.max(i + 1, planned));
                side.part(load -> {
                    load.measureSlice(schedule.settling(i), schedule.measured());
                    load.rest(QUIET);
                });
                other(side).part(LoadedTarget::lookAfter);
            }
            seen.add(a().load().looks().outside(i).or(b().load().looks().outside(i)));
        }
        for (Side side : List.of(a(), b())) {
            done(side, other(side));
        }
    }

    /** What each gets from a closed load, which ends with it. */
    private void look(CapacityRun ofA, CapacityRun ofB) throws Fell, LabException, InterruptedException {
        turn = 0;
        for (Side side : order()) {
            CapacityRun run = side == a() ? ofA : ofB;
            side.part(load -> {
                load.measureSlice(SETTLING, run.timing().look());
                run.looked(load);
            });
        }
    }

    /** Searches for the capacity of both, probe by probe in turn. */
    private void probe(CapacityRun ofA, CapacityRun ofB) throws Fell, LabException, InterruptedException {
        while (!ofA.done() || !ofB.done()) {
            for (Side side : order()) {
                CapacityRun run = side == a() ? ofA : ofB;
                if (!run.done()) {
                    side.part(load -> run.probe());
                }
            }
        }
        for (Side side : order()) {
            side.part(load -> (side == a() ? ofA : ofB).finish());
        }
    }

    /** Records a side's result from the slices that count. */
    private void done(Side side, Side other) throws InterruptedException {
        Kept kept = PairSlices.choose(seen, planned);
        facts(side, other, kept, planned);
        Set<Integer> takenOut = IntStream.range(0, side.load().looks().size())
                .boxed()
                .filter(i -> !kept.slices().contains(i))
                .collect(Collectors.toSet());
        side.trial().done(side.load(), takenOut);
    }

    private static void facts(Side side, Side other, Kept kept, int planned) {
        LoadedTarget load = side.load();
        List<Double> cpu = load.looks()
                .requestCpu(kept.slices())
                .map(each -> DoubleStream.of(each).boxed().toList())
                .orElse(List.of());
        var slices = new Conditions.Slices(kept.slices().size(), planned, kept.disturbed(), kept.keptDisturbed(), cpu);
        side.trial().under(side.trial().conditions().in(slices));
        OptionalFigure partner = load.looks().partnerCpus();
        if (partner.orElse(0) > NOTABLE_CPU) {
            load.note("the other server of the pair used " + Format.share(partner.getAsDouble())
                    + " of a CPU while this one was loaded: work left over from its own slices is in these figures");
        }
        if (other.load().notQuiet() > 0) {
            load.note("the other server of the pair still had requests under way at the end of "
                    + other.load().notQuiet() + " of its slices, " + QUIET.toSeconds() + " s after the last was sent");
        }
    }

    /** Keeps the result of the remaining side when the other failed, if half of the planned slices were measured. */
    private void survived(Trial one, Trial fallen) throws LabException, InterruptedException {
        Optional<Side> side = one == first ? a : b;
        try {
            if (side.isPresent()) {
                side.get().load().lookAfter();
            }
            if (side.isEmpty() || planned == 0 || 2 * seen.size() < planned) {
                throw partnerFailed(fallen);
            }
            side.get().load().note("its partner in the pair failed after " + seen.size() + " slices");
            done(side.get(), other(side.get()));
        } catch (TrialFailure e) {
            one.failed(e);
        }
    }
}
