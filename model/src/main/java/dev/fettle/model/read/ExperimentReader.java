package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code budget}, {@code sweep} and {@code compare}. */
final class ExperimentReader {
    /** At seconds per trial, more cells would take weeks. */
    static final long MOST_CELLS = 10_000;

    private final Problems problems;
    private final Scalars scalars;
    private final TargetReader targets;
    private final KnobReader knobs;

    ExperimentReader(Problems problems, TargetReader targets, KnobReader knobs) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
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

    Budget budget(Node node) {
        YamlFields f = YamlFields.closed(node, "budget", PlanKeys.BUDGET.keys(), problems);
        int trials = f.get("trials")
                .flatMap(n -> scalars.integer(n, "trials", 3, 10_000))
                .orElse(Budget.DEFAULT.trials());
        Duration time = f.get("time")
                .flatMap(n -> scalars.duration(n, "time", Duration.ofSeconds(1), Duration.ofDays(7)))
                .orElse(Budget.DEFAULT.time());
        int pairs = f.get("pairs")
                .flatMap(n -> scalars.integer(n, "pairs", 3, 1000))
                .orElse(Budget.DEFAULT.pairs());
        boolean whole = f.get("whole-trials")
                .flatMap(n -> scalars.bool(n, "whole-trials"))
                .orElse(Budget.DEFAULT.wholeTrials());
        return new Budget(trials, time, pairs, f.get("live").flatMap(n -> scalars.bool(n, "live")), whole);
    }

    Plan.Sweep sweep(Node node, Target target) {
        YamlFields f = YamlFields.closed(node, "sweep", PlanKeys.SWEEP.keys(), problems);
        List<Dimension> grid = f.require("grid", "{threads.max: [8, 16, 32]}")
                .map(n -> grid(n, target))
                .orElse(List.of());
        return new Plan.Sweep(
                grid,
                f.get("repeats")
                        .flatMap(n -> scalars.integer(n, "repeats", 1, 1000))
                        .orElse(3));
    }

    Plan.Compare compare(Node node, Target target, Setting hold, Optional<Load> load) {
        YamlFields f = YamlFields.closed(node, "compare", PlanKeys.COMPARE.keys(), problems);
        List<Dimension> grid = f.get("grid").map(n -> grid(n, target)).orElse(List.of());
        int pairs = f.get("pairs")
                .flatMap(n -> scalars.integer(n, "pairs", 2, 1000))
                .orElse(5);
        Optional<Plan.Spike> spike = f.get("spike").flatMap(this::spike);
        if (f.has("layers")) {
            if (f.has("variants")) {
                problems.add(f.at("layers"), "a comparison has either 'variants' or 'layers', not both");
            }
            if (f.has("baseline")) {
                problems.add(f.at("baseline"), "each layer is compared with the one before it: leave 'baseline' out");
            }
            return new Plan.Compare(
                    f.get("layers")
                            .map(n -> layers(n, target, hold, grid, load))
                            .orElse(List.of()),
                    grid,
                    pairs,
                    spike,
                    true,
                    Optional.empty());
        }
        if (!f.has("variants") && !targets.jdks().isEmpty()) {
            List<Variant> jdks = jdks(target, hold);
            return new Plan.Compare(jdks, grid, pairs, spike, false, baseline(f, jdks));
        }
        var variants = new ArrayList<Variant>();
        Optional<Node> list =
                f.require("variants", "{small: {set: {threads.max: 8}}, large: {set: {threads.max: 64}}}");
        list.ifPresent(n -> {
            YamlFields named = YamlFields.open(n, "variants", problems);
            for (YamlFields.Entry e : named.all()) {
                name(e, "variant");
                variants.add(variant(e, target, hold, grid));
            }
            if (named.size() < 2) {
                problems.add(n, "compare needs at least two variants");
            }
        });
        return new Plan.Compare(variants, grid, pairs, spike, false, baseline(f, variants));
    }

    /** With what the others are compared: the first variant, as that is what the user has. */
    private Optional<String> baseline(YamlFields f, List<Variant> variants) {
        Optional<String> name = f.get("baseline").flatMap(n -> scalars.text(n, "baseline"));
        name.filter(n -> variants.isEmpty() || !variants.getFirst().name().equals(n))
                .ifPresent(n -> problems.add(
                        f.at("baseline"),
                        "compare.baseline is the variant that comes first"
                                + (variants.isEmpty()
                                        ? ""
                                        : ": write 'baseline: "
                                                + variants.getFirst().name() + "', or put '" + n + "' first")));
        return name;
    }

    private Optional<Plan.Spike> spike(Node node) {
        YamlFields f = YamlFields.closed(node, "spike", PlanKeys.SPIKE.keys(), problems);
        Optional<Double> rate = f.require("rate", "2000/s")
                .flatMap(n -> scalars.text(n, "rate").flatMap(t -> scalars.tried(n, "rate", t, Units::rate)));
        Duration length = f.get("for")
                .flatMap(n -> scalars.duration(n, "for", Duration.ofSeconds(1), Duration.ofMinutes(10)))
                .orElse(Duration.ofSeconds(10));
        Duration watch = f.get("watch")
                .flatMap(n -> scalars.duration(n, "watch", Duration.ofSeconds(2), Duration.ofMinutes(10)))
                .orElse(Duration.ofSeconds(20));
        return rate.map(r -> new Plan.Spike(r, length, watch));
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

    private void name(YamlFields.Entry e, String what) {
        if (!e.key().matches("[A-Za-z0-9][A-Za-z0-9 ._+=-]{0,39}")) {
            problems.add(e.keyNode(), "a " + what + "'s name is up to 40 letters, digits and ' ._+=-'");
        }
    }

    /** The layers in the order of the plan: each adds to the application of the one before it. */
    private List<Variant> layers(Node node, Target target, Setting hold, List<Dimension> grid, Optional<Load> load) {
        YamlFields named = YamlFields.open(node, "layers", problems);
        var layers = new ArrayList<Variant>();
        for (YamlFields.Entry e : named.all()) {
            name(e, "layer");
            layers.add(layer(e, target, hold, grid, load));
        }
        if (named.size() < 2) {
            problems.add(node, "compare.layers needs at least two layers");
        }
        return layers;
    }

    private Variant layer(YamlFields.Entry e, Target target, Setting hold, List<Dimension> grid, Optional<Load> load) {
        YamlFields f = YamlFields.closed(e.value(), "layer " + e.key(), PlanKeys.LAYER.keys(), problems);
        Setting set = set(f, grid);
        Target built = target(f, target);
        Optional<Target.Backend> backend = f.get("backend").flatMap(targets::backend);
        if (f.has("backend") && built.backend().isEmpty()) {
            problems.add(
                    f.at("backend"),
                    "only the login app has a backend that Fettle starts; elsewhere a hook may start"
                            + " one for all layers, and 'set' point a layer at it");
        } else if (backend.isPresent()) {
            built = built.calling(backend.get());
        }
        if (load.flatMap(Load::scenario).isPresent() && (f.has("path") || f.has("expect"))) {
            problems.add(e.keyNode(), "a scenario's steps have their own paths and answers: no layer may change them");
            return new Variant(e.key(), built, hold.with(set));
        }
        Optional<String> path = f.get("path")
                .flatMap(n -> scalars.text(n, "path")
                        .flatMap(t -> scalars.tried(n, "path", t, v -> GridPoints.canonical("load.path", v, target))));
        Optional<Load> own = load.map(l -> path.map(l::withPath).orElse(l));
        if (f.has("expect")) {
            Optional<Load.Expect> expect = f.get("expect")
                    .flatMap(n -> new Reading(problems, Path.of(""), Load.OPEN_CONNECTIONS)
                            .record(Load.Expect.class, n, "expect"));
            own = own.map(l -> expect.map(l::withExpect).orElse(l));
        }
        return new Variant(e.key(), built, hold.with(set), own.filter(l -> path.isPresent() || f.has("expect")));
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

    private Variant variant(YamlFields.Entry e, Target target, Setting hold, List<Dimension> grid) {
        YamlFields f = YamlFields.closed(e.value(), "variant " + e.key(), PlanKeys.VARIANT.keys(), problems);
        return new Variant(e.key(), target(f, target), hold.with(set(f, grid)));
    }

    private Setting set(YamlFields f, List<Dimension> grid) {
        Setting set = f.get("set").map(n -> knobs.setting(n, "set")).orElse(Setting.DEFAULT);
        for (Dimension d : grid) {
            if (set.get(d.name()).isPresent()) {
                problems.add(
                        YamlFields.open(f.get("set").orElseThrow(), "set", new Problems(""))
                                .at(d.name()),
                        "%s is in the grid too, which would override it".formatted(d.name()));
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
        for (String key : PlanKeys.VARIANT.keys()) {
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
