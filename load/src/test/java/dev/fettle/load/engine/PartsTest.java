package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fettle.load.ErrorCount;
import dev.fettle.load.Expectation;
import dev.fettle.load.HostPolicy;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.Dispatcher;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.record.Tally;
import dev.fettle.load.schedule.LoadClock;
import dev.fettle.load.schedule.Schedules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts which need no socket. */
class PartsTest {

    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);

    @Test
    void aClosedLoadIsBoundedByCountAndByTime() {
        ClosedDispatcher counted = new ClosedDispatcher(2, LoadClock.until(1000), new HeldClients());
        assertThat(counted.spend(5)).isTrue();
        assertThat(counted.isOver(5)).isFalse();
        assertThat(counted.spend(6)).isTrue();
        assertThat(counted.spend(7)).isFalse();
        assertThat(counted.isOver(7)).isTrue();

        ClosedDispatcher timed = new ClosedDispatcher(Long.MAX_VALUE, LoadClock.until(1000), new HeldClients());
        assertThat(timed.spend(999)).isTrue();
        assertThat(timed.spend(1000)).isFalse();
        assertThat(timed.nextDue()).isEqualTo(Dispatcher.NEVER);
    }

    @ParameterizedTest
    @CsvSource({
        "1, REFUSED, 10",
        "2, REFUSED, 20",
        "3, CONNECT_TIMEOUT, 40",
        "6, OTHER, 320",
        "7, REFUSED, 500",
        "1000000, REFUSED, 500",
        "1, RESET, 0",
        "2, RESET, 10",
        "3, CLOSED_EARLY, 20",
        "8, MALFORMED, 500",
        "2147483647, RESET, 500"
    })
    void backsOff(int failuresInRow, ErrorKind kind, long millis) {
        assertThat(BackOff.nanos(failuresInRow, kind)).isEqualTo(millis * 1_000_000);
    }

    @ParameterizedTest
    @CsvSource({"10, 3, 4 3 3", "9, 3, 3 3 3", "2, 3, 1 1 0"})
    void sharesEvenly(long whole, int n, String parts) {
        for (int i = 0; i < n; i++) {
            assertThat(Schedules.share(whole, i, n)).isEqualTo(Long.parseLong(parts.split(" ")[i]));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.9.9.9, true",
        "::1, true",
        "::ffff:127.0.0.1, true",
        "0.0.0.0, false",
        "::, false",
        "10.0.0.1, false",
        "128.0.0.1, false",
        "::2, false"
    })
    void knowsLoopback(String address, boolean loopback) throws Exception {
        assertThat(HostPolicy.isLoopback(InetAddress.getByName(address))).isEqualTo(loopback);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a b", "/\r\nX: y", "/\u00fc", "http://x/"})
    void refusesPathsItCannotSend(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> RequestTemplate.get(path));
    }

    @ParameterizedTest
    @CsvSource({
        "'X Y', z",
        "'', z",
        "X, 'a\r\nB: c'",
        "Content-Length, 5",
        "connection, close",
        "Transfer-Encoding, chunked",
        "X, \u20ac"
    })
    void refusesHeadersItCannotSend(String name, String value) {
        RequestTemplate.Builder builder = RequestTemplate.builder("GET", "/");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.header(name, value));
    }

    @Test
    void encodesRequests() throws Exception {
        assertThat(request(RequestTemplate.get("/"), true)).isEqualTo("GET / HTTP/1.1\r\nHost: h:1\r\n\r\n");
        RequestTemplate post = RequestTemplate.builder("POST", "/p")
                .header("Host", "other")
                .body("abc".getBytes(StandardCharsets.UTF_8))
                .build();
        assertThat(request(post, false))
                .isEqualTo("POST /p HTTP/1.1\r\nHost: other\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
        assertThat(request(RequestTemplate.builder("PUT", "/").build(), true))
                .isEqualTo("PUT / HTTP/1.1\r\nHost: h:1\r\nContent-Length: 0\r\n\r\n");
    }

    private static String request(RequestTemplate request, boolean keepAlive) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress("h", new byte[] {127, 0, 0, 1}), 1);
        LoadSpec spec = LoadSpec.builder(address, request).keepAlive(keepAlive).build();
        return StandardCharsets.ISO_8859_1
                .decode(Wiring.scripts(spec).script(0, new Budget(1 << 20)).request())
                .toString();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 80, 127.0.0.1", "127.0.0.1, 8080, 127.0.0.1:8080", "::1, 81, '[0:0:0:0:0:0:0:1]:81'"})
    void namesTheHost(String address, int port, String host) throws Exception {
        InetSocketAddress socket = new InetSocketAddress(InetAddress.getByName(address), port);
        assertThat(LoadSpec.builder(socket, RequestTemplate.get("/")).build().hostHeader())
                .isEqualTo(host);
    }

    @Test
    void refusesSpecsOutOfRange() {
        List<LoadSpecBuilder> wrong = List.of(
                builder(ADDRESS).connections(0),
                builder(ADDRESS).connections(2).threads(3),
                builder(ADDRESS).threads(0),
                builder(ADDRESS).maxRequests(0),
                builder(ADDRESS).maxDuration(Duration.ZERO),
                builder(ADDRESS).maxDuration(Duration.ofDays(8)),
                builder(ADDRESS).drain(Duration.ofMillis(-1)),
                builder(ADDRESS).connectTimeout(Duration.ZERO),
                builder(ADDRESS).responseTimeout(Duration.ofMinutes(11)),
                builder(ADDRESS).cpus(Set.of(1024)),
                LoadSpec.builder(ADDRESS, RequestTemplate.builder("HEAD", "/").build())
                        .expect(Expectation.SUCCESS.withBodyContaining("x")),
                builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                builder(InetSocketAddress.createUnresolved("example", 80)));
        assertThat(wrong)
                .allSatisfy(spec -> assertThatIllegalArgumentException().isThrownBy(spec::build));
    }

    @Test
    void refusesExpectationsOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> Expectation.status(199));
        assertThatIllegalArgumentException().isThrownBy(() -> Expectation.status(600));
        assertThatIllegalArgumentException().isThrownBy(() -> Expectation.SUCCESS.withBodyLength(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Expectation.SUCCESS.withBodyContaining(""));
        assertThat(Expectation.status(304).withBodyLength(0).bodyLength()).isEqualTo(OptionalLong.of(0));
    }

    @Test
    void clampsWhatIsLongerThanTheHistogram() {
        Recorder recorder = new Recorder(() -> 0, 1, now -> 0, now -> now);
        recorder.begin(0);
        recorder.valid(Long.MAX_VALUE);
        recorder.valid(-5);
        recorder.end();
        Window window = takeFrom(recorder).window(0);
        assertThat(window.responses()).isEqualTo(2);
        assertThat(window.latency().getTotalCount()).isEqualTo(2);
        assertThat(window.latency().getMaxValue()).isGreaterThanOrEqualTo(Tally.LONGEST_NANOS);
    }

    @Test
    void mergesWindows() {
        Window early = window(Long.MAX_VALUE - 10, Long.MAX_VALUE, 100, "first");
        Window late = window(Long.MAX_VALUE, Long.MIN_VALUE + 9, 300, "second"); // nanoTime has wrapped
        Window both = Window.merge(List.of(early, late));
        assertThat(both.elapsed()).isEqualTo(Duration.ofNanos(20));
        assertThat(both.responses()).isEqualTo(2);
        assertThat(both.failed()).isEqualTo(2);
        assertThat(both.errors()).containsEntry(ErrorKind.RESET, new ErrorCount(2, "first"));
        assertThat(both.statuses()).containsEntry(200, 2L);
        assertThat(both.latency().getTotalCount()).isEqualTo(2);
        assertThat(both.busyNanos()).isEqualTo(2 * (100 + 300));
        assertThat(both.threads()).hasSize(1);
        assertThat(both.threads().getFirst().wallNanos()).isEqualTo(20);
        assertThat(Window.merge(List.of(early, early)).threads().getFirst().wallNanos())
                .isEqualTo(20);
        assertThat(both.maxLoopLag()).isEqualTo(Duration.ofNanos(300));
        assertThatIllegalArgumentException().isThrownBy(() -> Window.merge(List.of()));
    }

    @Test
    void anAttemptBelongsToEachWindowForTheTimeItSpentThere() {
        long[] now = {0};
        long[] open = {0};
        Recorder recorder = new Recorder(() -> now[0], 1, at -> open[0], at -> at);
        recorder.begin(0);
        // two attempts begin at 0; neither has ended when the first window does, at 100
        now[0] = 100;
        open[0] = 200;
        recorder.offer(new Tally());
        recorder.answer();
        Tally first = taken(recorder);
        assertThat(first.busyNanos).isEqualTo(200);
        // one ends at 130, the other never; the second window ends at 150
        recorder.valid(130);
        now[0] = 150;
        open[0] = 150;
        recorder.end();
        assertThat(takeFrom(recorder).busyNanos).isEqualTo(30 + 50);
    }

    /** Its connection is opened ahead, so until it fails it is nobody's attempt, and no window counts its time. */
    @Test
    void anAttemptThatFailsAheadBelongsToTheWindowInWhichItFails() {
        long[] now = {0};
        Recorder recorder = new Recorder(() -> now[0], 1, at -> 0, at -> at);
        recorder.begin(0);
        now[0] = 100;
        recorder.offer(new Tally());
        recorder.answer();
        assertThat(taken(recorder).busyNanos).isZero();
        now[0] = 130;
        assertThat(recorder.failedAhead(ErrorKind.CONNECT_TIMEOUT, 130)).isTrue();
        assertThat(recorder.failedAhead(ErrorKind.REFUSED, 20)).isTrue();
        now[0] = 150;
        recorder.end();
        Window second = takeFrom(recorder).window(0);
        assertThat(second.busyNanos()).isEqualTo(30 + 20);
        assertThat(second.failed()).isEqualTo(2);
    }

    private static Tally taken(Recorder recorder) {
        try {
            return recorder.take(new Tally());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Window window(long start, long end, long nanos, String example) {
        Recorder recorder = new Recorder(() -> end, 1, now -> 0, now -> now);
        recorder.begin(start);
        recorder.status(200);
        recorder.valid(nanos);
        assertThat(recorder.failed(ErrorKind.RESET, nanos)).isTrue();
        recorder.example(ErrorKind.RESET, example);
        recorder.lag(nanos);
        recorder.end();
        return takeFrom(recorder).window(0);
    }

    private static Tally takeFrom(Recorder ended) {
        try {
            Tally fresh = new Tally();
            ended.offer(fresh);
            return ended.take(fresh);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static LoadSpecBuilder builder(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"));
    }
}
