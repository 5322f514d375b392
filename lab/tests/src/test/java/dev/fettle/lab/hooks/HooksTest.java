package dev.fettle.lab.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.HookOutcome.Where;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks with real processes, sound and faulty ones. */
class HooksTest {
    private static final Duration SOON = Duration.ofMillis(300);
    /** Long enough for a shell to have said its first word. */
    private static final Duration LATER = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    private final List<String> notes = new ArrayList<>();
    private final LabListener listener = new LabListener() {
        @Override
        public void note(String message) {
            notes.add(message);
        }
    };

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private static Hook shell(String script) {
        return hook(script, false, Optional.empty(), Hook.WITHIN, Scope.TRIAL);
    }

    private static Hook background(String script, Ready ready, Duration within) {
        return hook(script, true, Optional.of(ready), within, Scope.TRIAL);
    }

    private static Hook hook(String script, boolean background, Optional<Ready> ready, Duration within, Scope scope) {
        return new Hook(
                List.of(List.of("sh"), List.of("-c"), List.of(script)),
                Map.of("DB_PASSWORD", "hunter2hunter2"),
                background,
                ready,
                within,
                0,
                scope);
    }

    /** An HTTP server that is no target: the JDK's own. */
    private static Hook web(String port, Ready ready) {
        return new Hook(
                List.of(
                        List.of("{java}"),
                        List.of(Fixtures.QUICK),
                        List.of("-XX:+UseSerialGC"),
                        List.of("-m"),
                        List.of("jdk.httpserver"),
                        List.of("-p"),
                        List.of("{port:" + port + "}"),
                        List.of("-d"),
                        List.of("{dir}")),
                Map.of(),
                true,
                Optional.of(ready),
                Duration.ofSeconds(30),
                0,
                Scope.TRIAL);
    }

    private PlanHooks hooks(List<Hook> before, List<Hook> after) throws Exception {
        return new PlanHooks(Fixtures.unloaded(folder), new Hooks(before, after), folder, listener::note);
    }

    private RunningHooks around(PlanHooks hooks) throws Exception {
        return hooks.around(trial(), hooks.ports(), Setting.of("threads.max", "24"), new HookRuns());
    }

    private Path trial() throws Exception {
        return Files.createDirectories(folder.resolve("trial-1"));
    }

    private String said(String file) throws Exception {
        return Files.readString(trial().resolve(file));
    }

    private TrialFailure failing(Hook before, Hook... after) throws Exception {
        try (PlanHooks hooks = hooks(List.of(before), List.of(after))) {
            around(hooks);
        } catch (TrialFailure e) {
            assertThat(e.asFailure().kind()).isEqualTo(Kind.HOOK);
            return e;
        }
        throw new AssertionError("it did not fail");
    }

    @Test
    void placeholdersAreFilledAndOneNameIsOnePort() throws Exception {
        var echo = new Hook(
                List.of(
                        List.of("echo"),
                        List.of("{dir} {port:a} {port:b} {threads.max} {{threads.max}}"),
                        List.of("--min", "{threads.min}")),
                Map.of(),
                false,
                Optional.empty(),
                Hook.WITHIN,
                0,
                Scope.TRIAL);
        try (PlanHooks hooks = hooks(List.of(echo, echo), List.of())) {
            hooks.end(around(hooks));
        }
        String[] words = said("hook-before-1.log").lines().toList().getLast().split(" ");
        assertThat(words).hasSize(5);
        assertThat(words[0]).isEqualTo(trial().toString());
        assertThat(words[1]).matches("[0-9]+").isNotEqualTo(words[2]);
        assertThat(words[3]).isEqualTo("24");
        assertThat(words[4]).isEqualTo("{threads.max}");
        assertThat(said("hook-before-2.log")).contains(String.join(" ", words));
    }

    @Test
    void oneThatExitsWithAnotherCodeIsNamedWithItsLastWords() throws Exception {
        assertThat(failing(shell("echo connecting; echo refused >&2; exit 7")))
                .hasMessage("the hook before[1] (sh) exited with code 7: connecting | refused");
    }

    @Test
    void oneThatIsNotInstalledIsNamed() throws Exception {
        var missing = new Hook(
                List.of(List.of("no-such-redis-server")),
                Map.of(),
                true,
                Optional.of(new Ready.Log("ready to accept")),
                Hook.WITHIN,
                0,
                Scope.TRIAL);
        assertThat(failing(missing).getMessage())
                .contains("hook before[1] (no-such-redis-server) exited with code 127 before it was ready")
                .contains("No such file or directory");
    }

    @Test
    void oneThatHangsIsEndedEvenIfItIgnoresTerm() throws Exception {
        var hanging =
                hook("trap '' TERM; echo busy; while :; do sleep 1; done", false, Optional.empty(), LATER, Scope.TRIAL);
        assertThat(failing(hanging)).hasMessage("the hook before[1] (sh) did not end within 2 s: busy");
    }

    @Test
    void oneThatIsNeverReadyIsEndedAndSaysWhatIsMissing() throws Exception {
        String sleeps = "echo starting; sleep 1000";
        assertThat(failing(background(sleeps, new Ready.Tcp("127.0.0.1:{port:a}"), LATER))
                        .getMessage())
                .matches("the hook before\\[1] \\(sh\\) was not ready within 2 s"
                        + " \\(nothing listens on 127.0.0.1:[0-9]+\\): starting");
        assertThat(failing(background(sleeps, new Ready.Log("Ready to accept"), SOON)))
                .hasMessageContaining("('Ready to accept' is not in its output)");
        assertThat(failing(background(sleeps, new Ready.Probe(List.of(List.of("false"))), SOON)))
                .hasMessageContaining("(its probe does not ");
        assertThat(failing(background(sleeps, new Ready.Http("http://127.0.0.1:{port:a}/", 200), SOON)))
                .hasMessageContaining("gives no answer)");
    }

    @Test
    void oneWhoseHostIsNotKnownOrCannotBeAskedSaysSo() throws Exception {
        String sleeps = "sleep 1000";
        assertThat(failing(background(sleeps, new Ready.Tcp("nobody.invalid:80"), SOON)))
                .hasMessageContaining("(unknown host 'nobody.invalid')");
        assertThat(failing(background(sleeps, new Ready.Http("http://nobody.invalid/", 200), SOON)))
                .hasMessageContaining("(unknown host 'nobody.invalid')");
        assertThat(failing(background(sleeps, new Ready.Http("http://my_db:80/health", 200), SOON)))
                .hasMessageContaining("my_db:80/health has no host");
    }

    @Test
    void everyWayToBeReadyIsSeen() throws Exception {
        List<Hook> before = List.of(
                web("a", new Ready.Tcp("127.0.0.1:{port:a}")),
                web("b", new Ready.Http("http://127.0.0.1:{port:b}/no-such-file", 404)),
                background("sleep 0.2; echo up now; sleep 1000", new Ready.Log("up now"), Hook.WITHIN),
                background(
                        "sleep 0.2; touch {dir}/flag; sleep 1000",
                        new Ready.Probe(List.of(List.of("test"), List.of("-e"), List.of("{dir}/flag"))),
                        Hook.WITHIN));
        try (PlanHooks hooks = hooks(before, List.of())) {
            RunningHooks up = around(hooks);
            up.check("now");
            assertThat(up.pids()).hasSizeGreaterThanOrEqualTo(4);
            hooks.end(up);
        }
    }

    @Test
    void thoseForAfterwardsRunWhatIsUpIsThereForThemAndTheirFailureIsTold() throws Exception {
        Hook up = background(
                "touch {dir}/up; trap 'rm {dir}/up; exit' TERM; echo up; while :; do sleep 0.1; done",
                new Ready.Log("up"),
                Hook.WITHIN);
        try (PlanHooks hooks =
                hooks(List.of(up), List.of(shell("exit 4"), shell("test -e {dir}/up && touch {dir}/after")))) {
            assertThat(hooks.end(around(hooks))).containsExactly("the hook after[1] (sh) exited with code 4");
        }
        assertThat(trial().resolve("after")).exists();
        assertThat(trial().resolve("up")).doesNotExist();
        assertThat(notes).containsExactly("the hook after[1] (sh) exited with code 4");
    }

    @Test
    void thoseForAfterwardsRunWhenOneBeforeFailed() throws Exception {
        failing(shell("exit 1"), shell("touch {dir}/after"));
        assertThat(trial().resolve("after")).exists();
    }

    @Test
    void thoseForAfterwardsRunWhenInterrupted() throws Exception {
        try (PlanHooks hooks = hooks(List.of(), List.of(shell("touch {dir}/after")))) {
            RunningHooks around = around(hooks);
            Thread.currentThread().interrupt();
            hooks.end(around);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(trial().resolve("after")).exists();
    }

    @Test
    void whatTheySaySecretsLeftOut() throws Exception {
        assertThat(failing(shell("echo 'token: abcdefgh'; echo I am $DB_PASSWORD; echo bye; exit 1")))
                .hasMessageEndingWith("token: *** | I am *** | bye");
        assertThat(said("hook-before-1.log")).contains("I am ***").doesNotContain("hunter2", "abcdefgh");
    }

    @Test
    void oneOfTheRunStartsOnceKeepsItsPortAndEndsTheRunWhenItIsGone() throws Exception {
        Hook once = hook(
                "echo on {port:a} >> {dir}/once; echo up; while [ ! -e {dir}/stop ]; do sleep 0.05; done; exit 5",
                true,
                Optional.of(new Ready.Log("up")),
                Hook.WITHIN,
                Scope.RUN);
        Hook each = shell("echo {port:a} >> {dir}/each");
        try (PlanHooks hooks = hooks(List.of(once, each), List.of())) {
            hooks.end(around(hooks));
            hooks.end(around(hooks));
            List<String> lines = Files.readAllLines(folder.resolve("once"));
            assertThat(lines).hasSize(1);
            String port = lines.getFirst().substring("on ".length());
            assertThat(Files.readAllLines(trial().resolve("each"))).containsExactly(port, port);

            Files.createFile(folder.resolve("stop"));
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> {
                        while (true) {
                            hooks.check("under load");
                            Thread.sleep(10);
                        }
                    })
                    .withMessage("the hook before[1] (sh) exited with code 5 under load: up;"
                            + " it was to stay up for the whole run");
        }
    }

    /** As {@code mvn package} does; only the run's record is older. */
    @Test
    void whatOneOfTheRunMakesIsWhatItsTrialsAreMadeOf() throws Exception {
        Path server = folder.resolve("server.sh");
        var noted = new TrialFiles();
        assertThat(noted.digests(List.of(server))).containsValue("");
        Hook build = hook("echo 'echo built; exit 7' > " + server, false, Optional.empty(), Hook.WITHIN, Scope.RUN);
        var faulty = (Target.Command) Fixtures.faulty("fine");
        var target = new Target.Command(
                List.of(List.of("/bin/sh"), List.of(server.toString()), List.of("{port}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                faulty.workers(),
                Map.of(),
                faulty.jvm());
        TrialSpec spec = Fixtures.spec(target, Setting.DEFAULT, Fixtures.patient(4, "fine"));
        try (var runner = new TrialRunner(
                Fixtures.unloaded(folder),
                folder,
                new Hooks(List.of(build), List.of()),
                List.of(),
                Set.of(),
                Optional.empty(),
                Objective.Metric.THROUGHPUT,
                noted,
                listener)) {
            assertThat(runner.run(1, spec, listener).failure().orElseThrow().message())
                    .contains("built");
            Files.writeString(server, "exit 8");
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> runner.run(2, spec, listener))
                    .withMessageContaining(server + " has changed since the run began");
        }
    }

    private TrialOutcome run(Target target, Hooks hooks) throws Exception {
        return run(target, hooks, Fixtures.SHORT);
    }

    private TrialOutcome run(Target target, Hooks hooks, Duration measure) throws Exception {
        TrialSpec spec = Fixtures.spec(target, Setting.DEFAULT, Fixtures.patient(4, "fine", measure));
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, hooks, listener)) {
            return Fixtures.answered(runner, spec, listener);
        }
    }

    @Test
    void aTrialHasItsHooksAroundIt() throws Exception {
        var faulty = (Target.Command) Fixtures.faulty("fine");
        var target = new Target.Command(
                faulty.arguments(),
                Map.of("REDIS", "127.0.0.1:{port:a}"),
                Map.of(),
                Map.of("conf/app.ini", "redis={port:a}\nport={port}\nmax={threads.max}\n{{port:a}}\n"),
                Map.of(),
                faulty.workers(),
                Map.of(),
                faulty.jvm());
        TrialOutcome o = run(
                target,
                new Hooks(
                        List.of(web("a", new Ready.Tcp("127.0.0.1:{port:a}")), shell("echo {port:a} > {dir}/port")),
                        List.of(shell("exit 9"))));

        assertThat(o.failure()).isEmpty();
        assertThat(o.measurement().orElseThrow().responses()).isPositive();
        assertThat(o.evidence().orElseThrow().notes()).contains("the hook after[1] (sh) exited with code 9");
        assertThat(o.hooks())
                .extracting(HookOutcome::where, HookOutcome::number, HookOutcome::failure)
                .containsExactly(
                        tuple(Where.BEFORE, 1, Optional.empty()),
                        tuple(Where.BEFORE, 2, Optional.empty()),
                        tuple(Where.AFTER, 1, Optional.of("the hook after[1] (sh) exited with code 9")));
        assertThat(o.hooks()).allSatisfy(h -> assertThat(h.took()).isPositive());
        String port = said("port").strip();
        List<String> filled = Files.readAllLines(trial().resolve("conf/app.ini"));
        assertThat(filled).hasSize(3).startsWith("redis=" + port).endsWith("{port:a}");
        assertThat(((Target.Command) o.spec().target()).environment()).containsEntry("REDIS", "127.0.0.1:{port:a}");
    }

    @Test
    void oneThatEndsUnderLoadEndsTheTrial() throws Exception {
        // the trial's own port shows that load has begun
        TrialOutcome o = run(
                Fixtures.faulty("fine"),
                new Hooks(
                        List.of(background(
                                "echo up; while [ ! -s target.log.pid ]; do sleep 0.05; done; sleep 1; echo no memory;"
                                        + " exit 3",
                                new Ready.Log("up"),
                                Hook.WITHIN)),
                        List.of(shell("touch {dir}/after"))),
                Duration.ofSeconds(30)); // longer than it stays up

        assertThat(o.valid()).isFalse();
        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.HOOK);
        assertThat(o.failure().get().message())
                .contains("hook before[1] (sh) exited with code 3 ")
                .endsWith("up | no memory");
        assertThat(o.verdict().reasons()).allMatch(r -> r.passing() && r.rule().equals("hook"));
        assertThat(o.hooks()).extracting(HookOutcome::where).containsExactly(Where.BEFORE, Where.AFTER);
        assertThat(o.hooks().getFirst().failure()).hasValue(o.failure().get().message());
        assertThat(o.hooks().getLast().failure()).isEmpty();
        assertThat(trial().resolve("after")).exists();
    }

    @Test
    void aTargetThatFailsBecauseItsHookIsGoneSaysSo() throws Exception {
        TrialOutcome o = run(
                Fixtures.faulty("exits"),
                new Hooks(
                        List.of(
                                hook("echo $$ >{dir}/hook; exit 6", true, Optional.empty(), Hook.WITHIN, Scope.TRIAL),
                                // the target is started when it is gone, however late the machine lets it go
                                shell("until [ -s {dir}/hook ] && ! kill -0 $(cat {dir}/hook) 2>/dev/null; do sleep"
                                        + " 0.01; done")),
                        List.of()));

        assertThat(o.failure().orElseThrow().message())
                .isEqualTo("the hook before[1] (sh) exited with code 6 during the trial");
    }

    @Test
    void anInterruptedTrialEndsItsHooks() throws Exception {
        Thread me = Thread.currentThread();
        LabListener interrupting = new LabListener() {
            @Override
            public void trialGoesOn(Progress progress) {
                if (progress.stage() == TrialStage.WARM_UP) {
                    me.interrupt();
                }
            }
        };
        var hooks = new Hooks(
                List.of(background("echo up; while :; do sleep 0.1; done", new Ready.Log("up"), Hook.WITHIN)),
                List.of(shell("touch {dir}/after")));
        TrialSpec spec = Fixtures.spec(Fixtures.faulty("fine"), Setting.DEFAULT, Fixtures.patient(4, "fine"));
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, hooks, interrupting)) {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> runner.run(1, spec, interrupting));
            Thread.interrupted();
        }
        assertThat(trial().resolve("after")).exists();
    }

    @Test
    void theJdkOfTheSettingRunsTheTargetAndIsReadBack() throws Exception {
        var jdks = Jdks.system().all();
        int release = jdks.keySet().stream().filter(r -> r >= 17).findFirst().orElseThrow();
        var hello = Fixtures.hello(dev.fettle.model.knob.ServerKind.JETTY);
        for (String java : List.of(Integer.toString(release), jdks.get(release).toString())) {
            TrialSpec spec = Fixtures.spec(hello, Setting.of(Target.Jvm.JDK, java), Fixtures.patient(4, "Hello World"));
            try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, listener)) {
                TrialOutcome o = runner.run(1, spec, listener);
                assertThat(o.failure()).isEmpty();
                assertThat(o.evidence().orElseThrow().effective()).containsEntry(Target.Jvm.JDK, java);
                assertThat(o.evidence().get().facts().get("javaVersion")).startsWith(Integer.toString(release));
            }
        }
    }
}
