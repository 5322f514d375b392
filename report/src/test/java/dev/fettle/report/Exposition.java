package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Prometheus' text format 0.0.4 as strictly as {@code promtool check metrics} does. */
public final class Exposition {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (" + NAME + ") (.+)");
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(\\{" + LABEL + "(?:," + LABEL + ")*\\})? (NaN|[+-]Inf|[-+0-9.eE]+)");

    private final Map<String, Double> samples = new LinkedHashMap<>();

    private Exposition() {}

    public static Exposition parse(String text) {
        assertThat(text).endsWith("\n");
        var read = new Exposition();
        Map<String, String> types = new HashMap<>();
        Set<String> helped = new HashSet<>();
        String family = "";
        for (String line : text.split("\n")) {
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                if (head.group(1).equals("HELP")) {
                    assertThat(helped.add(head.group(2)))
                            .as("one HELP: " + line)
                            .isTrue();
                } else {
                    assertThat(types.put(head.group(2), head.group(3)))
                            .as("one TYPE: " + line)
                            .isNull();
                    assertThat(head.group(3)).isIn("counter", "gauge", "histogram", "summary");
                    family = head.group(2);
                }
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as("a sample: " + line).isTrue();
            String type = types.get(family);
            String suffix = sample.group(1).substring(family.length());
            assertThat(sample.group(1)).startsWith(family);
            assertThat(suffix)
                    .as(line)
                    .isIn(
                            "histogram".equals(type)
                                    ? Set.of("_bucket", "_sum", "_count")
                                    : "summary".equals(type) ? Set.of("", "_sum", "_count") : Set.of(""));
            if ("counter".equals(type)) {
                assertThat(family).endsWith("_total");
            }
            String key = sample.group(1) + (sample.group(2) == null ? "" : sample.group(2));
            assertThat(read.samples.put(key, Double.parseDouble(sample.group(3))))
                    .as("once: " + line)
                    .isNull();
        }
        read.bucketsGrow();
        return read;
    }

    private void bucketsGrow() {
        double last = 0;
        for (var e : samples.entrySet()) {
            if (e.getKey().contains("_bucket{")) {
                assertThat(e.getValue()).isGreaterThanOrEqualTo(last);
                last = e.getValue();
            }
        }
    }

    public double value(String sample) {
        assertThat(samples).containsKey(sample);
        return samples.get(sample);
    }
}
