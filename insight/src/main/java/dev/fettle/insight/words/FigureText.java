package dev.fettle.insight.words;

import dev.fettle.model.plan.Condition;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;

/** Words for figures; the figures themselves are formatted by {@link Format}. */
public final class FigureText {
    /** As many of several are named. */
    public static final int LISTED = 3;

    private FigureText() {}

    /**
     * The beginning of a sentence about some of the trials: {@code 2 of 17 trials were}, {@code 1 of 3 trials was},
     * {@code The only trial was}.
     */
    public static String trials(long some, int all) {
        return all == 1 ? "The only trial was" : some + " of " + all + (some == 1 ? " trials was" : " trials were");
    }

    /** A figure next to the bound of a condition: with as many digits as it takes to be on the same side of it. */
    public static String figure(Condition c, double value) {
        return switch (c.metric().unit()) {
            case NANOS -> Format.time(value, c.bound());
            case SHARE -> Format.share(value, c.bound());
            case PER_SECOND -> Format.number(value, c.bound()) + "/s";
        };
    }

    /** A condition's bound, exactly. */
    public static String bound(Condition c) {
        return switch (c.metric().unit()) {
            case NANOS -> Format.exactTime(c.bound());
            case SHARE -> Format.exactShare(c.bound());
            case PER_SECOND -> Format.exactNumber(c.bound()) + "/s";
        };
    }

    /**
     * Words for {@code Power.leastShown}:
     * {@code with this scatter, 5 blocks show a difference of 8.3 % or more in four runs of five}.
     *
     * @param ratio above 1 for a gain, below for a saving
     * @param what {@code a difference}, {@code an improvement}
     */
    public static String leastShown(OptionalFigure ratio, String what, int pairs, String noun) {
        if (ratio.isEmpty()) {
            return "fewer than two " + noun + "s can't show any difference";
        }
        double r = ratio.getAsDouble();
        String scatter = "with this scatter, " + count(pairs, noun);
        if (r > Format.MOST_TIMES || r < 1 / Format.MOST_TIMES) {
            return scatter + " would often miss even " + what + " of a factor of 100";
        }
        return scatter + (pairs == 1 ? " shows " : " show ") + what + " of "
                + (r < 1 ? Format.less(r) + " %" : r < 2 ? Format.gain(r, r) + " %" : "a factor of " + Format.ratio(r))
                + " or more in four runs of five";
    }

    /** The first three of several, and how many more there are: {@code a; b; c; and 2 more}. */
    public static String some(List<String> all) {
        return String.join("; ", all.subList(0, Math.min(LISTED, all.size())))
                + (all.size() > LISTED ? "; and " + (all.size() - LISTED) + " more" : "");
    }

    /** {@code one trial}, {@code 3 trials}. */
    public static String count(int n, String noun) {
        return n == 1 ? "one " + noun : n + " " + noun + "s";
    }
}
