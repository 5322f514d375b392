package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0|0", "0,1|0|1", "0,1,2,3|0,1,2|3", "2,3,5,7,8,9,10,11|2,3,5,7,8,9|10,11"})
    void cpusAreSplitBetweenServerAndGenerator(String all, String server, String generator) {
        var layout = CpuLayout.of(
                List.of(all.split(",")).stream().map(Integer::valueOf).toList());
        assertThat(CpuList.text(layout.server())).isEqualTo(server);
        assertThat(CpuList.text(layout.generator())).isEqualTo(generator);
        assertThat(layout.separate()).isEqualTo(!server.equals(generator));
    }

    /** A program that gets 5 % of a CPU takes a minute for what else takes three seconds. */
    @ParameterizedTest
    @CsvSource({"0, 60", "0.001, 60", "0.05, 300", "1, 300"})
    void aProgramHasAMinuteToStartAndLongerWhileItComputes(double share, long seconds) {
        var bound = new StartBound();
        long second = 0;
        while (!bound.over(Duration.ofSeconds(second), cpu(share * second))) {
            second++;
        }
        assertThat(second).isEqualTo(seconds);
    }

    /** It hangs after having computed for a minute and a half. */
    @Test
    void aProgramThatHangsLaterIsGivenUpThen() {
        var bound = new StartBound();
        long second = 0;
        while (!bound.over(Duration.ofSeconds(second), cpu(Math.min(second, 90)))) {
            second++;
        }
        assertThat(second).isEqualTo(100);
    }

    private static Supplier<Duration> cpu(double seconds) {
        return () -> Duration.ofNanos((long) (seconds * 1e9));
    }

    @Test
    void groupsOfUnsetKnobsAreLeftOutWhole() {
        var values = new CommandArguments.Values(
                8080,
                Path.of("/jdk/bin/java"),
                Path.of("/trial"),
                List.of("-Xmx64m", "-XX:+UseSerialGC"),
                Map.of("app", Path.of("/lib/app.jar")),
                Setting.of("threads.max", "50"));
        assertThat(CommandArguments.fill(
                        List.of(
                                List.of("{java}"),
                                List.of("{jvm}"),
                                List.of("-jar"),
                                List.of("{artifact:app}"),
                                List.of("--port={port}"),
                                List.of("--threads", "{threads.max}"),
                                List.of("--backlog", "{backlog}"),
                                List.of("--root", "{dir}/x y; rm -rf $HOME")),
                        values))
                .containsExactly(
                        "/jdk/bin/java",
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-jar",
                        "/lib/app.jar",
                        "--port=8080",
                        "--threads",
                        "50",
                        "--root",
                        "/trial/x y; rm -rf $HOME");
    }

    @Test
    void secretsOnACommandLineAreHidden() {
        assertThat(CommandArguments.redacted(
                        List.of("java", "-Ddb.password=hunter2", "--token", "abc", "--port", "80", "--api-key=x")))
                .containsExactly("java", "-Ddb.password=***", "--token", "***", "--port", "80", "--api-key=***");
        assertThat(CommandArguments.redacted(List.of(
                        "java",
                        "--spring.datasource.url=jdbc:mysql://db/shop?user=app&password=hunter2",
                        "redis://app:hunter2@cache:6379")))
                .noneMatch(a -> a.contains("hunter2"))
                .element(2)
                .isEqualTo("redis://***@cache:6379");
    }

    /** What a target said last is in the message of its failure, and so in the journal. */
    @Test
    void secretsInTheLastWordsOfATargetAreHidden() {
        var failure = new TrialFailure(
                Kind.DID_NOT_START,
                "the target exited with code 1: cannot connect to postgresql://app:hunter2@db/shop | password=hunter2");
        assertThat(failure.asFailure().message())
                .isEqualTo("the target exited with code 1: cannot connect to postgresql://***@db/shop | password=***");
    }

    @Test
    void processKnobsGoInFrontOfTheCommand() {
        var setting = Setting.of(
                Map.of("process.nofile", "900", "process.nproc", "700", "process.nice", "3", "process.cpus", "2"));
        assertThat(ProcessKnobs.around(List.of("java", "-version"), setting, 1))
                .containsExactly(
                        "prlimit",
                        "--nofile=900:900",
                        "prlimit",
                        "--nproc=700:700",
                        "nice",
                        "-n",
                        "2",
                        "java",
                        "-version");
        assertThat(ProcessKnobs.cpus(setting, Set.of(5, 2, 9))).containsExactlyInAnyOrder(2, 5);
        assertThat(ProcessKnobs.cpus(Setting.DEFAULT, Set.of(5, 2))).containsExactlyInAnyOrder(2, 5);
    }

    private Path jdk(String name, String version) throws Exception {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.createFile(home.resolve("bin/java"));
        home.resolve("bin/java").toFile().setExecutable(true);
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    @Test
    void jdksAreFoundByReleaseAndByHome() throws Exception {
        Path eight = jdk("eight", "1.8.0_402");
        Path twentyOne = jdk("21", "21.0.3");
        Path running = jdk("run", "25.0.1");
        var jdks = new Jdks(
                Map.of("JAVA_HOME_8_X64", eight.toString(), "JAVA_HOME", twentyOne.toString()), folder, running);
        assertThat(jdks.java(Optional.of("8"))).isEqualTo(eight.resolve("bin/java"));
        assertThat(jdks.java(Optional.of("21"))).isEqualTo(twentyOne.resolve("bin/java"));
        assertThat(jdks.java(Optional.empty())).isEqualTo(running.resolve("bin/java"));
        assertThat(jdks.java(Optional.of(eight.toString()))).isEqualTo(eight.resolve("bin/java"));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> jdks.java(Optional.of("/no/such/home")))
                .withMessageContaining("no JDK at /no/such/home");
    }

    /** A JDK that lies nowhere else is found by the javac on the PATH, which is often a link. */
    @Test
    void theJdkOfThePathIsFound() throws Exception {
        Path home = jdk("elsewhere", "99.0.1");
        Files.writeString(home.resolve("bin/javac"), "");
        home.resolve("bin/javac").toFile().setExecutable(true);
        Path bin = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(bin.resolve("javac"), home.resolve("bin/javac"));
        var found = new Jdks(Map.of("PATH", "/nowhere::" + bin), folder, jdk("run", "25.0.1")).all();
        assertThat(found).containsEntry(99, home.toRealPath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080/x", "http://127.9.9.9/", "http://[::1]:90/", "http://localhost/"})
    void loopbackIsLoadedFreely(String url) throws Exception {
        assertThat(HostGuard.check(URI.create(url), Set.of()).getAddress().isLoopbackAddress())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://192.0.2.7/", "http://0.0.0.0/", "http://[2001:db8::1]/"})
    void strangersAreRefusedUnlessOwned(String url) throws Exception {
        var uri = URI.create(url);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> HostGuard.check(uri, Set.of()))
                .withMessageContaining("--own-host");
        assertThat(HostGuard.check(uri, Set.of(uri.getHost()))).isNotNull();
    }

    @Test
    void theSchemeSaysThePort() throws Exception {
        assertThat(HostGuard.check(URI.create("http://127.0.0.1/"), Set.of()).getPort())
                .isEqualTo(80);
        assertThat(HostGuard.check(URI.create("HTTPS://localhost/"), Set.of()).getPort())
                .isEqualTo(443);
        assertThat(HostGuard.check(URI.create("https://127.0.0.1:8443/"), Set.of())
                        .getPort())
                .isEqualTo(8443);
    }

    @ParameterizedTest
    @CsvSource({"WSS://x/, 443", "Https://x/, 443", "HTTP://x/, 80", "ws://x, 80", "https://x:8443/, 8443"})
    void withoutAPortItIsTheSchemes(String url, int port) {
        assertThat(HostGuard.port(URI.create(url))).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({"http://127.0.0.1/, true", "http://0.0.0.0/, true", "http://[::1]/, true", "http://192.0.2.7/, false"})
    void aHostIsThisMachineOrAnother(String url, boolean here) throws Exception {
        assertThat(HostGuard.isHere(URI.create(url))).isEqualTo(here);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://127.0.0.1/", "http:///x", "nonsense"})
    void whatIsNoHttpUrlIsRefused(String url) {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> HostGuard.check(URI.create(url), Set.of()))
                .withMessageContaining("http://HOST");
    }

    @Test
    void twoRunsInOneWorkspaceAreKeptApart() throws Exception {
        var workspace = Workspace.open(folder);
        try (var held = workspace.lock()) {
            assertThat(held).isNotNull();
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(workspace::lock)
                    .withMessageContaining("measure each other");
        }
        workspace.lock().close();
    }
}
