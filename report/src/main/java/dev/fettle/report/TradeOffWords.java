package dev.fettle.report;

import dev.fettle.insight.TradeOff;
import dev.fettle.model.text.Format;

/** What a trade-off's table is headed with, and what it can't tell. */
public final class TradeOffWords {
    private TradeOffWords() {}

    public static String title(TradeOff t) {
        return "What " + t.metric().words() + " costs in " + t.against().words();
    }

    /** What the figures are, and how far apart they have to be. */
    public static String caution(TradeOff t) {
        String proved =
                "Settings that no other beats in both, as the search measured them; only the duel's result is proved.";
        return t.apart() == TradeOff.NOT_MEASURED || t.againstApart() == TradeOff.NOT_MEASURED
                ? proved
                : proved + " One trial each distinguishes two settings where "
                        + t.metric().words() + " differs by more than " + more(t.apart()) + ", "
                        + t.against().words() + " by more than " + more(t.againstApart()) + ".";
    }

    private static String more(double factor) {
        return Format.share(factor - 1);
    }
}
