package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.model.text.Format;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** What the pages show of a tune and of a capacity search. */
final class Searches {
    private static final List<String> KEPT =
            List.of("outcome", "headline", "ratePerSecond", "limit", "brokeFirst", "notes");
    private static final List<String> OF_A_PROBE =
            List.of("phase", "ratePerSecond", "achievedPerSecond", "errorShare", "verdict", "broken");

    private Searches() {}

    /** Whether a document is that of {@code fettle capacity}. */
    static boolean isCapacity(JsonNode found) {
        return found.path("schema").asText().startsWith("fettle.capacity/");
    }

    /** A search's conclusion in the form of other runs, with its probes in place of trials. */
    static ObjectNode capacity(JsonNode found) {
        ObjectNode conclusion = new ObjectMapper().createObjectNode().put("kind", "capacity");
        JsonNode capacity = found.path("capacity");
        KEPT.forEach(f -> keep(capacity, f, conclusion));
        keep(found, "slo", conclusion);
        ArrayNode probes = conclusion.putArray("probes");
        for (JsonNode p : capacity.path("probes")) {
            ObjectNode kept = probes.addObject();
            OF_A_PROBE.forEach(f -> keep(p, f, kept));
            keep(p.path("latency"), "p99Millis", kept);
            keep(p.path("evidence"), "cpuShare", kept);
        }
        return conclusion;
    }

    private static void keep(JsonNode from, String field, ObjectNode to) {
        if (from.hasNonNull(field)) {
            to.set(field, from.get(field));
        }
    }

    /** Each probe of a capacity search, in order. */
    static String probes(JsonNode kept) {
        var s = new StringBuilder(
                "| probe | | offered /s | answered /s | errors | p99 | CPU of the server | |\n|--:|---|--:|--:|--:|--:|--:|---|\n");
        int n = 0;
        for (JsonNode p : kept.path("conclusion").path("probes")) {
            String why = String.join("; ", Figures.names(p.path("broken")));
            s.append(Blocks.row(
                    ++n,
                    p.path("phase").asText(),
                    Figures.rate(p.path("ratePerSecond").asDouble()),
                    Figures.rate(p.path("achievedPerSecond").asDouble()),
                    Grid.percent(p, "errorShare"),
                    Blocks.latency(p, "p99Millis"),
                    Grid.percent(p, "cpuShare"),
                    p.path("verdict").asText() + (why.isEmpty() ? "" : ": " + Figures.cell(why))));
        }
        return s.toString();
    }

    /** The settings that a tune tried, best first, and its pairs. */
    static String settings(JsonNode kept) {
        JsonNode c = kept.path("conclusion");
        var s = new StringBuilder(
                "| setting | throughput /s [95 %] | p99 | trials | void | |\n|---|--:|--:|--:|--:|---|\n");
        for (JsonNode candidate : c.path("candidates")) {
            int trials = candidate.path("trials").asInt();
            s.append(Blocks.row(
                    setting(candidate.path("setting")),
                    Figures.rate(candidate.path("throughputPerSecond"), trials),
                    Blocks.latency(candidate, "p99Millis"),
                    trials,
                    candidate.path("voids").asInt(),
                    Figures.cell(candidate.path("problem").asText(""))));
        }
        if (c.path("pairs").isEmpty()) {
            return s.toString();
        }
        s.append("\n| pair | ")
                .append(setting(c.path("baseline")))
                .append(" /s | ")
                .append(setting(c.path("winner")))
                .append(" /s | change | p99 | p99 |\n|--:|--:|--:|--:|--:|--:|\n");
        for (JsonNode p : c.path("pairs")) {
            double before = p.path("baselineThroughputPerSecond").asDouble();
            double after = p.path("winnerThroughputPerSecond").asDouble();
            s.append(Blocks.row(
                    p.path("block").asInt(),
                    Figures.rate(before),
                    Figures.rate(after),
                    Format.change(after / before) + " %",
                    Blocks.latency(p, "baselineP99Millis"),
                    Blocks.latency(p, "winnerP99Millis")));
        }
        return s.toString();
    }

    /**
     * A figure of a tune, in a sentence: {@code gain}, {@code winner}, {@code outcome}; {@code p99} or {@code rate} of {@code winner} or
     * {@code default}; {@code share KNOB}, what its value gives on top of the others; {@code without KNOB}, the winner without it.
     */
    static String figure(JsonNode conclusion, String what, String which) {
        JsonNode winner = conclusion.path("winner");
        return switch (what) {
            case "gain" -> Figures.change(conclusion);
            case "winner" -> setting(winner);
            case "outcome" -> outcome(conclusion);
            case "p99" -> Blocks.latency(conclusion.path("sides"), side(which) + "P99Millis");
            case "rate" ->
                Figures.rate(conclusion
                        .path("sides")
                        .path(side(which) + "ThroughputPerSecond")
                        .asDouble());
            case "share" -> share(conclusion, which);
            case "without" -> {
                var rest = (ObjectNode) winner.deepCopy();
                rest.remove(which);
                yield StreamSupport.stream(conclusion.path("candidates").spliterator(), false)
                        .filter(c -> c.path("setting").equals(rest)
                                && c.path("trials").asInt() > 0)
                        .findFirst()
                        .map(c -> Figures.rate(Blocks.value(c.path("throughputPerSecond"))) + "/s in "
                                + trials(c.path("trials").asInt()))
                        .orElse("it was not tried");
            }
            default -> throw new IllegalArgumentException("no figure '" + what + "' of a tune");
        };
    }

    private static String side(String which) {
        return which.equals("default") ? "baseline" : which;
    }

    private static String trials(int n) {
        return n == 1 ? "one trial" : n + " trials";
    }

    /** Whether the improvement is shown, and if not, for what reason. */
    private static String outcome(JsonNode conclusion) {
        String pairs = " in " + conclusion.path("pairs").size() + " pairs";
        if (conclusion.path("result").asText().equals("improved")) {
            return "an improvement is shown" + pairs;
        }
        var but = Pattern.compile(", but ([^:;.]+)")
                .matcher(conclusion.path("headline").asText());
        return "no improvement is shown" + pairs + (but.find() ? ", for " + but.group(1) : "");
    }

    private static String share(JsonNode conclusion, String knob) {
        for (JsonNode share : conclusion.path("knobShares")) {
            if (share.path("knob").asText().equals(knob)) {
                JsonNode ratio = share.path("ratio");
                int without = share.path("trialsWithout").asInt();
                String times = "times " + times(ratio.path("estimate").asDouble());
                return without == 0
                        ? times + " by the model alone"
                        : times + " [" + times(ratio.path("low").asDouble()) + ", "
                                + times(ratio.path("high").asDouble()) + "], measured without it in " + trials(without);
            }
        }
        return "not known";
    }

    private static String times(double ratio) {
        return Format.ratio(ratio);
    }

    private static String setting(JsonNode setting) {
        String text = Figures.point(setting);
        return text.isEmpty() ? "default" : text;
    }
}
