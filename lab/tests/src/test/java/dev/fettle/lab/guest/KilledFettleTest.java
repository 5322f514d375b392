package dev.fettle.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.watch.jvm.OwnRecordings;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import jdk.management.jfr.RecordingInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However Fettle ends, a process that it did not start is as it was before, and nothing of Fettle runs on. */
@Timeout(300)
class KilledFettleTest extends StandingServers {
    private static final int ROUNDS = Integer.getInteger("fettle.kills", 3);

    /** A Fettle in a process group of its own. */
    private Killed fettle(RunningTarget server, String what, boolean once) throws Exception {
        return fettle("ws", server, what, once);
    }

    private Killed fettle(String workspace, RunningTarget server, String what, boolean once) throws Exception {
        var builder = Fixtures.java(
                List.of("-Xmx128m"),
                KilledFettle.class,
                folder.resolve(workspace),
                server.pid(),
                server.address().getPort(),
                what,
                once);
        // a signal that is ignored where the tests were started, as after nohup, would be ignored there, too
        builder.command().addAll(0, List.of("env", "--default-signal=HUP,INT,TERM", "setsid"));
        return new Killed(
                builder.redirectError(folder.resolve("errors").toFile()).start());
    }

    private final class Killed implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;

        Killed(Process process) {
            this.process = process;
            this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Returns when it has said a line so many times. */
        Killed says(String wanted, int times) throws IOException {
            for (int seen = 0; seen < times; ) {
                String line = out.readLine();
                assertThat(line).as(Files.readString(folder.resolve("errors"))).isNotNull();
                seen += line.equals(wanted) ? 1 : 0;
            }
            return this;
        }

        void kill(String signal, boolean group) throws Exception {
            String whom = (group ? "-" : "") + process.pid();
            assertThat(new ProcessBuilder("kill", "-" + signal, "--", whom)
                            .start()
                            .waitFor())
                    .isZero();
            process.waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static List<String> recordings(RunningTarget server) throws Exception {
        try (var jvm = RunningJvm.attach(server.pid())) {
            return jvm.recorder().getRecordings().stream()
                    .map(RecordingInfo::getName)
                    .toList();
        }
    }

    /** Command lines that name the folder of the debts: of watchdogs, and of what they become. */
    private List<String> watchdogs() throws Exception {
        String state = debts().toString();
        var found = new ArrayList<String>();
        for (long pid : env().proc().all()) {
            List<String> arguments = env().proc().arguments(pid);
            if (arguments.contains(PutBackProgram.class.getName()) && arguments.contains(state)) {
                found.add(pid + ": " + arguments);
            }
        }
        return found;
    }

    /** A watchdog gives up after two minutes: then what is left stays, and is named. */
    private void awaitNothingIsLeft() throws Exception {
        for (int waits = 0; !watchdogs().isEmpty() && waits < 4_000; waits++) {
            Thread.sleep(50); // each look reads all of /proc
        }
        assertThat(watchdogs()).isEmpty();
        Path log = Path.of(debts().toString(), "watchdog.log");
        assertThat(debts().all())
                .as(Files.exists(log) ? Files.readString(log) : "no log")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"KILL, true, values+jfr", "HUP, true, values+jfr"})
    void whateverEndsItTheServerIsAsBefore(String signal, boolean group, String what) throws Exception {
        theServerIsAsBefore(signal, group, what);
    }

    /** Parts of the above; that values alone come back after a kill shows {@link #killedAtRandomMomentsItLeavesNothing}, too. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"KILL, false, values", "INT, false, values", "TERM, false, values+jfr", "KILL, false, jfr"})
    void onePartOfItComesBackToo(String signal, boolean group, String what) throws Exception {
        theServerIsAsBefore(signal, group, what);
    }

    private void theServerIsAsBefore(String signal, boolean group, String what) throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        try (Killed fettle = fettle(server, what, true).says("changed", 1)) {
            assertThat(values(server).get("threads.max")).isEqualTo(what.contains("values") ? "5" : "200");
            assertThat(recordings(server)).hasSize(what.contains("jfr") ? 1 : 0);
            assertThat(watchdogs()).hasSize(what.contains("+") ? 2 : 1);
            fettle.kill(signal, group);
        }
        awaitNothingIsLeft();
        assertThat(values(server)).isEqualTo(before);
        assertThat(recordings(server)).isEmpty();
        assertThat(server.alive()).isTrue();
    }

    /** At moments that nobody chose: while it looks, writes down, sets, records, puts back, or closes. */
    @Test
    void killedAtRandomMomentsItLeavesNothing() throws Exception {
        var random = new Random(34);
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        for (int round = 1; round <= ROUNDS; round++) {
            try (Killed fettle = fettle(server, round % 2 == 0 ? "values+jfr" : "values", false)) {
                fettle.says(random.nextBoolean() ? "begin" : "changed", 1 + random.nextInt(3));
                Thread.sleep(random.nextInt(60)); // some moment after that
                fettle.kill("KILL", random.nextBoolean());
            }
            awaitNothingIsLeft();
            assertThat(values(server)).as("round " + round).isEqualTo(before);
            assertThat(recordings(server)).as("round " + round).isEmpty();
        }
    }

    @Test
    void asyncProfilerIsStoppedToo() throws Exception {
        try (RunningTarget server = up(ServerKind.TOMCAT)) {
            try (Killed fettle = fettle(server, "async", true)) {
                String line = fettle.out.readLine();
                assertThat(line).isEqualTo("begin");
                assumeTrue("changed".equals(fettle.out.readLine()), "async-profiler does not run here");
                assertThat(status(server)).contains("running");
                fettle.kill("KILL", true);
            }
            awaitNothingIsLeft();
            assertThat(status(server)).contains("not active");
            try (var files = Files.list(folder.resolve("ws/recordings"))) {
                assertThat(files.filter(f -> f.toString().endsWith(".async.jfr")))
                        .singleElement()
                        .satisfies(f -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(f)))
                                .isEqualTo("rw-------"));
            }
        }
    }

    /** What async-profiler says of itself in a process. */
    private String status(RunningTarget server) throws Exception {
        Path library;
        try (var maps = Files.lines(Path.of("/proc", Long.toString(server.pid()), "maps"))) {
            library = maps.filter(l -> l.endsWith("libasyncProfiler.so"))
                    .map(l -> Path.of(l.substring(l.indexOf('/'))))
                    .findFirst()
                    .orElseThrow();
        }
        Path said = Files.createTempDirectory(folder, "status").resolve("said");
        RunningJvm.loadNative(server.pid(), library, "status,file=" + said);
        return Files.readString(said);
    }

    /** While one has values set, another would measure them: it does not begin, and leaves them alone. */
    @Test
    void twoFettlesAtOneServer() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        Target.Running target = look(running(server, true, false));
        try (Killed one = fettle("ws1", server, "values+jfr", true).says("changed", 1);
                Killed other = fettle("ws2", server, "jfr", true).says("changed", 1)) {
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> new ProcessVisit(env(), told::add).visit(target, Setting.DEFAULT))
                    .withMessageContaining("another Fettle (process " + one.process.pid() + ")");
            assertThat(ValueRestore.putBack(debts(), OptionalLong.of(server.pid())))
                    .hasSize(3)
                    .allMatch(p -> p.state() == PutBack.State.IN_USE);
            assertThat(values(server)).containsEntry("threads.max", "5");
            assertThat(recordings(server)).hasSize(2);

            one.kill("KILL", true);
            while (debts().all().size() > 1 || watchdogs().size() > 1) {
                Thread.sleep(50); // each look reads all of /proc
            }
            assertThat(values(server)).isEqualTo(before);
            assertThat(recordings(server)).as("of the one that lives").hasSize(1);
            other.kill("KILL", false);
        }
        awaitNothingIsLeft();
        assertThat(recordings(server)).isEmpty();
    }

    /** Both are killed at once, and each watchdog finds what the other's Fettle owed. */
    @Tag("long")
    @Test
    void twoAreKilledAtOnce() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        try (Killed one = fettle("ws1", server, "values+jfr", true).says("changed", 1);
                Killed other = fettle("ws2", server, "jfr", true).says("changed", 1)) {
            one.kill("KILL", true);
            other.kill("KILL", true);
        }
        awaitNothingIsLeft();
        assertThat(values(server)).isEqualTo(before);
        assertThat(recordings(server)).isEmpty();
    }

    @Tag("long")
    @Test
    void whenTheServerDiesTheWatchdogEndsToo() throws Exception {
        RunningTarget server = up(ServerKind.TOMCAT);
        try (Killed fettle = fettle(server, "values+jfr", true).says("changed", 1)) {
            server.close();
            fettle.kill("KILL", true);
        }
        awaitNothingIsLeft();
    }

    /** What neither Fettle nor its watchdog put back is found from any folder; other people's recordings stay. */
    @Test
    void whatEvenTheWatchdogLeftIsPutBackWhenAsked() throws Exception {
        try (RunningTarget server = up(ServerKind.TOMCAT)) {
            Map<String, String> before = values(server);
            var names = List.of("fettle", "fettle 1 2", "evening", OwnRecordings.name());
            try (var jvm = RunningJvm.attach(server.pid())) {
                for (String name : names) {
                    long id = jvm.recorder().newRecording();
                    jvm.recorder().setRecordingOptions(id, new TreeMap<>(Map.of("name", name)));
                    jvm.recorder().startRecording(id);
                }
            }
            try (Killed fettle = fettle(server, "values+jfr", true).says("changed", 1)) {
                for (long pid : env().proc().all()) {
                    if (env().proc().arguments(pid).contains(debts().toString())) {
                        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
                    }
                }
                fettle.kill("KILL", true);
            }
            assertThat(debts().all()).hasSize(2);
            assertThat(values(server)).containsEntry("threads.max", "5");

            List<PutBack> done = ValueRestore.putBack(debts(), OptionalLong.empty());
            assertThat(done).anySatisfy(p -> {
                assertThat(p.kind()).isEqualTo(Debts.Kind.VALUES);
                assertThat(p.state()).isEqualTo(PutBack.State.DONE);
                assertThat(p.values()).containsEntry("threads.max", before.get("threads.max"));
            });
            assertThat(done).allMatch(p -> p.state() == PutBack.State.DONE);
            assertThat(values(server)).isEqualTo(before);
            assertThat(recordings(server)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(ValueRestore.putBack(debts(), OptionalLong.empty())).isEmpty();
            awaitNothingIsLeft();
        }
    }

    /** A later process with the same id, and one of another boot, is not touched. */
    @Test
    void anotherProcessWithTheSameIdIsLeftAlone() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        var kept = new OriginalValues.Kept(server.address().getPort(), Map.of("threads.max", "7"));
        long started = env().proc().startTicks(server.pid()).orElseThrow();
        var earlier = new Guest(env().proc(), server.pid(), started - 1);
        new OriginalValues(debts(), earlier).keep(kept);
        var same = new Guest(env().proc(), server.pid(), started);
        var elsewhere = new OriginalValues(new Debts(env().state(), env().proc(), "abc"), same);
        elsewhere.keep(kept);
        assertThat(ValueRestore.putBack(debts(), OptionalLong.empty()))
                .allMatch(p -> p.state() == PutBack.State.ELSEWHERE)
                .hasSize(1);
        assertThat(values(server)).isEqualTo(before);
        elsewhere.delete();
    }
}
