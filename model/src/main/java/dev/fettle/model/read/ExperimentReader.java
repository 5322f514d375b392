package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Makes a sweep and a comparison of what the plan says of them, for its target. */
final class ExperimentReader {
    /** At seconds per trial, more cells would take weeks. */
    static final long MOST_CELLS = 10_000;

    /** The keys of a variant that are those of its target. */
    private static final Set<String> OF_TARGET = Binder.keys(CompareKeys.Variant.class).stream()
            .filter(k -> !k.equals(CompareKeys.SETTING))
            .collect(Collectors.toUnmodifiableSet());

    private final Reading reading;
    private final Problems problems;
    private final YamlFields plan;
    private final Target target;
    private final KnobReader knobs;
    private final Setting hold;
    private final List<String> jdks;

    /** @param hold what the plan holds in every trial */
    ExperimentReader(Reading reading, YamlFields plan, Target target, KnobReader knobs, Setting hold) {
        this.reading = reading;
        this.problems = reading.problems();
        this.plan = plan;
        this.target = target;
        this.knobs = knobs;
        this.hold = hold;
        this.jdks = plan.in("target").get("java").stream()
                .flatMap(n -> n instanceof SequenceNode s ? s.getValue().stream() : Stream.empty())
                .flatMap(n -> n instanceof ScalarNode s ? Stream.of(s.getValue()) : Stream.empty())
                .filter(Reading::isJdk)
                .distinct()
                .toList();
    }

    /** Rejects a grid over something a scenario does not have. */
    void scenario(Load load, List<List<Dimension>> grids) {
        if (load.scenario().isEmpty()) {
            return;
        }
        grids.stream()
                .flatMap(List::stream)
                .map(Dimension::name)
                .filter(GridPoints.ofRequest()::contains)
                .distinct()
                .forEach(name -> plan.wrong(
                        "load",
                        "the grid varies %s, but a scenario's steps have requests of their own".formatted(name)));
    }

    /** Rejects several JDKs that nothing compares. */
    void jdks() {
        boolean compared = plan.has("compare")
                && !plan.in("compare").has("variants")
                && !plan.in("compare").has("layers");
        if (!jdks.isEmpty() && !compared) {
            plan.in("target")
                    .wrong(
                            "java",
                            "several JDKs are the variants of a 'compare' that has no 'variants': add compare: {pairs: 5}, or name"
                                    + " one JDK here and put jvm.java into knobs, a grid or the variants");
        }
    }

    Plan.Sweep sweep(CompareKeys.Sweep keys) {
        return new Plan.Sweep(keys.grid().map(this::grid).orElse(List.of()), keys.repeats());
    }

    Plan.Compare compare(CompareKeys keys, Optional<Load> load) {
        YamlFields f = keys.at();
        List<Dimension> grid = keys.grid().map(this::grid).orElse(List.of());
        if (f.has("layers")) {
            List<Variant> layers =
                    keys.layers().stream().map(l -> layer(l, grid, load)).toList();
            return new Plan.Compare(layers, grid, keys.pairs(), keys.spike(), true, Optional.empty());
        }
        boolean ofJdks = !f.has("variants") && !jdks.isEmpty();
        if (!ofJdks) {
            f.require("variants", "{small: {set: {threads.max: 8}}, large: {set: {threads.max: 64}}}");
        }
        List<Variant> variants = ofJdks
                ? variantsOfJdks()
                : keys.variants().stream()
                        .map(v -> new Variant(
                                v.name(),
                                varied(v.value().at()),
                                hold.with(set(v.value().at(), grid))))
                        .toList();
        return new Plan.Compare(variants, grid, keys.pairs(), keys.spike(), false, baseline(keys, variants));
    }

    /** With what the others are compared: the first variant, as that is what the user has. */
    private Optional<String> baseline(CompareKeys keys, List<Variant> variants) {
        Optional<String> name = keys.baseline();
        name.filter(n -> variants.isEmpty() || !variants.getFirst().name().equals(n))
                .ifPresent(n -> problems.add(
                        keys.at().at("baseline"),
                        "compare.baseline is the variant that comes first"
                                + (variants.isEmpty()
                                        ? ""
                                        : ": write 'baseline: "
                                                + variants.getFirst().name() + "', or put '" + n + "' first")));
        return name;
    }

    /** Checks a spike: it needs a rate to come back to, and an SLO that says when the server has recovered. */
    void spike(Load load, Optional<Plan.Compare> compare, Optional<Slo> slo) {
        Optional<Plan.Spike> spike = compare.flatMap(Plan.Compare::spike);
        if (spike.isEmpty()) {
            return;
        }
        if (!(load.arrivals() instanceof Arrivals.Open open)) {
            problems.add(plan.at("load"), "compare.spike needs an open load: give 'load' the rate before and after it");
        } else if (spike.get().rate() <= open.stages().getFirst().from()) {
            problems.add(plan.at("compare"), "compare.spike: its rate is not above load.rate, so it is no spike");
        }
        if (slo.isEmpty()) {
            problems.add(
                    plan.at("compare"),
                    "compare.spike needs an SLO, which says what a good answer is: add 'slo: p99<250ms,errors<1%'");
        }
    }

    /** A layer adds to the application of the one before it. */
    private Variant layer(Named<CompareKeys.Layer> named, List<Dimension> grid, Optional<Load> load) {
        CompareKeys.Layer layer = named.value();
        YamlFields f = layer.at();
        Setting set = set(f, grid);
        Target built = varied(f);
        if (f.has("backend") && built.backend().isEmpty()) {
            f.wrong(
                    "backend",
                    "only the login app has a backend that Fettle starts; elsewhere a hook may start"
                            + " one for all layers, and 'set' point a layer at it");
        } else if (layer.backend().isPresent()) {
            built = built.calling(layer.backend().get());
        }
        if (load.flatMap(Load::scenario).isPresent() && (f.has("path") || f.has("expect"))) {
            problems.add(
                    named.nameAt(), "a scenario's steps have their own paths and answers: no layer may change them");
            return new Variant(named.name(), built, hold.with(set));
        }
        Optional<Load> own = load.map(l -> layer.path().map(l::withPath).orElse(l))
                .map(l -> layer.expect().map(l::withExpect).orElse(l))
                .filter(l -> layer.path().isPresent() || f.has("expect"));
        return new Variant(named.name(), built, hold.with(set), own);
    }

    /** One variant per JDK of the target. */
    private List<Variant> variantsOfJdks() {
        var variants = new ArrayList<Variant>();
        for (String jdk : jdks) {
            String name = "java " + jdk.substring(jdk.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._+=-]", "-");
            String shorter = name.substring(0, Math.min(name.length(), 36));
            boolean taken = variants.stream().anyMatch(v -> v.name().equals(shorter));
            variants.add(new Variant(
                    taken ? shorter + " " + (variants.size() + 1) : shorter, target, hold.with(Target.Jvm.JDK, jdk)));
        }
        return variants;
    }

    /** The grid; one that is far too large is a problem. */
    private List<Dimension> grid(Node node) {
        List<Dimension> grid = knobs.grid(node, target);
        long cells = 1;
        for (Dimension d : grid) {
            cells = Math.min(MOST_CELLS + 1, cells * d.values().size());
        }
        if (cells > MOST_CELLS) {
            problems.add(node, "the grid has more than %d cells".formatted(MOST_CELLS));
            return List.of();
        }
        return grid;
    }

    private Setting set(YamlFields f, List<Dimension> grid) {
        Setting set = f.get("set").map(n -> knobs.setting(n, "set")).orElse(Setting.DEFAULT);
        for (Dimension d : grid) {
            if (set.get(d.name()).isPresent()) {
                f.in("set").wrong(d.name(), "%s is in the grid too, which would override it".formatted(d.name()));
            }
        }
        return set;
    }

    /**
     * The plan's target with a variant's keys in place of its own; of mappings, with its entries. Where the variant names another kind of
     * target, what both kinds have is the plan's.
     */
    private Target varied(YamlFields f) {
        YamlFields base = plan.in("target");
        Optional<Class<?>> was = TargetKeys.kind(base.node(), problems);
        Optional<Class<?>> is = target.isLaunched() && isWhole(f) ? TargetKeys.kind(f.node(), problems) : was;
        List<String> keys = is.map(Binder::keys).orElse(List.of());
        List<String> own = f.keys().stream().filter(OF_TARGET::contains).toList();
        own.stream()
                .filter(k -> !keys.contains(k))
                .forEach(k -> f.wrong(k, "'%s' cannot vary: the target is %s".formatted(k, called(is))));
        if (own.isEmpty() || is.isEmpty() || !keys.containsAll(own)) {
            return target;
        }
        var merged = new LinkedHashMap<String, NodeTuple>();
        base.all().forEach(e -> merged.put(e.key(), e.tuple()));
        merged.keySet().retainAll(keys);
        Binder.alternatives(is.get(), own).forEach(merged::remove);
        if (!jdks.isEmpty() && base.get("java").orElseThrow() instanceof SequenceNode several) {
            merged.put("java", new NodeTuple(base.at("java"), several.getValue().getFirst()));
        }
        if (own.contains("app")
                && target.sample().filter(s -> f.hasAs("app=" + s.app())).isEmpty()) {
            merged.remove("options"); // they are those of the other app
            merged.remove("backend");
        }
        for (YamlFields.Entry e : f.all()) {
            if (own.contains(e.key())
                    && (!e.key().equals("java")
                            || reading.scalars().text(e.value(), "java").isPresent())) {
                merged.merge(e.key(), e.tuple(), ExperimentReader::over);
            }
        }
        return reading.target(mapping(f.node(), merged)).orElse(target);
    }

    /** Whether a variant has the keys of a whole target. */
    private static boolean isWhole(YamlFields f) {
        return f.has("boot")
                || f.has("command")
                || f.has("standalone")
                || f.has("server") && (f.has("app") || f.has("war"));
    }

    private String called(Optional<Class<?>> kind) {
        return switch (target) {
            case Target.Command _ when kind.equals(Optional.of(CommandKeys.class)) -> "a command";
            case Target.Standalone _
            when kind.equals(Optional.of(TargetKeys.Standalone.class)) -> "a standalone server";
            case Target.Boot _ when kind.equals(Optional.of(TargetKeys.Boot.class)) -> "a Spring Boot jar";
            case Target.Embedded _ when kind.equals(Optional.of(TargetKeys.Embedded.class)) -> "an embedded server";
            case Target.Running _ -> "a process that runs already";
            case Target.Url _ -> "a url";
            default -> kind.map(k -> k.getAnnotation(Section.class).what()).orElse("");
        };
    }

    /** An entry over another: of two mappings, the entries of both. */
    private static NodeTuple over(NodeTuple old, NodeTuple own) {
        if (!(old.getValueNode() instanceof MappingNode && own.getValueNode() instanceof MappingNode)) {
            return own;
        }
        var all = new LinkedHashMap<String, NodeTuple>();
        for (NodeTuple of : List.of(old, own)) {
            YamlFields.open(of.getValueNode(), "", new Problems("")).all().forEach(e -> all.put(e.key(), e.tuple()));
        }
        return new NodeTuple(own.getKeyNode(), mapping(own.getValueNode(), all));
    }

    private static Node mapping(Node at, Map<String, NodeTuple> tuples) {
        return new MappingNode(
                Tag.MAP, true, List.copyOf(tuples.values()), at.getStartMark(), at.getEndMark(), FlowStyle.AUTO);
    }
}
