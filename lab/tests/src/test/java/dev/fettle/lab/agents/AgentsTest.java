package dev.fettle.lab.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.WarmUp;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.SenderState;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents in processes of their own, which send one load together, and what comes of it when one of them, or their controller, goes. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class AgentsTest {
    /** A clock that is five seconds behind. */
    private static final Clock SLOW = new Clock() {
        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public long nanos() {
            return System.nanoTime() - 5_000_000_000L;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    };

    @TempDir
    Path folder;

    private final AtomicLong requests = new AtomicLong();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final List<Process> processes = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            asked.add(exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        processes.forEach(Process::destroyForcibly);
    }

    private synchronized Process program() throws LabException {
        try {
            return started();
        } catch (IOException e) {
            throw new LabException("no agent", e);
        }
    }

    private Process started() throws IOException {
        Process process = Fixtures.java(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"), AgentProgram.class)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    private Agents agents(int count, Clock clock) throws Exception {
        return Agents.start(
                clock,
                IntStream.rangeClosed(1, count)
                        .<Agents.Connecting>mapToObj(i -> () -> link("gen-" + i, clock))
                        .toList());
    }

    private AgentLink link(String name, Clock clock) throws LabException {
        Process process = program();
        return new AgentLink(name, clock, process.getInputStream(), process.getOutputStream(), () -> "", () -> {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // it has ended
            }
        });
    }

    private LoadPort.Order order(Load load, OptionalLong requestsAtMost) {
        return new LoadPort.Order(
                load, server.getAddress(), requestsAtMost, Duration.ofMinutes(2), Duration.ofSeconds(5), Set.of());
    }

    private static Load load(int connections) {
        return Fixtures.patient(connections, "ok");
    }

    private static Window awaited(LoadRun run) throws InterruptedException {
        var windows = new ArrayList<Window>();
        while (!run.awaitDone(Duration.ofMillis(300))) {
            windows.add(run.takeWindow());
        }
        windows.add(run.takeWindow());
        return Window.merge(windows);
    }

    @Test
    void threeSendOneLoad() throws Exception {
        try (Agents agents = agents(3, SLOW)) {
            LoadPort.Order order = order(load(7), OptionalLong.of(2_000));
            assertThat(agents.rehearse(order, WarmUp.REHEARSAL).time()).isPositive();
            assertThat(requests).hasValue(0);
            assertThat(agents.compiledNanos()).isPositive();
            long begun = SLOW.nanos();
            Window all;
            try (LoadRun run = agents.start(order)) {
                all = awaited(run);
                assertThat(run.failure()).isEmpty();
                assertThat(run.senders()).hasSize(3).allMatch(s -> s.lost().isEmpty());
            }
            assertThat(all.responses()).isEqualTo(2_000).isEqualTo(requests.get());
            assertThat(all.failed()).isZero();
            assertThat(all.latency().getTotalCount()).isEqualTo(2_000);
            assertThat(all.connect().getTotalCount()).isEqualTo(7);
            assertThat(all.senders()).extracting(s -> s.responses()).containsExactly(667L, 667L, 666L);
            assertThat(all.startNanos()).as("by this side's clock").isBetween(begun, SLOW.nanos());
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void aClockThatIsOffIsFoundWithinItsError() throws Exception {
        try (Agents agents = agents(1, Clock.SYSTEM)) {
            assertThat(agents.names()).containsExactly("gen-1");
        }
        Process process = program();
        try (var link = new AgentLink(
                "gen-1", SLOW, process.getInputStream(), process.getOutputStream(), () -> "", process::destroy)) {
            AgentLink.Offset first = link.offset();
            assertThat(Math.abs(first.aheadNanos() - 5_000_000_000L)).isLessThanOrEqualTo(first.errorNanos());
            assertThat(first.movedUntil(link.offset())).isZero();
            assertThat(first.movedUntil(new AgentLink.Offset(first.aheadNanos() + 1_000_000_000, 10)))
                    .isEqualTo(1_000_000_000 - 10 - first.errorNanos());
        }
    }

    @Test
    void whatAFileHasIsSentToo() throws Exception {
        Path names = Files.writeString(folder.resolve("names.csv"), "name\nann\nbob\ncleo\ndan\n");
        var step = new Scenario.Step(
                "a",
                "GET",
                "/${name}",
                Map.of(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                List.of(),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                false);
        var scenario = new Scenario(
                List.of(new Scenario.Flow("f", 1, List.of(step))),
                List.of(new Scenario.Data(names.toString(), Scenario.Order.SEQUENTIAL)),
                Map.of(),
                true,
                1);
        try (Agents agents = agents(2, Clock.SYSTEM);
                LoadRun run = agents.start(order(load(2).withScenario(scenario), OptionalLong.of(4)))) {
            assertThat(awaited(run).responses()).isEqualTo(4);
        }
        assertThat(asked).containsExactlyInAnyOrder("/ann", "/bob", "/cleo", "/dan");
    }

    @Test
    void oneThatIsKilledIsLostAndTheOthersEnd() throws Exception {
        Load open = load(20).withArrivals(Arrivals.Open.constant(200));
        LoadPort.Order order = order(open, OptionalLong.empty());
        try (Agents agents = agents(2, Clock.SYSTEM);
                LoadRun run = agents.start(order)) {
            var windows = new ArrayList<Window>();
            while (windows.isEmpty() || windows.getLast().responses() == 0) {
                run.awaitDone(Duration.ofMillis(200));
                windows.add(run.takeWindow());
            }
            processes.getLast().destroyForcibly().waitFor();
            while (!run.awaitDone(Duration.ofMillis(100))) {
                assertThat(run.takeWindow()).isNotNull();
            }
            windows.add(run.takeWindow());
            assertThat(run.senders())
                    .extracting(SenderState::lost)
                    .filteredOn(String::isEmpty)
                    .hasSize(1);
            Window last = run.takeWindow();
            assertThat(last.senders()).hasSize(2);
            try (LoadRun next = agents.start(order(load(4), OptionalLong.of(100)))) {
                assertThat(awaited(next).responses()).as("with all there again").isEqualTo(100);
                assertThat(next.senders()).hasSize(2).allMatch(a -> a.lost().isEmpty());
            }
        }
    }

    /** It is killed once it has used CPU time for its warm-up; after that all are there again. */
    @Test
    void oneThatIsKilledWhileItWarmsUpIsLost() throws Exception {
        LoadPort.Order order = order(load(4), OptionalLong.of(100));
        try (Agents agents = agents(2, Clock.SYSTEM)) {
            ProcessHandle last = processes.getLast().toHandle();
            Duration before = cpu(last);
            var warmed = CompletableFuture.supplyAsync(
                    () -> agents.rehearse(order, WarmUp.REHEARSAL), Thread::startVirtualThread);
            while (!warmed.isDone() && cpu(last).minus(before).toMillis() < 300) {
                Thread.sleep(20);
            }
            last.destroyForcibly();
            assertThatThrownBy(warmed::join)
                    .hasCauseInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("was lost");
            assertThat(agents.isAnyLost()).isTrue();
            try (LoadRun run = agents.start(order)) {
                assertThat(awaited(run).responses()).isEqualTo(100);
            }
            assertThat(agents.isAnyLost()).isFalse();
        }
    }

    private static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Test
    void whoWaitsForAWarmUpCanBeInterrupted() throws Exception {
        try (Agents agents = agents(1, Clock.SYSTEM)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> agents.rehearse(order(load(1), OptionalLong.of(1)), WarmUp.REHEARSAL))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void whatALostOneShouldHaveSentIsUnsent() {
        Load open = load(20).withArrivals(Arrivals.Open.constant(200));
        var part = new UnsentPart(order(open, OptionalLong.empty()), 1, 2);
        part.seen(1_000_000_000L);
        Window missed = part.since(3_000_000_000L, 99, 2);
        assertThat(missed.unsent()).isEqualTo(200).isEqualTo(missed.due());
        assertThat(part.since(3_000_000_000L, 99, 2).unsent()).isZero();
    }

    @Test
    void aLoadOfOneConnectionIsSentByOne() throws Exception {
        try (Agents agents = agents(2, Clock.SYSTEM);
                LoadRun run = agents.start(order(load(1), OptionalLong.of(20)))) {
            assertThat(awaited(run).responses()).isEqualTo(20);
            assertThat(run.senders()).hasSize(1);
        }
    }

    @Test
    void aLoadThatCantBeSentIsRefusedThere() throws Exception {
        Load impossible = load(2).withWire(load(2).wire().withSources(List.of("::1")));
        try (Agents agents = agents(2, Clock.SYSTEM)) {
            assertThatThrownBy(() -> agents.start(order(impossible, OptionalLong.empty())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("IPv6");
        }
    }

    /** A controller that says nothing any more, but whose connection stays open: the load stops first, and then the agent ends. */
    @Test
    void aSilentControllerEndsTheLoadAndThenTheAgent() throws Exception {
        Process process = program();
        var frames = new Frames(process.getInputStream(), process.getOutputStream());
        frames.write(1, new Ask.Prepare(Shipped.of(order(load(3), OptionalLong.empty()))));
        assertThat(answer(frames, 1)).isEqualTo(1);
        frames.write(2, new Ask.Begin(1, System.nanoTime() + 1_000_000));
        while (requests.get() == 0) {
            Thread.sleep(20);
        }
        Ask.State state;
        // asking is a sign of life, too: so it is asked only after the silence
        long before;
        do {
            before = requests.get();
            Thread.sleep(600);
        } while (requests.get() != before);
        frames.write(3, new Ask.HowIs(1));
        state = (Ask.State) answer(frames, 3);
        assertThat(state.connections()).isZero();
        assertThat(state.failure()).hasValueSatisfying(why -> assertThat(why).contains("1700 ms"));
        assertThat(process.waitFor()).isEqualTo(AgentProgram.SILENT);
    }

    private static Object answer(Frames frames, long number) throws IOException {
        while (true) {
            Frames.Frame frame = frames.read();
            if (frame.number() == number) {
                return frame.value();
            }
        }
    }

    @Test
    void onlyPlainDataOfOursIsRead() throws Exception {
        var order = order(load(3), OptionalLong.of(5));
        assertThat(read(written(new Ask.Prepare(Shipped.of(order)))))
                .usingRecursiveComparison()
                .isEqualTo(new Ask.Prepare(Shipped.of(order)));
        for (Object wrong : new Object[] {new Object(), new StringBuilder("x"), Thread.currentThread()}) {
            assertThatThrownBy(() -> written(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String name : List.of("java.lang.ProcessBuilder", "dev.fettle.lab.engine.LocalLoad", "dev.fettle.None")) {
            for (char tag : new char[] {'r', 'e'}) {
                var bytes = new ByteArrayOutputStream();
                var out = new DataOutputStream(bytes);
                out.writeByte(tag);
                out.writeInt(name.length());
                out.writeBytes(name);
                out.writeInt(0);
                assertThatThrownBy(() -> read(bytes.toByteArray())).isInstanceOf(IOException.class);
            }
        }
        var deep = new ByteArrayOutputStream();
        for (int i = 0; i < 100_000; i++) {
            deep.writeBytes(new byte[] {'L', 0, 0, 0, 1});
        }
        assertThatThrownBy(() -> read(deep.toByteArray())).isInstanceOf(IOException.class);
        byte[] right = written(new Ask.Prepare(Shipped.of(order)));
        for (int length = 0; length < right.length; length++) {
            byte[] cut = Arrays.copyOf(right, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class);
        }
    }

    private static byte[] written(Object value) throws IOException {
        var bytes = new ByteArrayOutputStream();
        Plain.write(new DataOutputStream(bytes), value);
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws IOException {
        return Plain.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }
}
