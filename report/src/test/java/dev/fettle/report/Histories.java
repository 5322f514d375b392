package dev.fettle.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.json.KeptResult;
import dev.fettle.report.json.KeptResult.Found;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Many gates and benches, made of a real one of each. */
public final class Histories {
    /** When the first was started; they are a day apart. */
    public static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Histories() {}

    /** A real result that was kept: {@code gate.json}, {@code bench.json}. */
    public static String sample(String name) {
        try (InputStream in =
                Objects.requireNonNull(Histories.class.getResourceAsStream("/dev/fettle/report/history/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode tree(String name) {
        try {
            return JSON.readTree(sample(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Thirty nights: from the twentieth on the head takes 5 % more CPU time; the twelfth night's gate is void. */
    public static List<PastRun> gates(int n, double loss) {
        JsonNode sample = tree("gate.json");
        var r = new Random(4);
        var runs = new ArrayList<PastRun>();
        double machine = 1;
        for (int i = 0; i < n; i++) {
            machine *= 1 + 0.01 * r.nextGaussian();
            ObjectNode gate = sample.deepCopy();
            gate.put("runId", "shop-" + i)
                    .put("started", START.plus(Duration.ofDays(i)).toString());
            ((ObjectNode) gate.path("plan").path("gate"))
                    .put("head", "shop.jar of %09x, SHA-256 0".formatted(0xabcd0000L + i));
            ObjectNode found = (ObjectNode) gate.path("conclusion");
            found.put("result", i == 12 ? "not_valid" : "no_worse");
            for (JsonNode m : found.path("metrics")) {
                double by = m.path("metric").asText().equals("cpu") && i >= 20 ? 1 + loss : 1;
                double base = m.path("base").asDouble() * machine * (1 + 0.004 * r.nextGaussian());
                ((ObjectNode) m).put("base", base).put("head", base * by * (1 + 0.004 * r.nextGaussian()));
            }
            runs.add(((Found.Kept) new KeptResult().read(gate.toString(), "g" + i, "g" + i)).run());
        }
        return runs;
    }

    /** Benches, all alike. */
    public static List<PastRun> benches(int n) {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < n; i++) {
            ObjectNode bench = (ObjectNode) tree("bench.json");
            bench.put("started", START.plus(Duration.ofDays(i)).toString());
            runs.add(((Found.Kept) new KeptResult().read(bench.toString(), "b" + i + ".json", "b" + i)).run());
        }
        return runs;
    }

    /** What is shown of runs. */
    public static HistoryReport report(List<PastRun> runs, Optional<Instant> since) {
        return new HistoryReport(
                History.of(runs, Set.of(), Levels.usual(), History.usualLeast()),
                since,
                Map.of("a tune", 2),
                1,
                List.of("x.json: no JSON"));
    }

    /** Of both kinds, with a loss. */
    public static HistoryReport found() {
        var runs = new ArrayList<>(gates(30, 0.05));
        runs.addAll(benches(9));
        return report(runs, Optional.empty());
    }
}
