package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A quantity of a run has the same digits and the same unit on the terminal and on the page, and they are those of its JSON value. */
class AgreementTest {
    /** A figure with a unit; a change has a sign or says of what it is a change. */
    private static final Pattern FIGURE = Pattern.compile(
            "(?<![\\w.,+/-])(?<n>\\d[\\d,]*(?:\\.\\d+)?)(?: (?<unit>ns|µs|ms|s|%|B|KiB|MiB|GiB)(?![\\w/])|(?<rate>/s))"
                    + "(?! (?:more|less|fewer|or more|better))");

    /**
     * @param read in the dimension's base unit: nanoseconds, bytes, per second, or 1
     * @param digit what its last digit is, of the figure
     */
    private record Figure(String dimension, double read, double digit, String text) {
        static Figure of(Matcher m) {
            double n = Double.parseDouble(m.group("n").replace(",", ""));
            String unit = m.group("rate") == null ? m.group("unit") : "/s";
            int decimals = m.group("n").contains(".")
                    ? m.group("n").length() - m.group("n").indexOf('.') - 1
                    : 0;
            double digit = Math.pow(10, -decimals) / n;
            return switch (unit) {
                case "ns" -> new Figure("time", n, digit, m.group());
                case "µs" -> new Figure("time", n * 1e3, digit, m.group());
                case "ms" -> new Figure("time", n * 1e6, digit, m.group());
                case "s" -> new Figure("time", n * 1e9, digit, m.group());
                case "%" -> new Figure("share", n / 100, digit, m.group());
                case "/s" -> new Figure("rate", n, digit, m.group());
                case "B" -> new Figure("bytes", n, digit, m.group());
                case "KiB" -> new Figure("bytes", n * 1024, digit, m.group());
                case "MiB" -> new Figure("bytes", n * (1 << 20), digit, m.group());
                default -> new Figure("bytes", n * (1 << 30), digit, m.group());
            };
        }

        /** Whether it is what is left of a value that is rounded to its digits. */
        boolean isOf(Figure exact) {
            return exact.dimension.equals(dimension) && Math.abs(exact.read - read) <= 0.5 * digit * Math.abs(read);
        }
    }

    static Stream<Result> results() {
        return Result.all();
    }

    /** Those of text and Markdown, and of the page without its scripts and tags. */
    private static Stream<Figure> figures(Result r) {
        String page = r.page()
                .replaceAll("(?s)<(script|style).*?</\\1>", " ")
                .replaceAll("<[^>]*>", " | ")
                .replace('\u00a0', ' ');
        return Stream.of(r.text(), r.markdown(), page)
                .flatMap(t -> FIGURE.matcher(t).results().map(m -> t.substring(m.start(), m.end())))
                .map(FIGURE::matcher)
                .filter(Matcher::matches)
                .map(Figure::of);
    }

    @ParameterizedTest
    @MethodSource("results")
    void oneValueHasOneText(Result result) {
        Map<String, TreeSet<String>> texts = new TreeMap<>();
        figures(result)
                .forEach(f -> texts.computeIfAbsent(f.dimension() + " " + (float) f.read(), k -> new TreeSet<>())
                        .add(f.text()));
        assertThat(texts.values()).allSatisfy(t -> assertThat(t).hasSize(1));
    }

    @ParameterizedTest
    @MethodSource("results")
    void whatIsPrintedIsTheJsonValue(Result result) throws Exception {
        var values = new ArrayList<Figure>();
        collect("", new ObjectMapper().readTree(result.json()), values);
        List<Figure> printed = figures(result).distinct().toList();
        int[] compared = new int[1];
        assertThat(printed).allSatisfy(f -> {
            List<Figure> near = values.stream().filter(f::isOf).toList();
            if (!near.isEmpty()) {
                compared[0]++;
                assertThat(near).extracting(Figure::text).contains(f.text());
            }
        });
        assertThat(compared[0] > 0 || values.size() < 20).isTrue();
    }

    private static void collect(String name, JsonNode node, List<Figure> to) {
        if (node.isNumber()) {
            double v = node.asDouble();
            if (name.endsWith("Millis") || name.endsWith("millis")) {
                to.add(new Figure("time", v * 1e6, 0, Format.seconds(v / 1e3)));
            } else if (name.endsWith("PerSecond")) {
                to.add(new Figure("rate", v, 0, Format.rate(v)));
            } else if (name.endsWith("Seconds") || name.equals("seconds")) {
                to.add(new Figure("time", v * 1e9, 0, Format.seconds(v)));
            } else if (name.toLowerCase(java.util.Locale.ROOT).contains("micros")) {
                to.add(new Figure("time", v * 1e3, 0, Format.seconds(v / 1e6)));
            } else if (name.endsWith("Share") || name.endsWith("Utilisation")) {
                to.add(new Figure("share", v, 0, Format.share(v)));
            } else if (name.endsWith("Bytes")) {
                to.add(new Figure("bytes", v, 0, Format.bytes(v)));
            }
        }
        node.properties().forEach(e -> collect(inner(name, e.getKey()), e.getValue(), to));
        if (node.isArray()) {
            node.forEach(e -> collect(name, e, to));
        }
    }

    /** An estimate and its bounds have the unit of what they are of. */
    private static String inner(String name, String key) {
        return List.of("estimate", "low", "high", "mean", "max", "min", "p50", "p99")
                        .contains(key)
                ? name
                : key;
    }
}
