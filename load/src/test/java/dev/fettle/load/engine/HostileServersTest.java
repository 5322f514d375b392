package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.fettle.load.ErrorCount;
import dev.fettle.load.Window;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In the middle of a run a server does one thing wrong, over a real socket and on every transport: it is counted once, as
 * what it is, in words that help; and the run goes on.
 */
class HostileServersTest {

    private static final int REQUESTS = 12;
    private static final int FAULTY = 5;
    /** What is found out at once must not be taken for late, however busy the machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Of those that only a time-out ends: long enough for a good answer. */
    private static final Duration TIME_OUT = Duration.ofMillis(2500);

    static Stream<Arguments> prompt() {
        return onEach(Misdeed.prompt());
    }

    static Stream<Arguments> whole() {
        return onEach(Stream.concat(Misdeed.prompt(), Misdeed.tooMuch()));
    }

    private static Stream<Arguments> onEach(Stream<Misdeed> misdeeds) {
        return misdeeds.flatMap(misdeed -> TransportKinds.usable().stream().map(kind -> Arguments.of(misdeed, kind)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("whole")
    void isCountedAndTheRunGoesOn(Misdeed misdeed, TransportKind transport) throws Exception {
        ErrorCount count = meet(misdeed, transport, false, PATIENCE);
        assertThat(count.example()).contains(misdeed.says());
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("prompt")
    void isCountedWhenItComesByteByByte(Misdeed misdeed, TransportKind transport) throws Exception {
        if (misdeed.bytes().length() < 1000) {
            meet(misdeed, transport, true, PATIENCE);
        }
    }

    /** All at once, as each takes as long as the time-out. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void anAnswerWithoutEndTimesOutAndTheRunGoesOn(TransportKind transport) throws Exception {
        List<Misdeed> misdeeds = Misdeed.lasting().toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ErrorCount>> counts = new ArrayList<>();
            misdeeds.forEach(misdeed -> counts.add(threads.submit(() -> meet(misdeed, transport, false, TIME_OUT))));
            Stream<Executable> checks = misdeeds.stream()
                    .map(misdeed -> () -> assertThat(
                                    counts.get(misdeeds.indexOf(misdeed)).get().example())
                            .as(misdeed.name())
                            .contains("time-out")
                            .contains(misdeed.says()));
            assertAll(checks);
        }
    }

    private static ErrorCount meet(Misdeed misdeed, TransportKind transport, boolean split, Duration timeOut)
            throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (number == FAULTY) {
                misdeed.commit(peer, split);
            } else {
                peer.write(ScriptedServer.OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = FaultsTest.run(FaultsTest.spec(server.address())
                    .wire(Wire.PLAIN.withTransport(transport))
                    .responseTimeout(timeOut)
                    .maxRequests(REQUESTS));
            assertThat(window.errors()).as(misdeed.name()).containsOnlyKeys(misdeed.kind());
            ErrorCount count = window.errors().get(misdeed.kind());
            assertThat(count.count()).as(misdeed.name()).isEqualTo(1);
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(REQUESTS - 1);
            assertThat(window.latency().getTotalCount()).isEqualTo(REQUESTS - 1);
            assertThat(window.failedLatency().getTotalCount()).isEqualTo(1);
            assertThat(count.example()).isNotBlank();
            return count;
        }
    }
}
