package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.text.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pages with marked places, filled from what was kept. Blocks:
 *
 * <pre>
 * &lt;!-- made: table jetty-backlog --&gt;      run, table, grid, collections, trials, settings, probes, finding, story NAME; judge, published, audit FILE; plot NAME METRIC TITLE
 * …
 * &lt;!-- /made --&gt;
 * &lt;!--= jetty-threads-io throughput threads.max=64 --&gt;1,234&lt;!--/--&gt;      one figure in a sentence
 * </pre>
 */
final class Pages {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- made: (\\S+) ([^\\n]+?) -->\\n).*?(<!-- /made -->)", Pattern.DOTALL);
    private static final Pattern FIGURE = Pattern.compile("(<!--= (\\S+) (\\S+)(?: ([^>]*?))? -->).*?(<!--/-->)");

    private final Path data;
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, String> pictures = new TreeMap<>();

    /** @param data the folder of what was kept */
    Pages(Path data) {
        this.data = data;
    }

    /** The pictures of the pages filled so far, by file name. */
    Map<String, String> pictures() {
        return pictures;
    }

    /**
     * A page as it should be.
     *
     * @param images where the page finds the pictures: {@code images/}
     */
    String filled(String page, String images) {
        String blocks = BLOCK.matcher(page)
                .replaceAll(
                        m -> Matcher.quoteReplacement(m.group(1) + block(m.group(2), m.group(3), images) + m.group(4)));
        return FIGURE.matcher(blocks)
                .replaceAll(m -> Matcher.quoteReplacement(m.group(1)
                        + figure(m.group(2), m.group(3), m.group(4) == null ? "" : m.group(4))
                        + m.group(5)));
    }

    private String block(String kind, String rest, String images) {
        String[] words = rest.split(" ", 3);
        String name = words[0];
        String of = switch (kind) {
            case "judge", "audit", "check" -> kind + "-" + name.replaceFirst("\\..*", "");
            case "published" -> "judge-" + name.replaceFirst("\\..*", "");
            default -> name;
        };
        if (!Files.exists(file(of))) {
            return kind.equals("run") ? "*Not run yet:* `bench/documents.sh " + name + "` *does.*\n" : "";
        }
        JsonNode kept = read(of);
        return switch (kind) {
            case "run" -> Blocks.run(kept);
            case "table" -> Blocks.table(kept);
            case "grid" -> Grid.table(kept);
            case "collections" -> Grid.collections(kept);
            case "trials" -> Blocks.trials(kept);
            case "settings" -> Searches.settings(kept);
            case "probes" -> Searches.probes(kept);
            case "finding" -> Blocks.finding(kept);
            case "story" -> Blocks.story(kept);
            case "judge" -> Judged.table(kept, name);
            case "published" -> Judged.published(kept);
            case "audit" -> Blocks.audit(kept, name);
            case "check" -> Blocks.check(kept);
            case "plot" -> {
                String picture = name + "-" + words[1] + ".svg";
                pictures.put(picture, Pictures.plot(kept, words[1], words[2]));
                yield "![" + words[2] + "](" + images + picture + ")\n";
            }
            default -> throw new IllegalArgumentException("no block '" + kind + "'");
        };
    }

    /**
     * One figure of a sweep's cell or a comparison's variant, the change of one variant against another, the answer of a capacity search, the
     * gain of a tune, or what the story came to.
     */
    private String figure(String name, String what, String which) {
        if (!Files.exists(file(name))) {
            return "(not run yet)";
        }
        if (name.equals("story")) {
            return Story.figure(read(name), what, which);
        }
        JsonNode conclusion = read(name).path("conclusion");
        String[] at = which.split(" @ ", 2); // variant @ point
        String point = at.length == 2 ? at[1] : conclusion.path("kind").asText().equals("sweep") ? at[0] : "";
        if (what.equals("least")) {
            return Figures.least(conclusion);
        }
        if (what.equals("answer")) {
            return Figures.rate(conclusion.path("ratePerSecond").asDouble());
        }
        if (conclusion.path("kind").asText().equals("tune")) {
            return Searches.figure(conclusion, what, which);
        }
        if (what.equals("load-of-trial")) {
            return Blocks.figure(
                    read(name).path("trials").path(Integer.parseInt(which) - 1), "loadAverage", Format::number);
        }
        if (what.equals("cpu")) {
            return Figures.cpu(read(name).path("trials"));
        }
        if (what.equals("change")) {
            String[] sides = at[0].split(" against ", 2);
            for (JsonNode condition : conclusion.path("conditions")) {
                for (JsonNode x : condition.path("contrasts")) {
                    if (Figures.point(condition.path("point")).equals(point)
                            && x.path("a").asText().equals(sides[0])
                            && x.path("b").asText().equals(sides[1])) {
                        return x.path("pairs").asInt() == 0 ? "not measured" : Figures.change(x);
                    }
                }
            }
            throw new IllegalArgumentException(name + " does not compare " + which);
        }
        JsonNode of = found(conclusion, at[0], point);
        int trials = of.path("trials").asInt();
        if (trials == 0) {
            return "no valid trial";
        }
        return switch (what) {
            case "throughput" -> Figures.rate(of.path("throughputPerSecond"), trials);
            case "rate" -> Figures.rate(Blocks.value(of.path("throughputPerSecond")));
            case "p99" -> Figures.millis(of.path("p99Millis").asDouble());
            case "p50" -> Figures.millis(of.path("p50Millis").asDouble());
            case "goodput" -> Figures.rate(Blocks.value(of.path("spike").path("goodputPerSecond")));
            case "spike-p99" ->
                Figures.millis(of.path("spike").path("p99Millis").asDouble());
            case "used" -> Grid.used(of);
            case "load" -> Blocks.figure(of, "loadAverage", Format::number);
            case "recovery" -> Figures.recovery(of.path("spike"), conclusion);
            default -> throw new IllegalArgumentException("no figure '" + what + "'");
        };
    }

    private static JsonNode found(JsonNode conclusion, String variant, String point) {
        for (JsonNode cell : conclusion.path("cells")) {
            if (Figures.point(cell.path("point")).equals(point)) {
                return cell;
            }
        }
        for (JsonNode condition : conclusion.path("conditions")) {
            for (JsonNode v : condition.path("variants")) {
                if (Figures.point(condition.path("point")).equals(point)
                        && v.path("name").asText().equals(variant)) {
                    return v;
                }
            }
        }
        throw new IllegalArgumentException("nothing was measured of '" + variant + "' at '" + point + "'");
    }

    private Path file(String name) {
        return data.resolve(name + ".json");
    }

    private JsonNode read(String name) {
        try {
            return json.readTree(file(name).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(file(name).toString(), e);
        }
    }
}
