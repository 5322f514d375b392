package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials of the examples, shortened ({@code cli/tests} has the spike); what is expected of them are bounds that no machine can break, quick or slow. */
@Timeout(300)
@Order(4)
class ExamplesTest {
    @TempDir
    Path folder;

    private static Plan plan(String name) {
        return new PlanReader(2, 4096, OwnFiles.CONFIGURATION)
                .read(Fixtures.home().resolve("examples").resolve(name));
    }

    /** Its clients pause, unless the example has a rate or says for how long: how fast a server is is not asked here. */
    private static Load brief(Load load) {
        Load brief = load.withWarmUpAtMost(Duration.ofMillis(500)).withMeasure(Duration.ofSeconds(1));
        return load.arrivals().equals(Arrivals.Closed.BACK_TO_BACK) ? brief.withArrivals(Fixtures.RESTING) : brief;
    }

    private static Target quick(Target target) {
        return switch (target) {
            case Target.Embedded e -> e.withJvm(quick(e.jvm()));
            case Target.Boot b -> b.withJvm(quick(b.jvm()));
            default -> throw new AssertionError(target);
        };
    }

    private static Target.Jvm quick(Target.Jvm jvm) {
        return new Target.Jvm(
                jvm.java(),
                Stream.concat(jvm.flags().stream(), Stream.of(Fixtures.QUICK)).toList());
    }

    private TrialOutcome run(Plan plan, Target target, Setting setting, Load load) throws Exception {
        var spec = new TrialSpec(Phase.COMPARE, "", Map.of(), 0, quick(target), setting, load);
        var silent = new LabListener() {};
        try (var runner = new TrialRunner(
                Fixtures.environment(folder),
                folder,
                plan.hooks().orElse(Hooks.NONE),
                plan.own(),
                Set.of(),
                plan.effectiveSlo(),
                Objective.Metric.THROUGHPUT,
                new TrialFiles(),
                silent)) {
            // of an open load's requests, all may be under way until the end
            TrialOutcome ran = load.arrivals() instanceof Arrivals.Closed
                    ? Fixtures.answered(runner, spec, silent)
                    : runner.run(1, spec, silent);
            assertThat(ran.failure()).isEmpty();
            return ran;
        }
    }

    @Tag("long")
    @Test
    void handshakesAreToldApart() throws Exception {
        Plan plan = plan("tls-handshakes.yaml");
        for (String tls : plan.sweep().orElseThrow().grid().getFirst().values()) {
            GridPoints.Parts cell = GridPoints.apply(
                    Map.of("load.tls", tls), new GridPoints.Parts(plan.target(), plan.hold(), brief(plan.load())));
            TrialOutcome ran = run(plan, cell.target(), cell.setting(), cell.load());
            assertThat(ran.measurement().orElseThrow().errors().getOrDefault(ErrorKind.TLS, 0L))
                    .as(tls)
                    .isZero();
            assertThat(ran.evidence().orElseThrow().facts().containsKey("tls"))
                    .as(tls)
                    .isEqualTo(!tls.equals("none"));
        }
    }

    @Tag("long")
    @Test
    void aGridVariesTheBackendAndThePauses() throws Exception {
        Plan plan = plan("dimensions.yaml");
        var cell = GridPoints.apply(
                Map.of("backend.delay", "80ms", "load.think", "80ms", "threads.max", "100"),
                new GridPoints.Parts(plan.target(), plan.hold(), brief(plan.load())));
        Measurement m = run(plan, cell.target(), cell.setting(), cell.load())
                .measurement()
                .orElseThrow();
        assertThat(m.responses()).isPositive();
        // the backend takes as long as it was told, and a client pauses as long: at both ends one answer more of each
        assertThat(m.latency().p50()).isGreaterThanOrEqualTo(80_000_000L * 99 / 100);
        assertThat(m.responses())
                .isLessThanOrEqualTo(100 * (1 + Math.round(m.elapsed().toMillis() / 160.0 + 0.5)));
    }

    @Tag("long")
    @Test
    void aKnobOfTheUsersOwnIsSetAndReadBackAndIsTheLimit() throws Exception {
        SampleApps.jar("pool-4.1");
        Plan plan = plan("own-pool.yaml");
        TrialOutcome o = run(plan, plan.target(), plan.hold().with("own.pool", "3"), brief(plan.load()));
        assertThat(o.evidence().orElseThrow().effective()).containsEntry("own.pool", "3");
        Measurement m = o.measurement().orElseThrow();
        // 3 connections, held for 20 ms each; at both ends one more of each
        assertThat(m.responses()).isPositive();
        assertThat(m.responses())
                .isLessThanOrEqualTo(3 * (2 + Math.round(m.elapsed().toMillis() / 20.0)));
    }

    @Test
    void layersAreOneApplicationTakenApart() throws Exception {
        Plan plan = plan("layers.yaml");
        List<Variant> layers = plan.compare().orElseThrow().variants();
        assertThat(layers)
                .extracting(Variant::name)
                .containsExactly("empty page", "session filter", "backend mocked", "whole page");
        for (Variant v : List.of(layers.getFirst(), layers.get(1), layers.getLast())) {
            Load load = brief(v.load().orElse(plan.load()));
            Measurement m =
                    run(plan, v.target(), v.setting(), load).measurement().orElseThrow();
            assertThat(m.responses()).as(v.name()).isPositive();
            if (v.name().equals("whole page")) {
                // its backend takes 20 ms, which the empty page does not ask
                assertThat(m.latency().p50()).isGreaterThanOrEqualTo(20_000_000L * 99 / 100);
            }
        }
    }
}
