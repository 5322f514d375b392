package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A sweep over two dimensions: a table with what the machine did beside each figure, and a heat map. */
final class Grid {
    private static final int LEFT = 190;
    private static final int TOP = 92;
    private static final int WIDE = 150;
    private static final int HIGH = 44;

    private Grid() {}

    /** Every cell with its errors, the CPU time of the server and the machine's load average. */
    static String table(JsonNode kept) {
        var s = new StringBuilder(
                "| cell | throughput /s [95 %] | errors | p50 | p99 | Little's law | CPU of the server, without compilers | load average | valid | void |\n"
                        + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        for (JsonNode c : kept.path("conclusion").path("cells")) {
            int trials = c.path("trials").asInt();
            s.append(Blocks.row(
                    Figures.point(c.path("point")),
                    Figures.rate(c.path("throughputPerSecond"), trials),
                    percent(c, "errorShare"),
                    Blocks.latency(c, "p50Millis"),
                    Blocks.latency(c, "p99Millis"),
                    Blocks.figure(c, "littlesRatio", Format::ratio),
                    used(c),
                    Blocks.figure(c, "loadAverage", Format::number),
                    trials,
                    c.path("voids").asInt()));
        }
        return s.toString();
    }

    /** How much of the server's CPUs a cell used, without its compilers. */
    static String used(JsonNode cell) {
        return percent(cell, "cpuUtilisationShare");
    }

    /** How much of the time the collector took in each cell, over its valid trials. */
    static String collections(JsonNode kept) {
        var s = new StringBuilder("| cell | collections, of the time |\n|---|--:|\n");
        for (JsonNode c : kept.path("conclusion").path("cells")) {
            double millis = 0;
            double seconds = 0;
            for (JsonNode t : kept.path("trials")) {
                if (t.path("valid").asBoolean() && t.path("point").equals(c.path("point")) && t.has("gcMillis")) {
                    millis += t.get("gcMillis").asDouble();
                    seconds += t.path("responses").asDouble()
                            / t.path("throughputPerSecond").asDouble();
                }
            }
            s.append(Blocks.row(
                    Figures.point(c.path("point")), seconds > 0 ? Format.share(millis / 1000 / seconds) : Blocks.NONE));
        }
        return s.toString();
    }

    static String percent(JsonNode of, String field) {
        return of.hasNonNull(field) ? Format.share(of.get(field).asDouble()) : Blocks.NONE;
    }

    /** Throughput by colour: a row for each value of the first dimension, a column for each of the second. */
    static String map(JsonNode kept, String title) {
        Map<String, Map<String, JsonNode>> rows = new LinkedHashMap<>();
        String down = "";
        String across = "";
        double most = 1;
        for (JsonNode c : kept.path("conclusion").path("cells")) {
            List<Map.Entry<String, JsonNode>> at =
                    new ArrayList<>(c.path("point").properties());
            if (at.size() != 2) {
                throw new IllegalArgumentException(
                        "a heat map needs two dimensions, not " + Figures.point(c.path("point")));
            }
            down = at.getFirst().getKey();
            across = at.getLast().getKey();
            rows.computeIfAbsent(at.getFirst().getValue().asText(), k -> new LinkedHashMap<>())
                    .put(at.getLast().getValue().asText(), c);
            most = Math.max(most, Blocks.value(c.path("throughputPerSecond")));
        }
        var s = new StringBuilder();
        int y = TOP;
        for (var row : rows.entrySet()) {
            int x = LEFT;
            s.append(Plot.text(LEFT - 10, y + 27, "#374151", 13, "end", down + " " + row.getKey()))
                    .append('\n');
            for (var cell : row.getValue().entrySet()) {
                if (y == TOP) {
                    s.append(Plot.text(x + WIDE / 2, TOP - 8, "#374151", 13, "middle", across + " " + cell.getKey()))
                            .append('\n');
                }
                boolean measured = cell.getValue().path("trials").asInt() > 0;
                double v = Blocks.value(cell.getValue().path("throughputPerSecond"));
                double share = measured ? v / most : 0;
                // from nearly white to blue
                s.append(Figures.format(
                                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"/>%n",
                                x,
                                y,
                                WIDE - 2,
                                HIGH - 2,
                                Math.round(239 - share * 202),
                                Math.round(246 - share * 147),
                                Math.round(255 - share * 20)))
                        .append(Plot.text(
                                x + WIDE / 2,
                                y + 27,
                                share > 0.6 ? "#ffffff" : "#111827",
                                14,
                                "middle",
                                measured ? Figures.rate(v) : "no valid trial"))
                        .append('\n');
                x += WIDE;
            }
            y += HIGH;
        }
        return Plot.framed(720, y + 14, title, "requests a second", s.toString());
    }
}
