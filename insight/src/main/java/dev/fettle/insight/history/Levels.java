package dev.fettle.insight.history;

import dev.fettle.model.rule.Bounds;

/**
 * How sure a change has to be.
 *
 * @param window so many figures are searched at once; windows overlap by half (arXiv 2301.03034, 3.3)
 * @param weak a point is a candidate if a t-test of what lies on its two sides gives this p-value or less
 * @param strict it stays one if, once all candidates are known, the test still gives less than this
 * @param least figures that each side of a point has at least. Where the best split leaves fewer, there is none yet: the point would have to be
 *     put where it is not
 * @param careful whether a side's deviation is that of a sample (n - 1), where Otava takes that of all there is (n), by which a few figures
 *     look steadier than they are; whether the test allows for figures that follow their neighbours; and whether outliers neither are a
 *     change nor hide one ({@link EDivisive})
 */
public record Levels(int window, double weak, double strict, int least, boolean careful) {
    /** Those that Apache Otava 0.8 has if nobody asks for others. */
    public static final Levels OTAVA = otava(50, 0.001);

    /** @throws IllegalArgumentException if a window has no two sides */
    public Levels {
        if (window < 2 || least < 1 || !(strict <= weak)) {
            throw new IllegalArgumentException("a window of " + window + ", sides of " + least + ", levels of " + weak
                    + " and " + strict + " find nothing");
        }
    }

    /** Ours: {@code rules/bounds.yaml}. */
    public static Levels usual() {
        double strict = Bounds.value("history-level");
        return new Levels(
                (int) Bounds.value("history-window"),
                strict * Bounds.value("history-weak"),
                strict,
                (int) Bounds.value("history-runs"),
                true);
    }

    /**
     * Of one metric among several that are searched in one series: their false alarms add up, so each has its share of those of two series, and
     * never more than it has alone.
     *
     * @param part above 0, 1 at most
     */
    Levels of(double part) {
        double factor = Math.min(1, 2 * part);
        return new Levels(window, weak * factor, strict * factor, least, careful);
    }

    /** Otava's, with the window and the p-value that it can be given: its candidates have ten times as much, or twice from 0.05 on. */
    public static Levels otava(int window, double strict) {
        return new Levels(window, strict < 0.05 ? 10 * strict : strict < 0.5 ? 2 * strict : strict, strict, 1, false);
    }
}
