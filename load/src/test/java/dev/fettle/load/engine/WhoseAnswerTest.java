package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.load.http2.Http2Frame;
import dev.fettle.load.record.Tally;
import dev.fettle.load.schedule.LoadClock;
import dev.fettle.load.schedule.Schedules;
import dev.fettle.load.script.ScriptFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each request has an answer of its own, and no client gets another's: not when answers come in pieces, many at once and out of
 * order, not when connections break in the midst of them and their descriptors are used again, and not when an answer comes that
 * is waited for no longer.
 */
class WhoseAnswerTest {

    private static final int REQUESTS = 3000;
    /** With HTTP/2 as many more, before the first connection breaks: what is too late there, is so within its connection. */
    private static final int UNBROKEN = 4500;

    private static final int CONNECTIONS = 8;
    private static final Duration TIME_OUT = Duration.ofMillis(150);
    private static final long LATE_MILLIS = 300;

    /** What a server does to an answer. */
    private enum Deed {
        ALL(500),
        IN_PIECES(466),
        CLOSE_BEHIND(10),
        HALF_THEN_CLOSE(10),
        HALF_THEN_RESET(10),
        TOO_LATE(4);

        /** So many in a thousand. */
        final int share;

        Deed(int share) {
            this.share = share;
        }

        static Deed of(int number) {
            int left = new SplittableRandom(number * 0x9E3779B97F4A7C15L).nextInt(1000);
            for (Deed deed : values()) {
                left -= deed.share;
                if (left < 0) {
                    return deed;
                }
            }
            throw new AssertionError("shares of less than a thousand");
        }
    }

    private interface Serving {
        SocketServer open(boolean breaks) throws IOException;
    }

    static Stream<Arguments> loads() {
        return TransportKinds.usable().stream().flatMap(kind -> {
            Wire plain = Wire.PLAIN.withTransport(kind);
            Wire frames = plain.withProtocol(Protocol.HTTP_2).withInFlight(12);
            Wire messages = plain.withProtocol(Protocol.WEB_SOCKET_TEXT).withInFlight(5);
            return Stream.of(
                    load(kind + ", HTTP/1.1", WhoseAnswerTest::http, spec -> spec.wire(plain)),
                    load(
                            kind + ", a connection each",
                            WhoseAnswerTest::http,
                            spec -> spec.wire(plain).keepAlive(false)),
                    load(
                            kind + ", HTTP/1.1, open",
                            WhoseAnswerTest::http,
                            spec -> spec.wire(plain).arrivals(Arrivals.Open.constant(8000))),
                    load(kind + ", pipelined", WhoseAnswerTest::pipelined, spec -> spec.wire(plain.withInFlight(7))),
                    load(
                            kind + ", HTTP/2",
                            WhoseAnswerTest::frames,
                            spec -> spec.wire(frames).maxRequests(REQUESTS + UNBROKEN)),
                    load(
                            kind + ", HTTP/2, open",
                            WhoseAnswerTest::frames,
                            spec -> spec.wire(frames)
                                    .maxRequests(REQUESTS + UNBROKEN)
                                    .arrivals(Arrivals.Open.constant(8000))),
                    load(kind + ", WebSocket", WhoseAnswerTest::messages, spec -> spec.wire(messages)));
        });
    }

    private static Arguments load(String name, Serving server, UnaryOperator<LoadSpecBuilder> how) {
        return Arguments.of(name, server, how);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loads")
    void eachGetsItsOwn(String name, Serving serving, UnaryOperator<LoadSpecBuilder> how) throws Exception {
        try (SocketServer server = serving.open(false)) {
            LoadSpec spec = how.apply(spec(server.address())).build();
            OwnAnswers answers = new OwnAnswers(spec);
            Window window = run(spec, answers);
            assertThat(answers.wrong()).isEmpty();
            assertThat(window.errors()).isEmpty();
            assertThat(answers.right()).isEqualTo((int) spec.maxRequests().orElseThrow());
            assertThat(window.responses()).isEqualTo(answers.right());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loads")
    void noneGetsAnothersWhenConnectionsBreak(String name, Serving serving, UnaryOperator<LoadSpecBuilder> how)
            throws Exception {
        try (SocketServer server = serving.open(true)) {
            LoadSpec spec =
                    how.apply(spec(server.address()).responseTimeout(TIME_OUT)).build();
            OwnAnswers answers = new OwnAnswers(spec);
            Window window = run(spec, answers);
            assertThat(answers.wrong()).isEmpty();
            assertThat(window.errors().keySet())
                    .isSubsetOf(Set.of(ErrorKind.RESET, ErrorKind.CLOSED_EARLY, ErrorKind.READ_TIMEOUT))
                    .contains(ErrorKind.READ_TIMEOUT)
                    .hasSizeGreaterThan(1);
            int requests = (int) spec.maxRequests().orElseThrow();
            assertThat(window.responses() + window.failed() + window.unsent()).isGreaterThanOrEqualTo(requests);
            assertThat(window.responses()).isEqualTo(answers.right()).isGreaterThan(requests / 3);
            assertThat(server.connections()).isGreaterThan(3 * CONNECTIONS);
        }
    }

    private static LoadSpecBuilder spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .connections(CONNECTIONS)
                .maxRequests(REQUESTS)
                .responseTimeout(Duration.ofMinutes(1))
                .drain(Duration.ofMinutes(1))
                .maxDuration(Duration.ofMinutes(5));
    }

    /** Runs it on this thread. */
    static Window run(LoadSpec spec, ScriptFactory scripts) throws Exception {
        EngineLoop loop = new EngineLoop(
                spec,
                LoadClock.until(Schedules.end(spec)),
                scripts,
                Wiring.transports(spec),
                new EngineLoop.Share(0, 0, spec.connections()),
                System::nanoTime,
                () -> {});
        loop.run(System.nanoTime());
        return loop.recorder().take(new Tally()).window(0);
    }

    // servers

    private static SocketServer http(boolean breaks) throws IOException {
        return new ScriptedServer((number, peer) -> {
            String token = peer.head().split(" ", 3)[1];
            say(peer, token, deed(breaks, number), new SplittableRandom(number));
        });
    }

    private static SocketServer pipelined(boolean breaks) throws IOException {
        AtomicInteger connections = new AtomicInteger();
        Map<ScriptedServer.Peer, int[]> places = new ConcurrentHashMap<>();
        return new ScriptedServer((number, peer) -> {
            int[] place = places.computeIfAbsent(peer, each -> new int[] {connections.incrementAndGet(), 0});
            say(peer, place[0] + "-" + place[1]++, deed(breaks, number), new SplittableRandom(number));
        });
    }

    private static Deed deed(boolean breaks, int number) {
        Deed deed = Deed.of(number);
        return breaks || deed == Deed.IN_PIECES ? deed : Deed.ALL;
    }

    private static void say(ScriptedServer.Peer peer, String token, Deed deed, SplittableRandom random)
            throws IOException, InterruptedException {
        String body = new String(OwnAnswers.answer(token), ISO_8859_1);
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n"
                + (deed == Deed.CLOSE_BEHIND ? "Connection: close\r\n" : "") + "\r\n" + body;
        int cut = random.nextInt(answer.length());
        switch (deed) {
            case ALL -> peer.write(answer);
            case IN_PIECES -> {
                peer.write(answer.substring(0, cut));
                peer.write(answer.substring(cut));
            }
            case CLOSE_BEHIND -> {
                peer.write(answer);
                peer.closeInOrder();
            }
            case HALF_THEN_CLOSE -> {
                peer.write(answer.substring(0, cut));
                peer.closeInOrder();
            }
            case HALF_THEN_RESET -> {
                peer.write(answer.substring(0, cut));
                peer.reset();
            }
            case TOO_LATE -> {
                peer.write(answer.substring(0, cut));
                Thread.sleep(LATE_MILLIS);
                peer.write(answer.substring(cut));
            }
        }
    }

    private static SocketServer messages(boolean breaks) throws IOException {
        return new MessageServer((number, message, peer) -> {
            SplittableRandom random = new SplittableRandom(number);
            byte[] answer = MessageServer.frame(1, OwnAnswers.answer(new String(message, ISO_8859_1)));
            int cut = random.nextInt(answer.length);
            byte[] half = Arrays.copyOf(answer, cut);
            byte[] rest = Arrays.copyOfRange(answer, cut, answer.length);
            switch (deed(breaks, number)) {
                case ALL -> peer.write(answer);
                case IN_PIECES -> {
                    peer.write(half);
                    peer.write(rest);
                }
                case CLOSE_BEHIND -> {
                    peer.write(answer);
                    peer.closeInOrder();
                }
                case HALF_THEN_CLOSE -> {
                    peer.write(half);
                    peer.closeInOrder();
                }
                case HALF_THEN_RESET -> {
                    peer.write(half);
                    peer.reset();
                }
                case TOO_LATE -> {
                    peer.write(half);
                    Thread.sleep(LATE_MILLIS);
                    peer.write(rest);
                }
            }
        });
    }

    private static SocketServer frames(boolean breaks) throws IOException {
        Map<FrameServer.Peer, Streams> all = new ConcurrentHashMap<>();
        return new FrameServer((number, stream, peer) -> {
            Streams streams = all.computeIfAbsent(peer, Streams::new);
            Deed deed = deed(breaks, number);
            boolean closes = deed == Deed.CLOSE_BEHIND || deed == Deed.HALF_THEN_CLOSE;
            streams.asked(stream, token(peer.block), closes && number < UNBROKEN ? Deed.IN_PIECES : deed);
            // what has come is all looked at first, so that the answers are mixed
            if (!peer.hasMore()) {
                streams.say(new SplittableRandom(number));
            }
        });
    }

    /** The path, which the client sends as it is. */
    private static String token(byte[] block) {
        String text = new String(block, ISO_8859_1);
        int at = text.lastIndexOf('/');
        int to = at;
        while (to < text.length()
                && (text.charAt(to) == '/' || Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '-')) {
            to++;
        }
        return text.substring(at, to);
    }

    /** The answers that one connection still has to give, frame by frame in any order. */
    private static final class Streams {

        /** One answer. */
        private static final class Stream {
            final int id;
            final byte[] body;
            final Deed deed;
            boolean begun;
            int said;
            /** It says no more until the client has given it up. */
            boolean waits;

            Stream(int id, byte[] body, Deed deed) {
                this.id = id;
                this.body = body;
                this.deed = deed;
            }
        }

        private final FrameServer.Peer peer;
        private final List<Stream> open = new ArrayList<>();

        Streams(FrameServer.Peer peer) {
            this.peer = peer;
        }

        void asked(int id, String token, Deed deed) {
            open.add(new Stream(id, OwnAnswers.answer(token), deed));
        }

        void say(SplittableRandom random) throws IOException {
            while (!peer.hasMore()) {
                List<Stream> ready = open.stream()
                        .filter(each -> !each.waits || peer.cancelled.contains(each.id))
                        .toList();
                if (ready.isEmpty()) {
                    return;
                }
                say(ready.get(random.nextInt(ready.size())), random);
            }
        }

        private void say(Stream stream, SplittableRandom random) throws IOException {
            if (!stream.begun) {
                stream.begun = true;
                peer.head(stream.id);
                return;
            }
            int left = stream.body.length - stream.said;
            boolean whole = stream.deed == Deed.ALL || stream.said > 0;
            int length = Math.min(whole ? left : random.nextInt(left), 16_384);
            boolean last = length == left;
            byte[] piece = Arrays.copyOfRange(stream.body, stream.said, stream.said + length);
            stream.said += length;
            peer.frame(Http2Frame.DATA, last ? Http2Frame.END_STREAM : 0, stream.id, piece);
            if (last) {
                open.remove(stream);
            }
            switch (stream.deed) {
                case ALL, IN_PIECES -> {}
                case CLOSE_BEHIND -> {
                    if (last) {
                        leave(stream.id);
                    }
                }
                case HALF_THEN_CLOSE -> peer.close();
                case HALF_THEN_RESET -> {
                    // a stream alone
                    peer.frame(Http2Frame.RST_STREAM, 0, stream.id, (byte) 0, (byte) 0, (byte) 0, (byte) 2);
                    open.remove(stream);
                }
                case TOO_LATE -> stream.waits = true;
            }
        }

        /** Goes away in order: what was asked for up to this stream is answered, the rest is not looked at. */
        private void leave(int last) throws IOException {
            peer.frame(Http2Frame.GOAWAY, 0, 0, new byte[] {
                (byte) (last >> 24), (byte) (last >> 16), (byte) (last >> 8), (byte) last, 0, 0, 0, 0
            });
            for (Iterator<Stream> rest = open.iterator(); rest.hasNext(); ) {
                Stream stream = rest.next();
                rest.remove();
                if (stream.id < last && stream.deed != Deed.TOO_LATE) {
                    if (!stream.begun) {
                        peer.head(stream.id);
                    }
                    int from = stream.said;
                    while (from < stream.body.length) {
                        int to = Math.min(stream.body.length, from + 16_384);
                        peer.frame(
                                Http2Frame.DATA,
                                to == stream.body.length ? Http2Frame.END_STREAM : 0,
                                stream.id,
                                Arrays.copyOfRange(stream.body, from, to));
                        from = to;
                    }
                }
            }
            peer.close();
        }
    }
}
