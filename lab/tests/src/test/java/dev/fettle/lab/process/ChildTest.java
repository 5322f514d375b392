package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.Fixtures;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Many programs shut down in order at the first, and at once at the second. */
    @Test
    void aProcessIsAskedToEndOnce() throws Exception {
        Path asked = folder.resolve("asked");
        Child child = start(
                "sh",
                "-c",
                "trap 'echo >>\"" + asked
                        + "\"; n=$((n + 1))' TERM; echo up; while [ ${n:-0} = 0 ]; do sleep 0.05; done;"
                        + " for i in 1 2 3 4 5 6; do sleep 0.05; done");
        child.awaitReady("up").orElseThrow();
        child.close();
        assertThat(Files.readAllLines(asked)).hasSize(1);
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

    /** Two that leave the process group: one has only the environment, the other only the marker; says their pids. */
    private static final String DAEMONS = """
            setsid sh -c 'echo $$ >one.new; mv one.new one; exec sleep 1000' 9>&- &
            setsid env -i sh -c 'echo $$ >two.new; mv two.new two; exec sleep 1000' &
            while [ ! -e one ] || [ ! -e two ]; do sleep 0.02; done
            echo up
            """;

    private List<Long> daemons() throws Exception {
        List<Long> pids = List.of(
                Long.valueOf(Files.readString(folder.resolve("one")).strip()),
                Long.valueOf(Files.readString(folder.resolve("two")).strip()));
        assertThat(pids).allMatch(ChildTest::alive);
        return pids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec sleep 1000", "exit 0"})
    void whatHasLeftTheProcessGroupIsEndedToo(String then) throws Exception {
        Child child = start("sh", "-c", DAEMONS + then);
        assertThat(child.awaitReady("up")).isPresent();
        List<Long> daemons = daemons();
        child.close();
        daemons.forEach(ChildTest::awaitGone);
        assertThat(folder.resolve("log.pid")).doesNotExist();
    }

    /** With Fettle killed, nobody is there to end the daemons of a command that has ended: the next Fettle does. */
    @Test
    void whatAKilledFettleLeftBehindIsEndedByTheNext() throws Exception {
        Child child = start("sh", "-c", DAEMONS + "exit 0");
        assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
        List<Long> daemons = daemons();
        assertThat(Child.endLeftBehind(Files.createDirectory(folder.resolve("other"))))
                .isZero();
        assertThat(daemons).allMatch(ChildTest::alive);
        assertThat(Child.endLeftBehind(folder)).isEqualTo(2);
        daemons.forEach(ChildTest::awaitGone);
        assertThat(Child.endLeftBehind(folder)).isZero();
    }

    /** A database that root starts becomes its own user's; its id is known all the same. */
    private static final String OTHERS_DAEMON = """
            setsid sh -c 'echo $$ >one.new; mv one.new one; exec setpriv --reuid=65534 --clear-groups sleep 1000' &
            while [ ! -e one ]; do sleep 0.02; done
            while [ "$(awk '/^Uid:/ {print $3}' /proc/$(cat one)/status)" != 65534 ]; do sleep 0.02; done
            cp one two
            echo up
            """;

    private static void assumeRoot() {
        assumeTrue(new Proc().user("self").orElse(-1) == 0, "only root can start another user's");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec sleep 1000", "exit 0"})
    void aDaemonThatHasGivenUpRootIsEndedToo(String then) throws Exception {
        assumeRoot();
        Child child = start("sh", "-c", OTHERS_DAEMON + then);
        assertThat(child.awaitReady("up")).isPresent();
        List<Long> daemons = daemons();
        child.close();
        daemons.forEach(ChildTest::awaitGone);
    }

    /** The number of a group that is gone may be another's by now. */
    @Test
    void whatIsInTheGroupOfAGuardThatHasEndedIsEndedWithOrWithoutMarks() throws Exception {
        Child child = start("sh", "-c", "sleep 1000 & echo one $!; env -i sleep 1000 9>&- & echo other $!");
        assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
        long one = Long.parseLong(child.awaitReady("one ").orElseThrow().substring("one ".length()));
        long other = Long.parseLong(child.awaitReady("other ").orElseThrow().substring("other ".length()));
        try {
            assertThat(alive(one)).isTrue();
            child.close();
            awaitGone(one);
            awaitGone(other);
        } finally {
            ProcessHandle.of(other).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** A power cut leaves files without their content. */
    @Test
    void aGuardThatIsNotWholeIsWrittenAnew() throws Exception {
        start("true").close();
        try (var scripts = Files.newDirectoryStream(folder, "guard-*.sh")) {
            for (Path script : scripts) {
                Files.write(script, new byte[0]);
            }
        }
        try (Child child = start("echo", "up")) {
            assertThat(child.awaitReady("up")).isPresent();
        }
    }

    @Test
    void whatItReadsFromAFileIsASecretToo() throws Exception {
        try (Child child = Child.start(
                "target",
                List.of("echo", "no geheim-5 here"),
                Map.of(),
                List.of("jetty.sslContext.keyStorePassword=geheim-5", "jetty.http.port=8080"),
                folder,
                folder.resolve("log"),
                Set.of())) {
            assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
            assertThat(child.tail(1)).isEqualTo("no *** here");
        }
    }

    @Test
    void onlyWhatHasExactlyItsMarkIsItsOwn() throws Exception {
        Path marker = Files.createFile(folder.resolve("marker"));
        var strays = new OrphanCleanup(new Proc(), "some-id", marker);
        var started = new ArrayList<Process>();
        try {
            for (String id : List.of("some-id", "some-id-2", "other")) {
                var builder = new ProcessBuilder("sleep", "1000");
                builder.environment().put(OrphanCleanup.VARIABLE, id);
                started.add(builder.start());
            }
            assertThat(strays.find()).containsExactly(started.getFirst().pid());
            strays.end();
            awaitGone(started.getFirst().pid());
            assertThat(started.subList(1, 3)).allMatch(Process::isAlive);
        } finally {
            started.forEach(Process::destroyForcibly);
        }
    }

    /** A target that logs a line for each request pushes its last words out of sight of whoever reads only the end. */
    @Test
    void wordsThatMuchWasSaidAfterAreStillFound() throws Exception {
        Child child = start(
                "sh",
                "-c",
                "echo ready to accept; echo 'java.lang.OutOfMemoryError: unable to create native thread: possibly'; yes"
                        + " 'GET / 200' | head -n 50000; echo done; exec sleep 1000");
        assertThat(child.awaitReady("done")).isPresent();
        assertThat(child.said("ready to accept")).isTrue();
        var words = new CrashOutput(child);
        assertThat(words.line()).hasValueSatisfying(l -> assertThat(l).contains("unable to create native thread"));
        assertThat(words.kind(Kind.DIED)).isEqualTo(Kind.PROCESS_LIMIT);
        child.close();
    }

    /** As Tomcat does, which logs its arguments. */
    @Test
    void aFlagThatNamesTheErrorIsNotTheError() throws Exception {
        Child child = start("echo", "Command line argument: -XX:+ExitOnOutOfMemoryError");
        assertThat(child.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(new CrashOutput(child).kind(Kind.DIED)).isEqualTo(Kind.DIED);
        child.close();
    }

    @Test
    void oneThatSaysMuchAtOnceIsStarted() throws Exception {
        for (int i = 0; i < 5; i++) {
            Child child = start("sh", "-c", "yes | head -n 200000; exec sleep 1000");
            assertThat(alive(child.pid())).isTrue();
            child.close();
        }
    }

    /** A launcher that starts a child, says its pid and is then killed the hard way. */
    public static final class Launcher {
        public static void main(String[] args) throws Exception {
            Path folder = Path.of(args[0]);
            Child child = Child.start(
                    "target",
                    List.of("sh", "-c", args[1] + "\nsleep 1000 & sleep 1000"),
                    Map.of(),
                    folder,
                    folder.resolve("log"),
                    Set.of());
            child.awaitReady("up");
            System.out.println(child.pid());
            new java.util.concurrent.CountDownLatch(1).await();
        }
    }

    @Test
    void killingFettleTheHardWayEndsItsChildren() throws Exception {
        killTheHardWay(DAEMONS);
    }

    @Test
    void killingFettleTheHardWayEndsADaemonThatHasGivenUpRoot() throws Exception {
        assumeRoot();
        killTheHardWay(OTHERS_DAEMON);
    }

    private void killTheHardWay(String script) throws Exception {
        Process launcher =
                Fixtures.java(List.of(), Launcher.class, folder, script).start();
        long pid;
        List<Long> below;
        List<Long> daemons;
        try (var out = launcher.inputReader()) {
            pid = Long.parseLong(out.readLine());
            below = ProcessHandle.of(pid)
                    .orElseThrow()
                    .descendants()
                    .map(ProcessHandle::pid)
                    .toList();
            daemons = daemons();
            launcher.destroyForcibly().waitFor(); // SIGKILL
        }
        awaitGone(pid);
        below.forEach(ChildTest::awaitGone);
        daemons.forEach(ChildTest::awaitGone);
        assertThat(folder.resolve("log")).exists();
    }

    /** A kept folder from elsewhere: a link to a file that a script holds open, as with flock, and no id of a child. */
    @Test
    void aMarkerThatIsNoneEndsNothing() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        Path held = Files.createFile(folder.resolve("held"));
        Files.createSymbolicLink(run.resolve("a.log.pid"), held);
        Files.writeString(run.resolve("b.log.pid"), "1\nmine\n");
        var builder = new ProcessBuilder("sh", "-c", "exec 9>" + held + "; echo; exec sleep 60");
        builder.environment().put("FETTLE_CHILD", "mine");
        Process process = builder.start();
        try {
            process.inputReader().readLine();
            assertThat(Child.endLeftBehind(run)).isZero();
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
