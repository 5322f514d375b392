package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The pictures of a page, each made of one kept document. */
final class Pictures {
    /** siege's pause between two requests of a client, on average, unless it is told not to pause. */
    private static final double SIEGE_PAUSE_SECONDS = 0.5;

    private Pictures() {}

    /**
     * A picture of a sweep's or a comparison's figures, with intervals where there are trials enough.
     *
     * @param metric {@code threads}, {@code groups}, {@code heap}: over a trial's time; {@code map} of a grid of two dimensions; {@code throughput}, {@code p99}, {@code goodput}, {@code connect};
     *     of an audit {@code verdicts}, of a judgement {@code inflight} or {@code asked}, of the story {@code steps}
     */
    static String plot(JsonNode kept, String metric, String title) {
        if (Bands.has(metric)) {
            return Bands.plot(kept, metric, title);
        }
        if (metric.equals("map")) {
            return Grid.map(kept, title);
        }
        JsonNode c = kept.path("conclusion");
        var bars = new ArrayList<Plot.Bar>();
        if (metric.equals("connect")) {
            longestConnects(kept, bars);
        } else if (metric.equals("verdicts")) {
            kept.path("counts")
                    .properties()
                    .forEach(e -> bars.add(Plot.Bar.of(
                            "",
                            e.getKey().replace('-', ' '),
                            e.getValue().asInt(),
                            e.getValue().asText(),
                            grave(e.getKey()))));
        } else if (metric.equals("inflight") || metric.equals("asked")) {
            published(kept, metric, bars);
        } else if (metric.equals("steps")) {
            kept.path("steps")
                    .forEach(x -> bars.add(Plot.Bar.of(
                            "",
                            x.path("rule").asText(),
                            x.path("rate").asDouble(),
                            Figures.rate(x.path("rate").asDouble()),
                            0)));
        } else if (c.path("kind").asText().equals("sweep")) {
            List<JsonNode> cells =
                    StreamSupport.stream(c.path("cells").spliterator(), false).toList();
            String first = cells.isEmpty()
                    ? ""
                    : cells.getFirst().path("point").fieldNames().next();
            boolean several = !cells.isEmpty() && cells.getFirst().path("point").size() > 1;
            Map<String, Integer> colours = new LinkedHashMap<>();
            for (JsonNode cell :
                    several ? grouped(cells, x -> x.path("point").path(first).asText()) : cells) {
                String of =
                        several ? first + " = " + cell.path("point").path(first).asText() : "";
                String name = cell.path("point").properties().stream()
                        .filter(e -> !several || !e.getKey().equals(first))
                        .map(e -> e.getKey() + " " + e.getValue().asText())
                        .collect(Collectors.joining(", "));
                colours.putIfAbsent(of, colours.size());
                bars.add(bar(of, name, cell, metric, colours.getOrDefault(of, 0)));
            }
        } else {
            for (JsonNode condition : c.path("conditions")) {
                int colour = 0;
                for (JsonNode v : condition.path("variants")) {
                    bars.add(bar(
                            Figures.point(condition.path("point")),
                            v.path("name").asText(),
                            v,
                            metric,
                            colour++));
                }
            }
        }
        return Plot.bars(title, words(metric) + intervals(metric, bars), bars);
    }

    /** A colour: red for what does harm, orange for what is void, gone or worse than the default, grey for the rest. */
    private static int grave(String verdict) {
        return switch (verdict) {
            case "fatal", "dangerous", "wrong", "typo" -> 5;
            case "removed", "lowers", "renamed", "no-effect" -> 1;
            default -> 4;
        };
    }

    /** Published figures: how many requests each client had in flight, or what clients that pause could ask for at most. */
    private static void published(JsonNode judged, String metric, List<Plot.Bar> bars) {
        var groups = new TreeMap<Double, List<Plot.Bar>>();
        for (JsonNode r : judged.path("results")) {
            JsonNode f = r.path("figures");
            double clients = f.path("clients").asDouble();
            double rate = f.path("throughput").asDouble();
            String label = r.path("label").asText();
            if (metric.equals("inflight")) {
                double each = rate * f.path("mean").asDouble() / clients;
                bars.add(Plot.Bar.of(
                        label, Format.whole(clients) + " clients", each, Format.ratio(each), each > 1.02 ? 5 : 4));
            } else {
                groups.computeIfAbsent(clients, n -> {
                            var first = new ArrayList<Plot.Bar>();
                            double most = n / SIEGE_PAUSE_SECONDS;
                            first.add(Plot.Bar.of(group(n), "asked for", most, Figures.rate(most), 4));
                            return first;
                        })
                        .add(Plot.Bar.of(group(clients), label, rate, Figures.rate(rate), 0));
            }
        }
        groups.values().forEach(bars::addAll);
    }

    private static String group(double clients) {
        return Format.whole(clients) + " clients";
    }

    private static void longestConnects(JsonNode kept, List<Plot.Bar> bars) {
        var colours = new ArrayList<String>();
        for (JsonNode t : kept.path("trials")) {
            String name = Blocks.name(t).replace("load.connections=", ""); // there is little room
            if (!colours.contains(name)) {
                colours.add(name);
            }
            bars.add(Plot.Bar.of(
                    "",
                    name,
                    t.path("connectMaxMillis").asDouble(),
                    Blocks.latency(t, "connectMaxMillis"),
                    colours.indexOf(name)));
        }
        bars.sort(Comparator.comparing(Plot.Bar::name));
    }

    private static String words(String metric) {
        return switch (metric) {
            case "throughput" -> "requests a second";
            case "goodput" -> "good answers a second while the spike lasts";
            case "p99" -> "p99 of the latency in ms";
            case "connect" -> "longest time to connect, trial by trial";
            case "inflight" -> "requests in flight for each client, rate x mean / clients: more than 1 can't be";
            case "asked" ->
                "requests a second: what clients ask for that pause half a second on average, and what was published";
            case "steps" -> "requests a second in the trial in which this was found; fixed before the next";
            case "verdicts" -> "settings by verdict";
            default -> throw new IllegalArgumentException("no metric " + metric);
        };
    }

    /** What the lines are, or why there are none. */
    private static String intervals(String metric, List<Plot.Bar> bars) {
        return !metric.equals("throughput") && !metric.equals("goodput")
                ? ""
                : bars.stream().anyMatch(b -> b.high() > b.low())
                        ? "; lines: 95 % intervals, from three trials on"
                        : "; no intervals: fewer than three trials each";
    }

    private static List<JsonNode> grouped(List<JsonNode> cells, Function<JsonNode, String> by) {
        return cells.stream()
                .collect(Collectors.groupingBy(by, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private static Plot.Bar bar(String group, String name, JsonNode of, String metric, int colour) {
        int trials = of.path("trials").asInt();
        if (trials == 0) {
            return Plot.Bar.of(group, name, 0, "no valid trial", colour);
        }
        switch (metric) {
            case "throughput" -> {
                return bar(group, name, of.path("throughputPerSecond"), trials, colour);
            }
            case "p99" -> {
                return Plot.Bar.of(
                        group, name, of.path("p99Millis").asDouble(), Blocks.latency(of, "p99Millis"), colour);
            }
            case "goodput" -> {
                return bar(group, name, of.path("spike").path("goodputPerSecond"), trials, colour);
            }
            default -> throw new IllegalArgumentException("no bars of " + metric);
        }
    }

    private static Plot.Bar bar(String group, String name, JsonNode rate, int trials, int colour) {
        double v = Blocks.value(rate);
        return Figures.hasInterval(rate, trials)
                ? new Plot.Bar(
                        group,
                        name,
                        v,
                        rate.get("low").asDouble(),
                        rate.get("high").asDouble(),
                        Figures.rate(v),
                        colour)
                : Plot.Bar.of(group, name, v, Figures.rate(v), colour);
    }
}
