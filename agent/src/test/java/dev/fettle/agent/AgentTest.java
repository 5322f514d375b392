package dev.fettle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent's jar in other JVMs, with servers that know nothing of it. */
@Timeout(120)
class AgentTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private Child start(String kind) throws IOException {
        return start(Child.THIS_JAVA, kind);
    }

    private Child start(Path java, String kind) throws IOException {
        return Child.start(java, kind, folder.resolve("agent.control"), folder.resolve("errors"));
    }

    private static final List<String> SEEN_AT_WORK = List.of("tomcat", "tomcat-executor", "jetty", "undertow");

    /** The agent reports what the server's own API was given, and who is at work, on the oldest Java the servers run on and on this one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      17 | tomcat          | threads.max=37 threads.min=3 backlog=321 connections.max=777 keepalive.timeout=12345
      25 | tomcat          | keepalive.requests=17 queue.max=19 admission.max=9 tcp.receive.buffer=65536 http2=false \
                             threads.virtual=false client.rate=null tcp.nodelay=true compression=false
      25 | tomcat-executor | threads.max=23 threads.min=2 queue.max=29 connections.max=777
      25 | tomcat-virtual  | threads.virtual=true threads.max=null queue.max=null backlog=321
      25 | tomcat-tasks-virtual | threads.virtual=true threads.max=null queue.max=null
      25 | tomcat-jdk      | threads.virtual=false threads.max=13 queue.max=8 connections.max=777
      25 | tomcat-unknown  | threads.virtual=null threads.max=null queue.max=null connections.max=777
      17 | jetty           | threads.max=41 threads.min=5 threads.idle=45678 threads.acceptors=1 threads.selectors=2
      25 | jetty           | threads.virtual=false connections.max=777 keepalive.timeout=12345 admission.max=9 \
                             connections.rate=null admission.wait=null compression=false http2=false tcp.nodelay=true \
                             lowresources.idle=null lowresources.memory=null
      25 | jetty-virtual   | threads.virtual=true threads.max=51 threads.min=null lowresources.idle=1000
      17 | undertow        | threads.max=29 threads.min=29 threads.selectors=3 connections.max=777
      25 | undertow        | keepalive.timeout=12345 buffers.size=4096 tcp.nodelay=true backlog=null
      """)
    void knobValuesInForce(int release, String kind, String knobs) throws Exception {
        Optional<Path> java =
                Runtime.version().feature() == release ? Optional.of(Child.THIS_JAVA) : Child.java(release);
        assumeTrue(java.isPresent(), "no Java " + release + " here");
        try (Child child = start(java.get(), kind)) {
            int port = child.ports.get(0);
            String about = child.ask("about " + port);
            assertThat(Child.field(about, "server")).isEqualTo(kind.replaceFirst("-.*", ""));
            assertThat(Child.field(about, "serverVersion")).containsPattern("(Tomcat|Jetty|Undertow)/[0-9]+\\.");
            assertThat(Child.field(about, "javaVersion")).startsWith(Integer.toString(release));
            assertThat(Child.field(about, "port")).isEqualTo(Integer.toString(port));
            String effective = child.ask("effective " + port);
            for (String knob : knobs.split(" +")) {
                String[] pair = knob.split("=");
                assertThat(Child.field(effective, pair[0])).as(knob).isEqualTo(pair[1]);
            }
            boolean pool = !kind.endsWith("-virtual")
                    && !List.of("tomcat-unknown", "tomcat-jdk").contains(kind);
            assertThat(about.contains("\"threads.max\"")).as(about).isEqualTo(pool);
            if (release == 25 && SEEN_AT_WORK.contains(kind)) {
                workersAreSeenAtWork(child, port);
            }
            setWhileItRuns(child, port, pool);
        }
    }

    private static void setWhileItRuns(Child child, int port, boolean pool) throws IOException {
        assertThat(child.ask("set " + port + " backlog=7")).startsWith("error backlog cannot be changed");
        if (pool) {
            assertThat(Child.field(child.ask("set " + port + " threads.max=301"), "threads.max"))
                    .isEqualTo("301");
            assertThat(child.ask("set " + port + " threads.max=0")).startsWith("error threads.max=0: a whole number");
        } else {
            assertThat(child.ask("set " + port + " threads.max=301")).startsWith("error threads.max cannot be changed");
        }
    }

    private static void workersAreSeenAtWork(Child child, int port) throws IOException {
        assertThat(Child.field(child.ask("stats " + port), "connections")).isEqualTo("0");
        String busy = threeAtWork(child, port);
        assertThat(Integer.parseInt(Child.field(busy, "workers"))).isGreaterThanOrEqualTo(3);
        assertThat(Child.field(busy, "queued")).isEqualTo("0");
        assertThat(Child.field(busy, "gcMillis")).matches("[0-9]+");
    }

    /** What the agent says while three requests are under way: on a busy machine not the first three that are sent. */
    private static String threeAtWork(Child child, int port) throws IOException {
        String seen = "";
        for (int round = 0; round < 20; round++) {
            try (Socket one = request(port);
                    Socket two = request(port);
                    Socket three = request(port)) {
                List<Socket> sent = List.of(one, two, three);
                boolean atWork = false;
                while (!atWork && !areAnswered(sent)) {
                    seen = child.ask("stats " + port);
                    atWork = Child.field(seen, "busyWorkers").equals("3")
                            && Child.field(seen, "connections").equals("3");
                }
                for (Socket socket : sent) {
                    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                            .startsWith("HTTP/1.1 200");
                }
                if (atWork) {
                    return seen;
                }
            }
        }
        throw new AssertionError("never seen at work: " + seen);
    }

    private static Socket request(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static boolean areAnswered(List<Socket> sent) throws IOException {
        for (Socket socket : sent) {
            if (socket.getInputStream().available() == 0) {
                return false;
            }
        }
        return true;
    }

    private static CompletableFuture<HttpResponse<String>> send(int port) {
        return HTTP.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Of two connectors it is the one asked for; a caller with the token is answered, and one without it hurts nobody. */
    @Test
    void whatIsAskedIsAnsweredAndHostileQuestionsHurtNeitherTheAgentNorTheServer() throws Exception {
        try (Child child = start("tomcat")) {
            ofTwoConnectorsTheOneAskedFor(child);
            hostileQuestionsHurtNothing(child);
        }
    }

    private static void ofTwoConnectorsTheOneAskedFor(Child child) throws IOException {
        assertThat(Child.field(child.ask("effective " + child.ports.get(1)), "threads.max"))
                .isEqualTo("11");
        assertThat(Child.field(child.ask("effective " + child.ports.get(0)), "threads.max"))
                .isEqualTo("37");
        assertThat(Child.field(child.ask("about"), "port"))
                .isIn(child.ports.stream().map(String::valueOf).toList());
        assertThat(child.ask("effective 1"))
                .startsWith("error none of the servers in this JVM listens on port 1")
                .contains("tomcat on " + child.ports.get(1));
    }

    @Test
    void withoutAServerItSaysSoAndDoesNotKeepTheJvm() throws Exception {
        try (Child child = start("none")) {
            assertThat(child.ask("about 8080")).isEqualTo("error no Tomcat, Jetty or Undertow found in this JVM");
            assertThat(child.ask("effective")).startsWith("error no Tomcat");
            assertThat(Child.field(child.ask("stats"), "busyWorkers")).isEqualTo("null");
            assertThat(Child.field(child.ask("stats"), "heapUsed")).matches("[0-9]+");
            child.process.getOutputStream().close();
            assertThat(child.exitCode()).isZero();
            assertThat(child.output.readLine()).as("nothing on standard output").isNull();
            assertThat(folder.resolve("errors")).isEmptyFile();
        }
    }

    @Test
    void whereItCanNotLeaveItsPortTheServerRunsAllTheSame() throws Exception {
        Path nowhere = folder.resolve("no/such/folder/agent.control");
        try (Child child = Child.start(Child.THIS_JAVA, "none", nowhere, folder.resolve("errors"))) {
            child.process.getOutputStream().close();
            assertThat(child.exitCode()).isZero();
            assertThat(Files.readString(folder.resolve("errors")))
                    .startsWith("fettle-agent: could not start: ")
                    .contains("no/such/folder")
                    .hasLineCount(1);
        }
    }

    private static void hostileQuestionsHurtNothing(Child child) throws IOException {
        for (String question : List.of(
                "",
                " ",
                "set threads.max=1",
                "stop",
                "effective 99999999999999999999",
                "about -1",
                "about 8080 8081",
                "stats \u0000\u0001",
                "GET / HTTP/1.1",
                "effective ../../etc/passwd",
                "x".repeat(5_000))) {
            assertThat(child.ask(question)).as(question).startsWith("error ");
        }
        List<Socket> many = new ArrayList<>();
        String post = "POST / HTTP/1.1\r\nHost: x\r\n\r\nset " + child.ports.get(0) + " threads.max=7\r\n";
        for (int i = 0; i < 100; i++) {
            Socket socket = new Socket("127.0.0.1", child.controlPort());
            socket.getOutputStream().write((i % 2 == 0 ? post : "").getBytes(StandardCharsets.UTF_8));
            many.add(socket);
        }
        assertThat(child.ask("about")).startsWith("ok {\"server\":\"tomcat\"");
        String effective = child.ask("effective " + child.ports.get(0));
        assertThat(Child.field(effective, "threads.max")).isEqualTo("37");
        assertThat(send(child.ports.get(0)).join().body()).isEqualTo("fine\n");
        for (Socket socket : many) {
            socket.close();
        }
    }

    @Test
    void noServersClassIsInItsJar() throws Exception {
        try (var jar =
                new java.util.jar.JarFile(Path.of("build/fettle-agent.jar").toFile())) {
            Stream<String> classes = jar.stream().map(e -> e.getName()).filter(name -> name.endsWith(".class"));
            assertThat(classes).isNotEmpty().allMatch(name -> name.startsWith("dev/fettle/agent/"));
            assertThat(jar.getManifest().getMainAttributes().getValue("Can-Retransform-Classes"))
                    .as("it changes no class")
                    .isNull();
        }
    }
}
