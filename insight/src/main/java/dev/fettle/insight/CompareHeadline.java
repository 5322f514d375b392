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

    /** Variants whose answers differ are said first: of those, speeds are not compared. */
    static String text(List<Condition> conditions) {
        var otherwise = new ArrayList<String>();
        var alike = new ArrayList<Condition>();
        for (Condition c : conditions) {
            String at = c.point().isEmpty() ? "" : " at " + Grid.name(c.point());
            c.contrasts().forEach(k -> k.otherAnswers().ifPresent(o -> otherwise.add(o + at)));
            alike.add(new Condition(
                    c.point(),
                    c.variants(),
                    c.contrasts().stream()
                            .filter(k -> k.otherAnswers().isEmpty())
                            .toList()));
        }
        if (otherwise.isEmpty()) {
            return speeds(conditions);
        }
        int more = otherwise.size() - 1;
        String rest = more == 0 ? "" : " Answers differ in " + Say.count(more, "other contrast") + ", too.";
        boolean any = alike.stream().anyMatch(c -> !c.contrasts().isEmpty());
        return otherwise.getFirst() + ", so their speeds can't be compared." + rest + (any ? " " + speeds(alike) : "");
    }

    private static String speeds(List<Condition> conditions) {
        var shown = new ArrayList<String>();
        int contrasts = 0;
        int compared = 0;
        for (Condition c : conditions) {
            for (Contrast k : c.contrasts()) {
                contrasts++;
                compared += k.pairs() > 0 ? 1 : 0;
                if (k.differenceShown()) {
                    shown.add(sentence(k) + (c.point().isEmpty() ? "" : " at " + Grid.name(c.point())));
                }
            }
        }
        if (compared == 0) {
            return "Nothing could be compared: no block has two valid trials.";
        }
        if (shown.isEmpty()) {
            return "No difference shown"
                    + (contrasts == 1
                            ? ": "
                                    + interval(conditions.stream()
                                            .flatMap(c -> c.contrasts().stream())
                                            .toList()
                                            .getFirst())
                                    + "."
                            : " in any of " + contrasts + " contrasts.");
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
