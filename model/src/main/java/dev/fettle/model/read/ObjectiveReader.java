package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.CapacityTiming;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.Node;

/** Checks that the rest of the plan goes with its objective. */
final class ObjectiveReader {
    private final Problems problems;

    ObjectiveReader(Problems problems) {
        this.problems = problems;
    }

    /** Checks that an objective can be observed, and that it is not best when nothing is served. */
    void objective(YamlFields plan, Load load, Target target, Objective objective) {
        Metric m = objective.metric();
        Optional<Metric> ofProcess = Stream.concat(Stream.of(m), objective.against().stream())
                .filter(Metric::ofProcess)
                .findFirst();
        if (ofProcess.isPresent() && !target.hasProcess()) {
            problems.add(
                    plan.at("objective"),
                    "%s is a figure of a process, and of a URL no process is known: give its pid, or use throughput or p99"
                            .formatted(ofProcess.get().id()));
        } else if (m.ofProcess() && load.arrivals() instanceof Arrivals.Closed && !objective.limitsLatency()) {
            problems.add(
                    plan.at("objective"),
                    ("the setting with the lowest %s may be one that hardly serves: offer a rate (load.rate), or set"
                                    + " limits: {p99: …}, which with a closed load keeps the throughput up")
                            .formatted(m.id()));
        }
        if (plan.in("compare").has("layers") && m != Metric.THROUGHPUT && m != Metric.CAPACITY) {
            problems.add(
                    plan.at("compare"),
                    "layers are compared by the throughput of a closed load: leave out rate, arrivals and stages in 'load',"
                            + " compare.spike, and another objective than maximize: throughput");
        }
    }

    /**
     * Checks an objective of capacity: it needs an SLO, and trials that can be searched.
     *
     * @return the load, with time enough for a search in each trial unless the plan says how long it measures
     */
    Load capacity(
            YamlFields plan,
            Load load,
            Objective objective,
            Optional<Slo> slo,
            Optional<Plan.Compare> compare,
            List<List<Dimension>> grids) {
        if (objective.metric() != Metric.CAPACITY) {
            return load;
        }
        Node at = plan.at("objective");
        if (slo.isPresent() && plan.in("objective").has("limits")) {
            problems.add(at, "capacity is under one SLO: leave out objective.limits or the plan's 'slo'");
            return load;
        }
        Optional<Slo> under =
                slo.or(() -> Slo.of(objective)).filter(s -> s.longestLatency().isPresent());
        if (under.isEmpty()) {
            problems.add(
                    at,
                    "capacity is the highest rate at which an SLO is met, so it needs one that bounds a latency:"
                            + " limits: {p99: 50ms}, or 'slo: p99<50ms,errors<0.1%' next to the objective");
            return load;
        }
        boolean thinks =
                grids.stream().flatMap(List::stream).anyMatch(d -> d.name().equals("load.think"));
        if (thinks || !load.arrivals().equals(Arrivals.Closed.BACK_TO_BACK)) {
            problems.add(
                    plan.at("load"),
                    "a trial searches for the highest rate itself: leave out rate, arrivals, stages and think, in a grid,"
                            + " too. 'connections' are the clients that warm the server up before");
        }
        if (load.scenario().filter(Scenario::thinks).isPresent()) {
            problems.add(
                    plan.at("load"),
                    "a trial's probes last about two seconds, too short for users who pause: leave 'think' out of the scenario's"
                            + " steps, or use 'fettle capacity'");
        }
        if (compare.filter(c -> c.spike().isPresent() || c.layered()).isPresent()) {
            problems.add(
                    plan.at("compare"),
                    "variants are compared by their capacity, or by what a spike or a layer does: not by both");
        }
        Duration least = CapacityTiming.least(under.get());
        if (!plan.in("load").has("measure")) {
            return load.withMeasure(CapacityTiming.USUAL.compareTo(least) > 0 ? CapacityTiming.USUAL : least);
        }
        if (load.measure().compareTo(least) < 0) {
            problems.add(
                    plan.at("load"),
                    "load.measure is a trial's time for all its probes: for %s at least %s (without it, %s)"
                            .formatted(under.get(), Units.shortest(least), Units.shortest(CapacityTiming.USUAL)));
        }
        return load;
    }

    /** Checks experiments with an open load: its throughput is the offered rate, and a trial needs a steady load. */
    void open(YamlFields plan, Load load, Objective objective) {
        if (!(load.arrivals() instanceof Arrivals.Open open)
                || List.of("knobs", "sweep", "compare").stream().noneMatch(plan::has)) {
            return;
        }
        if (objective.metric() == Metric.THROUGHPUT
                || objective.against().filter(Metric.THROUGHPUT::equals).isPresent()) {
            problems.add(
                    plan.at("objective"),
                    "the throughput of an open load is the rate that is offered, whatever the setting:"
                            + " use objective: {minimize: p99}, or a closed load");
        }
        double rate = open.stages().getFirst().from();
        if (open.stages().stream().anyMatch(s -> s.from() != rate || s.to() != rate)) {
            problems.add(plan.at("load"), "a trial measures a steady load: one rate, not stages that change it");
        }
    }
}
