package dev.fettle.load.schedule;

import dev.fettle.load.api.Arrivals;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A Poisson process whose rate changes with time, by time rescaling: unit-exponential steps of the rate's integral (Brown,
 * Barbieri, Ventura, Kass and Frank 2002, "The time-rescaling theorem", <a
 * href="https://doi.org/10.1162/08997660252741149">doi:10.1162/08997660252741149</a>). Bursts arrive as one. Each of n threads
 * has an independent process of an n-th of the rate, derived from the same seed; their sum is a Poisson process again.
 */
final class PoissonSchedule implements Schedule {

    private final RateCurve curve;
    private final int[] bursts;
    private final SplittableRandom random;
    private long end;

    private long left;
    private double arrived;
    private int stage;
    private int leftOfBurst;
    private long due;

    /**
     * @param thread its number, from 0
     * @param max most arrivals for this thread
     * @param end nothing is due from then on
     */
    PoissonSchedule(List<Arrivals.Stage> stages, long seed, int thread, int threads, long max, long end) {
        this.curve = new RateCurve(stages, stage -> 1.0 / stage.burst() / threads);
        this.bursts = stages.stream().mapToInt(Arrivals.Stage::burst).toArray();
        SplittableRandom root = new SplittableRandom(seed);
        SplittableRandom mine = root.split();
        for (int i = 0; i < thread; i++) {
            mine = root.split();
        }
        this.random = mine;
        this.left = max + 1;
        this.end = end;
        advance();
    }

    @Override
    public long due() {
        return due;
    }

    @Override
    public void advance() {
        if (--left <= 0) {
            due = NEVER;
        } else if (leftOfBurst > 0) {
            leftOfBurst--;
        } else if (due != NEVER) {
            due = nextBurst();
        }
    }

    private long nextBurst() {
        // StrictMath, so that a seed gives the same arrivals on every machine
        arrived -= StrictMath.log(1 - random.nextDouble());
        while (arrived >= curve.before(stage + 1)) {
            stage++;
            if (stage == curve.stages()) {
                return NEVER;
            }
        }
        leftOfBurst = bursts[stage] - 1;
        long time = Math.max(due, curve.timeOf(stage, arrived));
        return time < end ? time : NEVER;
    }

    @Override
    public void endAt(long sooner) {
        end = Math.min(end, sooner);
        if (due >= end) {
            due = NEVER;
        }
    }
}
