package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings that are set in one warm JVM after the other, on real servers. */
@Timeout(1200) // a hang; some ten trials of a machine that is busy with other things take minutes
@Order(4)
class WarmTargetTest {
    /** As many requests are held for 30 ms each, so the pool grows to as many threads as it may. */
    private static final Load LOAD = Fixtures.patient(48, "")
            .withRequest(Load.Request.get("/"))
            .withExpect(new Load.Expect(200, OptionalInt.empty(), Optional.empty()));

    /** Answers of some ten trials. */
    private static final long MOST_UNSEEN = 10_000;

    private static Target waiting(ServerKind server) {
        return new Target.Embedded(
                server,
                "work",
                Map.of("wait", "30ms"),
                Optional.empty(),
                new Target.Jvm(Optional.empty(), List.of(Fixtures.QUICK)));
    }

    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};
    private int trials;

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private TrialRunner runner() throws Exception {
        return Fixtures.runner(Fixtures.environment(folder), folder, silent);
    }

    private TrialOutcome run(TrialRunner runner, Target target, Setting setting) throws Exception {
        return run(runner, target, setting, Fixtures.SHORT);
    }

    private TrialOutcome run(TrialRunner runner, Target target, Setting setting, Duration measure) throws Exception {
        var step = new Step.Run(Fixtures.spec(target, setting, LOAD), "", 0);
        TrialOutcome o = runner.runLive(++trials, new Step.Live(step, Setting.DEFAULT, measure), silent);
        assertThat(o.failure()).isEmpty();
        assertThat(o.measurement()).isPresent(); // how much was answered is up to the machine
        return o;
    }

    /**
     * The same, each time for twice as long, until it was seen how many workers there are: on a busy machine they may not be counted in so
     * short a time. What is bound is how much the server answers meanwhile, which takes a busy machine as much longer.
     */
    private TrialOutcome seen(TrialRunner runner, Target target, Setting setting) throws Exception {
        Duration measure = Fixtures.SHORT;
        TrialOutcome o = run(runner, target, setting, measure);
        for (long answers = 0; workers(o).isEmpty(); o = run(runner, target, setting, measure)) {
            answers += o.measurement().orElseThrow().responses();
            assertThat(answers)
                    .as(
                            "answers, and no count of the workers: %s",
                            o.evidence().orElseThrow().notes())
                    .isLessThan(MOST_UNSEEN);
            measure = measure.multipliedBy(2);
        }
        return o;
    }

    private static OptionalFigure workers(TrialOutcome o) {
        return o.evidence().orElseThrow().get(Aggregate.WORKERS);
    }

    private static void sameJvm(TrialOutcome before, TrialOutcome after) {
        assertThat(WarmJvm.of(after))
                .as("%s", after.evidence().orElseThrow().notes())
                .isPresent()
                .isEqualTo(WarmJvm.of(before));
        assertThat(WarmJvm.kept(after)).isTrue();
    }

    private static Setting threads(int most) {
        return Setting.of("threads.max", Integer.toString(most));
    }

    private static Optional<String> inForce(TrialOutcome o, String knob) {
        return o.evidence().map(e -> e.effective().get(knob));
    }

    /** Up, down below what the pool has grown to, and back to the default. */
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void everyEmbeddedServerTakesThePoolsSizeWhileItRuns(ServerKind server) throws Exception {
        Target target = waiting(server);
        try (TrialRunner runner = runner()) {
            TrialOutcome first = run(runner, target, Setting.DEFAULT);
            TrialOutcome larger = run(runner, target, threads(300));
            TrialOutcome smaller = seen(runner, target, threads(24));
            TrialOutcome again = run(runner, target, Setting.DEFAULT);

            assertThat(WarmJvm.launched(first)).isTrue();
            assertThat(WarmJvm.live(first)).contains("threads.max", "threads.min", "threads.idle");
            sameJvm(first, larger);
            if (server != ServerKind.JETTY) { // whose threads stay
                sameJvm(first, smaller);
            }
            sameJvm(smaller, again);
            assertThat(inForce(larger, "threads.max")).hasValue("300");
            assertThat(inForce(smaller, "threads.max")).hasValue("24");
            assertThat(workers(smaller).orElseThrow()).isLessThanOrEqualTo(24);
            for (String knob : new String[] {"threads.max", "threads.min", "threads.idle"}) {
                assertThat(inForce(again, knob)).as(knob).isEqualTo(inForce(first, knob));
            }
        }
    }

    @Test
    void aWarmJvmThatIsGoneIsReplacedAndAKnobThatNeedsAStartGetsOne() throws Exception {
        Target target = waiting(ServerKind.TOMCAT);
        try (TrialRunner runner = runner()) {
            TrialOutcome first = run(runner, target, Setting.DEFAULT);
            assertThat(temporary()).hasSize(1);
            Fixtures.kill(folder);
            TrialOutcome second = run(runner, target, threads(20));
            assertThat(WarmJvm.launched(second)).isTrue();
            assertThat(WarmJvm.of(second)).isNotEqualTo(WarmJvm.of(first));
            assertThat(second.evidence().orElseThrow().notes())
                    .anySatisfy(n -> assertThat(n).startsWith("the warm JVM was replaced by a fresh one"));
            assertThat(inForce(second, "threads.max")).hasValue("20");

            TrialOutcome own = run(runner, target, Setting.of("backlog", "321"));
            assertThat(WarmJvm.of(own)).isEmpty();
            assertThat(inForce(own, "backlog")).hasValue("321");
            assertThat(own.evidence().orElseThrow().notes())
                    .anySatisfy(n -> assertThat(n).contains("backlog can't be set while the server runs"));
        }
        assertThat(temporary()).isEmpty();
    }

    /** A JVM's last words stand in a note, and may repeat what it was started with. */
    @Test
    void whatATargetSaidLastIsKeptWithoutItsSecrets() throws Exception {
        var step = new Step.Run(Fixtures.spec(waiting(ServerKind.TOMCAT), Setting.DEFAULT, LOAD), "", 0);
        var refused = Setting.of("jvm.flags", "-XX:password=hunter2");
        try (TrialRunner runner = runner()) {
            TrialOutcome o = runner.runLive(++trials, new Step.Live(step, refused, Fixtures.SHORT), silent);
            assertThat(o.evidence().orElseThrow().notes())
                    .anySatisfy(n -> assertThat(n)
                            .startsWith("this setting had a process of its own, not the warm JVM: ")
                            .contains("password=***"))
                    .noneSatisfy(n -> assertThat(n).contains("hunter2"));
        }
    }

    /** What the servers have put into their folders for temporary files. */
    private List<Path> temporary() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(p -> p.getFileName().toString().startsWith("fettle-tomcat"))
                    .toList();
        }
    }
}
