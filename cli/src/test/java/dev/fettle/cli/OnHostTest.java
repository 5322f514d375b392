package dev.fettle.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.cli.Fettle.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands on another machine: here, behind a real sshd on loopback, with a home of its own. Where no sshd is installed, a script takes
 * ssh's place: it runs what it is given by a shell, as sshd does.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OnHostTest {
    private static final Optional<Path> SSHD = Stream.of("/usr/sbin/sshd", "/usr/bin/sshd")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();

    @TempDir
    Path folder;

    private Path home;
    private Path ssh;
    private Optional<Process> sshd = Optional.empty();

    @BeforeEach
    void machine() throws Exception {
        home = Files.createDirectories(folder.resolve("home"));
        ssh = folder.resolve("ssh.sh");
        if (SSHD.isEmpty()) {
            script(
                    ssh,
                    "while [ \"$1\" != -- ]; do shift; done\nshift 2\ncd '" + home + "'\nHOME='" + home
                            + "' exec sh -c \"$*\"\n");
            return;
        }
        if (System.getProperty("user.name").equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // without it sshd of root does not start
        }
        int port = freePort();
        for (String key : List.of("host", "user")) {
            done(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    folder.resolve(key).toString());
        }
        Path command = folder.resolve("login.sh");
        script(command, "cd '" + home + "'\nLC_ALL=C HOME='" + home + "' exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
        Files.writeString(folder.resolve("keys"), Files.readString(folder.resolve("user.pub")));
        Files.writeString(
                folder.resolve("known"), "[127.0.0.1]:" + port + " " + Files.readString(folder.resolve("host.pub")));
        Path server = Files.writeString(
                folder.resolve("sshd_config"),
                String.join(
                        "\n",
                        "Port " + port,
                        "ListenAddress 127.0.0.1",
                        "HostKey " + folder.resolve("host"),
                        "AuthorizedKeysFile " + folder.resolve("keys"),
                        "ForceCommand " + command,
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no",
                        "PasswordAuthentication no",
                        ""));
        Path client = Files.writeString(
                folder.resolve("ssh_config"),
                String.join(
                        "\n",
                        "Host app-1 gen-2",
                        "  HostName 127.0.0.1",
                        "  Port " + port,
                        "  IdentityFile " + folder.resolve("user"),
                        "  IdentitiesOnly yes",
                        "  UserKnownHostsFile " + folder.resolve("known"),
                        ""));
        script(ssh, "exec ssh -F '" + client + "' \"$@\"\n");
        Process started = new ProcessBuilder(SSHD.get().toString(), "-D", "-e", "-f", server.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sshd.log").toFile())
                .start();
        sshd = Optional.of(started);
        while (!Files.readString(folder.resolve("sshd.log")).contains("listening on 127.0.0.1")) {
            assertThat(started.isAlive())
                    .as("sshd: %s", Files.readString(folder.resolve("sshd.log")))
                    .isTrue();
            Thread.sleep(20);
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        if (sshd.isPresent()) {
            sshd.get().descendants().forEach(ProcessHandle::destroy);
            sshd.get().destroy();
            sshd.get().waitFor();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static void done(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private Process start(Path here, String... arguments) throws IOException {
        var process = new Fettle(here).process(arguments);
        process.environment().put("FETTLE_SSH", ssh.toString());
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return process.redirectOutput(here.resolve("out").toFile())
                .redirectError(here.resolve("err").toFile())
                .start();
    }

    private Ended fettle(String... arguments) throws Exception {
        int code = start(folder, arguments).waitFor();
        return new Ended(code, Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
    }

    private List<Path> in(String where) throws IOException {
        Path at = home.resolve(".cache/fettle/hosts").resolve(where);
        if (!Files.isDirectory(at)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(at)) {
            return all.toList();
        }
    }

    /** Files with names that a shell would read something into, an exit code, and no copy the second time. */
    @Test
    void filesOfTheOtherMachineAreAudited() throws Exception {
        String name = "it's $(id) ä.conf";
        Files.writeString(home.resolve(name), "net.core.somaxconn = 128\n");
        Path json = folder.resolve(".of it.md");
        Ended first = fettle(
                "audit",
                "--on",
                "app-1",
                "--fail-on",
                "note",
                "--markdown",
                json.toString(),
                "--json",
                "--kernel",
                "6.1",
                name);
        assertThat(first.err()).contains("copying Fettle to app-1");
        Ended second = fettle("audit", "--on", "app-1", "--json", "--kernel", "6.1", name);
        assertThat(second.err()).doesNotContain("copying");
        assertThat(second.code()).as(second.err()).isZero();

        Files.writeString(folder.resolve("sysctl.conf"), "net.core.somaxconn = 128\n");
        Ended here = fettle("audit", "--fail-on", "note", "--json", "--kernel", "6.1", "sysctl.conf");
        assertThat(first.code()).as(first.err()).isEqualTo(here.code());
        JsonNode verdicts = new ObjectMapper().readTree(first.out());
        assertThat(verdicts).isEqualTo(new ObjectMapper().readTree(second.out()));
        assertThat(Files.readString(json)).contains("somaxconn");
        assertThat(in("runs")).isEmpty();
    }

    /** A watch is stopped in order: its recording comes back; and another is killed: the one on the other machine ends by itself. */
    @Test
    void aWatchEndsWithTheOneWhoAskedForIt() throws Exception {
        Path record = folder.resolve("evening.watch");
        String pid = Long.toString(ProcessHandle.current().pid());
        Process watch =
                start(folder, "watch", "--on", "app-1", "--pid", pid, "--no-dump", "--record", record.toString());
        untilSeen(watch);
        watch.destroy(); // TERM: who started the tests may have had them ignore INT
        assertThat(watch.waitFor()).isEqualTo(143);
        assertThat(Files.readString(record)).contains("\"fettleWatch\"").doesNotContain(home.toString());
        assertThat(in("runs")).isEmpty();

        Path other = Files.createDirectories(folder.resolve("other"));
        Process killed =
                start(other, "watch", "--on", "app-1", "--pid", pid, "--no-dump", "--record", other + "/x.watch");
        untilSeen(killed);
        killed.destroyForcibly().waitFor();
        untilNoAgents();
        assertThat(in("runs")).as("what it has recorded").hasSize(1);
    }

    /** Two agents send a bench to this machine's loopback; then one of them is killed while it sends, and another bench's controller. */
    @Test
    void aLoadComesFromTwoMachines() throws Exception {
        var served = new AtomicLong();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            Ended ended = fettle("bench", url, "--from", "app-1,gen-2", "-c", "5", "-n", "3001", "--json", "-q");
            JsonNode result = new ObjectMapper().readTree(ended.out());
            assertThat(result.get("responses").asLong()).as(ended.err()).isEqualTo(3001);
            assertThat(result.get("agents")).hasSize(2);
            assertThat(result.get("agents").get(0).get("host").textValue()).isEqualTo("app-1");
            assertThat(result.get("agents").get(0).get("responses").asLong()).isEqualTo(1501);
            assertThat(result.get("agents").get(1).get("responses").asLong()).isEqualTo(1500);
            assertThat(served).as("warmed up on servers of their own").hasValue(3001);
            untilNoAgents();

            Process bench = start(folder, "bench", url, "--from", "app-1,gen-2", "--rate", "100/s", "-d", "1h", "-q");
            for (int lost = 1; lost <= 2; lost++) { // it is repeated once
                List<Long> two = twoThatSend(served, bench);
                ProcessHandle.of(two.getFirst()).orElseThrow().destroyForcibly();
                while (agents().contains(two.getFirst())) {
                    Thread.sleep(20);
                }
            }
            assertThat(bench.waitFor())
                    .as(Files.readString(folder.resolve("err")))
                    .isEqualTo(4);
            assertThat(Files.readString(folder.resolve("out"))).contains("agent-lost");
            untilNoAgents();

            Process killed = start(folder, "bench", url, "--from", "app-1,gen-2", "--rate", "100/s", "-d", "1h", "-q");
            twoThatSend(served, killed);
            killed.destroyForcibly().waitFor();
            untilNoAgents();
            while (!in("runs").isEmpty()) { // the shell that started them tidies up
                Thread.sleep(50);
            }
        } finally {
            server.stop(0);
        }
    }

    /** A plan whose load comes from two machines: every trial has what both saw. */
    @Test
    void aPlanNamesTheMachinesThatSendItsLoad() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            Path plan = Files.writeString(folder.resolve("shop.yaml"), """
                    name: shop
                    hosts: {gen1: {ssh: app-1}, gen2: {ssh: gen-2}}
                    target: {url: "http://127.0.0.1:%d"}
                    load: {connections: 4, expect: {length: 0}, measure: 1s, warm-up: 2s, from: [gen1, gen2]}
                    sweep: {grid: {load.connections: [4]}, repeats: 1}
                    """.formatted(
                            server.getAddress().getPort()));
            Ended surveyed = fettle("hosts", plan.toString(), "--json");
            assertThat(new ObjectMapper().readTree(surveyed.out()))
                    .as(surveyed.err())
                    .hasSize(2);

            Ended ended = fettle(
                    "sweep",
                    plan.toString(),
                    "--json",
                    "--dir",
                    folder.resolve("runs").toString());
            JsonNode trials = new ObjectMapper().readTree(ended.out()).get("trials");
            JsonNode agents = trials.path(0).path("evidence").path("agents");
            assertThat(agents).as(ended.out() + ended.err()).hasSize(2);
            for (JsonNode agent : agents) {
                assertThat(agent.get("responses").asLong()).isPositive();
                assertThat(agent.has("lost")).isFalse();
            }
            untilNoAgents();
        } finally {
            server.stop(0);
        }
    }

    /** Commands of Fettle that run on the other machine. {@code ProcessHandle} cuts long arguments off. */
    private List<Long> agents() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> {
                    try {
                        String line = Files.readString(Path.of("/proc/" + pid + "/cmdline"), ISO_8859_1);
                        return line.contains("\0at-host\0") && line.contains(home.toString());
                    } catch (IOException e) {
                        return false; // it has ended
                    }
                })
                .toList();
    }

    private List<Long> twoThatSend(AtomicLong served, Process bench) throws Exception {
        List<Long> two = List.of();
        long before = served.get();
        while (two.size() < 2 || served.get() == before) {
            assertThat(bench.isAlive())
                    .as(Files.readString(folder.resolve("err")))
                    .isTrue();
            Thread.sleep(20);
            if (two.size() < 2) {
                two = agents();
                before = served.get();
            }
        }
        return two;
    }

    private void untilNoAgents() throws InterruptedException {
        while (!agents().isEmpty()) {
            Thread.sleep(50);
        }
    }

    private void untilSeen(Process watch) throws Exception {
        Path out = (Files.exists(folder.resolve("other/out")) ? folder.resolve("other") : folder).resolve("out");
        while (Files.readString(out).lines().noneMatch(l -> l.contains(" s  cpu "))) {
            assertThat(watch.isAlive())
                    .as(Files.readString(out) + Files.readString(out.resolveSibling("err")))
                    .isTrue();
            Thread.sleep(50);
        }
    }

    @Test
    void machinesAreSurveyedAndOneThatCantBeReachedIsNamed() throws Exception {
        Ended seen = fettle("hosts", "app-1", "--json");
        JsonNode machine = new ObjectMapper().readTree(seen.out()).get(0);
        assertThat(machine.get("reached").booleanValue()).as(seen.out()).isTrue();
        assertThat(machine.get("cpus").intValue()).isPositive();
        assertThat(machine.get("clockErrorMillis").doubleValue()).isPositive();
        assertThat(machine.get("jdk").textValue()).isNotEmpty();
        assertThat(seen.code()).isZero();
        assertThat(in("")).as("nothing is copied").isEmpty();

        script(ssh, "echo 'ssh: connect to host app-1 port 22: Connection refused' >&2\nexit 255\n");
        Ended unreached = fettle("audit", "--on", "app-1");
        assertThat(unreached.code()).isEqualTo(3);
        assertThat(unreached.err().lines()).hasSize(1).allMatch(l -> l.contains("Connection refused"));
    }

    @Test
    void whatDoesNotGoTogetherIsRefusedBeforeAnythingIsReached() throws Exception {
        for (List<String> wrong : List.of(
                List.of("audit", "--on", "-oProxyCommand=id"),
                List.of("audit", "--on", "app-1", "-"),
                List.of("watch", "--on", "app-1", "plan.yaml"),
                List.of("watch", "--on", "app-1", "--pid", "1", "--dir", "x"),
                List.of("watch", "--on", "app-1", "--pid", "1", "--serve-metrics", "9404"),
                List.of("watch", "--on", "app-1", "--pid", "1", "--record", folder + "/x", "--keep", "1h"),
                List.of("watch", "--on", "app-1", "--pid", "1", "--html", folder + "/x", "--markdown", folder + "/x"),
                List.of("diagnose", "--on", "app-1", "--no-load", "--pid", "1", "-H", "Authorization: x"),
                List.of("watch", "--on", "app-1", "--pid", "1", "--record", folder + "/none/x.watch"),
                List.of("bench", "--from", "app-1,app-1", "http://127.0.0.1:1/"),
                List.of("bench", "--from", "-oProxyCommand=id", "http://127.0.0.1:1/"),
                List.of("bench", "--from", "app-1,gen-2", "-c", "1", "http://127.0.0.1:1/"),
                List.of("bench", "--from", "app-1", "--pid", "1", "http://127.0.0.1:1/"),
                List.of("capacity", "--load-from", "app-1,app-1", "--slo", "p99<1s", "http://127.0.0.1:1/"),
                List.of("hosts", folder + "/none.yaml"),
                List.of("hosts", "ssh://-x"),
                List.of("bench", "--from", "app-1", "http://192.0.2.1/"),
                List.of("diagnose", "--on", "app-1", "http://127.0.0.1:1/"))) {
            Ended refused = Fettle.here(wrong);
            assertThat(refused.code()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err().lines()).hasSize(1);
        }
    }
}
