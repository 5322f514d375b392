package dev.fettle.bench.tuner;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.trials.SeededOrder;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.LoadBuilder;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The trials of a recording in their order. A round goes through the combinations of those knobs that need a start, in a random order; in
 * each it launches one JVM and goes through the other knobs' values in a random order. The default's trials are spread over the JVM
 * whose values are the server's own, so that they are as warm as all others.
 */
final class RecordingOrder {
    /** The default is measured so often in each round. */
    private static final int DEFAULTS = 3;

    /** How long a new value may take to settle: the pool is resized before. */
    private static final Duration SETTLE = Duration.ofMillis(300);

    /** How long a new JVM warms up before its trials. */
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    private final Plan plan;
    private final Set<String> live;
    private final Map<String, String> standard;

    /**
     * Creates it.
     *
     * @param standard the values that the server has by default, as read back
     */
    RecordingOrder(Plan plan, Map<String, String> standard) {
        this.plan = plan;
        this.standard = standard;
        ServerKind server = plan.target().knownServer().orElseThrow();
        this.live = plan.sweep().orElseThrow().grid().stream()
                .map(Dimension::name)
                .filter(k -> Knobs.find(k).filter(n -> n.on(server).live()).isPresent())
                .collect(Collectors.toSet());
    }

    /** One trial to make. */
    record RecordedPoint(int round, Map<String, String> point, TrialSpec spec, Setting launched, boolean alone) {
        /** The values in the order of the knobs; empty for the default. */
        List<String> values() {
            return List.copyOf(point.values());
        }

        TrialOutcome run(TrialRunner runner, int ordinal, LabListener listener)
                throws LabException, InterruptedException {
            return alone ? runner.run(ordinal, spec, listener) : live(runner, ordinal, spec, listener);
        }

        /** Launches the JVM for this trial and those after it, and warms it up. */
        void warmUp(TrialRunner runner, LabListener listener) throws LabException, InterruptedException {
            if (!alone) {
                Load load = spec.load();
                live(
                        runner,
                        1,
                        spec.withLoad(
                                LoadBuilder.builder(load).warmUpAtMost(WARM_UP).build()),
                        listener);
            }
        }

        private TrialOutcome live(TrialRunner runner, int ordinal, TrialSpec trial, LabListener listener)
                throws LabException, InterruptedException {
            return runner.runLive(
                    ordinal, new Step.Live(new Step.Run(trial, "recorded", 0), launched, SETTLE), listener);
        }
    }

    /** All trials of so many rounds. */
    List<RecordedPoint> rounds(int rounds) {
        var groups = new LinkedHashMap<Map<String, String>, List<Map<String, String>>>();
        for (Map<String, String> point :
                GridPoints.grid(plan.sweep().orElseThrow().grid())) {
            groups.computeIfAbsent(launch(point), _ -> new ArrayList<>()).add(point);
        }
        for (int i = 0; i < DEFAULTS; i++) {
            groups.computeIfAbsent(launch(Map.of()), _ -> new ArrayList<>()).add(Map.of());
        }
        var all = new ArrayList<RecordedPoint>();
        for (int round = 0; round < rounds; round++) {
            List<Map<String, String>> order = SeededOrder.of(List.copyOf(groups.keySet()), plan.seed(), round);
            for (int i = 0; i < order.size(); i++) {
                Map<String, String> launch = order.get(i);
                for (Map<String, String> point :
                        SeededOrder.of(groups.getOrDefault(launch, List.of()), plan.seed(), round, i)) {
                    all.add(recorded(round, launch, point));
                }
            }
        }
        return all;
    }

    /** What a JVM for this point is launched with: values that can't be set later; for the default those that the server has anyway. */
    private Map<String, String> launch(Map<String, String> point) {
        var launch = new LinkedHashMap<String, String>();
        for (Dimension d : plan.sweep().orElseThrow().grid()) {
            String own = RecordedSurface.standard(d.name(), standard);
            if (!live.contains(d.name())) {
                launch.put(d.name(), point.getOrDefault(d.name(), own));
            }
        }
        return launch;
    }

    private RecordedPoint recorded(int round, Map<String, String> launch, Map<String, String> point) {
        var set = new LinkedHashMap<>(point);
        set.keySet().retainAll(live);
        set.putAll(launch);
        Setting launched = setting(launch);
        var spec = new TrialSpec(Phase.SWEEP, "", point, round, plan.target(), setting(set), plan.load());
        return new RecordedPoint(round, point, spec, launched, live.isEmpty());
    }

    private Setting setting(Map<String, String> values) {
        return GridPoints.apply(values, new GridPoints.Parts(plan.target(), plan.hold(), plan.load()))
                .setting();
    }
}
