package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.report.json.JsonReport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fettle bench ws://…} and {@code fettle capacity ws://…}, in this process. */
@Timeout(120)
class WebSocketLoadTest {
    @TempDir
    Path folder;

    private static Ended fettle(String... arguments) {
        return Ended.of(arguments);
    }

    private static JsonNode result(Ended e) throws Exception {
        JsonNode tree = new ObjectMapper().readTree(e.out);
        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JsonReport.class.getResourceAsStream("/dev/fettle/report/bench.schema.json"));
        assertThat(schema.validate(tree)).isEmpty();
        return tree;
    }

    @Test
    void aPlanMayLoadAWebSocket() throws Exception {
        try (var server = new EchoServer("")) {
            String at = server.url().replace("ws://", "http://").replace("/echo", "");
            Path plan = Files.writeString(folder.resolve("echo.yaml"), """
                    name: echo
                    target: {url: "%s"}
                    load:
                      connections: 4
                      think: 5ms
                      protocol: websocket
                      request: {path: /echo, body: hello}
                      expect: {echo: true}
                      warm-up: 500ms
                      measure: 500ms
                    sweep: {grid: {load.in-flight: [1, 4]}, repeats: 1}
                    """.formatted(at));
            Ended e = fettle(
                    "sweep",
                    plan.toString(),
                    "--json",
                    "--dir",
                    folder.resolve("d").toString());
            JsonNode run = new ObjectMapper().readTree(e.out);
            assertThat(run.path("trials").size()).as(e.err).isGreaterThanOrEqualTo(2);
            long answers = 0;
            for (JsonNode trial : run.path("trials")) {
                answers += trial.at("/measurement/responses").asLong();
                assertThat(trial.at("/measurement/failed").asLong()).isZero();
            }
            assertThat(answers).isPositive().isLessThanOrEqualTo(server.messages.get());
            assertThat(server.last).endsWith("hello");
        }
    }

    @Test
    void countsAsTheServerCounts() throws Exception {
        try (var server = new EchoServer("")) {
            Ended text = fettle("bench", server.url(), "-c", "5", "-n", "2000", "--warm-up", "0s", "--expect-echo");
            assertThat(text.out)
                    .as(text.err)
                    .contains("text, on /echo, its echo expected", ", WebSocket", "2,000", "99.99 %")
                    .doesNotContain("Statuses", "response-size", "connect-queue");
            assertThat(server.messages).hasValue(2000);
            assertThat(server.last).isEqualTo("1 hello");

            server.answersOnceOpen(2);
            JsonNode tree = result(fettle(
                    "bench",
                    server.url() + "?room=1",
                    "-c",
                    "2",
                    "-n",
                    "600",
                    "--warm-up",
                    "0s",
                    "--pipeline",
                    "4",
                    "--binary",
                    "--body",
                    "na\u00efve",
                    "-H",
                    "Origin: http://here",
                    "--subprotocol",
                    "v2",
                    "--subprotocol",
                    "v1",
                    "--json"));
            assertThat(tree.path("responses").asLong()).isEqualTo(600);
            assertThat(tree.path("protocol").asText()).isEqualTo("websocket");
            assertThat(tree.path("message").toString()).isEqualTo("{\"type\":\"binary\",\"echoExpected\":false}");
            assertThat(tree.path("statuses").toString()).isEqualTo("{\"101\":2}");
            assertThat(tree.path("notes").toString()).contains("selects none of the subprotocols");
            assertThat(server.messages).hasValue(2600);
            assertThat(server.last).isEqualTo("2 na\u00efve");
            assertThat(server.head)
                    .startsWith("GET /echo?room=1 HTTP/1.1\r\n")
                    .contains("\r\nOrigin: http://here\r\n", "\r\nSec-WebSocket-Protocol: v2, v1\r\n");
        }
    }

    @Test
    void anOpenLoadAndConditionsWorkAsForRequests() throws Exception {
        try (var server = new EchoServer("you said: ")) {
            Ended open = fettle(
                    "bench",
                    server.url(),
                    "-c",
                    "20",
                    "--rate",
                    "200/s",
                    "-d",
                    "1s",
                    "--warm-up",
                    "0s",
                    "--json",
                    "--fail-if",
                    "p50>1ns",
                    "--html",
                    folder.resolve("a.html").toString());
            assertThat(open.code).isEqualTo(ExitCodes.CONDITION_MET);
            JsonNode tree = result(open);
            // a second is due, whatever the machine does meanwhile; until its end is seen, or before, it may take
            // longer
            assertThat(tree.at("/offered/due").asDouble())
                    .isBetween(197.0, 200 * tree.path("elapsedSeconds").asDouble() + 3);
            assertThat(tree.path("failed").asLong()).isZero();
            assertThat(folder.resolve("a.html")).content().contains("messages on /echo");

            Ended wrong = fettle("bench", server.url(), "-c", "2", "-n", "100", "--warm-up", "0s", "--expect-echo");
            assertThat(wrong.code).isEqualTo(ExitCodes.NO_VALID_RESULT);
            assertThat(wrong.out).contains("VOID", "an answer of 15 bytes which is not the echo of the 5 sent");
            String[] right = {"bench", server.url(), "-n", "50", "--warm-up", "0s", "--contains", "you said: hello"};
            assertThat(fettle(right).out).containsPattern("Failed requests +0");
        }
    }

    @Test
    void usersMaySendMessagesThatBuildOnAnswers() throws Exception {
        try (var server = new EchoServer("you said: ")) {
            Path steps = Files.writeString(folder.resolve("chat.yaml"), """
                    steps:
                      - name: greet
                        send: "user ${user}"
                        expect: {contains: "you said: user ${user}"}
                        extract: {who: {regex: 'user (\\d+)'}}
                      - name: again
                        send: "it is ${who}"
                        expect: {contains: "it is ${user}"}
                    """);
            Ended e = fettle("bench", server.url(), "--scenario", steps.toString(), "-c", "3", "-n", "30", "--json");
            JsonNode tree = result(e);
            assertThat(tree.path("failed").asLong()).as(e.out).isZero();
            assertThat(tree.path("responses").asLong()).isEqualTo(60);
            assertThat(tree.at("/steps/1/name").asText()).isEqualTo("again");

            Path page = Files.writeString(folder.resolve("page.yaml"), "steps: [{name: page, path: /}]\n");
            Ended wrong = fettle("bench", server.url(), "--scenario", page.toString(), "-n", "1");
            assertThat(wrong.code).isEqualTo(2);
            assertThat(wrong.err).contains("step 'page' is a request; over a WebSocket a step sends a message");
        }
    }

    @Test
    void capacityTakesWebSocketsToo() throws Exception {
        try (var server = new EchoServer("", 20)) {
            Ended e = fettle(
                    "capacity",
                    server.url(),
                    "--slo",
                    "p50<10s,errors<5%",
                    "--json",
                    "--warm-up",
                    "2s",
                    "--from",
                    "50/s",
                    "--probe",
                    "500ms",
                    "--budget",
                    "5s",
                    "--confirm",
                    "1",
                    "--precision",
                    "50%",
                    "--dir",
                    folder.resolve("ws").toString());
            JsonNode tree = new ObjectMapper().readTree(e.out);
            assertThat(tree.path("capacity").path("probes")).as(e.err).isNotEmpty();
            long answers = 0;
            for (JsonNode probe : tree.at("/capacity/probes")) {
                answers += probe.path("responses").asLong();
            }
            assertThat(answers).isPositive();
            assertThat(server.messages.get()).isPositive();
        }
    }

    @Test
    void aPlanSaysThatItsLoadIsOfMessages() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"ws://127.0.0.1:1\"}\nload: {connections: 5}\nslo: p99<1s\n");
        Ended e = fettle("capacity", plan.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .contains("p.yaml:2:15: url starts with http:// or https://; that messages go there says"
                        + " load.protocol: websocket");
    }

    @Test
    void aServerThatSpeaksSomethingElseIsToldInOneLine() throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!listener.isClosed()) {
                    try (var socket = listener.accept()) {
                        socket.getOutputStream().write("SSH-2.0-x\r\n".getBytes());
                        socket.getInputStream().read();
                    } catch (java.io.IOException e) {
                        // the next one
                    }
                }
            });
            String rest = "://127.0.0.1:" + listener.getLocalPort() + "/";
            Ended clear = fettle("bench", "ws" + rest, "-c", "1", "-n", "2");
            assertThat(clear.code).isEqualTo(1);
            assertThat(clear.err)
                    .contains("cannot load ws" + rest.substring(0, rest.length() - 1))
                    .contains("an SSH server");
            Ended secure = fettle("bench", "WSS" + rest, "-c", "1", "-n", "2");
            assertThat(secure.code).isEqualTo(1);
            assertThat(secure.err).contains("no TLS there");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ws://127.0.0.1:1/ -X POST|leave out -X",
                "ws://127.0.0.1:1/ --form a=b|leave out -X, --form",
                "ws://127.0.0.1:1/ --status 404|--status",
                "ws://127.0.0.1:1/ --http2|opened over HTTP/1.1",
                "ws://127.0.0.1:1/ --streams 2|--pipeline",
                "ws://127.0.0.1:1/ --insecure|wss://",
                "ws://127.0.0.1:1/ --expect-echo --contains x|leave it out, or --contains",
                "ws://127.0.0.1:1/ --expect-echo --scenario x|leave out --expect-echo",
                "ws://127.0.0.1:1/ -H Sec-WebSocket-Key:x|Sec-WebSocket-Key follows from the opening",
                "ws://192.0.2.1/|--own-host 192.0.2.1",
                "http://127.0.0.1:1/ --binary|must begin with ws://",
                "http://127.0.0.1:1/ --expect-echo|must begin with ws://",
                "http://127.0.0.1:1/ --subprotocol x|must begin with ws://",
                "wsx://127.0.0.1:1/|ws://"
            })
    void mistakesAreOneLineWithWhatWouldBeRight(String arguments, String words) {
        Ended e = fettle(("bench " + arguments).split(" "));
        assertThat(e.code).as(e.err).isEqualTo(2);
        assertThat(e.err).startsWith("fettle: ").contains(words).doesNotContain("Exception");
        assertThat(e.err.lines().filter(line -> line.startsWith("fettle: "))).hasSize(1);
    }
}
