package dev.fettle.model.read;

import dev.fettle.model.load.Csv;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Scenario.Data;
import dev.fettle.model.load.Scenario.Flow;
import dev.fettle.model.load.Scenario.Order;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.load.Templates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads scenarios: a plan's {@code load.scenario}, or separate files with the same keys. */
public final class ScenarioReader {
    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;
    /** Variables that have a value in every step. */
    private final Set<String> everywhere = new LinkedHashSet<>(Templates.BUILT_IN);

    /** @param folder base of relative paths */
    ScenarioReader(Problems problems, Path folder) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
    }

    /**
     * Reads a scenario from a separate YAML file, as for {@code fettle bench --scenario FILE}. Paths of data files are relative
     * to its folder; the files are read once to report mistakes before a run.
     *
     * @throws PlanException with all mistakes, each with file, line and column
     */
    public static Scenario readFile(Path file) {
        var problems = new Problems(file.toString());
        Optional<Node> root =
                new YamlTree(problems, "the scenario is empty: it needs steps or flows").read(PlanReader.text(file));
        problems.throwIfAny();
        if (root.filter(ScenarioReader::isPlan).isPresent()) {
            problems.add(
                    root.get(),
                    "this is a plan, not a scenario: a scenario's file holds what a plan has under load.scenario (steps, flows, data)");
            problems.throwIfAny();
        }
        Optional<Scenario> scenario = new ScenarioReader(problems, PlanReader.folder(file)).mapping(root.orElseThrow());
        problems.throwIfAny();
        return scenario.orElseThrow();
    }

    private static boolean isPlan(Node root) {
        return root instanceof MappingNode
                && YamlFields.open(root, "a scenario", new Problems("")).has("target");
    }

    /** A scenario as a mapping, or the name of a file with one. */
    Optional<Scenario> read(Node node) {
        if (node instanceof ScalarNode && !YamlFields.isNull(node)) {
            return scalars.path(node, "scenario", folder).flatMap(this::elsewhere);
        }
        return mapping(node);
    }

    private Optional<Scenario> mapping(Node node) {
        YamlFields f = YamlFields.closed(node, "a scenario", PlanKeys.SCENARIO.keys(), problems);
        List<Data> data = f.get("data").map(this::data).orElse(List.of());
        Map<String, String> variables = f.get("variables").map(this::variables).orElse(Map.of());
        boolean keep = f.get("keep-cookies")
                .flatMap(n -> scalars.bool(n, "keep-cookies"))
                .orElse(false);
        long seed = f.get("seed")
                .flatMap(n -> scalars.wholeNumber(n, "seed", 0, Long.MAX_VALUE))
                .orElse(1L);
        if (f.has("steps") && f.has("flows")) {
            problems.add(f.at("flows"), "a scenario has either 'steps' or several 'flows' of them, not both");
            return Optional.empty();
        }
        List<Flow> flows = f.has("flows")
                ? f.get("flows").map(this::flows).orElse(List.of())
                : f.require("steps", "[{name: page, path: /}]")
                        .map(n -> List.of(new Flow("main", 1, steps(n))))
                        .orElse(List.of());
        return flows.isEmpty() ? Optional.empty() : Optional.of(new Scenario(flows, data, variables, keep, seed));
    }

    private Optional<Scenario> elsewhere(Path file) {
        problems.alsoRead(file);
        try {
            return Optional.of(readFile(file));
        } catch (PlanException e) {
            e.problems().forEach(problems::add);
            return Optional.empty();
        }
    }

    private Map<String, String> variables(Node node) {
        var out = new LinkedHashMap<String, String>();
        for (YamlFields.Entry e : YamlFields.open(node, "variables", problems).all()) {
            if (isNew(e.keyNode(), e.key())) {
                scalars.text(e.value(), e.key()).ifPresent(v -> out.put(e.key(), v));
            }
        }
        return out;
    }

    private boolean isNew(Node at, String variable) {
        if (!Templates.isName(variable)) {
            problems.add(at, "'%s' is no name of a variable: letters, digits and _ . - are".formatted(variable));
            return false;
        }
        if (!everywhere.add(variable)) {
            problems.add(at, "${%s} has two sources".formatted(variable));
            return false;
        }
        return true;
    }

    private List<Data> data(Node node) {
        var out = new ArrayList<Data>();
        for (Node item : scalars.list(node, "data")) {
            YamlFields f = YamlFields.closed(item, "data", PlanKeys.DATA.keys(), problems);
            Order order = f.get("order")
                    .flatMap(n -> scalars.oneOf(n, "order", List.of("sequential", "random", "user")))
                    .map(o -> Order.valueOf(o.toUpperCase(Locale.ROOT)))
                    .orElse(Order.SEQUENTIAL);
            f.require("file", "users.csv")
                    .ifPresent(n -> scalars.path(n, "file", folder).ifPresent(file -> {
                        scalars.tried(n, "", file.toString(), t -> Csv.read(file))
                                .ifPresent(csv -> {
                                    csv.columns().forEach(column -> isNew(n, column));
                                    out.add(new Data(file.toString(), order));
                                });
                    }));
        }
        return out;
    }

    private List<Flow> flows(Node node) {
        var out = new ArrayList<Flow>();
        YamlFields named = YamlFields.open(node, "flows", problems);
        for (YamlFields.Entry e : named.all()) {
            YamlFields f = YamlFields.closed(e.value(), "flow " + e.key(), PlanKeys.FLOW.keys(), problems);
            int weight = f.get("weight")
                    .flatMap(n -> scalars.integer(n, "weight", 1, 1_000_000))
                    .orElse(1);
            if (!StepReader.isName(e.key())) {
                problems.add(e.keyNode(), StepReader.NAME_RULE.formatted("flow"));
            }
            f.require("steps", "[{name: page, path: /}]").ifPresent(n -> out.add(new Flow(e.key(), weight, steps(n))));
        }
        if (named.size() == 0 && problems.none()) {
            problems.add(node, "flows is empty");
        }
        return out;
    }

    private List<Step> steps(Node node) {
        var out = new ArrayList<Step>();
        var names = new HashSet<String>();
        var reader = new StepReader(problems, everywhere);
        List<Node> items = scalars.list(node, "steps");
        for (int i = 0; i < items.size(); i++) {
            Node item = items.get(i);
            reader.read(item, i == items.size() - 1).ifPresent(step -> {
                if (!names.add(step.name())) {
                    problems.add(item, "two steps of a flow are named '%s'".formatted(step.name()));
                }
                out.add(step);
            });
        }
        return out;
    }
}
