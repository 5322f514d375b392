package dev.fettle.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.remote.HostFacts.Problem;
import dev.fettle.lab.remote.HostFacts.Severity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over ssh, without one. */
class RemotePartsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app-1",
                "perf@app-1",
                "me@corp@app-1.example.com",
                "ssh://perf@app-1:2222",
                "10.0.0.7",
                "[fe80::1%eth0]",
                "::1",
                "_alias"
            })
    void aMachineIsNamedAsForSsh(String name) {
        assertThat(new Destination(name).text()).isEqualTo(name);
        assertThat(new Destination(name).name()).matches("[A-Za-z0-9._-]+").doesNotContain("/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-oProxyCommand=touch /tmp/x",
                "-app",
                "perf@-app",
                "-perf@app",
                "ssh://-app",
                "app 1",
                "app;id",
                "app$(id)",
                "app`id`",
                "app\nid",
                "app'",
                "app|id",
                "~app",
                "ssh://app/path",
                "app:22",
                "perf@app:22"
            })
    void whatSshOrAShellCouldTakeForAnotherThingIsNoMachine(String name) {
        assertThatThrownBy(() -> new Destination(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Destination("a".repeat(256))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void argumentsArriveAsTheyWere() throws IOException {
        List<String> arguments =
                List.of("watch", "", " ", "a b", "'", "\"$(id)\"", "\\", "!", "\n", "ü→", "--x=.,", "-");
        var command = new RemoteCommand();
        arguments.forEach(command::add);
        command.addFile("--out", Path.of("/here/of mine.zip"), true).addFile("--html", Path.of(".of mine.zip"), false);
        command.addScratch("--dir");

        assertThat(command.word()).matches("[A-Za-z0-9._,-]+");
        var expected = new ArrayList<>(arguments);
        expected.add("--out=" + folder + "/0/of mine.zip");
        expected.add("--html=" + folder + "/1/_.of mine.zip");
        expected.add("--dir=" + folder + "/scratch/of-it");
        assertThat(RemoteCommand.read(command.word(), folder)).isEqualTo(expected);
        assertThat(folder.resolve("0")).isDirectory();
        assertThat(RemoteCommand.read(new RemoteCommand().word(), folder)).isEmpty();
        for (String wrong : List.of("x", "a!", "f", ".", "fYQ")) {
            assertThatThrownBy(() -> RemoteCommand.read(wrong, folder)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** What a login shell gets is passed on by it as it is, whichever it is. */
    @Test
    void commandsOfOtherShellsThanOursAreRefused() {
        assertThat(Ssh.line("echo \"$1\"", List.of("a.b"))).isEqualTo("sh -c 'echo \"$1\"' fettle a.b");
        for (String script : List.of("echo 'a'", "a\\b", "a!", "a\nb")) {
            assertThatThrownBy(() -> Ssh.line(script, List.of())).isInstanceOf(IllegalArgumentException.class);
        }
        for (String word : List.of("", "a b", "$x", "a;b", "*", "~", "a'b", "ä")) {
            assertThatThrownBy(() -> Ssh.line("id", List.of(word))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whyAMachineCantBeReachedIsOneLineWithWhatToDo() {
        var ssh = new Ssh("ssh", new Destination("app-1"));
        assertThat(ssh.unreached("banner\n\nroot@app-1: Permission denied (publickey).\n")
                        .getMessage())
                .contains("Permission denied (publickey).", "ssh -o BatchMode=yes app-1")
                .doesNotContain("banner", "\n");
        assertThat(ssh.unreached("Host key verification failed.\r\n").getMessage())
                .contains("ssh app-1");
        assertThat(ssh.unreached("").getMessage()).contains("it says nothing");
    }

    @Test
    void thePackIsUnpackedByTarAndNamedByItsContent() throws Exception {
        Path jar = Files.write(folder.resolve("a.jar"), new byte[700]);
        Path classes = Files.createDirectories(folder.resolve("classes/x"));
        Files.writeString(classes.resolve("A.class"), "A");
        String path = jar + ":" + classes.getParent() + ":" + folder.resolve("missing");
        HostPack pack = HostPack.of(Fixtures.home(), path);
        Path to = Files.createDirectories(folder.resolve("there"));
        Process tar = new ProcessBuilder("tar", "-xf", "-", "-C", to.toString())
                .redirectErrorStream(true)
                .start();
        try (OutputStream out = tar.getOutputStream()) {
            pack.write(out);
        }
        assertThat(tar.waitFor()).isZero();
        Process sums = new ProcessBuilder("sha256sum", "-c", "--strict", "SUMS")
                .directory(to.toFile())
                .start();
        assertThat(new String(sums.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("lib/000.jar: OK", "lib/001.jar: OK", "start.sh: OK", "jdk.sh: OK");
        assertThat(sums.waitFor()).isZero();
        assertThat(Files.readString(to.resolve("start.sh"))).contains("-cp \"$d/lib/000.jar:$d/lib/001.jar\"");

        assertThat(HostPack.of(Fixtures.home(), path).digest())
                .isEqualTo(pack.digest())
                .matches("[0-9a-f]{64}");
        Files.writeString(classes.resolve("A.class"), "B");
        assertThat(HostPack.of(Fixtures.home(), path).digest()).isNotEqualTo(pack.digest());
    }

    private enum End {
        STOPPED,
        GONE
    }

    private static End heard(InputStream in, Clock clock, Duration silence) throws InterruptedException {
        var ends = new LinkedBlockingQueue<End>();
        new Heartbeats(clock, silence, () -> ends.add(End.STOPPED), () -> ends.add(End.GONE)).listen(in);
        End first = ends.poll(60, TimeUnit.SECONDS);
        assertThat(ends.poll(20, TimeUnit.MILLISECONDS)).as("only one end").isNull();
        assertThat(first).isNotNull();
        return first;
    }

    @Test
    @Timeout(90)
    void anEndIsAskedForOrTheOtherSideIsGone() throws Exception {
        assertThat(heard(bytes("bbbs"), Clock.SYSTEM, Duration.ofHours(1))).isEqualTo(End.STOPPED);
        assertThat(heard(bytes("bbb"), Clock.SYSTEM, Duration.ofHours(1))).isEqualTo(End.GONE);
    }

    /** Nothing is heard, and nothing ends: as of a connection that is cut in between. */
    @Test
    @Timeout(90)
    void silenceIsAnEndToo() throws Exception {
        try (var never = new PipedOutputStream();
                var in = new PipedInputStream(never)) {
            var ends = new LinkedBlockingQueue<End>();
            new Heartbeats(Clock.SYSTEM, Duration.ofMillis(10), () -> ends.add(End.STOPPED), () -> ends.add(End.GONE))
                    .listen(in);
            assertThat(ends.take()).isEqualTo(End.GONE);
        }
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String probed(String... more) {
        return String.join(
                "\n",
                "system Linux",
                "kernel 6.1.0",
                "machine x86_64",
                "cpu1 100 0 50 800 0 0 0 50 0 0",
                "process1 7 (a (b) c) S 1 7 7 0 -1 4 0 0 0 0 10 5 0 0 20 0",
                "process1 8 (java) S 1 8 8 0 -1 4 0 0 0 0 1000 0 0 0 20 0",
                "jdks 17 25 25",
                "jdk 25.0.1",
                "cpus 2",
                "memory 2097152",
                "files 20000",
                "disk 1048576",
                "cpu2 160 0 60 820 0 0 0 60 0 0",
                "process2 7 (a (b) c) S 1 7 7 0 -1 4 0 0 0 0 60 5 0 0 20 0",
                "process2 8 (java) S 1 8 8 0 -1 4 0 0 0 0 1000 0 0 0 20 0",
                String.join("\n", more),
                "complete yes");
    }

    private static List<String> ids(HostFacts facts) {
        return facts.problems().stream().map(Problem::id).toList();
    }

    @Test
    void aMachineIsReadFromWhatItPrints() {
        HostFacts facts = HostFacts.read(probed());
        assertThat(facts.kernel()).isEqualTo("Linux 6.1.0 x86_64");
        assertThat(facts.cpus()).isEqualTo(OptionalLong.of(2));
        assertThat(facts.busy()).hasValue(0.7);
        assertThat(facts.stolen()).hasValue(0.1);
        assertThat(facts.busiest()).containsExactly("a (b) c 0.500");
        assertThat(facts.jdks()).containsExactly("17", "25");
        assertThat(facts.disk()).isEqualTo(OptionalLong.of(1L << 30));
        assertThat(ids(facts)).containsExactly("busy", "stolen");
    }

    @Test
    void whatIsInTheWayIsNamed() {
        HostFacts facts =
                HostFacts.read(probed("missing tar", "unwritable /home/x/.cache", "governor powersave", "io_uring 2")
                        .replace("jdk 25.0.1\n", "")
                        .replace("files 20000", "files 1024")
                        .replace("disk 1048576", "disk 1024")
                        .replace("memory 2097152", "memory 1024"));
        assertThat(ids(facts))
                .containsExactly(
                        "no-jdk",
                        "no-tools",
                        "no-folder",
                        "disk-full",
                        "memory",
                        "busy",
                        "stolen",
                        "few-files",
                        "governor",
                        "no-io-uring");
        assertThat(facts.problems().stream()
                        .filter(p -> p.severity() == Severity.ERROR)
                        .count())
                .isEqualTo(4);
        assertThat(ids(HostFacts.read(probed().replace("system Linux", "system Darwin"))))
                .contains("no-linux");
    }

    @Test
    void aMachineThatSaysLittleOrNonsenseIsNotKnown() {
        assertThatThrownBy(() -> HostFacts.read("system Linux\n")).isInstanceOf(IllegalArgumentException.class);
        HostFacts facts = HostFacts.read(
                "cpus many\ndisk -5\nmemory 99999999999999999999\ncpu1 x y\nprocess1 )(\ncomplete yes\n");
        assertThat(facts.cpus()).isEmpty();
        assertThat(facts.disk()).isEmpty();
        assertThat(facts.memory()).isEmpty();
        assertThat(facts.busy()).isEmpty();
        assertThat(facts.busiest()).isEmpty();
    }

    @Test
    void whatALoginShellPrintsComesBeforeTheMark() throws Exception {
        var in = new ByteArrayInputStream(
                ("Welcome \0fettle to gen-1\n" + RemoteTalk.MARK + "x").getBytes(StandardCharsets.US_ASCII));
        assertThat(RemoteTalk.marked(in)).isTrue();
        assertThat(in.read()).isEqualTo('x');
        assertThat(RemoteTalk.marked(new ByteArrayInputStream("Welcome".getBytes(StandardCharsets.US_ASCII))))
                .isFalse();
        assertThat(RemoteTalk.marked(new ByteArrayInputStream(new byte[1 << 20])))
                .isFalse();
    }
}
