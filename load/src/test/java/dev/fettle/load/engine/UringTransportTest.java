package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.NioTransport;
import dev.fettle.load.transport.RawTransports;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import dev.fettle.load.transport.UringTransport;
import dev.fettle.load.transport.uring.RingKit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What is the ring's own among the transports; what they have in common is tested through the engine. */
@Timeout(120)
@Isolated("counts the descriptors of this JVM")
class UringTransportTest {

    private static final long SECOND = 1_000_000_000L;

    @BeforeEach
    void needsIoUring() {
        Optional<String> refusal = RingKit.tryOut(UringTransport.SIZES);
        assumeTrue(refusal.isEmpty(), () -> "no io_uring here: " + refusal.orElse(""));
    }

    @Test
    void manyBytesForManyLinksComeThroughAFewSmallBuffers() throws Exception {
        byte[] much = new byte[300_000];
        for (int i = 0; i < much.length; i++) {
            much[i] = (byte) (i * 31 + i / 251);
        }
        try (Server server = new Server(socket -> {
                    socket.getOutputStream().write(much);
                });
                Driven driven = new Driven(server.address(), new RingKit.Sizes(8, 8, 2, 512))) {
            List<Collecting> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(new Collecting(driven));
            }
            driven.until(() -> all.stream().allMatch(one -> one.ended));
            assertThat(all).allSatisfy(one -> assertThat(one.bytes).isEqualTo(much));
        }
    }

    @Test
    void whatComesForAClosedConnectionReachesNoLaterOne() throws Exception {
        AtomicInteger numbers = new AtomicInteger();
        try (Server server = new Server(socket -> {
                    byte[] mine = new byte[50_000];
                    Arrays.fill(mine, (byte) numbers.incrementAndGet());
                    while (true) {
                        socket.getOutputStream().write(mine);
                    }
                });
                Driven driven = new Driven(server.address(), new RingKit.Sizes(64, 256, 8, 1024))) {
            long before = Descriptors.open();
            List<Reconnecting> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(new Reconnecting(driven, 250));
            }
            driven.until(() -> all.stream().allMatch(one -> one.left == 0));
            driven.poll();
            assertThat(all).allSatisfy(one -> assertThat(one.mixed).isZero());
            assertThat(driven.transport.openLinks()).isZero();
            server.awaitNoClients();
            Descriptors.awaitNoMoreThan(before);
        }
    }

    @Test
    void closingGivesBackDescriptorsAndMemoryInTheMidstOfEverything() throws Exception {
        try (Server server = new Server(socket -> {
            byte[] some = new byte[50_000];
            while (true) {
                socket.getOutputStream().write(some);
            }
        })) {
            run(server, 1); // whatever the JDK opens once and keeps
            server.awaitNoClients();
            long descriptors = Descriptors.open();
            long mappings = ringMappings();
            for (int i = 0; i < 20; i++) {
                run(server, 10);
            }
            server.awaitNoClients();
            Descriptors.awaitNoMoreThan(descriptors);
            assertThat(ringMappings()).isEqualTo(mappings).isZero();
        }
    }

    private static void run(Server server, int links) throws Exception {
        try (Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            List<Collecting> all = new ArrayList<>();
            for (int i = 0; i < links; i++) {
                all.add(new Collecting(driven));
            }
            driven.until(() -> all.stream().allMatch(one -> one.bytes.length > 0));
            // one that is still connecting, and one whose bytes nobody takes
            driven.transport.newLink(new Collecting(driven)).connect();
            all.getFirst().link.send(ByteBuffer.allocateDirect(16 << 20));
        }
    }

    @Test
    void aLargeSendGoesOutWholeAndItsEndIsTold() throws Exception {
        byte[] much = new byte[8 << 20];
        for (int i = 0; i < much.length; i++) {
            much[i] = (byte) (i >> 12);
        }
        try (Server server = new Server(socket -> {
                    byte[] came = socket.getInputStream().readNBytes(much.length);
                    socket.getOutputStream().write(Arrays.equals(came, much) ? 1 : 2);
                });
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            Collecting one = new Collecting(driven);
            driven.until(() -> one.connected);
            ByteBuffer bytes = ByteBuffer.allocateDirect(much.length + 10).put(10, much);
            one.link.send(bytes.position(10));
            assertThat(one.link.sending()).isTrue();
            assertThatThrownBy(() -> one.link.send(ByteBuffer.allocateDirect(1)))
                    .isInstanceOf(IllegalStateException.class);
            driven.until(() -> one.bytes.length == 1);
            assertThat(one.bytes).containsExactly(1);
            assertThat(one.sent).isEqualTo(1);
            assertThat(one.link.sending()).isFalse();
        }
    }

    @Test
    void theEndOfASendIsToldBeforeTheAnswerToIt() throws Exception {
        try (Server server = new Server(socket -> {
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream();
                    byte[] buffer = new byte[64];
                    for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                        out.write(buffer, 0, count);
                    }
                });
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            List<PingPong> all = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                all.add(new PingPong(driven, 500));
            }
            driven.until(() -> all.stream().allMatch(one -> one.left == 0));
            assertThat(all).allSatisfy(one -> assertThat(one.early).isZero());
        }
    }

    @Test
    void whatCameBeforeASendFailedIsToldFirst() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        try (Server server = new Server(socket -> {
                    while (full.getCount() > 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    socket.getOutputStream().write("no".getBytes(StandardCharsets.US_ASCII));
                    // and closes with much that it has not read, which resets the connection
                });
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            Collecting one = new Collecting(driven);
            driven.until(() -> one.connected);
            ByteBuffer piece = ByteBuffer.allocateDirect(1024);
            while (!one.link.sending()) {
                one.link.send(piece.clear());
                driven.transport.poll(0);
            }
            full.countDown();
            server.awaitNoClients();
            driven.until(() -> one.broke != null);
            assertThat(one.bytes).asString(StandardCharsets.US_ASCII).isEqualTo("no");
            assertThat(one.broke).startsWith("RESET: ");
            assertThat(one.link.sending()).isFalse();
        }
    }

    @Test
    void lastWordsBeforeAClosingGoOut() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (Server server = new Server(socket -> {
                    byte[] all = socket.getInputStream().readAllBytes();
                    if (new String(all, StandardCharsets.US_ASCII).equals("farewell")) {
                        heard.countDown();
                    }
                });
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            Collecting one = new Collecting(driven);
            driven.until(() -> one.connected);
            ByteBuffer words = ByteBuffer.allocateDirect(8).put("farewell".getBytes(StandardCharsets.US_ASCII));
            one.link.send(words.flip());
            one.link.close();
            words.put(0, (byte) 'F');
            driven.poll();
            heard.await();
        }
    }

    @Test
    void aWakeupEndsTheWaitThatIsOnOrTheNextOne() throws Exception {
        try (Server server = new Server(socket -> {});
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            driven.transport.wakeup();
            driven.transport.poll(Long.MAX_VALUE);
            for (int i = 0; i < 50; i++) {
                Thread other = Thread.ofVirtual().start(driven.transport::wakeup);
                driven.transport.poll(Long.MAX_VALUE);
                other.join();
            }
            driven.transport.close();
            driven.transport.wakeup();
        }
    }

    @Test
    void failuresAreOfTheKindsThatNioGives() throws Exception {
        try (RefusedAddress nobody = new RefusedAddress()) {
            assertThat(failure(nobody.get(), List.of())).isEqualTo("REFUSED: Connection refused");
            InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
            assertThat(failure(nobody.get(), List.of(elsewhere))).isEqualTo("OTHER: Cannot assign requested address");
        }
        try (Server server = new Server(socket -> {
            socket.setSoLinger(true, 0);
        })) {
            assertThat(failure(server.address(), List.of())).isEqualTo("RESET: Connection reset by peer");
        }
    }

    private static String failure(InetSocketAddress address, List<InetAddress> sources) throws Exception {
        try (Driven driven = new Driven(address, sources, UringTransport.SIZES)) {
            Collecting one = new Collecting(driven);
            driven.until(() -> one.broke != null);
            assertThat(driven.transport.openLinks()).isZero();
            return String.valueOf(one.broke);
        }
    }

    @Test
    void connectsFromTheSourcesInTurnAndToVersionSix() throws Exception {
        Set<InetAddress> seen = ConcurrentHashMap.newKeySet();
        List<InetAddress> sources = List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.3"));
        try (Server server = new Server(socket -> {
                    seen.add(socket.getInetAddress());
                });
                Driven driven = new Driven(server.address(), sources, UringTransport.SIZES)) {
            List<Collecting> all = List.of(new Collecting(driven), new Collecting(driven), new Collecting(driven));
            driven.until(() -> all.stream().allMatch(one -> one.ended));
            assertThat(seen).containsExactlyInAnyOrderElementsOf(sources);
        }
        InetAddress six = InetAddress.getByName("::1");
        try (Server server = new Server(six, socket -> {
                    socket.getOutputStream().write(6);
                });
                Driven driven = new Driven(server.address(), UringTransport.SIZES)) {
            Collecting one = new Collecting(driven);
            driven.until(() -> one.ended);
            assertThat(one.bytes).containsExactly(6);
        } catch (SocketException e) {
            assumeTrue(false, "this host has no IPv6: " + e.getMessage());
        }
    }

    @Test
    void isWhatALoadGetsOrTheReasonWhyNot() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            LoadSpecBuilder spec = LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .maxRequests(10)
                    .maxDuration(Duration.ofSeconds(60));
            for (TransportKind kind : TransportKind.values()) {
                String expected = kind == TransportKind.NIO ? "transport: NIO" : "transport: io_uring";
                LoadSpec load = spec.wire(Wire.PLAIN.withTransport(kind)).build();
                try (LoadRun run = LoadEngine.start(load)) {
                    assertThat(run.awaitDone(Duration.ofSeconds(60))).isTrue();
                    assertThat(run.takeWindow().responses()).isEqualTo(10);
                    assertThat(run.notes()).containsExactly(expected);
                }
            }
            Optional<String> refusal = Optional.of("io_uring_setup: Operation not permitted");
            LoadSpec auto = spec.wire(Wire.PLAIN).build();
            TransportFactory fallback = RawTransports.of(auto, refusal);
            assertThat(fallback.note())
                    .isEqualTo("transport: NIO, for io_uring is not to be had here: " + refusal.get());
            try (Transport transport = fallback.open(recorder(), clock(), new Budget(1 << 20))) {
                assertThat(transport).isInstanceOf(NioTransport.class);
            }
            LoadSpec insisting =
                    spec.wire(Wire.PLAIN.withTransport(TransportKind.IO_URING)).build();
            assertThatThrownBy(() -> RawTransports.of(insisting, refusal))
                    .isInstanceOf(IOException.class)
                    .hasMessage("io_uring is not to be had here, the other transport is NIO: " + refusal.get());
        }
    }

    private static Recorder recorder() {
        return new Recorder(() -> 0, 1, n -> 0, n -> n);
    }

    private static LoopClock clock() {
        return new LoopClock(System::nanoTime);
    }

    private static long ringMappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("io_uring")).count();
        }
    }

    /** A transport and the thread that polls it: the test's. */
    private static final class Driven implements AutoCloseable {
        private final UringTransport transport;

        Driven(InetSocketAddress address, RingKit.Sizes sizes) throws IOException {
            this(address, List.of(), sizes);
        }

        Driven(InetSocketAddress address, List<InetAddress> sources, RingKit.Sizes sizes) throws IOException {
            transport = new UringTransport(address, sources, RingKit.open(sizes), recorder(), clock());
        }

        void poll() throws IOException {
            transport.poll(SECOND / 10);
        }

        void until(BooleanSupplier done) throws IOException {
            while (!done.getAsBoolean()) {
                poll();
            }
        }

        @Override
        public void close() {
            transport.close();
            assertThat(transport.underWay()).isZero();
        }
    }

    /** Keeps what comes, up to a megabyte. */
    private static class Collecting implements Transport.Handler {
        final Transport.Link link;
        byte[] bytes = new byte[0];
        boolean connected;
        boolean ended;
        int sent;
        String broke;

        Collecting(Driven driven) {
            link = driven.transport.newLink(this);
            link.connect();
        }

        @Override
        public void connected() {
            connected = true;
        }

        @Override
        public void received(ByteBuffer more) {
            int before = bytes.length;
            if (before < 1 << 20) {
                bytes = Arrays.copyOf(bytes, before + more.remaining());
                more.get(bytes, before, bytes.length - before);
            }
        }

        @Override
        public void sent() {
            sent++;
        }

        @Override
        public void ended() {
            ended = true;
        }

        @Override
        public void broke(ErrorKind kind, IOException cause) {
            broke = kind + ": " + cause.getMessage();
        }
    }

    /** Closes and connects anew whenever bytes come, and looks whether they are all of one connection. */
    private static final class Reconnecting extends Collecting {
        private int left;
        private int mixed;
        private byte first;
        private int seen;

        Reconnecting(Driven driven, int times) {
            super(driven);
            left = times;
        }

        @Override
        public void connected() {
            seen = 0;
        }

        @Override
        public void received(ByteBuffer more) {
            while (more.hasRemaining()) {
                byte one = more.get();
                first = seen++ == 0 ? one : first;
                mixed += one == first ? 0 : 1;
            }
            if (seen > 3000) {
                link.close();
                left--;
                if (left > 0) {
                    link.connect();
                }
            }
        }
    }

    /** Sends again when the answer has come. */
    private static final class PingPong extends Collecting {
        private final ByteBuffer ping = ByteBuffer.allocateDirect(8);
        private int left;
        private int early;

        PingPong(Driven driven, int times) {
            super(driven);
            left = times;
        }

        @Override
        public void connected() {
            link.send(ping.rewind());
        }

        @Override
        public void received(ByteBuffer more) {
            early += link.sending() ? 1 : 0;
            left--;
            if (left > 0 && !link.sending()) {
                link.send(ping.rewind());
            }
        }
    }

    /** What a server does with one connection; afterwards it closes. */
    private interface Service {
        void serve(Socket socket) throws IOException;
    }

    private static final class Server implements AutoCloseable {
        private final ServerSocket listener;
        private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

        Server(Service service) throws IOException {
            this(InetAddress.getByName("127.0.0.1"), service);
        }

        Server(InetAddress at, Service service) throws IOException {
            listener = new ServerSocket(0, 1024, at);
            Thread.ofVirtual().start(() -> accept(service));
        }

        InetSocketAddress address() {
            return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }

        private void accept(Service service) {
            try {
                while (true) {
                    Socket client = listener.accept();
                    clients.add(client);
                    // no virtual ones: who can always write never makes room for another
                    Thread.ofPlatform().daemon().start(() -> serve(client, service));
                }
            } catch (IOException closed) {
                // the test has ended
            }
        }

        private void serve(Socket client, Service service) {
            try (client) {
                service.serve(client);
            } catch (IOException gone) {
                // the client went away, which is what some tests are about
            } finally {
                clients.remove(client);
            }
        }

        void awaitNoClients() throws InterruptedException {
            while (!clients.isEmpty()) {
                Thread.sleep(1);
            }
        }

        @Override
        public void close() {
            try {
                listener.close();
                for (Socket client : clients) {
                    client.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
