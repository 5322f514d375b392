package dev.fettle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every process on the machine can connect to a control port; only who knows the token gets something from it. */
@Timeout(120)
class ControlPortTest {
    private static final String FIRST = "TOKEN";

    private final List<String> obeyed = new CopyOnWriteArrayList<>();

    private final ControlPort.Answers answers = question -> {
        if (question.startsWith("unknown")) {
            throw new ControlPort.UnknownQuestion("none is");
        }
        obeyed.add(question);
        return "fine";
    };

    private static Socket connect(ControlPort port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** All that comes until the other end closes. */
    private static String untilClosed(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return ""; // it was closed with something unread
        }
    }

    private static String ask(ControlPort port, String question) throws IOException {
        return Child.ask(port.port(), port.token(), question);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stop\n",
                "stats\n",
                "set threads.max=7\n",
                "\n",
                "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 24\r\n\r\nset threads.max=7\r\nstop\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 40\r\n\r\nTOKEN\nstop\n",
                "GET /TOKEN HTTP/1.1\r\n\r\nstop\n",
                "PART\nstop\n",
                "PART",
                "TOKEN stop\nstop\n",
                " TOKEN\nstop\n",
                "TOKEN\r\nstop\n",
                "\nTOKEN\nstop\n",
                "0123456789abcdef0123456789abcdef\nstop\n",
                "\u0000\u0000\u0000\n"
            })
    void whoseFirstLineIsNotTheTokenGetsNothing(String said) throws Exception {
        try (ControlPort port = ControlPort.open("test", answers);
                Socket socket = connect(port)) {
            String part = port.token().substring(0, 31);
            say(socket, said.replace(FIRST, port.token()).replace("PART", part));
            assertThat(untilClosed(socket)).isEmpty();
            assertThat(obeyed).isEmpty();
            assertThat(ask(port, "how are you")).isEqualTo("fine");
        }
    }

    @Test
    void aLineWithoutAnEndIsReadNoFurtherThanTheToken() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers)) {
            try (Socket socket = connect(port)) {
                socket.getOutputStream().write(new byte[1 << 20]);
                assertThat(untilClosed(socket)).isEmpty();
            } catch (SocketException e) {
                // it need not listen to all of it
            }
            assertThat(ask(port, "how are you")).isEqualTo("fine");
        }
    }

    @Test
    void theTokenIsAnotherEachTimeAndNotGuessable() throws Exception {
        try (ControlPort one = ControlPort.open("test", answers);
                ControlPort other = ControlPort.open("test", answers)) {
            assertThat(one.token()).matches("[0-9a-f]{32}").isNotEqualTo(other.token());
            assertThat(Child.ask(one.port(), other.token(), "stop")).isEqualTo("null");
            assertThat(obeyed).isEmpty();
        }
    }

    /** More idle ones than may wait, some with a part of the token: whoever knows it gets through, and stays. */
    @Test
    void idleConnectionsKeepNobodyOut() throws Exception {
        try (ControlPort port = ControlPort.open("crowd", answers);
                Socket before = connect(port)) {
            say(before, port.token() + "\nfirst\n");
            var in = new BufferedReader(new InputStreamReader(before.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).isEqualTo("fine");
            List<Socket> idle = new ArrayList<>();
            try {
                for (int i = 0; i < 5 * Strangers.MOST; i++) {
                    idle.add(connect(port));
                    if (i % 2 == 0) {
                        say(idle.get(i), port.token().substring(0, i % 32));
                    }
                    if (i % 16 == 0) {
                        assertThat(ask(port, "among " + i)).isEqualTo("fine");
                    }
                }
                assertThat(untilClosed(idle.get(0))).as("the oldest goes first").isEmpty();
                say(before, "last\n");
                assertThat(in.readLine()).isEqualTo("fine");
                assertThat(threads("crowd-"))
                        .as("one a connection that knows the token")
                        .isLessThanOrEqualTo(2);
            } finally {
                for (Socket socket : idle) {
                    socket.close();
                }
            }
        }
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith(prefix))
                .count();
    }

    /** One that says nothing, and one that says the token a byte at a time: both are closed before it is whole. */
    @Test
    void theFirstLineHasLittleTime() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers);
                Socket silent = connect(port);
                Socket slow = connect(port)) {
            var closed = new AtomicBoolean();
            var bytes = new AtomicInteger();
            Thread drip = new Thread(() -> {
                try {
                    for (char c : port.token().toCharArray()) {
                        synchronized (closed) {
                            if (closed.get()) {
                                return;
                            }
                            say(slow, String.valueOf(c));
                            bytes.incrementAndGet();
                            closed.wait(1_000);
                        }
                    }
                } catch (IOException | InterruptedException e) {
                    // it was closed
                }
            });
            drip.start();
            assertThat(untilClosed(silent)).isEmpty();
            assertThat(untilClosed(slow)).isEmpty();
            synchronized (closed) {
                closed.set(true);
                closed.notifyAll();
            }
            drip.join();
            assertThat(bytes.get()).isLessThan(port.token().length());
            assertThat(obeyed).isEmpty();
        }
    }

    @Test
    void theFirstUnknownQuestionEndsTheConnection() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers);
                Socket socket = connect(port)) {
            say(socket, port.token() + "\nunknown\nstop\n");
            assertThat(untilClosed(socket)).isEqualTo("error unknown question; none is\n");
            assertThat(obeyed).isEmpty();
        }
    }

    @Test
    void aLongQuestionEndsTheConnection() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers);
                Socket socket = connect(port)) {
            say(socket, port.token() + "\n" + "x".repeat(5_000) + "\nstop\n");
            assertThat(untilClosed(socket))
                    .startsWith("error a question has at most")
                    .hasLineCount(1);
            assertThat(obeyed).isEmpty();
        }
    }

    @Test
    void ofThoseWithTheTokenThereAreSoMany() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers)) {
            List<Socket> many = new ArrayList<>();
            for (int i = 0; i < ControlPort.MOST_CONNECTIONS; i++) {
                many.add(connect(port));
                say(many.get(i), port.token() + "\nhello\n");
                assertThat(new BufferedReader(new InputStreamReader(many.get(i).getInputStream())).readLine())
                        .isEqualTo("fine");
            }
            assertThat(ask(port, "one more")).matches("error busy: 16 .*|null");
            many.remove(0).close();
            String answer = ask(port, "now");
            while (!answer.equals("fine")) {
                answer = ask(port, "now");
            }
            for (Socket socket : many) {
                socket.close();
            }
        }
    }

    /** In a server that is not ours: Fettle is gone, and nobody is to find a port there. */
    @Test
    void unusedItClosesByItselfAndSaysSoBefore(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("control");
        var openThen = new CopyOnWriteArrayList<Boolean>();
        var held = new ControlPort[1];
        var counting = new ControlPort.Answers() {
            @Override
            public String answer(String question) {
                return "fine";
            }

            @Override
            public void unused() {
                openThen.add(connects(held[0].port()));
            }
        };
        try (ControlPort port = ControlPort.open("idle", counting, 300)) {
            held[0] = port;
            ControlFile.write(port, file);
            try (Socket known = connect(port)) {
                say(known, port.token() + "\nhello\n");
                assertThat(known.getInputStream().read()).isEqualTo('f');
                try (Socket stranger = connect(port)) {
                    assertThat(untilClosed(stranger))
                            .as("outlived by who knows the token")
                            .isEmpty();
                }
                assertThat(openThen).as("in use").isEmpty();
            }
            try (Socket stranger = connect(port)) {
                assertThat(untilClosed(stranger)).as("keeps nothing open").isEmpty();
            }
            while (connects(port.port()) || threads("idle") > 0) {
                Thread.onSpinWait();
            }
            assertThat(openThen).containsExactly(true);
        }
    }

    private static boolean connects(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void onlyItsOwnerCanReadTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("control");
        Path victim = Files.writeString(folder.resolve("victim"), "kept");
        Files.createSymbolicLink(file, victim);
        try (ControlPort port = ControlPort.open("test", answers)) {
            ControlFile.write(port, file);
            assertThat(file).isRegularFile().hasContent(port.port() + " " + port.token() + "\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(victim).as("a link in its place is not followed").hasContent("kept");
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(2);
        }
    }

    @Test
    void anUnusedAgentTakesItsFileAway(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("control"), "1 x");
        new Answers(new Finder(new Jvm(null)), false, file).unused();
        assertThat(file).doesNotExist();
    }

    /** Only this machine can connect. */
    @Test
    void itListensOnTheLoopbackAddressOnly() throws Exception {
        try (ControlPort port = ControlPort.open("test", answers);
                ServerSocket elsewhere = new ServerSocket(port.port(), 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(elsewhere.getLocalPort()).isEqualTo(port.port());
            assertThat(ask(port, "how are you")).isEqualTo("fine");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, AssertionError.class})
    void anErrorIsAnAnswerToo(Class<? extends Error> error) throws Exception {
        ControlPort.Answers failing = question -> {
            if (question.equals("bad")) {
                throw made(error);
            }
            return "fine";
        };
        try (ControlPort port = ControlPort.open("test", failing);
                Socket socket = connect(port)) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            say(socket, port.token() + "\nbad\nwell\n");
            assertThat(in.readLine()).isEqualTo("error " + error.getSimpleName());
            assertThat(in.readLine()).isEqualTo("fine");
        }
    }

    private static Error made(Class<? extends Error> error) {
        try {
            return error.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** At a limit of threads, Thread.start() throws an Error. */
    @Test
    void aConnectionWhoseThreadCannotBeStartedIsClosedAndNotCounted() throws Exception {
        var started = new AtomicInteger();
        ThreadFactory second = work ->
                new Thread(work) { // the first is the port's own
                    @Override
                    public void start() {
                        if (started.incrementAndGet() == 2) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        super.start();
                    }
                };
        try (ControlPort port = ControlPort.open("test", answers, 0, second)) {
            assertThat(ask(port, "how are you")).as("closed").isEqualTo("null");
            List<Socket> many = new ArrayList<>();
            for (int i = 0; i < ControlPort.MOST_CONNECTIONS; i++) {
                many.add(connect(port));
                say(many.get(i), port.token() + "\n\n");
                assertThat(new BufferedReader(new InputStreamReader(many.get(i).getInputStream())).readLine())
                        .isEqualTo("fine");
            }
            for (Socket socket : many) {
                socket.close();
            }
        }
    }
}
