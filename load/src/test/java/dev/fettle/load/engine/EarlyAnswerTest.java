package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.RawTransports;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server refuses an upload that it does not read, and closes: then the rest of the request cannot be sent. */
class EarlyAnswerTest {

    private static final String REFUSAL =
            "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nsorry";

    /** The engine learns of the answer and of the failure at the same time. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void itsAnswerCountsAndNotThatTheSendFailed(TransportKind kind) throws Exception {
        Window window = upload(kind, refusal -> refusal);
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.STATUS);
        assertThat(window.errors().get(ErrorKind.STATUS).example()).contains("413");
        assertThat(window.failed()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void withoutAnAnswerTheConnectionIsLost(TransportKind kind) throws Exception {
        for (int length : new int[] {0, 20}) {
            Window window = upload(kind, refusal -> refusal.substring(0, length));
            // a ring may be told of the end only, as the failure was told for a part of the send
            assertThat(window.errors().keySet()).isSubsetOf(ErrorKind.RESET, ErrorKind.CLOSED_EARLY);
            assertThat(window.failed()).isEqualTo(1);
        }
    }

    private static Window upload(TransportKind kind, UnaryOperator<String> answer) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        ScriptedServer.Script script = (number, peer) -> {
            peer.write(answer.apply(REFUSAL));
            peer.closeInOrder(); // with bytes that it has not read: that resets the connection
            gone.countDown();
        };
        RequestTemplate request =
                RequestTemplate.builder("POST", "/").body(new byte[16 << 20]).build();
        try (ScriptedServer server = new ScriptedServer(script)) {
            LoadSpec spec = LoadSpec.builder(server.address(), request)
                    .wire(Wire.PLAIN.withTransport(kind))
                    .maxRequests(1)
                    .maxDuration(Duration.ofMinutes(1))
                    .responseTimeout(Duration.ofMinutes(1))
                    .build();
            try (EngineRun run = EngineRun.start(spec, new Gated(RawTransports.of(spec), gone))) {
                assertThat(run.awaitDone(Duration.ofMinutes(2))).isTrue();
                assertThat(run.failure()).isEmpty();
                return run.takeWindow();
            }
        }
    }

    /** Waits for the server's end once something was sent, before it looks what has come. */
    private record Gated(TransportFactory raws, CountDownLatch gone) implements TransportFactory {

        @Override
        public Transport open(Recorder recorder, LoopClock clock, Budget budget) throws IOException {
            return new GatedTransport(raws.open(recorder, clock, budget), gone);
        }

        @Override
        public String note() {
            return raws.note();
        }
    }

    private static final class GatedTransport implements Transport {
        private final Transport raw;
        private final CountDownLatch gone;
        private boolean sent;
        private boolean handedOver;

        GatedTransport(Transport raw, CountDownLatch gone) {
            this.raw = raw;
            this.gone = gone;
        }

        @Override
        public Link newLink(Handler handler) {
            Link link = raw.newLink(handler);
            return new Link() {
                @Override
                public void connect() {
                    link.connect();
                }

                @Override
                public void send(ByteBuffer bytes) {
                    link.send(bytes);
                    sent = true;
                }

                @Override
                public boolean sending() {
                    return link.sending();
                }

                @Override
                public void close() {
                    link.close();
                }
            };
        }

        @Override
        public int poll(long maxNanos) throws IOException {
            if (!sent) {
                return raw.poll(maxNanos);
            }
            if (!handedOver) {
                // a ring gives a send to the kernel only now
                handedOver = true;
                return raw.poll(0);
            }
            try {
                gone.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return raw.poll(maxNanos);
        }

        @Override
        public void wakeup() {
            raw.wakeup();
        }

        @Override
        public int openLinks() {
            return raw.openLinks();
        }

        @Override
        public void close() {
            raw.close();
        }
    }
}
