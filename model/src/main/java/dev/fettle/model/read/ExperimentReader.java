package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** Makes a sweep and a comparison of what the plan says of them, for its target. */
final class ExperimentReader {
    /** At seconds per trial, more cells would take weeks. */
    static final long MOST_CELLS = 10_000;

    private final Problems problems;
    private final TargetReader targets;
    private final KnobReader knobs;

    ExperimentReader(Problems problems, TargetReader targets, KnobReader knobs) {
        this.problems = problems;
        this.targets = targets;
        this.knobs = knobs;
    }

    /** Rejects a grid over something a scenario does not have. */
    void scenario(YamlFields plan, Load load, List<List<Dimension>> grids) {
        if (load.scenario().isEmpty()) {
            return;
        }
        grids.stream()
                .flatMap(List::stream)
                .map(Dimension::name)
                .filter(GridPoints.ofRequest()::contains)
                .distinct()
                .forEach(name -> problems.add(
                        plan.at("load"),
                        "the grid varies %s, but a scenario's steps have requests of their own".formatted(name)));
    }

    Plan.Sweep sweep(CompareKeys.Sweep keys, Target target) {
        return new Plan.Sweep(keys.grid().map(n -> grid(n, target)).orElse(List.of()), keys.repeats());
    }

    Plan.Compare compare(CompareKeys keys, Target target, Setting hold, Optional<Load> load) {
        YamlFields f = keys.at();
        List<Dimension> grid = keys.grid().map(n -> grid(n, target)).orElse(List.of());
        if (f.has("layers")) {
            List<Variant> layers = keys.layers().stream()
                    .map(l -> layer(l, target, hold, grid, load))
                    .toList();
            return new Plan.Compare(layers, grid, keys.pairs(), keys.spike(), true, Optional.empty());
        }
        boolean jdks = !f.has("variants") && !targets.jdks().isEmpty();
        if (!jdks) {
            f.require("variants", "{small: {set: {threads.max: 8}}, large: {set: {threads.max: 64}}}");
        }
        List<Variant> variants = jdks
                ? jdks(target, hold)
                : keys.variants().stream()
                        .map(v -> variant(v.name(), v.value().at(), target, hold, grid))
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
    void spike(YamlFields plan, Load load, Optional<Plan.Compare> compare, Optional<Slo> slo) {
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
    private Variant layer(
            Named<CompareKeys.Layer> named, Target target, Setting hold, List<Dimension> grid, Optional<Load> load) {
        CompareKeys.Layer layer = named.value();
        YamlFields f = layer.at();
        Setting set = set(f, grid);
        Target built = target(f, target);
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
    private List<Variant> jdks(Target target, Setting hold) {
        var variants = new ArrayList<Variant>();
        for (String jdk : targets.jdks()) {
            String name = "java " + jdk.substring(jdk.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._+=-]", "-");
            String shorter = name.substring(0, Math.min(name.length(), 36));
            boolean taken = variants.stream().anyMatch(v -> v.name().equals(shorter));
            variants.add(new Variant(
                    taken ? shorter + " " + (variants.size() + 1) : shorter, target, hold.with(Target.Jvm.JDK, jdk)));
        }
        return variants;
    }

    /** The grid; one that is far too large is a problem. */
    private List<Dimension> grid(Node node, Target target) {
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

    private Variant variant(String name, YamlFields f, Target target, Setting hold, List<Dimension> grid) {
        return new Variant(name, target(f, target), hold.with(set(f, grid)));
    }

    private Setting set(YamlFields f, List<Dimension> grid) {
        Setting set = f.get("set").map(n -> knobs.setting(n, "set")).orElse(Setting.DEFAULT);
        for (Dimension d : grid) {
            if (set.get(d.name()).isPresent()) {
                problems.add(
                        f.in("set").at(d.name()), "%s is in the grid too, which would override it".formatted(d.name()));
            }
        }
        return set;
    }

    private Target target(YamlFields f, Target target) {
        return switch (target) {
            case Target.Embedded e -> embedded(f, e);
            case Target.War w -> {
                only(f, "a WAR on an embedded server", List.of("server", "java", "jvm", "set"));
                ServerKind server = f.get("server").flatMap(targets::server).orElse(w.server());
                yield new Target.War(server, w.war(), w.context(), jvm(f, w.jvm(), 17));
            }
            case Target.Command c -> {
                only(f, "a command", List.of("java", "jvm", "set"));
                yield c.withJvm(jvm(f, c.jvm(), 8));
            }
            case Target.Standalone s -> {
                only(f, "a standalone server", List.of("java", "jvm", "set"));
                yield s.withJvm(jvm(f, s.jvm(), 11));
            }
            case Target.Boot b -> {
                only(f, "a Spring Boot jar", List.of("java", "jvm", "set"));
                yield b.withJvm(jvm(f, b.jvm(), 17));
            }
            case Target.Running r -> {
                only(f, "a process that runs already", List.of("set"));
                yield r;
            }
            case Target.Url u -> {
                only(f, "a url", List.of());
                yield u;
            }
        };
    }

    private void only(YamlFields f, String what, List<String> allowed) {
        for (String key : Binder.keys(CompareKeys.Variant.class)) {
            if (f.has(key) && !allowed.contains(key)) {
                problems.add(f.at(key), "'%s' cannot vary: the target is %s".formatted(key, what));
            }
        }
    }

    private Target embedded(YamlFields f, Target.Embedded e) {
        ServerKind server = f.get("server").flatMap(targets::server).orElse(e.server());
        String app = f.get("app").flatMap(targets::app).orElse(e.app());
        boolean same = app.equals(e.app());
        var varied = new Target.Embedded(
                server,
                app,
                same ? e.options() : Map.of(),
                same ? e.backend() : Apps.defaultBackend(app),
                jvm(f, e.jvm(), 17));
        for (var o : f.get("options")
                .map(n -> targets.options(n, app))
                .orElse(Map.of())
                .entrySet()) {
            varied = varied.withOption(o.getKey(), o.getValue());
        }
        return varied;
    }

    /** The variant's JVM, with the plan's values where it has none. */
    private Target.Jvm jvm(YamlFields f, Target.Jvm otherwise, int oldest) {
        Target.Jvm own = targets.jvm(f, oldest);
        return new Target.Jvm(own.java().or(otherwise::java), f.has("jvm") ? own.flags() : otherwise.flags());
    }
}
