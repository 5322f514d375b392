package dev.fettle.insight;

import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import java.util.ArrayList;
import java.util.List;

/** Says which differences a comparison has shown, and that there is none where there is none. */
final class CompareHeadline {
    /** More differences than this are counted rather than listed. */
    private static final int LISTED = 3;

    private CompareHeadline() {}

    static String text(List<Condition> conditions) {
        var shown = new ArrayList<String>();
        var otherwise = new ArrayList<String>();
        int contrasts = 0;
        int compared = 0;
        for (Condition c : conditions) {
            for (Contrast k : c.contrasts()) {
                contrasts++;
                compared += k.pairs() > 0 ? 1 : 0;
                k.otherAnswers()
                        .ifPresent(o -> otherwise.add(o + (c.point().isEmpty() ? "" : " at " + Grid.name(c.point()))));
                if (k.differenceShown()) {
                    shown.add(sentence(k) + (c.point().isEmpty() ? "" : " at " + Grid.name(c.point())));
                }
            }
        }
        if (!otherwise.isEmpty()) {
            return otherAnswers(otherwise) + (otherwise.size() == contrasts ? "" : " " + text(shown, contrasts, otherwise.size(), conditions));
        }
        if (compared == 0) {
            return "Nothing could be compared: no block has two valid trials.";
        }
        return text(shown, contrasts, 0, conditions);
    }

    private static String otherAnswers(List<String> otherwise) {
        return otherwise.getFirst() + ". How fast they are can't be compared"
                + (otherwise.size() == 1
                        ? "."
                        : "; nor can it in " + Say.count(otherwise.size() - 1, "other contrast")
                                + " whose answers differ.");
    }

    private static String text(List<String> shown, int all, int otherwise, List<Condition> conditions) {
        int contrasts = all - otherwise;
        if (shown.isEmpty()) {
            return "No difference shown"
                    + (all == 1
                            ? ": "
                                    + interval(conditions.stream()
                                            .flatMap(c -> c.contrasts().stream())
                                            .toList()
                                            .getFirst())
                                    + "."
                            : " in any of " + Say.count(contrasts, otherwise == 0 ? "contrast" : "other contrast") + ".");
        }
        String list = String.join("; ", shown.subList(0, Math.min(LISTED, shown.size())));
        String more = shown.size() > LISTED ? "; and " + Say.count(shown.size() - LISTED, "more difference") : "";
        int rest = contrasts - shown.size();
        String none = rest == 0 ? "" : " No difference shown in " + Say.count(rest, "other contrast") + ".";
        return list + more + "." + none;
    }

    private static String sentence(Contrast k) {
        boolean first = k.ratio().estimate() >= 1;
        String faster = first ? k.a() : k.b();
        String slower = first ? k.b() : k.a();
        double r = first ? k.ratio().estimate() : 1 / k.ratio().estimate();
        double low = first ? k.ratio().low() : 1 / k.ratio().high();
        double high = first ? k.ratio().high() : 1 / k.ratio().low();
        return faster + " gives " + Say.ratio(r) + " times the throughput of " + slower + " (" + Say.ratio(low) + " to "
                + Say.ratio(high) + ", " + Say.count(k.pairs(), "block") + ")";
    }

    private static String interval(Contrast k) {
        return k.a() + " over " + k.b() + " is " + Say.ratio(k.ratio().estimate())
                + (k.ratio().bounded()
                        ? " (" + Say.ratio(k.ratio().low()) + " to "
                                + Say.ratio(k.ratio().high()) + ")"
                        : "")
                + " in " + Say.count(k.pairs(), "block");
    }
}
