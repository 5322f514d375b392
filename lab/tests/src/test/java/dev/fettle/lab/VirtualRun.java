package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Probing;
import dev.fettle.lab.fake.FakeLab;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.watch.host.Disturbance;
import dev.fettle.watch.host.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** A run on scripted servers and virtual time: nothing is launched, and nobody waits. */
final class VirtualRun implements AutoCloseable {
    static final Slo SLO = Slo.parse("p99<60ms,errors<1%");

    /** Steady after five seconds of warm-up, then measured for ten. */
    static final Load LOAD = Fixtures.patient(16, "fine", Duration.ofSeconds(10))
            .withWarmUpAtMost(Duration.ofSeconds(20))
            .withTimeout(Duration.ofSeconds(2));

    final FakeLab lab;
    final List<LabListener.Progress> progress = new ArrayList<>();
    final List<Integer> begun = new ArrayList<>();
    final List<String> notes = new ArrayList<>();
    final LabListener listener = new LabListener() {
        @Override
        public void trialBegins(int ordinal, Step.Run step) {
            begun.add(ordinal);
        }

        @Override
        public void trialGoesOn(Progress p) {
            progress.add(p);
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }
    };
    final TrialRunner runner;
    /** Looks at what others do to the CPUs, from the first on; then it is calm. */
    final List<Runnable> disturbed = new ArrayList<>();

    int looks;
    private boolean closed;

    VirtualRun(Path folder, Metric metric, BiFunction<Integer, TrialSpec, FakeServer> servers) throws Exception {
        this(folder, metric, servers, 65_536);
    }

    /** @param mebibytes of memory that are free */
    VirtualRun(Path folder, Metric metric, BiFunction<Integer, TrialSpec, FakeServer> servers, int mebibytes)
            throws Exception {
        this.lab = new FakeLab(servers);
        Path proc = Files.createDirectories(folder.resolve("proc"));
        Files.writeString(
                proc.resolve("meminfo"), "MemTotal: 67108864 kB\nMemAvailable: " + 1024 * mebibytes + " kB\n");
        var env = Fixtures.unloaded(folder)
                .withClock(lab.clock())
                .withProc(new Proc(proc))
                .withCalm(Duration.ofSeconds(20));
        this.runner = new TrialRunner(
                env, folder, Hooks.NONE, Optional.of(SLO), metric, lab.targets(), lab.loads(), this::observe, listener);
    }

    private Disturbance observe(Duration time, List<Long> own) throws InterruptedException {
        looks++;
        boolean busy = !disturbed.isEmpty();
        if (busy) {
            disturbed.removeFirst().run();
        }
        lab.clock().sleep(time);
        return new Disturbance(
                OptionalFigure.of(0),
                OptionalFigure.of(0),
                OptionalFigure.of(0),
                OptionalFigure.of(busy ? 0.5 : 0),
                OptionalFigure.of(0));
    }

    static VirtualRun of(Path folder, FakeServer... servers) throws Exception {
        return new VirtualRun(folder, Metric.THROUGHPUT, each(servers));
    }

    /** One after the other; the last one's script is not used twice. */
    static BiFunction<Integer, TrialSpec, FakeServer> each(FakeServer... servers) {
        return (n, _) -> n <= servers.length ? servers[n - 1] : new FakeServer();
    }

    static TrialSpec spec(Phase phase, Load load) {
        return spec(phase, Setting.DEFAULT, load);
    }

    static TrialSpec spec(Phase phase, Setting setting, Load load) {
        return new TrialSpec(phase, "", Map.of(), 0, target(), setting, load);
    }

    /** It is never launched; two fit on any machine. */
    static Target target() {
        return new Target.Embedded(
                ServerKind.TOMCAT,
                "hello",
                Map.of(),
                Optional.empty(),
                new Target.Jvm(Optional.empty(), List.of("-Xmx128m")));
    }

    TrialOutcome alone(Load load) throws Exception {
        return runner.run(1, spec(Phase.SEARCH, load), listener);
    }

    List<TrialOutcome> pair(int ordinal, Load load) throws Exception {
        var first = new Step.Run(spec(Phase.DUEL, load), "pair 1", 2);
        return runner.runPair(ordinal, new Step.Pair(first, first), listener);
    }

    TrialOutcome live(int ordinal, Setting setting) throws Exception {
        var step = new Step.Run(spec(Phase.SEARCH, setting, LOAD), "", 0);
        return runner.runLive(ordinal, new Step.Live(step, Setting.DEFAULT, Duration.ofSeconds(5)), listener);
    }

    /** A probe of the kept target at a rate, after a rest. */
    TrialOutcome kept(int ordinal, double rate) throws Exception {
        var probing = new Probing(
                LOAD,
                Optional.of(new Probing.Rest(Duration.ofMillis(30), Duration.ofSeconds(3))),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                SLO,
                Probing.Ends.WHEN_LOST);
        var open = LOAD.withArrivals(Arrivals.Open.constant(rate)).withConnections(256);
        return runner.runKept(
                ordinal, new Step.Kept(new Step.Run(spec(Phase.BRACKET, open), "", 0), probing), listener);
    }

    /** Whose slices were measured, one after the other. */
    String turns() {
        var text = new StringBuilder();
        String last = "";
        for (LabListener.Progress p : progress) {
            String now = p.ordinal() + " " + p.slice();
            if (p.slice() > 0 && !now.equals(last)) {
                text.append(p.ordinal());
            }
            last = now;
        }
        return text.toString();
    }

    /** Ends it; nothing may be left. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            runner.close();
            assertThat(lab.running()).as("targets and loads that are left").isZero();
        }
    }
}
