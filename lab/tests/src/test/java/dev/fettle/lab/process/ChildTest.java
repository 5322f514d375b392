package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
    @TempDir
    Path folder;

    private Child start(String... command) throws Exception {
        return Child.start("target", List.of(command), Map.of(), folder, folder.resolve("log"), Set.of());
    }

    private static boolean alive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static void awaitGone(long pid) {
        ProcessHandle.of(pid)
                .ifPresent(p -> p.onExit()
                        .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
                        .join());
        assertThat(alive(pid)).isFalse();
    }

    @Test
    void closingEndsTheProcessAndItsChildren() throws Exception {
        Child child = start("sh", "-c", "sleep 1000 & echo child $!; wait");
        String line = child.awaitReady("child ").orElseThrow();
        long grandchild = Long.parseLong(line.substring("child ".length()));
        assertThat(Fixtures.runningIn(folder))
                .anyMatch(p -> p.startsWith(child.pid() + " "))
                .anyMatch(p -> p.startsWith(grandchild + " "));
        assertThat(alive(child.pid())).isTrue();
        assertThat(alive(grandchild)).isTrue();
        child.close();
        assertThat(child.alive()).isFalse();
        awaitGone(child.pid());
        awaitGone(grandchild);
    }

    @Test
    void nothingOfItsGroupIsLeftWhenItReturns() throws Exception {
        for (int i = 0; i < 20; i++) {
            // the guard's watcher is the last to go
            Child child = start("sh", "-c", "sleep 60 & sleep 60");
            child.close();
            assertThat(ProcessHandle.allProcesses()
                            .map(p -> p.info().commandLine().orElse(""))
                            .filter(c -> c.contains(folder.toString())))
                    .isEmpty();
        }
    }

    @Test
    void aProcessThatIgnoresTermIsKilled() throws Exception {
        Child child = start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done");
        child.awaitReady("up").orElseThrow();
        child.close();
        awaitGone(child.pid());
    }

    @Test
    void whoKilledItIsKnown() throws Exception {
        Child byUs = start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done");
        assertThat(byUs.awaitReady("up")).hasValue("up");
        byUs.close();
        assertThat(byUs.exitCode()).hasValue(137);
        assertThat(byUs.killed()).isFalse();

        Child byAnother = start("sleep", "1000");
        ProcessHandle.of(byAnother.pid()).orElseThrow().destroyForcibly(); // SIGKILL
        assertThat(byAnother.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(byAnother.killed()).isTrue();
        byAnother.close();
        byAnother.close();
        assertThat(byAnother.killed()).isTrue();
    }

    @Test
    void exitCodeAndLastWordsAreKept() throws Exception {
        Child child = start("sh", "-c", "echo first; echo last words >&2; exit 5");
        assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(child.exitCode()).hasValue(5);
        assertThat(child.tail(1)).isEqualTo("last words");
        child.close();
    }

    /** Its last words are journalled, and an exception repeats what it was about without saying that it is a secret. */
    @Test
    void whatItWasGivenAsASecretIsLeftOutOfItsLastWords() throws Exception {
        Path key = Files.createFile(folder.resolve("some.key"));
        String say =
                "for a in \"$DB_PASSWORD\" \"$1\" \"${2#*=}\" \"${3##*:}\" \"$4\" \"$5\"; do echo \"not $a here\"; done";
        var command = List.of(
                "sh",
                "-c",
                say,
                "--password",
                "geheim-1",
                "-Dapi.token=geheim-2",
                "redis://app:geheim-3",
                "plain",
                key.toString(),
                "-Dssl.key=" + key,
                "redis://app:geheim-3@cache:6379");
        try (Child child = Child.start(
                "target", command, Map.of("DB_PASSWORD", "geheim-4"), folder, folder.resolve("log"), Set.of())) {
            assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
            assertThat(child.tail(6))
                    .isEqualTo("not *** here | not *** here | not *** here | not *** here | not plain here | not " + key
                            + " here");
            assertThat(child.lineWith("geheim-2")).hasValue("not *** here");
            assertThat(child.said("geheim-2")).isTrue();
        }
    }

    @Test
    void argumentsReachTheProcessAsTheyAre() throws Exception {
        Child child = start("printf", "%s\\n", "$(touch hacked); `id` 'x' \"y\" {z}");
        assertThat(child.awaitReady("$(touch")).hasValue("$(touch hacked); `id` 'x' \"y\" {z}");
        child.close();
        assertThat(folder.resolve("hacked")).doesNotExist();
    }

    @Test
    void aStartThatIsInterruptedLeavesNothing() throws Exception {
        for (int i = 0; i < 5; i++) {
            Thread.currentThread().interrupt();
            try (Child child = start("sh", "-c", "sleep 60 & sleep 60")) {
                assertThat(child.alive()).isTrue(); // it was up before anybody looked
                assertThat(Thread.interrupted()).isTrue();
            } catch (InterruptedException e) {
                assertThat(Fixtures.runningIn(folder)).isEmpty();
            }
        }
    }

    @Test
    void aCommandThatDoesNotExistIsSaidSo() throws Exception {
        Child child = start("no-such-program-at-all");
        assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(child.exitCode()).hasValue(127);
        assertThat(child.tail(1)).contains("no-such-program-at-all");
        child.close();
    }

    /** A launcher that starts a child, says its pid and is then killed the hard way. */
    public static final class Launcher {
        public static void main(String[] args) throws Exception {
            Path folder = Path.of(args[0]);
            Child child = Child.start(
                    "target",
                    List.of("sh", "-c", "sleep 1000 & sleep 1000"),
                    Map.of(),
                    folder,
                    folder.resolve("log"),
                    Set.of());
            System.out.println(child.pid());
            new java.util.concurrent.CountDownLatch(1).await();
        }
    }

    @Test
    void killingFettleTheHardWayEndsItsChildren() throws Exception {
        Process launcher = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Launcher.class.getName(),
                        folder.toString())
                .start();
        long pid;
        List<Long> below;
        try (var out = launcher.inputReader()) {
            pid = Long.parseLong(out.readLine());
            below = ProcessHandle.of(pid)
                    .orElseThrow()
                    .descendants()
                    .map(ProcessHandle::pid)
                    .toList();
            launcher.destroyForcibly().waitFor(); // SIGKILL
        }
        awaitGone(pid);
        below.forEach(ChildTest::awaitGone);
        assertThat(Files.readString(folder.resolve("log"))).contains("FETTLE-GUARD");
    }
}
