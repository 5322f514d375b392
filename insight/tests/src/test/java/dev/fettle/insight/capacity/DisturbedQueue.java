package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;

/**
 * A queue on a machine that others use now and then: while they do, it is slower by a share that is told of the probe. One object
 * is one search; its clock is what the probes took, and the waits for calm that follow a disturbed one.
 */
final class DisturbedQueue implements ProbedServer {

    /** When others use the machine. */
    enum When {
        /** Never. */
        CALM,
        /** In three probes of ten, whatever the probe before was. */
        SCATTERED,
        /** For a minute at a time, 30 % of the time. */
        BURSTS,
        /** The same, but it costs the server nothing. */
        HARMLESS,
        /** All the time: 15 % of the CPUs, all of which the server loses. */
        ALWAYS
    }

    private static final double BURST = 60;
    private static final double SHARE = 0.3;
    /** A wait for calm takes at most so many seconds, as long as a probe measures. */
    private static final double WAIT = 3;

    private static final double LOOK = 0.5;

    private final SimulatedQueue queue;
    private final When when;
    private final Random random;
    private double clock;
    /** When the next burst begins, or the present one did. */
    private double begins;

    private double taken;

    DisturbedQueue(SimulatedQueue queue, When when) {
        this.queue = queue;
        this.when = when;
        this.random = new Random(queue.seed() * 7_368_787L + when.ordinal());
        // in a stationary state: within a burst with a chance of SHARE
        this.begins = random.nextDouble() < SHARE ? -BURST * random.nextDouble() : gap();
        this.taken = some();
    }

    private double gap() {
        return -Math.log(1 - random.nextDouble()) * BURST * (1 - SHARE) / SHARE;
    }

    private double some() {
        return 0.15 + 0.35 * random.nextDouble();
    }

    /** The share taken at this moment. */
    private double takenAt(double time) {
        while (time >= begins + BURST) {
            begins += BURST + gap();
            taken = some();
        }
        return time >= begins ? taken : 0;
    }

    private double takenNow() {
        return switch (when) {
            case CALM -> 0;
            case SCATTERED -> random.nextDouble() < SHARE ? some() : 0;
            case BURSTS, HARMLESS -> takenAt(clock);
            case ALWAYS -> 0.15;
        };
    }

    @Override
    public Probe probe(CapacitySearch.Step.Offer offer, int ordinal) {
        double now = takenNow();
        SimulatedQueue slower = when == When.HARMLESS ? queue : queue.slower(1 / (1 - now));
        Probe p = slower.probe(offer, ordinal);
        clock += p.took().toMillis() / 1e3;
        Probe seen = disturbed(p, now);
        if (ProbeVerdict.of(seen, queue.slo()).result() == Result.DISTURBED) {
            double end = clock + WAIT;
            clock += LOOK;
            while (clock < end && when != When.SCATTERED && takenNow() > 0) {
                clock += LOOK;
            }
        }
        return seen;
    }

    /** The same while others use this share of the CPUs. */
    static Probe disturbed(Probe p, double foreign) {
        return disturbed(p, foreign, 0.1);
    }

    static Probe disturbed(Probe p, double foreign, double lagMillis) {
        return Probes.seeing(p, Probes.evidence(2, host(p, foreign), OptionalInt.empty(), Map.of(), lagMillis, 0.05));
    }

    private static Aggregates host(Probe p, double foreign) {
        OptionalFigure no = OptionalFigure.empty();
        return Aggregates.NOTHING
                .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(p.seconds()))
                .with(Aggregate.FOREIGN_CPU, OptionalFigure.of(foreign));
    }
}
