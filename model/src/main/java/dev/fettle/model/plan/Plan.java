package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What a user asks for: target, load, knobs, objective, and experiments.
 *
 * @param name short, used for the run's name
 * @param about one or two sentences for the report; may be empty
 * @param target the server under test
 * @param load the load offered
 * @param hold knobs held at a value in every trial, the baseline included
 * @param knobs what a tune may change
 * @param slo the SLO for a capacity search, if the plan has one; see {@link #effectiveSlo}
 * @param sweep the grid of a sweep, if the plan has one
 * @param compare the variants of a comparison, if the plan has any
 * @param hooks commands around the target, if the plan has any
 * @param seed for every random choice
 * @param capacity the request for a capacity search, if the plan is for one
 * @param gate the request for a gate, if the plan is for one
 * @param own the knobs of the user's application that the plan declares
 * @param taken what earlier runs found, fixed when the run began, so that a resumed run decides in the same way
 * @param livePage whether its runs are shown on a page while they go on; not journalled with it
 * @param from the machines that send the load, as the user's ssh calls them; empty: this one
 * @param files what was read with the plan's own file and is part of it, such as a scenario's; not journalled with it
 */
@RecordBuilder
public record Plan(
        String name,
        String about,
        Target target,
        Load load,
        Setting hold,
        List<KnobRange> knobs,
        Objective objective,
        Budget budget,
        Optional<Slo> slo,
        Optional<Sweep> sweep,
        Optional<Compare> compare,
        Optional<Hooks> hooks,
        long seed,
        Optional<CapacityAsked> capacity,
        Optional<GateAsked> gate,
        List<OwnKnob> own,
        Optional<Earlier> taken,
        @JsonIgnore boolean livePage,
        List<String> from,
        @JsonIgnore List<Path> files)
        implements PlanBuilder.With {
    public Plan {
        knobs = List.copyOf(knobs);
        gate = Objects.requireNonNullElse(gate, Optional.empty()); // runs that were journalled before there were gates
        own = List.copyOf(own);
        from = List.copyOf(
                Objects.requireNonNullElse(from, List.of())); // runs that were journalled before there were such
        files = List.copyOf(Objects.requireNonNullElse(files, List.of())); // not journalled
    }

    /** A plan that asks for nothing else: the usual objective and budget, seed 42. */
    public static Plan of(String name, Target target, Load load) {
        return new Plan(
                name,
                "",
                target,
                load,
                Setting.DEFAULT,
                List.of(),
                Objective.DEFAULT,
                Budget.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                42,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                false,
                List.of(),
                List.of());
    }

    /** What the plan says that the user's application has when nothing is set; empty for the knobs of a server. */
    public Optional<String> ownDefault(String knob) {
        return own.stream().filter(k -> k.name().equals(knob)).findFirst().flatMap(OwnKnob::byDefault);
    }

    /** What earlier runs found. */
    public Earlier earlier() {
        return taken.orElse(Earlier.NONE);
    }

    /** A copy with what earlier runs found. */
    public Plan with(Earlier found) {
        return withTaken(Optional.of(found).filter(e -> !e.settings().isEmpty()));
    }

    /**
     * A copy for another target, variants of a comparison included.
     *
     * @throws IllegalArgumentException with a message for the user, if variants differ in their target
     */
    public Plan on(Target other) {
        for (Variant v : compare.map(Compare::variants).orElse(List.of())) {
            if (!v.target().equals(target)) {
                throw new IllegalArgumentException("variant '%s' has a target of its own; on %s only settings can vary"
                        .formatted(v.name(), other.label()));
            }
        }
        return withTargets(t -> other);
    }

    /** The SLO, or else the objective's limits if they include one on latency. */
    public Optional<Slo> effectiveSlo() {
        return slo.or(() -> Slo.of(objective));
    }

    /** Every value the plan names for a knob: held, tuned, in a grid or in a variant. */
    public Set<String> values(String knob) {
        var values = new LinkedHashSet<String>();
        hold.get(knob).ifPresent(values::add);
        knobs.stream().filter(r -> r.knob().equals(knob)).forEach(r -> values.addAll(r.choices()));
        Stream.concat(
                        sweep.stream().flatMap(s -> s.grid().stream()),
                        compare.stream().flatMap(c -> c.grid().stream()))
                .filter(d -> d.name().equals(knob))
                .forEach(d -> values.addAll(d.values()));
        compare.stream()
                .flatMap(c -> c.variants().stream())
                .forEach(v -> v.setting().get(knob).ifPresent(values::add));
        return values;
    }

    /** This plan with its target changed, and those of its variants. */
    public Plan withTargets(UnaryOperator<Target> change) {
        Optional<Compare> changed = compare.map(c -> c.withVariants(c.variants().stream()
                .map(v -> v.withTarget(change.apply(v.target())))
                .toList()));
        return with().target(change.apply(target)).compare(changed).build();
    }

    /**
     * A full grid.
     *
     * @param repeats fresh-JVM trials of each cell, at least 1
     */
    public record Sweep(List<Dimension> grid, int repeats) {
        public Sweep {
            grid = List.copyOf(grid);
        }
    }

    /**
     * Variants measured in randomised blocks.
     *
     * @param grid conditions under which all variants are compared; may be empty
     * @param pairs blocks per condition, at least 2
     * @param spike a temporary rise of the load in every trial; empty: only the plan's load
     * @param layered whether the variants are layers: each adds something to the application of the one before it, and
     *     their answers may differ
     * @param baseline the first variant's name, if the others are compared with it alone; empty: each with each
     * @param asked what was asked for beyond the plan
     */
    @RecordBuilder
    public record Compare(
            List<Variant> variants,
            List<Dimension> grid,
            int pairs,
            Optional<Spike> spike,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean layered,
            Optional<String> baseline,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<CompareAsked> asked)
            implements PlanCompareBuilder.With {
        public Compare {
            variants = List.copyOf(variants);
            grid = List.copyOf(grid);
            asked = Objects.requireNonNullElse(asked, Optional.empty()); // runs that were journalled before it could be
        }

        /** Whether what is compared is, or contains, programs of the user's: the variants' targets differ, and not only in sample apps. */
        public boolean ofPrograms() {
            List<Target> targets =
                    variants.stream().map(Variant::target).distinct().toList();
            return !layered && targets.size() > 1 && !targets.stream().allMatch(Target.Embedded.class::isInstance);
        }

        /** A comparison for which nothing was asked beyond the plan. */
        public Compare(
                List<Variant> variants,
                List<Dimension> grid,
                int pairs,
                Optional<Spike> spike,
                boolean layered,
                Optional<String> baseline) {
            this(variants, grid, pairs, spike, layered, baseline, Optional.empty());
        }
    }

    /**
     * A temporary rise above the plan's rate.
     *
     * @param rate arrivals per second during it
     * @param length at least 1 s
     * @param watch how long to wait afterwards, back at the plan's rate, for the SLO to be met again; at least 1 s
     */
    @Section(value = "spike", doc = "A temporary rise of the load.")
    public record Spike(
            @Key(value = "Arrivals a second in the spike.", form = Form.RATE, required = "2000/s")
            double rate,

            @Key(value = "How long it lasts.", name = "for") @Range(from = "1s", to = "10m") @Default("10s")
            Duration length,

            @Key("How long to wait afterwards for the SLO to be met again.")
            @Range(from = "2s", to = "10m")
            @Default("20s")
            Duration watch) {
        /** Time at the plan's rate before the spike. */
        public static final Duration BEFORE = Duration.ofSeconds(5);

        /** A load with a spike in the middle. */
        public Load in(Load load) {
            if (!(load.arrivals() instanceof Arrivals.Open open)) {
                throw new IllegalArgumentException("a spike needs an open load: give 'load' a rate");
            }
            double base = open.stages().getFirst().from();
            var stages = List.of(
                    new Arrivals.Stage(base, base, BEFORE, 1),
                    new Arrivals.Stage(rate, rate, length, 1),
                    new Arrivals.Stage(base, base, watch, 1));
            return load.withArrivals(new Arrivals.Open(stages, open.poisson(), open.seed()))
                    .withMeasure(BEFORE.plus(length).plus(watch));
        }
    }
}
