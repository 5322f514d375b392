package dev.fettle.insight.tune;

import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.insight.trials.WarmDrift;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.WarmSearch;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a tune that runs in one warm JVM: the default, the search and the race, one setting after the other. The
 * default is measured there again after every {@value #EVERY} settings and after each new launch, so that the JVM's own drift can be
 * taken out ({@link WarmDrift}). Where a warm JVM does not work out (its knobs can't be set as it runs, it has to be launched again and
 * again), the rest runs on fresh ones.
 */
final class WarmSlots {

    /** Settings between two trials of the default. */
    static final int EVERY = 4;

    /** With more launches than this, fresh JVMs cost no more. */
    private static final int MOST_LAUNCHES = 3;

    /** Trials that were to run in the warm JVM and did not. */
    private static final int MOST_REFUSED = 1;

    /** A new setting has settled after this time, or it is measured as it is. */
    private static final Duration SETTLE_AT_MOST = Duration.ofSeconds(4);

    /** Set, read back, connect, and settle for as long as is usual. */
    private static final Duration USUAL_BEFORE = Duration.ofSeconds(2);

    private static final Duration LEAST_MEASURE = Duration.ofSeconds(3);

    private final Plan plan;
    private final boolean wanted;

    WarmSlots(Plan plan) {
        this.plan = plan;
        this.wanted = WarmSearch.of(plan);
    }

    /**
     * Measuring time of a setting in the warm JVM: half of the load's, as start-up and warm-up, which differ from JVM to JVM, are not
     * in it; at least 3 s, if the load's is as long.
     */
    static Duration measure(Load load) {
        Duration half = load.measure().dividedBy(2);
        Duration least = half.compareTo(LEAST_MEASURE) < 0 ? LEAST_MEASURE : half;
        return least.compareTo(load.measure()) < 0 ? least : load.measure();
    }

    /** How long a trial in the warm JVM usually takes. */
    static Duration length(Load load) {
        return USUAL_BEFORE.plus(measure(load));
    }

    /** Whether the next trial of the search runs in the warm JVM. */
    boolean on(List<Filled> filled) {
        if (!wanted) {
            return false;
        }
        List<Filled> own = own(filled);
        List<TrialOutcome> attempts = TrialSlots.attempts(own);
        long launches = launches(attempts);
        long refused = attempts.stream()
                .filter(t -> t.evidence().isPresent() && WarmJvm.of(t).isEmpty())
                .count();
        return launches <= MOST_LAUNCHES && refused <= MOST_REFUSED && canSet(attempts);
    }

    /** JVMs in which the search went on; one that was launched for a setting and failed with it is not among them. */
    private static long launches(List<TrialOutcome> attempts) {
        return attempts.stream()
                .filter(WarmSlots::stayed)
                .filter(WarmJvm::launched)
                .count();
    }

    /** Whether a trial ran in a warm JVM that was there for the next one. */
    private static boolean stayed(TrialOutcome t) {
        return t.failure().isEmpty() && WarmJvm.of(t).isPresent();
    }

    /** Whether the server, as it was started, lets all knobs of the plan be set. */
    private boolean canSet(List<TrialOutcome> attempts) {
        List<String> knobs = plan.knobs().stream().map(KnobRange::knob).toList();
        return attempts.stream()
                .filter(t -> WarmJvm.of(t).isPresent())
                .allMatch(t -> WarmJvm.live(t).containsAll(knobs));
    }

    /** The slots that a warm JVM may run: all but pairs. */
    private static List<Filled> own(List<Filled> filled) {
        return filled.stream()
                .filter(f -> !TuneSlots.duel(f) && !TuneSlots.isAgain(f) && !TuneSlots.isStart(f))
                .toList();
    }

    /** What to run in place of a slot of the search: the same in the warm JVM, or before it the default. */
    Slot instead(List<Filled> filled, Slot slot) {
        if (!on(filled)) {
            return slot;
        }
        if (slot.spec().phase() == Phase.BASELINE) {
            return slot.in(jvm());
        }
        Since since = since(filled);
        return since.trials() >= EVERY || since.launched() ? anchor(filled) : shortened(slot);
    }

    private TrialSlots.Warm jvm() {
        return new TrialSlots.Warm(plan.hold(), SETTLE_AT_MOST);
    }

    /** The default once more, before the search ends, if there were settings since it was measured last. */
    Optional<Slot> last(List<Filled> filled) {
        return on(filled) && since(filled).trials() > 0 ? Optional.of(anchor(filled)) : Optional.empty();
    }

    private Slot anchor(List<Filled> filled) {
        int n = (int) filled.stream().filter(WarmSlots::isAnchor).count() + 1;
        return shortened(new Slot(
                new TrialSpec(Phase.BASELINE, TuneSlots.BASELINE, Map.of(), n, plan.target(), plan.hold(), plan.load()),
                "the default again, to see how far the JVM has moved",
                Origin.ANCHOR));
    }

    private Slot shortened(Slot slot) {
        TrialSpec spec = slot.spec();
        return new Slot(
                        spec.withLoad(spec.load().withMeasure(measure(spec.load()))),
                        slot.purpose() + " (in the warm JVM)",
                        slot.origin())
                .in(jvm());
    }

    /**
     * What ran in warm JVMs since the default was measured last.
     *
     * @param trials settings
     * @param launched whether a JVM was launched for one of them
     */
    private record Since(int trials, boolean launched) {}

    private static Since since(List<Filled> filled) {
        int trials = 0;
        boolean launched = false;
        for (Filled f : own(filled).reversed()) {
            if (isAnchor(f) || TuneSlots.phase(f) == Phase.BASELINE) {
                break;
            }
            List<TrialOutcome> stayed =
                    f.attempts().stream().filter(WarmSlots::stayed).toList();
            trials += stayed.isEmpty() ? 0 : 1;
            launched |= stayed.stream().anyMatch(WarmJvm::launched);
        }
        return new Since(trials, launched);
    }

    /** Whether it is the default's trial in the warm JVM between others; it says nothing new of the default. */
    static boolean isAnchor(Filled f) {
        return f.slot().origin() == Origin.ANCHOR;
    }

    /** How the JVMs of these slots moved. */
    static WarmDrift drift(List<Filled> filled) {
        return new WarmDrift(filled.stream()
                .filter(f -> TuneSlots.phase(f) == Phase.BASELINE)
                .flatMap(f -> f.counted().stream())
                .filter(t -> WarmJvm.of(t).isPresent())
                .toList());
    }

    /** Trials of the default that this many more settings need, at most. */
    static int anchors(int settings) {
        return settings / EVERY + 2;
    }

    /** What ran in a warm JVM, and how far that moved; empty if nothing did. */
    Optional<String> note(List<Filled> filled, ObjectiveFigure figure) {
        List<Filled> own = own(filled);
        List<TrialOutcome> attempts = TrialSlots.attempts(own);
        long settings = own.stream()
                .filter(f -> TuneSlots.phase(f) != Phase.BASELINE)
                .filter(f -> f.attempts().stream().anyMatch(WarmJvm::kept))
                .count();
        if (settings == 0) {
            return wanted && !on(filled)
                    ? Optional.of("The search could not use one warm JVM, as the server did not take its knobs while it"
                            + " ran: every trial had a fresh one.")
                    : Optional.empty();
        }
        long launches = launches(attempts);
        return Optional.of((settings == 1 ? "One trial" : settings + " trials") + " of the search ran in "
                + (launches == 1 ? "one warm JVM" : launches + " warm JVMs, one after the other")
                + ": each setting was set there while it ran, read back, and measured for "
                + Format.seconds(measure(plan.load()).toNanos() / 1e9) + ". " + moved(drift(filled), figure)
                + (on(filled)
                        ? ""
                        : launches > MOST_LAUNCHES
                                ? " Then the rest ran on fresh JVMs, as one after the other had to be launched anyway."
                                : " Then the rest ran on fresh JVMs, as the server did not take every setting while it"
                                        + " ran.")
                + (filled.stream().anyMatch(TuneSlots::duel)
                        ? " Whether there is an improvement is judged by the duel's fresh JVMs alone."
                        : ""));
    }

    private static String moved(WarmDrift drift, ObjectiveFigure figure) {
        double[] by = drift.anchors().stream()
                .skip(1)
                .filter(a -> figure.score(a).isPresent())
                .mapToDouble(a -> figure.ratio(drift.of(a, figure)) - 1)
                .sorted()
                .toArray();
        if (by.length == 0) {
            return "The default has no other valid trial there: no drift of the JVM is taken out.";
        }
        return "The default, measured there " + (by.length == 1 ? "once more" : by.length + " more times")
                + ", differed from its first trial by " + change(by[0])
                + (by.length == 1 ? "" : " to " + change(by[by.length - 1])) + " ("
                + figure.metric().words()
                + "): that is taken out where settings are ranked; the table has the figures as they were measured.";
    }

    private static String change(double by) {
        return (by < 0 ? "−" : "+") + Format.share(Math.abs(by));
    }
}
