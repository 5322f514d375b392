package dev.fettle.insight.history;

/**
 * Where a series of figures changes.
 *
 * @param index of the first figure after the change
 * @param before mean of the figures before it, back to the change point before
 * @param after mean of those from it on, up to the next change point
 * @param p of the t-test of the two
 */
public record ChangePoint(int index, double before, double after, double p) {
    /** The larger of the two relative changes, there and back, as Otava has it; 0 where one is 0. */
    public double magnitude() {
        double there = before == 0 ? 0 : after / before - 1;
        double back = after == 0 ? 0 : before / after - 1;
        return Math.max(Math.abs(there), Math.abs(back));
    }
}
