package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.StringJoiner;

/** Published figures, and what fettle judge says of them. */
final class Judged {
    private Judged() {}

    /** What fettle judge says of published figures. */
    static String table(JsonNode judged, String file) {
        var s = new StringBuilder("```\n./fettle judge examples/judge/")
                .append(file)
                .append("\n```\n\n");
        s.append("| figures | verdict | why |\n|---|---|---|\n");
        for (JsonNode r : judged.path("results")) {
            String label = r.path("label").asText("");
            var why = new ArrayList<String>();
            r.path("refusals")
                    .forEach(x -> why.add("**" + x.path("rule").asText() + "**: "
                            + x.path("message").asText()));
            r.path("cautions")
                    .forEach(x -> why.add(
                            x.path("rule").asText() + ": " + x.path("message").asText()));
            JsonNode f = r.path("figures");
            String figures = Figures.cell(
                            label.isEmpty() || label.equals("/")
                                    ? r.path("tool").asText()
                                    : label)
                    + (f.has("clients") ? ", " + Format.whole(f.get("clients").asDouble()) + " clients" : "")
                    + (f.has("throughput")
                            ? ", " + Figures.rate(f.get("throughput").asDouble()) + "/s"
                            : "");
            s.append(Blocks.row(
                    figures, r.path("outcome").asText().replace('_', ' '), Figures.cell(String.join(" · ", why))));
        }
        return s.toString();
    }

    /** The figures that were read of the first result: {@code 12,228/s; mean 158 ms, 50 % 127 ms; connecting 77.0 ms on average}. */
    static String published(JsonNode judged) {
        JsonNode first = judged.path("results").path(0);
        JsonNode f = first.path("figures");
        var latencies = new StringJoiner(", ");
        if (f.has("mean")) {
            latencies.add("mean " + millis(f.get("mean")));
        }
        first.path("percentiles")
                .properties()
                .forEach(e ->
                        latencies.add(e.getKey().replaceFirst("^p(.*?)(\\.0)?$", "$1") + " % " + millis(e.getValue())));
        if (f.has("max")) {
            latencies.add("longest " + millis(f.get("max")));
        }
        return Figures.rate(f.path("throughput").asDouble()) + "/s; " + latencies
                + (f.has("connect_mean") && f.has("connect_max")
                        ? "; connecting alone " + millis(f.get("connect_mean")) + " on average, "
                                + millis(f.get("connect_max")) + " at most"
                        : "")
                + ".\n";
    }

    private static String millis(JsonNode seconds) {
        return Figures.millis(seconds.asDouble() * 1000);
    }
}
