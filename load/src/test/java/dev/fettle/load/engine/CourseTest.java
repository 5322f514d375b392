package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Open;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.load.record.Tally;
import dev.fettle.load.schedule.LoadClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When what is due leaves around pauses, to the nanosecond: on a simulated network and clock. */
class CourseTest {

    private static final long MILLI = 1_000_000;

    @Test
    void theLoadsTimeStandsStillInPauses() {
        LoadClock course = LoadClock.until(1000);
        LoadClock paused = course.pausedFrom(100);
        assertThat(paused.at(50)).isEqualTo(50);
        assertThat(paused.at(300)).isEqualTo(100);
        assertThat(paused.pausedFrom(200)).isSameAs(paused);
        LoadClock on = paused.resumedAt(400);
        assertThat(on.at(450)).isEqualTo(150);
        assertThat(on.runTime(150)).isEqualTo(450);
        assertThat(on.resumedAt(500)).isSameAs(on);
        LoadClock again = on.pausedFrom(600).resumedAt(601);
        assertThat(again.paused()).isEqualTo(301);
        assertThat(again.isOver(1300)).isFalse();
        assertThat(again.isOver(1301)).isTrue();
        assertThat(again.pausedFrom(1301)).as("after the end").isSameAs(again);
    }

    @Test
    void theEndMovesWithThePauses() {
        LoadClock paused = LoadClock.until(1000).pausedFrom(100);
        assertThat(paused.endingIn(50, 700).resumedAt(800).isOver(849)).isFalse();
        assertThat(paused.endingIn(50, 700).resumedAt(800).isOver(850)).isTrue();
        assertThat(paused.endingIn(0, 700).isOver(700)).isTrue();
        assertThat(paused.endingIn(Long.MAX_VALUE, 700)).isSameAs(paused);
        assertThat(paused.endingIn(50, 700).endingIn(60, 700).end()).isEqualTo(150);
    }

    @Test
    void anOpenScheduleIsPutOffByThePause() {
        SimulatedServer server = new SimulatedServer(MILLI);
        Window window = run(server, load -> load.arrivals(every10Millis(false)), 55, 1055, 1102, 1112);
        assertThat(millis(server.sent()))
                .containsExactly(0L, 10L, 20L, 30L, 40L, 50L, 1060L, 1070L, 1080L, 1090L, 1100L, 1120L, 1130L);
        assertThat(window.responses()).isEqualTo(13);
        assertThat(window.latency().getMaxValue()).isLessThan(2 * MILLI);
        assertThat(window.sendLag().getTotalCount()).isEqualTo(13);
        assertThat(window.sendLag().getMaxValue()).isZero();
        assertThat(window.held()).isZero();
        assertThat(window.pausedNanos()).isEqualTo(1010 * MILLI);
        assertThat(window.elapsed()).isEqualTo(Duration.ofMillis(1131));
        assertThat(window.responsesPerSecond()).isBetween(13 / 0.122, 13 / 0.120);
        assertThat(window.threads().getFirst().wallNanos()).isEqualTo(121 * MILLI);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pausesChangeNothingOfWhatIsOffered(boolean poisson) {
        SimulatedServer one = new SimulatedServer(MILLI);
        Window whole = run(one, load -> load.arrivals(every10Millis(poisson)).connections(20));
        SimulatedServer other = new SimulatedServer(MILLI);
        Window parts =
                run(other, load -> load.arrivals(every10Millis(poisson)).connections(20), 33, 44, 88, 188, 200, 201);
        assertThat(other.sent().stream().map(CourseTest::withoutThosePauses)).isEqualTo(one.sent());
        assertThat(parts.responses()).isEqualTo(whole.responses());
    }

    private static long withoutThosePauses(long at) {
        long millis = at / MILLI;
        return at - MILLI * (millis < 44 ? 0 : millis < 188 ? 11 : millis < 201 ? 111 : 112);
    }

    /** One connection, 25 ms an answer, a request every 10 ms. */
    @Test
    void whatWaitedBeforeThePauseGoesOnWaitingAfterIt() {
        SimulatedServer server = new SimulatedServer(25 * MILLI);
        Window window = run(server, load -> load.arrivals(every10Millis(false)), 60, 1060);
        // due at 0, 10, 20: sent at 0, 25, 50; the next one, due at 30, when the load goes on at 60 of its time
        assertThat(millis(server.sent())).containsExactly(0L, 25L, 50L, 1060L, 1085L, 1110L);
        assertThat(window.latency().getMaxValue()).isBetween(85 * MILLI, 86 * MILLI); // due at 50, sent at 110
        assertThat(window.held()).isEqualTo(5);
        assertThat(window.sendLag().getMaxValue()).isZero();
        assertThat(window.unsent()).isEqualTo(13 - 6);
        assertThat(window.failed() + window.abandoned()).isZero();
    }

    @Test
    void whoThinksSendsOnlyAfterThePause() {
        SimulatedServer server = new SimulatedServer(MILLI);
        Window window = run(
                server,
                load -> load.arrivals(new Arrivals.Closed(Duration.ofMillis(40))),
                30,
                130,
                150,
                160,
                200,
                1200);
        // thought until 41, which was in the pause; until 171; until 212, which was in the pause
        assertThat(millis(server.sent())).containsExactly(0L, 130L, 171L, 1200L);
        assertThat(window.sendLag().getTotalCount()).isEqualTo(3);
        assertThat(window.sendLag().getMaxValue()).isZero();
        assertThat(window.latency().getMaxValue()).isLessThan(2 * MILLI);
    }

    @Test
    void aPauseFromTheStartOpensNothing() {
        SimulatedServer server = new SimulatedServer(MILLI);
        run(server, load -> load.connections(200), 0, 500);
        assertThat(server.connects()).hasSize(200).allMatch(at -> at == 500 * MILLI);
        assertThat(server.sent().getFirst()).isEqualTo(500 * MILLI);
    }

    @Test
    void aCountThatIsUsedUpEndsTheLoadInThePauseToo() {
        SimulatedServer server = new SimulatedServer(5 * MILLI);
        Window window = run(server, load -> load.connections(3).maxRequests(6), 7);
        assertThat(window.responses()).isEqualTo(6);
        assertThat(window.elapsed()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void anEndInAPauseIsWaitedForAsEver() {
        SimulatedServer server = new SimulatedServer(50 * MILLI);
        AtomicReference<LoadClock> course = new AtomicReference<>(LoadClock.until(130 * MILLI));
        EngineLoop loop = loop(server, course.get(), load -> load.connections(3));
        server.at(20 * MILLI, () -> follow(loop, course, c -> c.pausedFrom(20 * MILLI)));
        server.at(30 * MILLI, () -> follow(loop, course, c -> c.endingIn(0, 30 * MILLI)));
        Window window = windowOf(loop);
        assertThat(window.responses()).isEqualTo(3);
        assertThat(window.abandoned()).isZero();
        assertThat(window.elapsed()).isEqualTo(Duration.ofMillis(50));
    }

    /** A request each 10 ms up to 130 ms, each answered after 40 ms; the drain is 50 ms. */
    @ParameterizedTest(name = "stopped at {0} ms for {1} ms: {2} answers, {3} given up, {4} looked at late")
    @CsvSource({
        "0,   0,   13, 0, 0",
        "140, 20,  13, 0, 3",
        "140, 300, 13, 0, 3",
        "125, 300, 13, 0, 4",
        "155, 90,  13, 0, 1",
        "165, 90,  13, 0, 0",
    })
    void aStopOfTheGeneratorWhileItWaitsForAnswersIsNotTheServers(
            long at, long length, int answers, int abandoned, int late) {
        SimulatedServer server = new SimulatedServer(40 * MILLI);
        if (length > 0) {
            server.stop(at * MILLI, length * MILLI);
        }
        Window window = run(
                server, b -> b.arrivals(every10Millis(false)).connections(10).drain(Duration.ofMillis(50)));
        assertThat(window.responses()).isEqualTo(answers);
        assertThat(window.abandoned()).isEqualTo(abandoned);
        assertThat(window.sendLag().getTotalCount() - window.sendLag().getCountBetweenValues(0, 2 * MILLI))
                .isEqualTo(late);
    }

    /** What the server itself leaves unanswered is given up at the end of the drain as ever. */
    @Test
    void aServerThatIsLateIsNotWaitedForLonger() {
        Window window = run(
                new SimulatedServer(100 * MILLI),
                b -> b.arrivals(every10Millis(false)).connections(20).drain(Duration.ofMillis(50)));
        assertThat(window.abandoned()).isEqualTo(4);
        assertThat(window.sendLag().getMaxValue()).isLessThan(2 * MILLI);
    }

    /** 100 ms an answer, the drain is 50 ms: sent at 90, 100, 110 and 120, given up at 180. */
    @Test
    void howLongAnAnswerWasAwaitedIsKept() {
        Window window = run(
                new SimulatedServer(100 * MILLI),
                b -> b.arrivals(every10Millis(false)).connections(20).drain(Duration.ofMillis(50)));
        assertThat(window.abandonedAge().getTotalCount()).isEqualTo(4);
        assertThat(window.abandonedAge().getMinValue()).isBetween(59 * MILLI, 60 * MILLI);
        assertThat(window.abandonedAge().getMaxValue()).isBetween(90 * MILLI, 91 * MILLI);
    }

    /** One connection: the second request is due at 10, sent at 100 and given up at 150. */
    @Test
    void waitingForAConnectionIsNotWaitingForAnAnswer() {
        Window window = run(
                new SimulatedServer(100 * MILLI),
                b -> b.arrivals(every10Millis(false)).drain(Duration.ofMillis(20)));
        assertThat(window.abandonedAge().getTotalCount()).isEqualTo(1);
        assertThat(window.abandonedAge().getMaxValue()).isBetween(50 * MILLI, 51 * MILLI);
    }

    /** One connection, 25 ms an answer, a request every 10 ms. Sent at 0, 25 and 50; due until 55, but for those, 3 more. */
    @Test
    void whatWasNeverDueIsNotUnsent() {
        SimulatedServer server = new SimulatedServer(25 * MILLI);
        EngineLoop loop = loop(server, LoadClock.until(130 * MILLI), b -> b.arrivals(every10Millis(false)));
        server.at(55 * MILLI, loop::stop);
        Window window = windowOf(loop);
        assertThat(window.responses() + window.abandoned()).isEqualTo(3);
        assertThat(window.unsent()).isEqualTo(3);
    }

    /** A millisecond a connect, 200 connections, an end after 130 ms. */
    @Test
    void whoThinksDoesNotWaitForAllToBeConnected() {
        SimulatedServer server = new SimulatedServer(MILLI);
        server.connectsTake(MILLI);
        Window window = run(
                server,
                load -> load.arrivals(new Arrivals.Closed(Duration.ofMillis(10)))
                        .connections(200));
        assertThat(server.sent())
                .as("the first one sends again")
                .hasSizeGreaterThan(server.connects().size());
        assertThat(window.sendLag().getMaxValue()).isLessThan(33 * MILLI);
        assertThat(server.connects()).allMatch(at -> at <= 131 * MILLI);
    }

    @Test
    void aCountThatIsUsedUpOpensNoMore() {
        SimulatedServer server = new SimulatedServer(MILLI);
        server.connectsTake(MILLI);
        Window window = run(server, load -> load.connections(120).maxRequests(40));
        assertThat(window.responses()).isEqualTo(40);
        assertThat(server.connects()).hasSizeLessThan(80);
    }

    private static Open every10Millis(boolean poisson) {
        return new Open(List.of(new Stage(100, 100, Duration.ofMillis(130), 1)), poisson, 7);
    }

    private static List<Long> millis(List<Long> nanos) {
        return nanos.stream().map(each -> each / MILLI).toList();
    }

    /** @param changes moments in ms at which the load pauses, goes on, pauses… */
    private static Window run(SimulatedServer server, UnaryOperator<LoadSpecBuilder> how, long... changes) {
        AtomicReference<LoadClock> course = new AtomicReference<>(LoadClock.until(130 * MILLI));
        EngineLoop loop = loop(server, course.get(), how);
        for (long millis : changes) {
            long at = millis * MILLI;
            Runnable change = () -> follow(loop, course, c -> c.isPaused() ? c.resumedAt(at) : c.pausedFrom(at));
            if (at == 0) {
                change.run();
            } else {
                server.at(at, change);
            }
        }
        return windowOf(loop);
    }

    private static void follow(EngineLoop loop, AtomicReference<LoadClock> course, UnaryOperator<LoadClock> change) {
        loop.follow(course.updateAndGet(change));
    }

    static EngineLoop loop(SimulatedServer server, LoadClock course, UnaryOperator<LoadSpecBuilder> how) {
        LoadSpec spec = how.apply(LoadSpec.builder(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), RequestTemplate.get("/"))
                        .maxDuration(Duration.ofMillis(130)))
                .build();
        try {
            return new EngineLoop(
                    spec,
                    course,
                    Wiring.scripts(spec),
                    server,
                    new EngineLoop.Share(0, 0, spec.connections()),
                    server::nanoTime,
                    () -> {});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Window windowOf(EngineLoop loop) {
        try {
            loop.run(0);
            Tally fresh = new Tally();
            return loop.recorder().take(fresh).window(0);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
