package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import java.util.Optional;

/**
 * What a test shows of the figure that the finding's {@code refutedBy} names, before and with one thing changed. Trials of one setting
 * differ by a few per cent: what is better by a factor of 1.2 ({@link Thresholds#CLEAR_GAIN}) is better, and what is not by one of 1.1
 * ({@link Thresholds#NO_GAIN}) is the same. Of a figure that was not observed in both trials nothing is
 * told, unless throughput rose by as much.
 *
 * @param better whether it is clearly better than before
 * @param same whether it is no better than before
 * @param words both values, if they are not the throughput's; blank, or beginning with a comma
 * @param cannotTell why a figure that is the same tells nothing all the same
 */
record TestedFigure(boolean better, boolean same, String words, Optional<String> cannotTell) {
    /**
     * Drops vanish with the length of a queue that is filled by bursts, and do not depend on it where more comes than is accepted: half as
     * many lies between. Of a p99 it takes as much, because it scatters by far more than a mean.
     */
    static final double HALF = 2;

    /** By how much more workers have to be busy where twice as many requests were to get to what they wait for: half of a doubling. */
    private static final double CROWDED = 1.5;

    private static double throughput(TrialFacts s) {
        return s.measurement().map(Measurement::throughput).orElse(0.0);
    }

    /** Throughput over that before. */
    static double gain(TrialFacts before, TrialFacts after) {
        return throughput(after) / throughput(before);
    }

    /** By how much something is better, compared with the bounds. */
    static TestedFigure by(double factor, double clear, String words) {
        return new TestedFigure(factor >= clear, factor < Thresholds.NO_GAIN, words, Optional.empty());
    }

    /** A figure that was not observed: only more throughput tells anything. */
    static TestedFigure unknown(TrialFacts before, TrialFacts after, double clear) {
        return new TestedFigure(gain(before, after) >= clear, false, "", Optional.empty());
    }

    TestedFigure unless(boolean untold, String why) {
        return untold ? new TestedFigure(better, same, words, Optional.of(why)) : this;
    }

    TestedFigure betterIf(boolean so) {
        return new TestedFigure(better && so, same, words, cannotTell);
    }

    TestedFigure sameIf(boolean so) {
        return new TestedFigure(better, same && so, words, cannotTell);
    }

    /** An open load that is served can't give more, whatever is changed. */
    static TestedFigure throughput(TrialFacts before, TrialFacts after, double clear) {
        OptionalFigure offered = OptionalFigure.from(before.point(), OperatingPoint::offered);
        boolean served = offered.isPresent() && offered.getAsDouble() < Thresholds.CLEAR_GAIN * throughput(before);
        return by(gain(before, after), clear, "")
                .unless(served, "The load asks for no more than that, so this test decides nothing.");
    }

    /** Throughput with more requests at work at once, if more came that far. */
    static TestedFigure crowd(TrialFacts before, TrialFacts after, double clear) {
        boolean came = after.busy().orElse(0) >= CROWDED * before.busy().orElse(Double.MAX_VALUE);
        return throughput(before, after, clear)
                .unless(!came, "Not many more requests were seen at work at once, so this test decides nothing.");
    }
}
