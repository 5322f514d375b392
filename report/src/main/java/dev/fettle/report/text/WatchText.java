package dev.fettle.report.text;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.Quantities;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A watch on a terminal: a screen with graphs of the last minute, or one line per second. */
public final class WatchText {
    private static final int LABEL = 9;
    private static final int SPARKS_LEAST = 16;
    private static final int SPARKS_MOST = 60;

    /** Columns that the figures next to a graph have at least, unless the graph is as narrow as can be. */
    private static final int ROOM = 64;

    private static final String NAME = "fettle watch";
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";

    /** Seconds for which a figure that is not read every second is shown without its age. */
    private static final int FRESH = 6;

    /** Points for which it is shown at all: even an expensive look is repeated at least every 30 s. */
    private static final int KEPT = 35;

    private final int width;
    private final boolean colour;

    /** @param width columns of the terminal */
    public WatchText(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    /** One second on one line: the figures that were read in it. */
    public String line(WatchPoint p) {
        var text = new StringBuilder(String.format(Locale.ROOT, "%6s s", Format.whole(p.at())));
        WatchRow.BRIEF.forEach((id, name) -> {
            Double v = p.values().get(id);
            if (v != null) {
                text.append("  ").append(name).append(' ').append(value(id, v));
            }
        });
        return text.toString();
    }

    /**
     * The whole screen.
     *
     * @param about what is watched
     * @param rows number of lines that fit
     */
    public String screen(String about, double seconds, Timeline t, int rows) {
        List<String> lines = seen(about, seconds, t, false);
        List<String> why = notObserved(t);
        if (lines.size() + Math.min(1, why.size()) > rows) {
            lines = seen(about, seconds, t, true);
        }
        int room = Math.max(0, rows - lines.size());
        lines.addAll(why.subList(0, Math.min(room, why.size())));
        return String.join("\n", cut(lines, rows)) + "\n";
    }

    /** The first lines, and how many more there are. */
    private List<String> cut(List<String> lines, int rows) {
        if (lines.size() <= rows) {
            return lines;
        }
        var first = new ArrayList<>(lines.subList(0, Math.max(1, rows - 1)));
        first.add(Wording.cut(
                (lines.size() - first.size())
                        + " more lines: on a taller terminal, by --once, or on the page of --html",
                width));
        return first;
    }

    /**
     * The lines for what was observed.
     *
     * @param close for a low terminal: without figures that are zero, and with pools and peers further up
     */
    private List<String> seen(String about, double seconds, Timeline t, boolean close) {
        var lines = new ArrayList<String>();
        String head = Wording.cut(NAME + "  " + Wording.clean(about) + "  " + Format.time(seconds * 1e9), width);
        lines.add(head.startsWith(NAME) ? strong(NAME) + head.substring(NAME.length()) : head);
        List<String> named = new ArrayList<>(pools(t));
        named.addAll(peers(t));
        for (WatchRow row : WatchRow.ALL) {
            lines.addAll(figures(t, row, close));
            if (close && row.label().equals("wait")) {
                lines.addAll(named);
            }
        }
        if (!close) {
            lines.addAll(named);
        }
        return lines;
    }

    private static SortedMap<String, TreeSet<String>> byReason(Map<String, String> reasons) {
        var all = new TreeMap<String, TreeSet<String>>();
        reasons.forEach(
                (id, why) -> all.computeIfAbsent(why, w -> new TreeSet<>()).add(id));
        return all;
    }

    private List<String> figures(Timeline t, WatchRow row, boolean close) {
        var texts = new ArrayList<String>();
        for (String id : row.all()) {
            fresh(t, id).stream()
                    .filter(v -> !close || v != 0 || id.equals(row.key()))
                    .forEach(v -> texts.add(title(id, v) + " " + strong(value(id, v)) + age(t, id)));
        }
        if (row.label().equals("CPU")) {
            t.sightings(Sighting.HOTTEST).stream()
                    .filter(s -> s.count() >= 0.01)
                    .findFirst()
                    .ifPresent(s -> texts.add("most: " + Wording.clean(s.what()) + " " + Format.count(s.count())));
        }
        return texts.isEmpty() ? List.of() : wrapped(row.label(), t.find(row.key()), texts);
    }

    private List<String> pools(Timeline t) {
        var byPool = new TreeMap<String, List<String>>();
        t.series().keySet().stream()
                .filter(id -> id.startsWith(Signals.POOL))
                .forEach(id -> fresh(t, id)
                        .ifPresent(v -> byPool.computeIfAbsent(
                                        id.substring(Signals.POOL.length(), id.lastIndexOf('.')),
                                        p -> new ArrayList<>())
                                .add(Wording.clean(id.substring(id.lastIndexOf('.') + 1)) + " "
                                        + strong(value(id, v)))));
        var lines = new ArrayList<String>();
        byPool.forEach((pool, texts) -> {
            texts.addFirst(Wording.clean(pool) + ":");
            lines.addAll(wrapped("pool", t.find(Signals.POOL + pool + ".active"), texts));
        });
        return lines;
    }

    /** Peers by state; for open connections only those that are not clients. */
    private List<String> peers(Timeline t) {
        var texts = new ArrayList<String>();
        for (Sighting s : t.sightings()) {
            boolean closed =
                    s.kind().equals(Sighting.PEER_CLOSE_WAIT) || s.kind().equals(Sighting.CLIENT_CLOSE_WAIT);
            if (closed || s.kind().equals(Sighting.PEER_ESTABLISHED) && !s.ofClient()) {
                String state = closed ? "CLOSE_WAIT " : "";
                texts.add(state + Wording.clean(s.what()) + " ×" + Format.whole((long) s.count()));
            } else if (s.kind().equals(Sighting.LOCK)) {
                texts.add("lock " + Wording.clean(s.what()) + " ×" + Format.whole((long) s.count()));
            }
        }
        return texts.isEmpty() ? List.of() : wrapped("most", Optional.empty(), texts);
    }

    private List<String> notObserved(Timeline t) {
        return byReason(t.notObserved()).entrySet().stream()
                .map(e -> Wording.cut(
                        Wording.clean(String.format("%-" + LABEL + "s", "not seen")
                                + e.getValue().stream().limit(3).collect(Collectors.joining(", "))
                                + (e.getValue().size() > 3
                                        ? " and " + (e.getValue().size() - 3) + " more"
                                        : "") + ": "
                                + e.getKey()),
                        width))
                .toList();
    }

    private List<String> wrapped(String label, Optional<Series> course, List<String> texts) {
        boolean drawn = course.isPresent() && width >= 2 * (LABEL + 1 + SPARKS_LEAST);
        int sparks = drawn ? Math.clamp(width - LABEL - 1 - ROOM, SPARKS_LEAST, SPARKS_MOST) : 0;
        String indent = " ".repeat(LABEL + sparks + 1);
        var line = new StringBuilder(String.format("%-" + LABEL + "s", label))
                .append(course.filter(_ -> drawn).map(s -> sparkline(s, sparks)).orElse(""))
                .append(' ');
        int used = indent.length();
        var lines = new ArrayList<String>();
        for (String whole : texts) {
            String text = visible(whole) > width - indent.length()
                    ? Wording.cut(plain(whole), width - indent.length())
                    : whole;
            int length = visible(text);
            if (used + length > width && used > indent.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
                used = indent.length();
            }
            line.append(text).append("  ");
            used += length + 2;
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    /** The last points as blocks, scaled to the highest; a point that was not observed is a gap. */
    static String sparkline(Series s, int length) {
        double most = s.observed(s.size() - length, s.size()).max().orElse(0);
        var text = new StringBuilder();
        for (int i = s.size() - length; i < s.size(); i++) {
            double v = i < 0 ? Double.NaN : s.at(i);
            text.append(
                    Double.isNaN(v)
                            ? ' '
                            : BLOCKS.charAt(most <= 0 ? 0 : (int) Math.min(7, Math.floor(8 * Math.max(0, v) / most))));
        }
        return text.toString();
    }

    private static OptionalFigure fresh(Timeline t, String id) {
        return OptionalFigure.from(
                t.find(id),
                s -> OptionalFigure.of(s.observed(t.points() - KEPT, t.points()).reduce((a, b) -> b)));
    }

    /** How long ago it was read, if that is not recent. */
    private static String age(Timeline t, String id) {
        Series s = t.find(id).orElseThrow();
        int last = s.size() - 1;
        while (last > 0 && Double.isNaN(s.at(last))) {
            last--;
        }
        long old = (t.points() - 1 - last) * t.stepMillis() / 1000;
        return old < FRESH ? "" : " (" + Format.whole(old) + " s ago)";
    }

    private static String value(String id, double v) {
        Signal.Unit unit = Signal.of(id).unit();
        return Quantities.text(unit, v);
    }

    /** The title, without the unit if the value includes it. */
    private static String title(String id, double v) {
        String title = Signal.of(id).title();
        return title.endsWith("/s") && value(id, v).endsWith("/s") ? title.substring(0, title.length() - 2) : title;
    }

    private String strong(String text) {
        return colour ? "\033[1m" + text + "\033[0m" : text;
    }

    private static int visible(String text) {
        return Wording.length(plain(text));
    }

    private static String plain(String text) {
        return text.replaceAll("\033\\[[0-9;]*m", "");
    }
}
