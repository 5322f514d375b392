package dev.fettle.lab.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.EndlessServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.watch.host.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens, hooks come to an end: all that they clean up, and nothing that they leave. */
class HooksEndTest {
    @TempDir
    Path folder;

    private static Hook shell(String script) {
        return hook(script, false, Optional.empty());
    }

    private static Hook hook(String script, boolean background, Optional<Ready> ready) {
        List<List<String>> run = List.of(List.of("sh"), List.of("-c"), List.of(script));
        return new Hook(run, Map.of(), background, ready, Hook.WITHIN, 0, Scope.TRIAL);
    }

    private PlanHooks hooks(List<Hook> before, List<Hook> after) throws Exception {
        return new PlanHooks(Fixtures.unloaded(folder), new Hooks(before, after), folder, note -> {});
    }

    private RunningHooks around(PlanHooks hooks) throws Exception {
        return hooks.around(trial(), hooks.ports(), Setting.DEFAULT, new HookRuns());
    }

    private Path trial() throws Exception {
        return Files.createDirectories(folder.resolve("trial-1"));
    }

    @Test
    void thoseForAfterwardsAreNotCutShortByAnInterruption() throws Exception {
        Thread me = Thread.currentThread();
        Path begun = trial().resolve("begun");
        Hook after = shell("touch {dir}/begun; until [ -e {dir}/go ]; do sleep 0.02; done; touch {dir}/after");
        try (PlanHooks hooks = hooks(List.of(), List.of(after))) {
            RunningHooks around = around(hooks);
            Thread other = Thread.ofVirtual().start(() -> {
                try {
                    while (!Files.exists(begun)) {
                        Thread.sleep(5);
                    }
                    me.interrupt();
                    Files.createFile(begun.resolveSibling("go"));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(hooks.end(around)).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
            other.join();
        }
        assertThat(trial().resolve("after")).exists();
    }

    @Test
    void oneWhoseAnswerNeverEndsIsReadyByItsStatus() throws Exception {
        try (var server = new EndlessServer();
                PlanHooks hooks = hooks(
                        List.of(hook(
                                "sleep 1000",
                                true,
                                Optional.of(new Ready.Http(server.url().toString(), 200)))),
                        List.of())) {
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> hooks.end(around(hooks)));
        }
    }

    /** It leaves its session, and writes over its environment. */
    @Test
    void aDaemonOfAForegroundHookIsEndedWithIt() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/redis-server")), "there is no redis-server");
        Hook daemon = shell("redis-server --daemonize yes --port {port:redis} --save '' --pidfile {dir}/redis.pid;"
                + " until [ -s {dir}/redis.pid ]; do sleep 0.02; done; cp {dir}/redis.pid {dir}/kept");
        try (PlanHooks hooks = hooks(List.of(daemon), List.of())) {
            hooks.end(around(hooks));
        }
        // whoever inherited it may not have been told yet that it has ended
        assertThat(new Proc()
                        .status(Files.readString(trial().resolve("kept")).strip(), "State")
                        .orElse("gone"))
                .matches("gone|[ZX].*");
    }
}
