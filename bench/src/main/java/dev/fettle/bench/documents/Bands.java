package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pictures of what was seen over the time of a trial, as SVG: a panel for each variant or cell, layers stacked on each other. */
final class Bands {
    private static final int WIDTH = 720;
    private static final int LEFT = 64;
    private static final int RIGHT = 20;
    private static final int HEIGHT = 96;
    private static final int GAP = 44;

    /**
     * A layer of a picture.
     *
     * @param series ids of the timeline's series that it sums
     * @param scale factor to the picture's unit
     */
    private record Layer(String name, String colour, double scale, List<String> series) {}

    private static final Map<String, List<Layer>> LAYERS = Map.of(
            "threads",
                    List.of(
                            new Layer("running", "#2563eb", 1, List.of(Signals.WAIT_RUNNING)),
                            new Layer("waiting for a lock", "#be123c", 1, List.of(Signals.WAIT_LOCK)),
                            new Layer("for a pool", "#ea580c", 1, List.of(Signals.WAIT_POOL)),
                            new Layer("for a socket", "#7c3aed", 1, List.of(Signals.WAIT_SOCKET, Signals.WAIT_CLIENT)),
                            new Layer(
                                    "asleep, files, other",
                                    "#ca8a04",
                                    1,
                                    List.of(
                                            Signals.WAIT_SLEEP,
                                            Signals.WAIT_FILE,
                                            Signals.WAIT_LOOKUP,
                                            Signals.WAIT_OTHER)),
                            new Layer("idle", "#d1d5db", 1, List.of(Signals.WAIT_IDLE))),
            "groups",
                    List.of(
                            new Layer("acceptor", "#be123c", 100, List.of(Signals.CPU_ACCEPTOR)),
                            new Layer("selectors, I/O", "#7c3aed", 100, List.of(Signals.CPU_IO)),
                            new Layer("workers", "#2563eb", 100, List.of(Signals.CPU_WORKERS)),
                            new Layer("collector", "#059669", 100, List.of(Signals.CPU_GC)),
                            new Layer("compiler", "#ca8a04", 100, List.of(Signals.CPU_JIT)),
                            new Layer("others", "#d1d5db", 100, List.of(Signals.CPU_APP, Signals.CPU_OTHER))),
            "heap",
                    List.of(
                            new Layer(
                                    "used after a collection",
                                    "#059669",
                                    1.0 / (1 << 20),
                                    List.of(Signals.HEAP_AFTER_GC)),
                            new Layer("used since", "#a7f3d0", 1.0 / (1 << 20), List.of(Signals.HEAP_USED))));

    private static final Map<String, String> NOTES = Map.of(
            "threads", "Worker threads by what they do, in one trial of each; measured from 0 s on, warm-up before.",
            "groups",
                    "Per cent of a CPU by group of threads, in one trial of each; measured from 0 s on, warm-up before.",
            "heap", "MiB of heap in use, in one trial of each; measured from 0 s on, warm-up before.");

    /** The series that a picture needs, of a trial's timeline. */
    static final List<String> SERIES = LAYERS.values().stream()
            .flatMap(List::stream)
            .flatMap(l -> l.series.stream())
            .sorted()
            .toList();

    private Bands() {}

    static boolean has(String metric) {
        return LAYERS.containsKey(metric);
    }

    /** Panels below each other, one for each trial whose series were kept. */
    static String plot(JsonNode kept, String metric, String title) {
        List<Layer> layers = LAYERS.getOrDefault(metric, List.of());
        Map<String, JsonNode> panels = new LinkedHashMap<>();
        order(kept.path("conclusion")).forEach(name -> panels.put(name, MissingNode.getInstance()));
        for (JsonNode t : kept.path("trials")) {
            if (t.has("over")) {
                panels.put(name(t.path("variant").asText(), t.path("point")), t.path("over"));
            }
        }
        panels.values().removeIf(JsonNode::isMissingNode);
        var s = new StringBuilder();
        int x = 14;
        for (Layer l : layers) {
            s.append(Figures.format("<rect x=\"%d\" y=\"56\" width=\"11\" height=\"11\" fill=\"%s\"/>%n", x, l.colour));
            s.append(Plot.text(x + 16, 66, "#374151", 12, "start", l.name)).append('\n');
            x += 34 + (int) (6.2 * l.name.length());
        }
        int y = 86;
        for (var panel : panels.entrySet()) {
            s.append(panel(panel.getKey(), panel.getValue(), layers, y));
            y += HEIGHT + GAP;
        }
        return Plot.framed(WIDTH, y + 4, title, NOTES.getOrDefault(metric, ""), s.toString());
    }

    private static String name(String variant, JsonNode point) {
        String at = Figures.point(point);
        return variant.isEmpty() || at.isEmpty() ? variant + at : variant + ", " + at;
    }

    /** The names of the panels in the order of the tables; trials come by chance. */
    private static List<String> order(JsonNode conclusion) {
        var names = new ArrayList<String>();
        conclusion.path("cells").forEach(c -> names.add(name("", c.path("point"))));
        for (JsonNode condition : conclusion.path("conditions")) {
            condition
                    .path("variants")
                    .forEach(v -> names.add(name(v.path("name").asText(), condition.path("point"))));
        }
        return names;
    }

    /** Before the first look, as it was then. */
    private static double first(JsonNode series) {
        for (JsonNode value : series) {
            if (value.isNumber()) {
                return value.asDouble();
            }
        }
        return 0;
    }

    private static String panel(String name, JsonNode over, List<Layer> layers, int top) {
        List<double[]> sums = new ArrayList<>();
        int n = 0;
        for (String id : SERIES) {
            n = Math.max(n, over.path("series").path(id).size());
        }
        double[] below = new double[n];
        for (Layer layer : layers) {
            double[] sum = below.clone();
            for (String id : layer.series) {
                double last = first(over.path("series").path(id));
                for (int i = 0; i < n; i++) {
                    JsonNode value = over.path("series").path(id).path(i);
                    last = value.isNumber() ? value.asDouble() : last;
                    // the heap in use holds what a collection left: the second layer is what came on top of it
                    sum[i] = id.equals(Signals.HEAP_USED)
                            ? Math.max(sum[i], last * layer.scale)
                            : sum[i] + last * layer.scale;
                }
            }
            sums.add(sum);
            below = sum;
        }
        double most = 1e-9;
        for (double v : below) {
            most = Math.max(most, v);
        }
        double step = over.path("stepMillis").asDouble() / 1e3;
        double start = over.path("startMillis").asDouble() / 1e3;
        double wide = (double) (WIDTH - LEFT - RIGHT) / Math.max(1, n - 1);
        int bottom = top + 18 + HEIGHT;
        var s = new StringBuilder();
        s.append(Plot.text(LEFT, top + 12, "#111827", 13, "start", name)).append('\n');
        for (int k = sums.size() - 1; k >= 0; k--) {
            var path = new StringBuilder(Figures.format("M%d %d", LEFT, bottom));
            for (int i = 0; i < n; i++) {
                path.append(Figures.format("L%.1f %.1f", LEFT + i * wide, bottom - HEIGHT * sums.get(k)[i] / most));
            }
            path.append(Figures.format("L%.1f %dZ", LEFT + (n - 1) * wide, bottom));
            s.append(Figures.format("<path d=\"%s\" fill=\"%s\"/>%n", path, layers.get(k).colour));
        }
        double zero = LEFT - start / step * wide;
        if (start < 0 && zero < WIDTH - RIGHT) {
            s.append(Figures.format(
                    "<path d=\"M%.1f %dV%d\" stroke=\"#111827\" stroke-dasharray=\"3 3\"/>%n", zero, top + 18, bottom));
            s.append(Plot.text((int) Math.round(zero), bottom + 15, "#6b7280", 12, "middle", "0 s"))
                    .append('\n');
        }
        s.append(Plot.text(LEFT - 6, top + 28, "#6b7280", 12, "end", Format.count(most)))
                .append('\n');
        s.append(Plot.text(LEFT - 6, bottom, "#6b7280", 12, "end", "0")).append('\n');
        s.append(Plot.text(LEFT, bottom + 15, "#6b7280", 12, "start", Format.whole(start) + " s"))
                .append('\n');
        s.append(Plot.text(
                        WIDTH - RIGHT, bottom + 15, "#6b7280", 12, "end", Format.whole(start + (n - 1) * step) + " s"))
                .append('\n');
        return s.toString();
    }
}
