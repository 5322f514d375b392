package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Trials against real processes: what only those show. What a trial does with any other failure is in {@link DriverFaultsTest}. */
@Order(3)
class TrialRunnerTest {
    /** A fault comes after a number of requests, and ends the trial: how long those take, a busy machine decides. */
    private static final Duration FAULT_COMES_FIRST = Duration.ofMinutes(20);

    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};

    private TrialOutcome run(TrialSpec spec) throws Exception {
        return Fixtures.runner(Fixtures.environment(folder), folder, silent).run(1, spec, silent);
    }

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void everyEmbeddedServerGivesAMeasurementWithEvidence(ServerKind server) throws Exception {
        Setting setting =
                Setting.of(Map.of("threads.max", "24", "backlog", "321", "jvm.gc", "parallel", "jvm.heap", "96m"));
        var load = Fixtures.patient(8, "Hello World", Duration.ofSeconds(1));
        TrialOutcome o;
        try (var runner = new TrialRunner(
                Fixtures.environment(folder),
                folder,
                Hooks.NONE,
                List.of(),
                Set.of("process.nofile", "jvm.direct.max", "jvm.metaspace.max"),
                Optional.empty(),
                Objective.Metric.THROUGHPUT,
                new TrialFiles(),
                silent)) {
            o = Fixtures.answered(runner, Fixtures.spec(Fixtures.hello(server), setting, load), silent);
        }
        assertThat(o.failure()).isEmpty();
        var m = o.measurement().orElseThrow();
        assertThat(m.responses()).isPositive();
        assertThat(m.failed()).as(m.errors().toString()).isZero();
        assertThat(m.statuses()).containsOnlyKeys(200);
        assertThat(m.windows()).anyMatch(w -> !w.measured()).anyMatch(w -> w.measured());
        assertThat(m.latency().count()).isEqualTo(m.responses());
        var e = o.evidence().orElseThrow();
        assertThat(e.effective()).containsAllEntriesOf(setting.values());
        // a search must know what the default is
        assertThat(e.effective().get("process.nofile")).matches("[0-9]+");
        assertThat(e.effective())
                .as("not what nobody asked for, nor numbers that stand for none")
                .doesNotContainKeys("process.nice", "jvm.direct.max", "jvm.metaspace.max");
        assertThat(e.acceptQueueLimit()).hasValue(321);
        assertThat(e.get(Aggregate.SERVER_CPU_SECONDS).optional()).isPresent();
        assertThat(e.facts()).containsKeys("server", "serverVersion", "javaVersion");
    }

    /** It is up, has its setting, and is under no load, until the runner is closed. */
    @Test
    void aTargetThatIsOnlyLookedAtStandsUntilTheEnd() throws Exception {
        TrialSpec spec =
                Fixtures.spec(Fixtures.hello(ServerKind.UNDERTOW), Setting.DEFAULT, Fixtures.patient(1, "Hello World"));
        try (var runner = Fixtures.runner(Fixtures.environment(folder), folder, silent)) {
            TrialRunner.Standing up = runner.stand(spec, silent);
            assertThat(ProcessHandle.of(up.pid())).isPresent();
            assertThat(new ListenOwner().mayBe(up.pid(), up.port())).isTrue();
            assertThat(Fixtures.runningIn(folder)).isNotEmpty();
        }
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "exits, DID_NOT_START, 'config.xml: line 3'",
        "hangs, HUNG, 'no valid response for'",
        "dies, DIED, 'exited with code 9 under load'",
    })
    void aFaultyTargetIsNamedAndTheTrialIsVoid(String fault, Kind kind, String words) throws Exception {
        // a busy machine may make a silence of the one that dies first
        Load load = kind == Kind.HUNG ? Fixtures.load(20, "fine", FAULT_COMES_FIRST) : untilItEnds();
        TrialOutcome o = run(Fixtures.spec(Fixtures.faulty(fault), Setting.DEFAULT, load));

        assertThat(o.failure()).isPresent();
        assertThat(o.failure().get().kind()).isEqualTo(kind);
        assertThat(o.failure().get().message()).contains(words);
        assertThat(o.valid()).isFalse();
        assertThat(o.measurement()).isEmpty();
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (var taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            var faulty = (Target.Command) Fixtures.faulty("fine");
            var arguments = new java.util.ArrayList<>(faulty.arguments());
            arguments.set(
                    arguments.size() - 1, List.of(Integer.toString(taken.getLocalPort()))); // not the port it was given
            var target = new Target.Command(
                    arguments, Map.of(), Map.of(), Map.of(), Map.of(), faulty.workers(), Map.of(), faulty.jvm());
            TrialOutcome o = run(Fixtures.spec(target, Setting.DEFAULT, Fixtures.load(20, "fine")));
            assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.LAB);
            assertThat(o.failure().get().message()).contains("Address already in use");
        }
    }

    /** Of a target that ends by itself, and with it the trial. */
    private static Load untilItEnds() {
        return Fixtures.patient(20, "fine", FAULT_COMES_FIRST);
    }

    @Test
    void outOfMemoryUnderLoadIsNamed() throws Exception {
        var target = Fixtures.faulty("memory", "-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
        TrialOutcome o = run(Fixtures.spec(target, Setting.DEFAULT, untilItEnds()));
        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.OUT_OF_MEMORY);
    }

    /** As a user that nothing else runs as: the limit counts all of a user's threads, and root is not held to it. */
    @Tag("long")
    @Test
    void threadsThatCannotBeCreatedAreALimitOfProcessesNotOfMemory() throws Exception {
        assumeTrue(new Proc().user("self").orElse(-1) == 0, "only root can become another user");
        assumeTrue(java.nio.file.Files.isExecutable(java.nio.file.Path.of("/usr/bin/setpriv")), "needs setpriv(1)");
        var faulty = (Target.Command) Fixtures.faulty("threads", "-XX:+ExitOnOutOfMemoryError");
        var arguments = new java.util.ArrayList<>(faulty.arguments());
        arguments.addFirst(List.of("/usr/bin/setpriv", "--reuid=54321", "--clear-groups"));
        var target = new Target.Command(
                arguments, Map.of(), Map.of(), Map.of(), Map.of(), faulty.workers(), Map.of(), faulty.jvm());
        Setting setting = Setting.of("process.nproc", "120");
        TrialOutcome o = run(Fixtures.spec(target, setting, untilItEnds()));
        assertThat(o.failure().orElseThrow().message()).contains("process.nproc 120");
        assertThat(o.failure().get().kind()).isEqualTo(Kind.PROCESS_LIMIT);
    }

    @Test
    void aLimitThatDoesNotBindIsNotSaidToBeSet() throws Exception {
        assumeTrue(new Proc().user("self").orElse(-1) == 0, "only root is not held to it");
        TrialOutcome o = run(
                Fixtures.spec(Fixtures.faulty("fine"), Setting.of("process.nproc", "500"), Fixtures.load(20, "fine")));
        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.NOT_EFFECTIVE);
        assertThat(o.failure().get().message()).contains("process.nproc was set to 500", "runs as root");
    }

    @Test
    void aSettingTheServerRefusesIsImpossibleAndCarriesItsReason() throws Exception {
        TrialOutcome o = run(Fixtures.spec(
                Fixtures.hello(ServerKind.JETTY), Setting.of("threads.max", "2"), Fixtures.load(8, "Hello World")));
        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.IMPOSSIBLE_SETTING);
        assertThat(o.failure().get().message()).contains("threads.max=2").contains("thread budget");
    }

    @Test
    void aTargetWithoutTheWantedJdkEndsTheRunWithOneLine() throws Exception {
        var target = new Target.Embedded(
                ServerKind.TOMCAT,
                "hello",
                Map.of(),
                java.util.Optional.empty(),
                new Target.Jvm(java.util.Optional.of("999"), List.of()));
        var spec = Fixtures.spec(target, Setting.DEFAULT, Fixtures.load(8, "Hello World"));
        org.assertj.core.api.Assertions.assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> run(spec))
                .withMessageContaining("no JDK 999 on this machine; found:");
    }

    /** With a backend in a process of its own, while the target is recorded; a JVM that gets no CPU time may not answer the recorder. */
    @Tag("long")
    @Test
    void theLoginPageWaitsForAnotherProcessAndIsRecorded() throws Exception {
        var target = new Target.Embedded(
                ServerKind.TOMCAT,
                "login",
                Map.of(),
                Optional.of(new Target.Backend(Duration.ofMillis(30), 200)),
                new Target.Jvm(Optional.empty(), List.of(Fixtures.QUICK)));
        var load = Fixtures.patient(10, "Sign in");
        var spec = new TrialSpec(TrialSpec.Phase.COMPARE, "", Map.of(), 0, target, Setting.DEFAULT, load);
        var recording = Fixtures.environment(folder)
                .withProfile(new ProfileWish(Set.of(Profile.Kind.CPU), ProfileWish.Engine.JFR));
        try (var runner = Fixtures.runner(recording, folder, silent)) {
            TrialOutcome o = runner.run(1, spec, silent);
            assertThat(o.failure()).isEmpty();
            assertThat(o.measurement().orElseThrow().latency().p50()).isGreaterThan(29_000_000L);
            assertThat(o.evidence().orElseThrow().notes())
                    .as("the recording, or why there is none")
                    .anyMatch(n -> n.matches("(recorded by its flight recorder|no profile|not profiled).*"));
        }
    }

    @Test
    void anInterruptEndsTheTrialAndLeavesNothing() throws Exception {
        var spec = Fixtures.spec(Fixtures.hello(ServerKind.JETTY), Setting.DEFAULT, Fixtures.load(8, "Hello World"));
        Thread me = Thread.currentThread();
        LabListener interrupting = new LabListener() {
            @Override
            public void trialGoesOn(Progress progress) {
                if (progress.stage() == TrialStage.MEASURE) {
                    me.interrupt();
                }
            }
        };
        var runner = Fixtures.runner(Fixtures.environment(folder), folder, interrupting);
        org.assertj.core.api.Assertions.assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> runner.run(1, spec, interrupting));
        Thread.interrupted();
    }
}
