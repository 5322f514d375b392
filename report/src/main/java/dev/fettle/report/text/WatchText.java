package dev.fettle.report.text;

import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.NumberText;
import dev.fettle.report.Quantities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A watch on a terminal: a screen with the last minute's course, or one line per second. */
public final class WatchText {
    private static final int LABEL = 9;
    private static final int NARROW = 100;
    private static final int SPARKS_NARROW = 16;
    private static final int SPARKS_WIDE = 60;
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";

    /** Points for which a figure that is not read every second is still shown. */
    private static final int FRESH = 6;

    /** Lines of the screen: a label, the figure whose course is drawn, and all figures that are shown. */
    private static final List<Row> ROWS = List.of(
            new Row("load", "load.rate", "load.rate load.errors load.p50 load.p99 load.inflight"),
            new Row(
                    "CPU",
                    "cpu.total",
                    "cpu.total cpu.acceptor cpu.io cpu.workers cpu.gc cpu.jit cpu.app cpu.other cpu.hottest"),
            new Row("workers", "workers.busy", "workers.busy workers.total workers.queued io.blocked io.threads"),
            new Row(
                    "wait",
                    "wait.lock",
                    "wait.running wait.lock wait.pool wait.socket wait.file wait.sleep wait.other wait.idle"),
            new Row("heap", "heap.used", "heap.used heap.afterGc heap.old heap.committed heap.max"),
            new Row("GC", "gc.share", "gc.share gc.pauseMax gc.count alloc.rate"),
            new Row(
                    "sockets",
                    "sockets.established",
                    "sockets.established sockets.closeWait sockets.timeWait sockets.synRecv sockets.other"),
            new Row("accept", "accept.queue", "accept.queue accept.limit accept.drops accept.overflows"),
            new Row("TCP", "tcp.retransmits", "tcp.retransmits tcp.synRetransmits tcp.resets"),
            new Row("host", "host.busy", "host.busy host.steal host.foreign cgroup.throttled"),
            new Row("pressure", "pressure.cpu", "pressure.cpu pressure.memory pressure.io runqueue.wait"),
            new Row("memory", "memory.rss", "memory.rss memory.direct swap.used cgroup.memory cgroup.memoryMax"),
            new Row("disk", "disk.write", "disk.write disk.read disk.busy faults.major"),
            new Row(
                    "threads",
                    "threads.total",
                    "threads.total busiest.cpu busiest.ready fds.open fds.limit sessions.active classes.loaded ctxt.voluntary ctxt.involuntary"));

    /** The columns of the line per second: name and signal. */
    private static final Map<String, String> BRIEF = brief();

    private final int width;
    private final boolean colour;

    /** @param ids all of them, separated by blanks */
    private record Row(String label, String key, String ids) {
        List<String> all() {
            return List.of(ids.split(" "));
        }
    }

    /** @param width columns of the terminal */
    public WatchText(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    private static Map<String, String> brief() {
        var brief = new LinkedHashMap<String, String>();
        brief.put("cpu.total", "cpu");
        brief.put("cpu.hottest", "hottest");
        brief.put("workers.busy", "busy");
        brief.put("wait.lock", "in a lock");
        brief.put("heap.used", "heap");
        brief.put("gc.share", "gc");
        brief.put("sockets.established", "conns");
        brief.put("sockets.closeWait", "close-wait");
        brief.put("accept.queue", "queue");
        brief.put("tcp.retransmits", "retrans");
        brief.put("fds.open", "files");
        brief.put("host.busy", "host");
        brief.put("host.steal", "stolen");
        brief.put("disk.write", "written");
        return brief;
    }

    /** One second on one line: the figures that were read in it. */
    public String line(WatchPoint p) {
        var text = new StringBuilder(String.format(Locale.ROOT, "%6.0f s", p.at()));
        BRIEF.forEach((id, name) -> {
            Double v = p.values().get(id);
            if (v != null) {
                text.append("  ").append(name).append(' ').append(value(id, v));
            }
        });
        return text.toString();
    }

    /**
     * All of it.
     *
     * @param about what is watched
     * @param rows lines that there is room for
     */
    public String screen(String about, double seconds, Timeline t, int rows) {
        var lines = new ArrayList<String>();
        lines.add(cut(strong("fettle watch") + "  " + about + "  " + NumberText.number(seconds) + " s", 8));
        for (Row row : ROWS) {
            figures(t, row).forEach(lines::add);
        }
        pools(t).forEach(lines::add);
        peers(t).forEach(lines::add);
        List<String> why = notObserved(t);
        int room = Math.max(1, rows - lines.size());
        lines.addAll(why.subList(0, Math.min(room, why.size())));
        return String.join("\n", lines.subList(0, Math.min(rows, lines.size()))) + "\n";
    }

    private List<String> figures(Timeline t, Row row) {
        var texts = new ArrayList<String>();
        for (String id : row.all()) {
            fresh(t, id).ifPresent(v -> texts.add(Signal.of(id).title() + " " + strong(value(id, v))));
        }
        if (row.label().equals("CPU")) {
            t.sightings("thread.hottest").stream()
                    .filter(s -> s.count() >= 0.01)
                    .findFirst()
                    .ifPresent(s -> texts.add("most: " + s.what() + " " + NumberText.number(s.count())));
        }
        return texts.isEmpty() ? List.of() : wrapped(row.label(), t.find(row.key()), texts);
    }

    private List<String> pools(Timeline t) {
        var byPool = new TreeMap<String, List<String>>();
        t.series().keySet().stream()
                .filter(id -> id.startsWith("pool."))
                .forEach(id -> fresh(t, id)
                        .ifPresent(v -> byPool.computeIfAbsent(
                                        id.substring("pool.".length(), id.lastIndexOf('.')), p -> new ArrayList<>())
                                .add(id.substring(id.lastIndexOf('.') + 1) + " " + strong(value(id, v)))));
        var lines = new ArrayList<String>();
        byPool.forEach((pool, texts) -> {
            texts.addFirst(pool + ":");
            lines.addAll(wrapped("pool", t.find("pool." + pool + ".active"), texts));
        });
        return lines;
    }

    /** Peers by state; those of open connections only where they are not clients. */
    private List<String> peers(Timeline t) {
        var texts = new ArrayList<String>();
        for (Sighting s : t.sightings()) {
            boolean client = s.what().startsWith("from ");
            if (s.kind().equals("peer.closeWait") || s.kind().equals("peer.established") && !client) {
                String state = s.kind().equals("peer.closeWait") ? "CLOSE_WAIT " : "";
                texts.add(state + s.what() + " ×" + NumberText.number(s.count()));
            } else if (s.kind().equals("lock")) {
                texts.add("lock " + s.what() + " ×" + NumberText.number(s.count()));
            }
        }
        return texts.isEmpty() ? List.of() : wrapped("most", Optional.empty(), texts);
    }

    private List<String> notObserved(Timeline t) {
        var byReason = new TreeMap<String, TreeSet<String>>();
        t.notObserved()
                .forEach((id, why) ->
                        byReason.computeIfAbsent(why, w -> new TreeSet<>()).add(id));
        return byReason.entrySet().stream()
                .map(e -> cut(
                        String.format("%-" + LABEL + "s", "not seen")
                                + e.getValue().stream().limit(3).collect(Collectors.joining(", "))
                                + (e.getValue().size() > 3
                                        ? " and " + (e.getValue().size() - 3) + " more"
                                        : "") + ": "
                                + e.getKey(),
                        0))
                .toList();
    }

    private List<String> wrapped(String label, Optional<Series> course, List<String> texts) {
        int sparks = width < NARROW ? SPARKS_NARROW : SPARKS_WIDE;
        String indent = " ".repeat(LABEL + sparks + 1);
        var line = new StringBuilder(String.format("%-" + LABEL + "s", label))
                .append(course.map(s -> sparkline(s, sparks)).orElse(" ".repeat(sparks)))
                .append(' ');
        int used = indent.length();
        var lines = new ArrayList<String>();
        for (String text : texts) {
            int length = visible(text) + 2;
            if (used + length > width && used > indent.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
                used = indent.length();
            }
            line.append(text).append("  ");
            used += length;
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    /** The last points as blocks, the highest of them full; a point that was not observed is a gap. */
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

    private static OptionalDouble fresh(Timeline t, String id) {
        return t.find(id)
                .map(s -> s.observed(t.points() - FRESH, t.points()).reduce((a, b) -> b))
                .orElse(OptionalDouble.empty());
    }

    private static String value(String id, double v) {
        return Quantities.text(Signal.of(id).unit(), v);
    }

    private String strong(String text) {
        return colour ? "\033[1m" + text + "\033[0m" : text;
    }

    private static int visible(String text) {
        return text.replaceAll("\033\\[[0-9;]*m", "").length();
    }

    private String cut(String text, int invisible) {
        int most = width + (colour ? invisible : 0);
        return text.length() > most ? text.substring(0, most - 1) + "…" : text;
    }
}
