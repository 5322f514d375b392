package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class StatsAndLiveTest {

    /** How long a request takes: long enough that one of several rounds sees requests in flight. */
    private static final String WAIT = "app.wait=200ms";

    private static List<CompletableFuture<HttpResponse<String>>> send(Running running, int requests) {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            sent.add(Running.CLIENT.sendAsync(running.request("/").build(), HttpResponse.BodyHandlers.ofString()));
        }
        return sent;
    }

    /**
     * Sends requests together, again and again, until a condition is seen while they are in flight; returns how many.
     */
    private static int sendUntil(Running running, int together, BooleanSupplier condition) throws InterruptedException {
        int sent = 0;
        boolean seen = false;
        while (!seen) {
            var all = CompletableFuture.allOf(send(running, together).toArray(CompletableFuture[]::new));
            sent += together;
            while (!seen && !all.isDone()) {
                seen = condition.getAsBoolean();
                Thread.sleep(5);
            }
            all.join();
        }
        return sent;
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    @ParameterizedTest
    @CsvSource({"tomcat,false", "jetty,false", "undertow,false", "tomcat,true", "jetty,true", "undertow,true"})
    void requestsUnderWayAreSeen(String server, boolean virtual) throws Exception {
        try (Running running = Running.start("server=" + server, "app=work", WAIT, "threads.virtual=" + virtual)) {
            int sent = sendUntil(
                    running,
                    3,
                    () -> running.stat("busyWorkers") == 3
                            && running.stat("inFlight") == 3
                            && running.stat("connections") == 3);
            until(() -> running.stat("busyWorkers") == 0);
            assertThat(running.stat("inFlight")).isZero();
            assertThat(running.stat("requestsTotal")).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @CsvSource({"tomcat,2,2", "jetty,6,4", "undertow,2,2"})
    void whatFindsNoWorkerIsQueued(String server, int threads, int serving) throws Exception {
        List<String> args = new ArrayList<>(
                List.of("server=" + server, "app=work", WAIT, "threads.max=" + threads, "threads.min=2"));
        if (server.equals("jetty")) {
            args.addAll(List.of("threads.acceptors=1", "threads.selectors=1", "threads.reserved=0"));
        }
        try (Running running = Running.start(args.toArray(String[]::new))) {
            int sent = sendUntil(
                    running, serving + 3, () -> running.stat("queued") > 0 && running.stat("inFlight") == serving);
            assertThat(running.stat("requestsTotal")).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void poolsAreResizedWhileTheyRun(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello", "threads.max=20", "threads.min=15")) {
            running.target.set("threads.max=9");
            assertThat(running.effective().get("threads.max")).isEqualTo(9);
            assertThat((Integer) running.effective().get("threads.min")).isLessThanOrEqualTo(9);
            running.target.set("threads.max=40");
            running.target.set("threads.min=30");
            assertThat(running.effective().get("threads.max")).isEqualTo(40);
            assertThat(running.effective().get("threads.min")).isEqualTo(30);
            assertThatThrownBy(() -> running.target.set("threads.min=41")).hasMessageContaining("above threads.max=40");
            assertThat(running.effective().get("threads.min")).isEqualTo(30);
            assertThat(running.get("/").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void connectionLimitsChangeWhileTheyRun(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello", "connections.max=50")) {
            running.target.set("connections.max=70");
            assertThat(running.effective().get("connections.max")).isEqualTo(70);
            running.target.set("connections.max=30");
            assertThat(running.effective().get("connections.max")).isEqualTo(30);
            assertThat(running.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSizeBeyondTwoGibibytesIsTakenWhole() throws Exception {
        try (Running running = Running.start("server=jetty", "app=hello", "lowresources.memory=300m")) {
            running.target.set("lowresources.memory=5g");
            assertThat(running.effective().get("lowresources.memory")).isEqualTo(5L << 30);
        }
    }

    /** Its monitor then looks at memory only, not at threads as it would after a start with the knob. */
    @Test
    void jettysIdleTimeoutWhenLowIsLiveOnlyWhereItWasGiven() throws Exception {
        try (Running running = Running.start("server=jetty", "app=hello", "lowresources.memory=300m")) {
            assertThatThrownBy(() -> running.target.set("lowresources.idle=500"))
                    .hasMessageContaining("lowresources.idle cannot be changed");
        }
        try (Running running = Running.start("server=jetty", "app=hello", "lowresources.idle=400")) {
            running.target.set("lowresources.idle=500");
            assertThat(running.effective().get("lowresources.idle")).isEqualTo(500);
            assertThat(running.effective().get("lowresources.memory")).isNull();
        }
    }

    @Test
    void undertowsOwnPoolOfFixedSizeStaysOne() throws Exception {
        try (Running running = Running.start("server=undertow", "app=hello")) {
            running.target.set("threads.max=64");
            assertThat(running.effective().get("threads.min")).isEqualTo(64);
            running.target.set("threads.max=8");
            assertThat(running.effective().get("threads.min")).isEqualTo(8);
        }
    }

    @Test
    void jettyRefusesALiveMaximumBelowItsBudgetAndKeepsTheOldOne() throws Exception {
        try (Running running = Running.start("server=jetty", "app=hello", "threads.max=20")) {
            assertThatThrownBy(() -> running.target.set("threads.max=2"))
                    .hasMessageContaining("Insufficient configured threads");
            assertThat(running.effective().get("threads.max")).isEqualTo(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void admissionRejectsWith503(String server) throws Exception {
        List<String> args = new ArrayList<>(List.of("server=" + server, "app=work", WAIT, "admission.max=1"));
        if (!server.equals("tomcat")) {
            args.add("admission.queue=1");
        }
        try (Running running = Running.start(args.toArray(String[]::new))) {
            var statuses = new TreeSet<Integer>();
            while (!statuses.contains(503)) { // six at once, unless the client is slow
                send(running, 6).forEach(f -> statuses.add(f.join().statusCode()));
            }
            assertThat(statuses).containsExactly(200, 503);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void theControlPortSpeaksAndStops(String server) throws Exception {
        try (Child child = Child.start(Main.class, "server=" + server, "app=hello")) {
            assertThat(child.firstLine)
                    .startsWith("FETTLE-READY {")
                    .contains("\"server\":\"" + server + "\"")
                    .contains("\"startupMs\":")
                    .contains("\"javaVersion\":")
                    .contains("\"effective\":{");
            assertThat(child.number("pid")).isEqualTo((int) child.process.pid());
            assertThat(child.control("stats"))
                    .startsWith("{")
                    .endsWith("}")
                    .contains("\"busyWorkers\":0")
                    .contains("\"processCpuNanos\":")
                    .doesNotContain("threadStates");
            assertThat(child.control("stats threads"))
                    .contains("\"acceptor\":{\"RUNNABLE\":1}")
                    .contains("\"selector-io\":{\"RUN")
                    .contains("\"worker\":{");
            assertThat(child.control("set threads.max=44")).startsWith("ok {").contains("\"threads.max\":44");
            assertThat(child.control("set backlog=44")).startsWith("error backlog cannot be changed");
            assertThat(child.control("set threads.max=none")).startsWith("error ");
            assertThat(child.control("dance")).startsWith("error unknown question");
            assertThat(child.firstLine).doesNotContain(child.token());
            String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n";
            assertThat(child.stranger(post + "set threads.max=7\r\n")).isNull();
            assertThat(child.stranger(post + child.token() + "\nstop\r\n")).isNull();
            assertThat(child.stranger("stop\n")).isNull();
            assertThat(child.stranger("effective\n")).isNull();
            assertThat(child.control("effective")).contains("\"threads.max\":44");
            assertThat(child.control("stop")).isEqualTo("ok");
            assertThat(child.exitCode()).isZero();
        }
    }

    @Test
    void withoutAFileForItThereIsNoControlPort() throws Exception {
        try (Running running = Running.start("server=tomcat", "app=hello")) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(t -> t.getName().startsWith("fettle-control"));
            assertThat(running.target.ready()).doesNotContainKey("controlPort");
        }
    }

    @Test
    void theEndOfItsInputEndsTheProcess() throws Exception {
        try (Child child = Child.start(Main.class, "server=undertow", "app=hello")) {
            child.process.getOutputStream().close();
            assertThat(child.exitCode()).isZero();
        }
    }
}
