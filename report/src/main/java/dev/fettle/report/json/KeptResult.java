package dev.fettle.report.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.history.MeasuredRun;
import dev.fettle.insight.history.PastRun;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.WrittenTime;
import dev.fettle.report.Wording;
import dev.fettle.report.history.HistoryWords;
import dev.fettle.report.runs.ListedRun;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32C;

/**
 * Reads back what {@link JsonReport} wrote of a gate or a bench: its figures, and what has to be equal for two of them to be compared. Somebody
 * else may have changed the file: every text of it is one line, and a figure that is none is not read.
 */
public final class KeptResult {
    /** No figure is larger, be it in nanoseconds or bytes. */
    private static final double LARGEST = 1e18;

    private static final int LONGEST = 200;
    private static final int HEX_SHOWN = 9;
    private static final int LEAST_OF_A_COMMIT = 7;
    private static final int MOST_OF_A_COMMIT = 40;

    /** Of a plan's load, what is no condition: how long it takes. */
    private static final List<String> TIMES = List.of("warmUpAtMost", "measure", "threads");

    /** Of a plan's target, what is not the program itself, which is another in every run. */
    private static final List<String> OF_THE_TARGET = List.of("kind", "jvm", "arguments", "properties");

    /** Of a plan, what else decides the figures. */
    private static final List<String> OF_THE_PLAN = List.of("hold", "own", "hooks");

    private final ObjectMapper json = Json.unlimited();

    /** What a file turned out to be. */
    public sealed interface Found {
        /** A gate or a bench. */
        record Kept(PastRun run) implements Found {}

        /**
         * A run of Fettle's whose figures are no part of a history.
         *
         * @param why what it is: {@code a tune}, {@code not finished}
         */
        record Other(String why) implements Found {}

        /** JSON of something else. */
        record Foreign() implements Found {}
    }

    /**
     * Reads a document.
     *
     * @param text of it
     * @param name of its file, by which a bench is known, and which may hold a commit
     * @param file where it is
     * @throws IllegalArgumentException if it is no JSON, or not complete
     */
    public Found read(String text, String name, String file) {
        return read(parsed(text), name, file);
    }

    private Found read(JsonNode root, String name, String file) {
        return switch (root.path("schema").asText()) {
            case JsonReport.RUN_SCHEMA -> run(root, name, file);
            case JsonReport.BENCH_SCHEMA -> new Found.Kept(bench(root, name, file));
            default -> root.isMissingNode() ? broken("it is empty") : new Found.Foreign();
        };
    }

    private JsonNode parsed(String text) {
        try {
            return json.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + OneLine.of(e.getOriginalMessage()), e);
        }
    }

    /**
     * Reads what a run of any kind measured, to hold it against another.
     *
     * @param text of what {@link JsonReport} wrote
     * @param name of its file, by which a bench is known
     * @return empty if it is JSON of something else
     * @throws IllegalArgumentException if it is no JSON, or not complete
     */
    public Optional<MeasuredRun> measured(String text, String name) {
        return measured(parsed(text), name);
    }

    private Optional<MeasuredRun> measured(JsonNode root, String name) {
        return switch (root.path("schema").asText()) {
            case JsonReport.RUN_SCHEMA, CapacityJson.SCHEMA -> Optional.of(measuredRun(root, name));
            case JsonReport.BENCH_SCHEMA -> Optional.of(measured(bench(root, name, name)));
            default -> Optional.empty();
        };
    }

    /**
     * Reads a run of any kind as one point of many over time: a gate with what was measured next to it, of others the first setting or program.
     *
     * @param text of what {@link JsonReport} wrote
     * @param name of its file, by which a bench is known
     * @param commit which was measured; empty if that is not known
     * @return empty if it is JSON of something else
     * @throws IllegalArgumentException if it is no JSON, or not complete
     */
    public Optional<PastRun> past(String text, String name, String commit) {
        JsonNode root = parsed(text);
        return read(root, name, name) instanceof Found.Kept(PastRun run)
                ? Optional.of(run)
                : measured(root, name).map(m -> m.first(commit, name));
    }

    /**
     * Reads what a list says of a run of any kind.
     *
     * @param text of what {@link JsonReport} wrote
     * @param name of its file, by which a bench is known
     * @param place where it is
     * @return empty if it is JSON of something else
     * @throws IllegalArgumentException if it is no JSON, or not complete
     */
    public Optional<ListedRun> listed(String text, String name, String place) {
        JsonNode root = parsed(text);
        return switch (root.path("schema").asText()) {
            case JsonReport.RUN_SCHEMA, CapacityJson.SCHEMA -> Optional.of(listed(root, name, place));
            case JsonReport.BENCH_SCHEMA -> Optional.of(listed(bench(root, name, name), place));
            default -> Optional.empty();
        };
    }

    private static ListedRun listed(PastRun bench, String place) {
        String figures = bench.figures().entrySet().stream()
                .filter(e -> e.getKey() == GateMetric.THROUGHPUT || e.getKey() == GateMetric.P99)
                .map(e -> e.getKey().label() + " "
                        + HistoryWords.figure(e.getKey(), e.getValue().value()))
                .collect(Collectors.joining(", "));
        return new ListedRun(
                bench.id(),
                place,
                "bench",
                bench.conditions().getOrDefault("target", ""),
                Optional.of(bench.started()),
                ListedRun.State.DONE,
                0,
                bench.unused().map(why -> "void: " + why).orElse(figures),
                bench.commit(),
                ListedRun.Marks.NONE);
    }

    private static ListedRun listed(JsonNode root, String name, String place) {
        boolean capacity = root.path("schema").asText().equals(CapacityJson.SCHEMA);
        JsonNode found = root.path(capacity ? "capacity" : "conclusion");
        String headline = line(found.path("headline"));
        String base = line(root.path("plan").path("gate").path("base"));
        return new ListedRun(
                line(root.path("runId")),
                place,
                capacity ? "capacity" : line(root.path("kind")),
                name(root.path("plan"), base),
                Optional.of(started(root)),
                headline.isEmpty() ? ListedRun.State.OPEN : ListedRun.State.DONE,
                (capacity ? found.path("probes") : root.path("trials")).size(),
                headline.isEmpty() ? "not finished" : headline,
                commit(line(root.path("plan").path("gate").path("head")))
                        .or(() -> commitIn(name))
                        .orElse(""),
                ListedRun.Marks.NONE);
    }

    /** A bench is one measurement. */
    private static MeasuredRun measured(PastRun bench) {
        var figures = new EnumMap<GateMetric, List<Double>>(GateMetric.class);
        bench.figures().forEach((metric, figure) -> figures.put(metric, List.of(figure.value())));
        return new MeasuredRun(
                bench.id(),
                "bench",
                bench.started(),
                bench.open(),
                bench.conditions(),
                bench.memory(),
                bench.facts(),
                List.of(new MeasuredRun.Arm("", figures)),
                bench.unused());
    }

    private MeasuredRun measuredRun(JsonNode root, String name) {
        boolean capacity = root.path("schema").asText().equals(CapacityJson.SCHEMA);
        String kind = capacity ? "capacity" : line(root.path("kind"));
        JsonNode plan = root.path("plan");
        var conditions = new LinkedHashMap<String, String>();
        conditions.put("what", kind);
        conditions.put("plan", name(plan, line(plan.path("gate").path("base"))));
        conditions.put("load", load(plan.path("load")));
        conditions.put("plan, exactly", exactly(plan));
        String java = java(root);
        unlessBlank(conditions, "JDK", feature(java));
        machine(root.path("environment"), conditions);
        Map<String, String> facts = facts(root.path("environment"));
        unlessBlank(facts, "JDK", java);
        boolean gate = kind.equals("gate");
        List<MeasuredRun.Arm> arms = capacity ? capacity(root) : arms(root, !gate && !kind.equals("compare"));
        JsonNode found = root.path("conclusion");
        if (gate && arms.isEmpty() && found.isObject()) {
            arms = programs(gate(root, found, name, name)); // its figures were kept, its trials not
        }
        return new MeasuredRun(
                line(root.path("runId")),
                kind,
                started(root),
                !capacity && isOpen(plan),
                conditions,
                memory(root.path("environment")),
                facts,
                arms,
                arms.isEmpty() ? Optional.of("none of its trials is valid") : Optional.empty());
    }

    private static List<MeasuredRun.Arm> programs(PastRun gate) {
        var head = new EnumMap<GateMetric, List<Double>>(GateMetric.class);
        var base = new EnumMap<GateMetric, List<Double>>(GateMetric.class);
        gate.figures().forEach((metric, figure) -> {
            head.put(metric, List.of(figure.value()));
            if (figure.reference().isPresent()) {
                base.put(metric, List.of(figure.reference().getAsDouble()));
            }
        });
        return head.isEmpty()
                ? List.of()
                : List.of(new MeasuredRun.Arm("base", base), new MeasuredRun.Arm("head", head));
    }

    /** Whether load comes at a rate. */
    private static boolean isOpen(JsonNode plan) {
        return !plan.path("load").path("arrivals").path("kind").asText().equals("closed");
    }

    /** The rates that a capacity search found, one for each launch of its target if it was launched several times. */
    private static List<MeasuredRun.Arm> capacity(JsonNode root) {
        JsonNode launches = root.path("launches");
        List<Double> rates = (launches.isEmpty()
                        ? Stream.of(root.path("capacity"))
                        : StreamSupport.stream(launches.spliterator(), false))
                .map(found -> figure(found.path("ratePerSecond")))
                .filter(rate -> sound(GateMetric.THROUGHPUT, rate))
                .map(OptionalFigure::getAsDouble)
                .toList();
        return rates.isEmpty()
                ? List.of()
                : List.of(new MeasuredRun.Arm("capacity", Map.of(GateMetric.THROUGHPUT, rates)));
    }

    /**
     * What each setting or program had in its valid trials; of one that was tried on a fresh JVM, those alone.
     *
     * @param bySetting whether settings are told apart, or variants, which have a name
     */
    private static List<MeasuredRun.Arm> arms(JsonNode root, boolean bySetting) {
        boolean open = isOpen(root.path("plan"));
        var fresh = new LinkedHashMap<String, Map<GateMetric, List<Double>>>();
        var warm = new LinkedHashMap<String, Map<GateMetric, List<Double>>>();
        for (JsonNode trial : root.path("trials")) {
            if (trial.path("valid").asBoolean() && trial.path("measurement").isObject()) {
                String name = bySetting ? setting(trial) : line(trial.path("variant"));
                boolean isWarm = trial.path("evidence").path("warmJvm").isObject();
                Map<GateMetric, List<Double>> arm =
                        (isWarm ? warm : fresh).computeIfAbsent(name, n -> new EnumMap<>(GateMetric.class));
                figures(trial, open)
                        .forEach((metric, value) -> arm.computeIfAbsent(metric, m -> new ArrayList<>())
                                .add(value));
            }
        }
        // a fresh JVM in another run is no match for a warm one
        warm.forEach((name, figures) -> {
            if (!fresh.containsKey(name)) {
                fresh.put(name + ", on a warm JVM", figures);
            }
        });
        return fresh.entrySet().stream()
                .map(e -> new MeasuredRun.Arm(e.getKey(), e.getValue()))
                .toList();
    }

    private static Map<GateMetric, Double> figures(JsonNode trial, boolean open) {
        JsonNode m = trial.path("measurement");
        var all = new EnumMap<GateMetric, OptionalFigure>(GateMetric.class);
        all.put(GateMetric.THROUGHPUT, figure(m.path("throughputPerSecond")));
        all.put(GateMetric.P50, figure(m.path("latency").path("p50Millis")).map(KeptResult::nanos));
        all.put(GateMetric.P99, figure(m.path("latency").path("p99Millis")).map(KeptResult::nanos));
        all.put(GateMetric.ERRORS, figure(m.path("errorShare")));
        all.put(GateMetric.CPU, cpu(trial.path("evidence"), figure(m.path("responses"))));
        var known = new EnumMap<GateMetric, Double>(GateMetric.class);
        all.forEach((metric, value) -> {
            if (metric.fits(open) && sound(metric, value)) {
                known.put(metric, value.getAsDouble());
            }
        });
        return known;
    }

    /** Seconds of the server's CPU a response, without the JVM's compilers. */
    private static OptionalFigure cpu(JsonNode evidence, OptionalFigure responses) {
        OptionalFigure compilers = figure(evidence.path("compilerCpuSeconds"));
        return figure(evidence.path("serverCpuSeconds"))
                .map(s -> s - compilers.orElse(0))
                .with(responses.filter(n -> n > 0), (s, n) -> s / n);
    }

    private static String setting(JsonNode trial) {
        return trial.path("setting").properties().stream()
                .map(e -> e.getKey() + "=" + line(e.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static Found broken(String why) {
        throw new IllegalArgumentException(why);
    }

    private Found run(JsonNode root, String name, String file) {
        String kind = line(root.path("kind"));
        if (!kind.equals("gate")) {
            return new Found.Other("a " + kind);
        }
        JsonNode found = root.path("conclusion");
        if (!found.isObject()) {
            return new Found.Other("not finished");
        }
        if (found.path("baseAgainstBase").asBoolean()) {
            return new Found.Other("a gate of base against base");
        }
        return new Found.Kept(gate(root, found, name, file));
    }

    private PastRun gate(JsonNode root, JsonNode found, String name, String file) {
        JsonNode plan = root.path("plan");
        JsonNode asked = plan.path("gate");
        JsonNode environment = root.path("environment");
        String base = line(asked.path("base"));
        String head = line(asked.path("head"));
        var figures = new EnumMap<GateMetric, PastRun.Figure>(GateMetric.class);
        for (JsonNode m : found.path("metrics")) {
            Optional<GateMetric> metric = GateMetric.named(m.path("metric").asText());
            OptionalFigure value = figure(m.path("head"));
            if (metric.isPresent() && sound(metric.get(), value)) {
                OptionalFigure reference = figure(m.path("base"));
                figures.put(
                        metric.get(),
                        new PastRun.Figure(
                                value.getAsDouble(),
                                sound(metric.get(), reference) ? reference : OptionalFigure.empty(),
                                named(GateConclusion.Answer.values(), m.path("answer"))));
            }
        }
        Optional<GateConclusion.Result> verdict = named(GateConclusion.Result.values(), found.path("result"));
        String id = line(root.path("runId"));
        boolean nothing = figures.isEmpty() || verdict.equals(Optional.of(GateConclusion.Result.NOT_VALID));
        String java = java(root);
        var conditions = new LinkedHashMap<String, String>();
        conditions.put("what", "gate");
        conditions.put("plan", name(plan, base));
        conditions.put("load", load(plan.path("load")));
        conditions.put("plan, exactly", exactly(plan));
        unlessBlank(conditions, "JDK", feature(java));
        machine(environment, conditions);
        Map<String, String> facts = facts(environment);
        unlessBlank(facts, "JDK", java);
        return new PastRun(
                id,
                file,
                started(root),
                commit(head).or(() -> commitIn(name)).orElse(""),
                isOpen(plan),
                conditions,
                memory(environment),
                facts,
                figures,
                program(base),
                verdict,
                nothing ? Optional.of(line(found.path("headline"))) : Optional.empty());
    }

    private PastRun bench(JsonNode root, String name, String file) {
        var figures = new EnumMap<GateMetric, PastRun.Figure>(GateMetric.class);
        put(figures, GateMetric.THROUGHPUT, figure(root.path("throughputPerSecond")));
        put(figures, GateMetric.ERRORS, figure(root.path("errorShare")));
        put(
                figures,
                GateMetric.P50,
                figure(root.path("latency").path("p50Millis")).map(KeptResult::nanos));
        put(
                figures,
                GateMetric.P99,
                figure(root.path("latency").path("p99Millis")).map(KeptResult::nanos));
        put(figures, GateMetric.CPU, cpu(root.path("evidence"), figure(root.path("responses"))));
        JsonNode environment = root.path("environment");
        boolean open = root.path("arrivals").path("model").asText().equals("open");
        var conditions = new LinkedHashMap<String, String>();
        conditions.put("what", "bench");
        conditions.put("target", line(root.path("target")));
        conditions.put(
                "load",
                line(root.path("method")) + " " + line(root.path("path")) + ", "
                        + Wording.plural(root.path("connections").asInt(), "connection")
                        + (root.path("keepAlive").asBoolean(true) ? "" : " without keep-alive")
                        + (open ? ", " + rate(root.path("arrivals").path("stages")) : "")
                        + protocol(root));
        conditions.put(
                "load, exactly",
                hash(root.path("arrivals").toString() + root.path("inFlightPerConnection") + root.path("message")));
        unlessBlank(conditions, "sent from", senders(root.path("agents")));
        machine(environment, conditions);
        Map<String, String> facts = facts(environment);
        unlessBlank(facts, "server", line(root.path("process").path("server")));
        Optional<String> unused = root.path("interrupted").asBoolean()
                ? Optional.of("it was interrupted")
                : root.path("valid").asBoolean(false)
                        ? Optional.empty()
                        : Optional.of(reasons(root.path("voidReasons")));
        return new PastRun(
                Wording.clean(withoutEnding(name)),
                file,
                started(root),
                commitIn(name).orElse(""),
                open,
                conditions,
                memory(environment),
                facts,
                figures,
                "",
                Optional.empty(),
                unused);
    }

    /** The machines that sent a load; empty if it was this one. */
    private static String senders(JsonNode agents) {
        return StreamSupport.stream(agents.spliterator(), false)
                .map(a -> line(a.path("host")))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static double nanos(double millis) {
        return millis * 1e6;
    }

    private static void put(Map<GateMetric, PastRun.Figure> to, GateMetric metric, OptionalFigure value) {
        if (sound(metric, value)) {
            to.put(metric, PastRun.Figure.alone(value.getAsDouble()));
        }
    }

    /** A zero of anything but errors was not observed. */
    private static boolean sound(GateMetric metric, OptionalFigure value) {
        return value.is(v -> metric == GateMetric.ERRORS ? v >= 0 && v <= 1 : v > 0 && v <= LARGEST);
    }

    private static OptionalFigure figure(JsonNode node) {
        return node.isNumber() ? OptionalFigure.of(node.asDouble()) : OptionalFigure.empty();
    }

    private static String reasons(JsonNode all) {
        return StreamSupport.stream(all.spliterator(), false)
                .map(r -> line(r.path("message")))
                .findFirst()
                .orElse("it is void");
    }

    private static String rate(JsonNode stages) {
        return stages.size() == 1
                ? Wording.clean(stages.path(0).path("toPerSecond").asText()) + "/s"
                : stages.size() + " stages";
    }

    private static String protocol(JsonNode root) {
        String name = line(root.path("protocol"));
        return (name.equals("http/1.1") || name.isEmpty() ? "" : ", " + name)
                + (root.path("tls").asBoolean() ? ", TLS" : "");
    }

    private static String load(JsonNode load) {
        JsonNode request = load.path("request");
        JsonNode arrivals = load.path("arrivals");
        boolean scenario = load.path("scenario").isObject();
        return (scenario ? "a scenario" : line(request.path("method")) + " " + line(request.path("path"))) + ", "
                + Wording.plural(load.path("connections").asInt(), "connection")
                + (load.path("keepAlive").asBoolean(true) ? "" : " without keep-alive")
                + (arrivals.path("kind").asText().equals("closed") ? "" : ", " + open(arrivals.path("stages")));
    }

    private static String open(JsonNode stages) {
        return stages.size() == 1
                ? Wording.clean(stages.path(0).path("to").asText()) + "/s"
                : stages.size() + " stages";
    }

    /** A gate without a plan has its base's name, in which a version is no condition. */
    private static String name(JsonNode plan, String base) {
        String name = line(plan.path("name"));
        return base.startsWith(name) ? withoutVersion(name) : name;
    }

    private static String withoutVersion(String name) {
        for (int i = 1; i + 1 < name.length(); i++) {
            if (name.charAt(i) == '-' && Character.isDigit(name.charAt(i + 1))) {
                return name.substring(0, i);
            }
        }
        return name;
    }

    /** Whatever decides the figures and is not the program. */
    private String exactly(JsonNode plan) {
        ObjectNode kept = json.createObjectNode();
        ObjectNode load = kept.putObject("load");
        plan.path("load").properties().stream()
                .filter(e -> !TIMES.contains(e.getKey()))
                .forEach(e -> load.set(e.getKey(), e.getValue()));
        ObjectNode target = kept.putObject("target");
        OF_THE_TARGET.forEach(k -> copy(plan.path("target"), k, target));
        OF_THE_PLAN.forEach(k -> copy(plan, k, kept));
        return hash(sorted(kept).toString());
    }

    private static void copy(JsonNode from, String key, ObjectNode to) {
        if (from.has(key)) {
            to.set(key, from.path(key));
        }
    }

    /** With keys in order: another version may write them in another one. */
    private JsonNode sorted(JsonNode node) {
        if (node.isArray()) {
            var all = json.createArrayNode();
            node.forEach(n -> all.add(sorted(n)));
            return all;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode to = json.createObjectNode();
        var keys = new TreeMap<String, JsonNode>();
        node.properties().forEach(e -> keys.put(e.getKey(), e.getValue()));
        keys.forEach((k, v) -> to.set(k, sorted(v)));
        return to;
    }

    private static String hash(String text) {
        var crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    private static void machine(JsonNode environment, Map<String, String> to) {
        unlessBlank(to, "CPU", line(environment.path("cpuModel")));
        unlessBlank(to, "CPUs", line(environment.path("cpus")));
        unlessBlank(to, "server's CPUs", line(environment.path("serverCpus")));
    }

    private static Map<String, String> facts(JsonNode environment) {
        var facts = new LinkedHashMap<String, String>();
        unlessBlank(facts, "kernel", line(environment.path("kernel")));
        unlessBlank(facts, "Fettle", line(environment.path("fettleVersion")));
        return facts;
    }

    private static void unlessBlank(Map<String, String> to, String name, String value) {
        if (!value.isBlank()) {
            to.put(name, value);
        }
    }

    /** Bytes, of {@code 23.5 GiB}. */
    private static OptionalFigure memory(JsonNode environment) {
        String[] parts = line(environment.path("memory")).split(" ", -1);
        int unit = parts.length == 2 ? List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(parts[1]) : -1;
        try {
            return unit < 0
                    ? OptionalFigure.empty()
                    : OptionalFigure.of(Double.parseDouble(parts[0].replace(",", "")) * Math.pow(1024, unit));
        } catch (NumberFormatException e) {
            return OptionalFigure.empty();
        }
    }

    /** The JDK that ran the programs. */
    private static String java(JsonNode root) {
        for (JsonNode trial : root.path("trials")) {
            String java = line(trial.path("evidence").path("facts").path("javaVersion"));
            if (!java.isEmpty()) {
                return java;
            }
        }
        return "";
    }

    private static String feature(String java) {
        int end = 0;
        while (end < java.length() && Character.isDigit(java.charAt(end))) {
            end++;
        }
        return java.substring(0, end);
    }

    /** Of {@code shop.jar of 1a2b3c4d5, SHA-256 0f1e2d3c4b5a}. */
    private static Optional<String> commit(String program) {
        int end = program.indexOf(", SHA-256 ");
        String words = end < 0 ? program : program.substring(0, end);
        int of = words.lastIndexOf(" of ");
        return of < 0 ? Optional.empty() : Optional.of(words.substring(of + 4)).filter(KeptResult::isHex);
    }

    /**
     * What a base is known by: the commit that it was built of, since few builds make the same file twice, else its content, or if that is not
     * known its name.
     */
    private static String program(String words) {
        Optional<String> commit = commit(words);
        if (commit.isPresent()) {
            return "commit " + commit.get();
        }
        int at = words.indexOf(", SHA-256 ");
        return at < 0 ? words : words.substring(at + 2);
    }

    /** Of a file's name, or a folder's around it. */
    private static Optional<String> commitIn(String file) {
        String[] names = file.split("[^0-9A-Za-z]", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            if (isCommit(names[i])) {
                return Optional.of(names[i].substring(0, Math.min(HEX_SHOWN, names[i].length())));
            }
        }
        return Optional.empty();
    }

    /** Hex digits, with a letter and a digit at least: others are a date, a number or a word. */
    private static boolean isCommit(String name) {
        return isHex(name)
                && name.chars().anyMatch(Character::isDigit)
                && name.chars().anyMatch(Character::isLetter);
    }

    private static boolean isHex(String name) {
        return name.length() >= LEAST_OF_A_COMMIT
                && name.length() <= MOST_OF_A_COMMIT
                && name.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    private static String withoutEnding(String name) {
        return name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
    }

    private static Instant started(JsonNode root) {
        try {
            return WrittenTime.of(root.path("started").asText());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("it does not say when it was started", e);
        }
    }

    private static <E extends Enum<E>> Optional<E> named(E[] all, JsonNode name) {
        return Arrays.stream(all)
                .filter(e -> e.name().toLowerCase(Locale.ROOT).equals(name.asText()))
                .findFirst();
    }

    private static String line(JsonNode node) {
        String text = Wording.clean(node.asText(""));
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }
}
