package dev.fettle.load.schedule;

import dev.fettle.load.api.Arrivals;
import java.util.List;

/**
 * Arrivals in equal steps of the rate's integral: the k-th of a load, from 0, is due when the rate has brought k
 * arrivals. Of n threads, the i-th takes those whose number modulo n is i, so that all together are even. Bursts begin
 * at the stage's first arrival and follow each other without a gap in the count.
 */
final class EvenSchedule implements Schedule {

    /** Rounding error allowed in a sum of rates, in arrivals: it must not create an additional one. */
    private static final double ROUNDING = 1e-6;

    private final RateCurve curve;
    private final int[] bursts;
    /** Number of each stage's first arrival; the last entry is the total. */
    private final long[] first;

    private final int threads;
    private long end;
    /** Number of arrivals for all threads. */
    private final long count;

    private int stage;
    private long number;
    private long due;

    /**
     * @param thread its number, from 0
     * @param max most arrivals for all threads
     * @param end nothing is due from then on
     */
    EvenSchedule(List<Arrivals.Stage> stages, int thread, int threads, long max, long end) {
        this.curve = new RateCurve(stages, stage -> 1);
        this.bursts = stages.stream().mapToInt(Arrivals.Stage::burst).toArray();
        this.first = new long[stages.size() + 1];
        this.threads = threads;
        this.end = end;
        this.number = thread;
        for (int i = 0; i < bursts.length; i++) {
            double bursting = (curve.before(i + 1) - first[i]) / bursts[i];
            first[i + 1] = first[i] + Math.max(0, (long) Math.ceil(bursting - ROUNDING)) * bursts[i];
        }
        this.count = Math.min(max, first[bursts.length]);
        this.due = timeOf(number, 0);
    }

    @Override
    public long due() {
        return due;
    }

    @Override
    public void advance() {
        number += threads;
        while (stage < bursts.length && number >= first[stage + 1]) {
            stage++;
        }
        due = timeOf(number, stage);
    }

    /** @param hint a stage at or before the one that the arrival is in */
    private long timeOf(long arrival, int hint) {
        if (arrival >= count) {
            return NEVER;
        }
        int in = hint;
        while (arrival >= first[in + 1]) {
            in++;
        }
        long time = curve.timeOf(in, arrival - (arrival - first[in]) % bursts[in]);
        return time < end ? time : NEVER;
    }

    @Override
    public void endAt(long sooner) {
        end = Math.min(end, sooner);
        if (due >= end) {
            due = NEVER;
        }
    }

    @Override
    public long advancePast(long time) {
        long count = dueBy(time);
        if (count > 0) {
            number += (count - 1) * threads;
            advance();
        }
        return count;
    }

    @Override
    public long remaining() {
        return dueBy(NEVER);
    }

    /** How many of the remaining arrivals are due at this time or before. */
    private long dueBy(long time) {
        if (due == NEVER || due > time) {
            return 0;
        }
        long some = 0;
        long tooMany = (count - number + threads - 1) / threads;
        while (tooMany - some > 1) {
            long middle = (some + tooMany) >>> 1;
            long at = timeOf(number + middle * threads, stage);
            if (at != NEVER && at <= time) {
                some = middle;
            } else {
                tooMany = middle;
            }
        }
        return some + 1;
    }
}
