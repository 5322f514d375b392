package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The blocks of a page, each made of one kept document. */
final class Blocks {
    static final String NONE = "–";
    /** Notes of a result that say how any result is to be read, or what stands above it anyway; the methodology has them. */
    private static final Pattern OF_ANY = Pattern.compile(
            "A difference is shown when .*"
                    + "|The intervals are of the JVMs .*|The best of many cells .*|\\d+ of \\d+ trials? (was|were) void or failed;.*");

    /** What follows the plan in {@code bench/documents.sh list} if it sets the kernel's own settings; how such a command is run. */
    private static final String OWN_NETWORK = " own-network";

    private static final String IN_A_NETWORK_OF_ITS_OWN = "unshare --map-root-user --net sh -c 'ip link set lo up; %s'";

    private Blocks() {}

    /** What {@code fettle check} says of a plan before anything is run. */
    static String check(JsonNode kept) {
        var s = new StringBuilder("```\n./fettle check ")
                .append(kept.path("plan").asText())
                .append("\n```\n\n");
        kept.path("problems").forEach(p -> s.append("> ").append(p.asText()).append('\n'));
        kept.path("notes").forEach(n -> s.append("> note: ").append(n.asText()).append('\n'));
        return s.toString();
    }

    /** What was run, where, how long, and the result in Fettle's own words, with what limits it. */
    static String run(JsonNode kept) {
        JsonNode machine = kept.path("machine");
        Set<String> servers = new LinkedHashSet<>();
        int voids = 0;
        int failed = 0;
        for (JsonNode t : kept.path("trials")) {
            String server = t.path("facts").path("serverVersion").asText("");
            if (!server.isEmpty()) {
                servers.add(server);
            }
            failed += t.path("targetFailed").asBoolean() ? 1 : 0;
            voids += t.path("valid").asBoolean() || t.path("targetFailed").asBoolean() ? 0 : 1;
        }
        JsonNode probes = kept.path("conclusion").path("probes");
        int trials = probes.size() + kept.path("trials").size();
        String one = probes.isEmpty() ? " trial" : " probe";
        String command = "./fettle " + kept.path("command").asText();
        var s = new StringBuilder("```\n")
                .append(
                        command.endsWith(OWN_NETWORK)
                                ? IN_A_NETWORK_OF_ITS_OWN.formatted(command.replace(OWN_NETWORK, ""))
                                : command)
                .append("\n```\n\n");
        s.append(trials).append(one).append(trials == 1 ? "" : "s");
        if (trials == 1) {
            s.append(failed > 0 ? ", which failed" : voids > 0 ? ", which is void" : "");
        } else {
            s.append(voids > 0 ? ", " + voids + " of them void" : "");
            s.append(failed > 0 ? ", " + failed + " of them failed" : "");
        }
        s.append(" · ").append(time(kept.path("tookSeconds").asDouble()));
        servers.stream().sorted().forEach(v -> s.append(" · ").append(v));
        s.append(" · ")
                .append(machine.path("cpus").asText())
                .append(" CPUs (")
                .append(machine.path("cpuModel").asText());
        s.append("), server on CPU ").append(machine.path("serverCpus").asText());
        s.append(", generator on CPU ").append(machine.path("generatorCpus").asText());
        s.append(" · ").append(kept.path("day").asText()).append("\n\n");
        JsonNode c = kept.path("conclusion");
        s.append("> ").append(c.path("headline").asText()).append('\n');
        List<String> notes = notes(c);
        s.append(notes.isEmpty() ? "" : ">\n");
        notes.forEach(n -> s.append("> - ").append(n).append('\n'));
        return s.toString();
    }

    /** What Fettle says beside the headline of this run, and not of any; what a finding quotes is left to the finding. */
    private static List<String> notes(JsonNode conclusion) {
        String found = conclusion.path("bottleneck").path("sentence").asText("");
        return Figures.names(conclusion.path("notes")).stream()
                .filter(n -> !OF_ANY.matcher(n).matches() && !found.contains(n))
                .toList();
    }

    private static String time(double seconds) {
        return Format.seconds(seconds);
    }

    /** The table of a sweep or a comparison. */
    static String table(JsonNode kept) {
        JsonNode c = kept.path("conclusion");
        return c.path("kind").asText().equals("sweep") ? cells(c) : conditions(c);
    }

    private static String cells(JsonNode conclusion) {
        var s = new StringBuilder(
                "| cell | throughput /s [95 %] | p50 | p99 | Little's law | valid | void |\n|---|--:|--:|--:|--:|--:|--:|\n");
        for (JsonNode c : conclusion.path("cells")) {
            s.append(measured(Figures.point(c.path("point")), c, figure(c, "littlesRatio", Format::ratio)));
        }
        return s.toString();
    }

    /** What was measured of a cell or a variant, all its trials together. */
    private static String measured(String name, JsonNode of, String last) {
        int trials = of.path("trials").asInt();
        return row(
                name,
                Figures.rate(of.path("throughputPerSecond"), trials),
                latency(of, "p50Millis"),
                latency(of, "p99Millis"),
                last,
                trials,
                of.path("voids").asInt());
    }

    private static String conditions(JsonNode conclusion) {
        var s = new StringBuilder();
        for (JsonNode condition : conclusion.path("conditions")) {
            String point = Figures.point(condition.path("point"));
            s.append(point.isEmpty() ? "" : "**" + point + "**\n\n");
            boolean spike = StreamSupport.stream(condition.path("variants").spliterator(), false)
                    .anyMatch(v -> v.has("spike"));
            s.append(spike ? spikes(conclusion, condition) : variants(condition))
                    .append('\n');
            s.append(contrasts(condition)).append('\n');
        }
        return s.toString().strip() + "\n";
    }

    private static String variants(JsonNode condition) {
        var s = new StringBuilder(
                "| variant | throughput /s [95 %] | p50 | p99 | CPU a request | valid | void |\n|---|--:|--:|--:|--:|--:|--:|\n");
        for (JsonNode v : condition.path("variants")) {
            s.append(measured(
                    v.path("name").asText(),
                    v,
                    figure(v, "cpuMicrosPerRequest", micros -> Figures.millis(micros / 1000))));
        }
        return s.toString();
    }

    private static String spikes(JsonNode conclusion, JsonNode condition) {
        var s = new StringBuilder(
                "| variant | good answers /s in the spike [95 %] | errors in the spike | p99 in the spike | back to normal after [95 %] | trials |\n"
                        + "|---|--:|--:|--:|--:|--:|\n");
        for (JsonNode v : condition.path("variants")) {
            // without a valid trial there are no figures, whatever the fields say
            JsonNode k = v.path("trials").asInt() == 0 ? v.path("none") : v.path("spike");
            s.append(row(
                    v.path("name").asText(),
                    Figures.rate(k.path("goodputPerSecond"), v.path("trials").asInt()),
                    k.has("errorShare") ? Format.share(k.get("errorShare").asDouble()) : NONE,
                    latency(k, "p99Millis"),
                    k.has("recovered") ? Figures.recoveryWithInterval(k, conclusion) : NONE,
                    v.path("trials").asInt()
                            + brokenBefore(k.path("sloBrokenBefore").asInt())));
        }
        return s.toString();
    }

    private static String brokenBefore(int trials) {
        return trials == 0 ? "" : "; in " + trials + " the SLO was missed before the spike, too";
    }

    private static String contrasts(JsonNode condition) {
        var s = new StringBuilder(
                "| compared | difference [interval], or (each pair) | pairs | |\n|---|--:|--:|---|\n");
        for (JsonNode x : condition.path("contrasts")) {
            int pairs = x.path("pairs").asInt();
            s.append(row(
                    x.path("a").asText() + " against " + x.path("b").asText(),
                    pairs == 0 ? NONE : Figures.change(x),
                    pairs,
                    pairs == 0
                            ? "no block has both"
                            : x.path("differenceShown").asBoolean() ? "**shown**" : "not shown"));
        }
        return s.toString();
    }

    /** Each trial, void ones with the reason. */
    static String trials(JsonNode kept) {
        var s = new StringBuilder(
                "| trial | | throughput /s | p99 | longest connect | dropped at the accept queue | CPU of the server, with compilers | verdict |\n"
                        + "|--:|---|--:|--:|--:|--:|--:|---|\n");
        int n = 0;
        for (JsonNode t : kept.path("trials")) {
            s.append(row(
                    ++n,
                    name(t),
                    t.has("throughputPerSecond")
                            ? Figures.rate(t.get("throughputPerSecond").asDouble())
                            : NONE,
                    latency(t, "p99Millis"),
                    latency(t, "connectMaxMillis"),
                    figure(t, "listenOverflows", Format::whole),
                    t.has("serverCpu")
                            ? Format.share(t.get("serverCpu").asDouble()
                                    / t.path("serverCpus").asInt(1))
                            : NONE,
                    verdict(
                            t.path("valid").asBoolean(),
                            Figures.names(t.path("why")),
                            Figures.names(t.path("advisories")))));
        }
        return s.toString();
    }

    static String name(JsonNode trial) {
        String variant = trial.path("variant").asText("");
        String point = Figures.point(trial.path("point"));
        return variant.isEmpty() ? point : point.isEmpty() ? variant : variant + ", " + point;
    }

    /** What fettle diagnose found. */
    static String finding(JsonNode kept) {
        JsonNode c = kept.path("conclusion");
        JsonNode b = c.path("bottleneck");
        var s = new StringBuilder();
        if (b.has("title")) {
            String title = b.path("title").asText();
            String sentence = b.path("sentence").asText();
            s.append("**").append(title).append("** (").append(tested(b)).append(')');
            // some sentences begin with their title
            s.append(sentence.startsWith(title + ": ") ? sentence.substring(title.length()) : ". " + sentence)
                    .append('\n');
            b.path("evidence").forEach(e -> s.append("\n- ").append(e.asText()));
            if (b.path("test").has("sentence")) {
                s.append("\n- Tested: ").append(b.path("test").path("sentence").asText());
            }
            if (b.hasNonNull("remedy")) {
                s.append("\n- What to do: ").append(b.path("remedy").asText());
            }
        } else {
            s.append(c.path("result").asText());
        }
        return s.toString().strip() + "\n";
    }

    /** {@code confirmed}, {@code refuted}, {@code open}, {@code not tested}. */
    static String tested(JsonNode finding) {
        return finding.path("tested").asText("not_tested").replace('_', ' ');
    }

    /** What was found, mended, and what that gave, step by step. */
    static String story(JsonNode told) {
        var s = new StringBuilder(
                "```\nbench/documents.sh story\n```\n\n| step | wrong with the page | first finding | its test | fixed | throughput /s before | gate |\n|--:|---|---|---|---|--:|---|\n");
        int n = 0;
        for (JsonNode step : told.path("steps")) {
            String mend = step.path("mend").asText("");
            String title = step.path("title").asText("");
            String test = step.path("test").asText("");
            s.append(row(
                    ++n,
                    String.join(", ", Figures.names(step.path("wrong"))),
                    title.isEmpty()
                            ? Figures.cell(step.path("headline").asText())
                            : "**" + Figures.cell(title) + "**. "
                                    + Figures.cell(step.path("sentence").asText()),
                    title.isEmpty() ? NONE : tested(step) + (test.isEmpty() ? "" : ": " + Figures.cell(test)),
                    mend.isEmpty() ? NONE : Figures.cell(mend),
                    Figures.rate(step.path("rate").asDouble()),
                    Story.gate(step)));
        }
        return s.toString();
    }

    /** What fettle audit says of published settings; the command, how many of which verdict, and those that are void, harmful or gone. */
    static String audit(JsonNode audited, String file) {
        var s = new StringBuilder("```\n./fettle audit examples/documents/settings/")
                .append(file)
                .append("\n```\n\n");
        JsonNode context = audited.path("context");
        s.append("For Linux ").append(context.path("kernel").asText().replaceFirst("^(\\d+\\.\\d+).*", "$1"));
        s.append(", JDK ")
                .append(context.path("jdk").asText())
                .append(", Tomcat ")
                .append(context.path("tomcat").asText());
        s.append(", Jetty ").append(context.path("jetty").asText()).append(": ");
        var counts = new ArrayList<String>();
        audited.path("counts")
                .properties()
                .forEach(e -> counts.add(e.getValue().asInt() + " " + e.getKey().replace('-', ' ')));
        s.append(String.join(", ", counts)).append(". ");
        s.append(
                "Situational ones, defaults and valid ones are not in the table; the command prints the first two, and all of them with `--all`.\n\n");
        s.append("| setting | verdict | why |\n|---|---|---|\n");
        Set<String> mild = Set.of("situational", "default", "valid", "unknown");
        for (JsonNode f : audited.path("findings")) {
            if (mild.contains(f.path("verdict").asText())) {
                continue;
            }
            String value = f.path("value").asText("");
            String name = f.path("setting").asText();
            // a command is its own value
            String setting = value.isEmpty() ? name : value.startsWith(name + " ") ? value : name + "=" + value;
            s.append(row(
                    "`" + Figures.cell(setting) + "`",
                    f.path("verdict").asText().replace('-', ' '),
                    Figures.cell(f.path("why").asText())));
        }
        return s.toString();
    }

    /** A figure that may be an estimate with an interval. */
    static double value(JsonNode figure) {
        return figure.has("estimate") ? figure.get("estimate").asDouble() : figure.asDouble();
    }

    static String latency(JsonNode of, String field) {
        return of.hasNonNull(field) ? Figures.millis(of.get(field).asDouble()) : NONE;
    }

    static String figure(JsonNode of, String field, DoubleFunction<String> format) {
        return of.hasNonNull(field) ? format.apply(of.get(field).asDouble()) : NONE;
    }

    /** {@code valid}, with what the gate said of it beside, or {@code void} and why. */
    static String verdict(boolean valid, List<String> why, List<String> advisories) {
        if (!valid) {
            return "void: " + String.join(", ", why);
        }
        return advisories.isEmpty() ? "valid" : "valid (" + String.join(", ", advisories) + ")";
    }

    /** A line of a table; its cells are Markdown. */
    static String row(Object... cells) {
        return Arrays.stream(cells).map(Object::toString).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
