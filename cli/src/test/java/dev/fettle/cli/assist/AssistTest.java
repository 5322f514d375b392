package dev.fettle.cli.assist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.cli.command.AuditCommand;
import dev.fettle.cli.command.BenchCommand;
import dev.fettle.cli.command.CapacityCommand;
import dev.fettle.cli.command.DiagnoseCommand;
import dev.fettle.cli.command.GateCommand;
import dev.fettle.cli.command.JudgeCommand;
import dev.fettle.cli.command.RunsCommand;
import dev.fettle.cli.command.ShowCommand;
import dev.fettle.cli.command.WatchCommand;
import dev.fettle.cli.option.Converters;
import dev.fettle.cli.terminal.EndWithCaller;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What an assistant can call, and what it can't. */
class AssistTest {
    private static final CommandSpec ROOT = root().getCommandSpec();

    private final ObjectMapper json = new ObjectMapper();

    private static CommandLine root() {
        var root = new CommandLine(CommandSpec.create().name("fettle"));
        Map.of(
                        "bench", BenchCommand.class,
                        "capacity", CapacityCommand.class,
                        "watch", WatchCommand.class,
                        "diagnose", DiagnoseCommand.class,
                        "gate", GateCommand.class,
                        "audit", AuditCommand.class,
                        "judge", JudgeCommand.class,
                        "runs", RunsCommand.class,
                        "show", ShowCommand.class)
                .forEach((name, command) -> root.addSubcommand(name, new CommandLine(command)));
        Converters.register(root);
        return root;
    }

    private static Tool tool(String name) {
        return Tools.ALL.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }

    private static CommandSpec spec(Tool tool) {
        return ROOT.subcommands().get(tool.command()).getCommandSpec();
    }

    private static List<String> call(String name, Map<String, Object> given) throws Exception {
        Tool tool = tool(name);
        return tool.call(spec(tool), given).arguments();
    }

    static List<Tool> tools() {
        return Tools.ALL;
    }

    /** Its options exist, and each says what it is; none lets another host be loaded, or writes a file. */
    @ParameterizedTest
    @MethodSource("tools")
    void aToolIsACommand(Tool tool) {
        Map<String, Object> properties = tool.properties(spec(tool));
        assertThat(properties.keySet())
                .containsAll(tool.options())
                .doesNotContain("own-host", "html", "markdown", "junit", "csv", "record", "dir", "fix");
        assertThat(properties.values())
                .allSatisfy(p -> assertThat((String) ((Map<?, ?>) p).get("description"))
                        .isNotBlank()
                        .doesNotContain("%%", "%n"));
    }

    @Test
    void aCallIsACommandLine() throws Exception {
        assertThat(call(
                        "bench",
                        Map.of(
                                "url",
                                "http://127.0.0.1:1/",
                                "connections",
                                4,
                                "no-keep-alive",
                                true,
                                "no-dump",
                                false)))
                .containsExactlyInAnyOrder(
                        "bench", "--json", "--connections=4", "--no-keep-alive", "--", "http://127.0.0.1:1/")
                .endsWith("--", "http://127.0.0.1:1/");
        assertThat(call("observe", Map.of("pid", 7))).containsExactly("diagnose", "--no-load", "--json", "--pid=7");
        assertThat(call("gate", Map.of("programs", List.of("a.jar", "b.jar")))).endsWith("--", "a.jar", "b.jar");
        assertThat(tool("judge").call(spec(tool("judge")), Map.of("text", "ab says")))
                .isEqualTo(new Tool.Call(List.of("judge", "--json", "--", "-"), "ab says"));
    }

    /** A value never becomes an option. */
    @ParameterizedTest
    @ValueSource(strings = {"--own-host=x", "-o", "--", "--json --own-host x"})
    void aValueStaysAValue(String value) throws Exception {
        assertThat(call("bench", Map.of("url", value))).containsExactly("bench", "--json", "--", value);
        assertThat(call("bench", Map.of("url", "u", "duration", value)))
                .containsExactly("bench", "--json", "--duration=" + value, "--", "u");
        var parsed = root().parseArgs("bench", "--json", "--header=a: " + value, "--", "http://127.0.0.1/");
        assertThat(parsed.subcommand().hasMatchedOption("--own-host")).isFalse();
    }

    @Test
    void whatCantBeIsSaid() {
        for (Map<String, Object> bad : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("url", "u", "own-host", "x"),
                Map.of("url", "u", "body", "@/etc/passwd"),
                Map.of("url", "u", "header", List.of("A: b", "X: ${HOME}")),
                Map.of("url", "@file"),
                Map.of("url", "a\0b"),
                Map.of("url", Map.of("a", 1)),
                Map.of("url", "u", "no-dump", "yes"),
                Map.of("url", "u", "duration", List.of("1s", "2s")))) {
            assertThatExceptionOfType(Tool.BadCall.class).as(bad.toString()).isThrownBy(() -> call("bench", bad));
        }
        assertThatExceptionOfType(Tool.BadCall.class)
                .isThrownBy(() -> call("judge", Map.of("text", "t", "files", List.of("f"))));
        assertThatExceptionOfType(Tool.BadCall.class)
                .as("a folder's java would be run, by a tool that only reads")
                .isThrownBy(() -> call("audit", Map.of("text", "-Xmx1g", "jdk", "/tmp/jdk")));
    }

    @Test
    void whatCanBeIsPassedOn() throws Exception {
        assertThat(call("audit", Map.of("text", "-Xmx1g", "jdk", 21))).contains("--jdk=21");
        assertThat(call("bench", Map.of("url", "u", "header", "A: $1 {b}"))).contains("--header=A: $1 {b}");
    }

    /** Says whose end it would end with. */
    static final class Says {
        public static void main(String... args) {
            System.out.print(System.getProperty(EndWithCaller.CALLER));
        }
    }

    @Test
    void aCommandEndsWithItsServer() throws Exception {
        try (var runs = CommandRuns.own(Says.class.getName())) {
            assertThat(runs.run(new Tool.Call(List.of(), ""), "1", (_, _) -> {}).out())
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
        }
    }

    /** Line by line, as an assistant's program does it; the commands are processes. */
    @Test
    @Timeout(300)
    void itAnswersUntilItsInputEnds() throws Exception {
        try (var talk = new Talk()) {
            talk.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
            assertThat(talk.read().at("/result/tools").findValuesAsText("name"))
                    .containsExactlyElementsOf(
                            Tools.ALL.stream().map(Tool::name).toList());

            JsonNode refused = talk.called(3, "judge", Map.of("text", """
                    Concurrency Level:      500
                    Time per request:       201.000 [ms] (mean)
                    Requests per second:    6926.12 [#/sec] (mean)
                    """));
            assertThat(refused.at("/isError").asBoolean()).isFalse();
            assertThat(refused.at("/structuredContent/exitCode").asInt()).isEqualTo(4);
            assertThat(refused.at("/structuredContent/result/results/0/outcome").asText())
                    .isEqualTo("refused");
            assertThat(json.readTree(refused.at("/content/0/text").asText()))
                    .isEqualTo(refused.at("/structuredContent"));

            JsonNode foreign = talk.called(4, "bench", Map.of("url", "http://192.0.2.1/", "duration", "1s"));
            assertThat(foreign.at("/isError").asBoolean()).isTrue();
            assertThat(foreign.at("/structuredContent/exitCode").asInt()).isEqualTo(2);
            assertThat(foreign.at("/structuredContent/said").asText()).contains("192.0.2.1", "loopback");
        }
    }

    /** A call that is cancelled ends at once, and the machine is free for the next one; until then it says how it is getting on. */
    @Test
    @Timeout(300)
    void aCallIsCancelled() throws Exception {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", e -> {
            e.sendResponseHeaders(204, -1);
            e.close();
        });
        site.start();
        try (var talk = new Talk()) {
            String call = json.writeValueAsString(Map.of(
                    "jsonrpc",
                    "2.0",
                    "id",
                    "a\"7",
                    "method",
                    "tools/call",
                    "params",
                    Map.of(
                            "name",
                            "bench",
                            "arguments",
                            Map.of(
                                    "url",
                                    "http://127.0.0.1:" + site.getAddress().getPort() + "/",
                                    "connections",
                                    1,
                                    "duration",
                                    "1h"),
                            "_meta",
                            Map.of("progressToken", "p1"))));
            talk.send(call);
            JsonNode first = talk.read();
            assertThat(first.path("method").asText()).isEqualTo("notifications/progress");
            assertThat(first.at("/params/progressToken").asText()).isEqualTo("p1");
            assertThat(first.at("/params/progress").asDouble()).isPositive();
            assertThat(first.at("/params/message").asText()).isNotBlank();
            talk.send(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\\\"7\"}}");
            JsonNode answer = first;
            while (answer.has("method")) {
                answer = talk.read();
            }
            assertThat(answer.path("id").asText()).isEqualTo("a\"7");
            assertThat(answer.at("/result/structuredContent/meaning").asText())
                    .as(answer.toString())
                    .contains("stopped");

            talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
            JsonNode next = talk.called(4, "bench", Map.of("url", "http://192.0.2.1/", "duration", "1s"));
            assertThat(next.at("/structuredContent/exitCode").asInt())
                    .as("not refused, since nothing loads any more")
                    .isEqualTo(2);
        } finally {
            site.stop(0);
        }
    }

    /** A conversation that has begun; the server ends with it. */
    private final class Talk implements AutoCloseable {
        private final PipedOutputStream to = new PipedOutputStream();
        private final BufferedReader from;
        private final Thread serving;

        Talk() throws Exception {
            var in = new PipedInputStream(to, 1 << 16);
            var out = new PipedOutputStream();
            from = new BufferedReader(
                    new InputStreamReader(new PipedInputStream(out, 1 << 20), StandardCharsets.UTF_8));
            var server = new AssistServer(ROOT, CommandRuns.own("dev.fettle.cli.Main"));
            serving = Thread.ofPlatform().start(() -> {
                try {
                    server.serve(in, out, "1.2.3");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            send("""
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},\
                    "clientInfo":{"name":"t","version":"1"}}}""");
            assertThat(read().at("/result/serverInfo/version").asText()).isEqualTo("1.2.3");
            send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        }

        JsonNode read() throws IOException {
            return json.readTree(from.readLine());
        }

        void send(String line) throws IOException {
            to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        }

        JsonNode called(int id, String name, Map<String, Object> given) throws IOException {
            send(json.writeValueAsString(Map.of(
                    "jsonrpc",
                    "2.0",
                    "id",
                    id,
                    "method",
                    "tools/call",
                    "params",
                    Map.of("name", name, "arguments", given))));
            JsonNode answer = read();
            assertThat(answer.at("/id").asInt()).isEqualTo(id);
            return answer.at("/result");
        }

        /** The end of its input ends it. */
        @Override
        public void close() throws Exception {
            to.close();
            serving.join();
        }
    }
}
