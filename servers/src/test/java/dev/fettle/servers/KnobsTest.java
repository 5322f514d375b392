package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.servers.settings.LaunchFailure;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnobsTest {

    /** Every knob of a server, at a value that is no server's default, is read back from the running server. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      tomcat   | threads.max=51 threads.min=7 backlog=321 connections.max=777 keepalive.timeout=12345
      tomcat   | keepalive.requests=17 queue.max=19 admission.max=5 tcp.nodelay=false buffers.direct=true
      tomcat   | client.rate=500 compression=true http2=true request.header.max=10240
      undertow | compression=true compression.min=100 http2=true request.header.max=10240
      tomcat   | connections.max=-1 keepalive.requests=-1 keepalive.timeout=-1
      jetty    | threads.max=51 threads.min=7 threads.acceptors=2 threads.selectors=3 threads.reserved=4
      jetty    | backlog=321 connections.max=777 keepalive.timeout=12345 tcp.nodelay=false buffers.direct=false
      jetty    | admission.max=5 admission.queue=6 client.threads=7 compression=true http2=true
      jetty    | threads.acceptors=0 threads.reserved=0 connections.max=-1
      jetty    | lowresources.idle=2345
      jetty    | lowresources.memory=3145728000
      undertow | threads.max=51 threads.min=7 threads.selectors=3 backlog=321 connections.max=777
      undertow | keepalive.timeout=12345 queue.max=19 admission.max=5 admission.queue=6
      undertow | tcp.nodelay=false buffers.direct=false
      undertow | connections.max=-1 keepalive.timeout=-1 threads.max=5
      """)
    void aSettingTakesEffect(String server, String settings) throws Exception {
        String[] knobs = settings.split(" ");
        String[] args = new String[knobs.length + 2];
        args[0] = "server=" + server;
        args[1] = "app=hello";
        System.arraycopy(knobs, 0, args, 2, knobs.length);
        try (Running running = Running.start(args)) {
            Map<String, ?> effective = running.effective();
            for (String knob : knobs) {
                String[] pair = knob.split("=");
                assertThat(effective.get(pair[0])).as(knob).hasToString(pair[1]);
            }
            assertThat(running.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theDefaultsAreTheServersOwn() throws Exception {
        assertThat(defaults("tomcat"))
                .containsEntry("threads.max", 200)
                .containsEntry("threads.min", 10)
                .containsEntry("backlog", 100)
                .containsEntry("connections.max", 8192)
                .containsEntry("keepalive.requests", 100)
                .containsEntry("queue.max", Integer.MAX_VALUE)
                .containsEntry("threads.virtual", false)
                .containsEntry("admission.max", null);
        assertThat(defaults("jetty"))
                .containsEntry("threads.max", 200)
                .containsEntry("threads.min", 8)
                .containsEntry("backlog", 0)
                .containsEntry("keepalive.timeout", 30_000L)
                .containsEntry("connections.max", -1)
                .containsEntry("threads.acceptors", 1);
        int io = Math.max(2, Runtime.getRuntime().availableProcessors());
        assertThat(defaults("undertow"))
                .containsEntry("threads.selectors", io)
                .containsEntry("threads.max", io * 8)
                .containsEntry("backlog", 1000)
                .containsEntry("keepalive.timeout", 60_000)
                .containsEntry("connections.max", -1)
                .containsEntry("tcp.nodelay", true);
    }

    private static Map<String, Object> defaults(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello")) {
            return new HashMap<>(running.effective());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tomcat, threads.selectors=2, one poller",
        "tomcat, threads.acceptors=2, use backlog",
        "tomcat, threads.reserved=2, threads.min",
        "tomcat, admission.max=2 admission.queue=2, use admission.max alone",
        "jetty, keepalive.requests=5, never closes",
        "jetty, queue.max=5, admission.queue",
        "undertow, keepalive.requests=5, never closes",
        "undertow, threads.acceptors=2, threads.selectors",
        "undertow, threads.reserved=2, threads.min",
        "undertow, admission.max=2 admission.queue=0, unlimited",
    })
    void aKnobThatTheServerDoesNotHaveIsRefusedWithAdvice(String server, String knobs, String advice) {
        String[] args = ("server=" + server + " app=hello " + knobs).split(" ");
        assertThatThrownBy(() -> Running.start(args).close()).isInstanceOfSatisfying(LaunchFailure.class, failure -> {
            assertThat(failure.exitCode()).isEqualTo(LaunchFailure.BAD_ARGUMENT);
            assertThat(failure.reason()).contains(advice).containsIgnoringCase(server);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "threads.max=0, at least 1",
        "threads.max=many, whole number",
        "threads.max=99999999999, at most 20000",
        "backlog=-1, at least 1",
        "connections.max=-2, or -1 for no limit",
        "tcp.nodelay=yes, true or false",
        "threads.max=5 threads.min=6, above threads.max",
        "admission.queue=5, admission.max",
        "threads.maximum=5, unknown key",
        "threads.max=5 threads.max=6, twice",
        "host, key=value",
        "port=70000, 0 to 65535",
        "app.cpu=1ms, unknown option",
    })
    void nonsenseIsABadArgument(String args, String reason) {
        assertThatThrownBy(() -> Running.start(("server=jetty app=hello " + args).split(" "))
                        .close())
                .isInstanceOfSatisfying(LaunchFailure.class, failure -> {
                    assertThat(failure.exitCode()).isEqualTo(LaunchFailure.BAD_ARGUMENT);
                    assertThat(failure.reason()).contains(reason);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsServe(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello", "threads.virtual=true")) {
            assertThat(running.effective().get("threads.virtual")).isEqualTo(true);
            assertThat(running.effective().get("threads.min")).isNull();
            assertThat(running.get("/").body()).isEqualTo("<h1>Hello World</h1>\n");
            assertThat(running.stat("workers")).as("there is no pool").isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "undertow"})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsHaveNoPoolToSize(String server) {
        assertThatThrownBy(() -> Running.start("server=" + server, "app=hello", "threads.virtual=true", "threads.max=9")
                        .close())
                .hasMessageContaining("threads.max has no effect")
                .hasMessageContaining("threads.virtual=true");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void jettysVirtualThreadsAreBounded() throws Exception {
        try (Running running = Running.start("server=jetty", "app=hello", "threads.virtual=true", "threads.max=9")) {
            assertThat(running.effective().get("threads.max")).isEqualTo(9);
            assertThat(running.get("/").statusCode()).isEqualTo(200);
        }
        assertThatThrownBy(() -> Running.start("server=jetty", "app=hello", "threads.virtual=true", "threads.max=2")
                        .close())
                .hasMessageContaining("leaves no thread for requests");
    }
}
