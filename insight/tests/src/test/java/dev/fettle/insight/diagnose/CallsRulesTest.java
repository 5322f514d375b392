package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.insight.waits.Dumps;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Connections, clients, threads and schedulers that are made or held in the wrong way: what comes first, and which words of the program its
 * title has; and what is nearly that and healthy.
 */
class CallsRulesTest {
    private static final String PEER = "10.0.0.9:8125";

    private static Arguments row(String rule, Seen seen, String... words) {
        return Arguments.of(rule, seen, List.of(words));
    }

    /** Connections to a service at ten looks: so many open in all, of which so many were new, and opened a second in the whole namespace. */
    private static Seen service(double open, double fresh, double opens) {
        return new Seen()
                .always("sockets.opened", fresh / 10)
                .always("tcp.opens", opens)
                .sighted(Sighting.PEER_OPENED, PEER, fresh, "")
                .sighted(Sighting.PEER_LOOKED, PEER, open, "");
    }

    private static Dumps reads() {
        return Dumps.of().moving().reads(30, "shop.Meter.count:31", "shop.Api.show:8");
    }

    private static Dumps builds() {
        return Dumps.of()
                .reads(25, "okhttp3.internal.http.CallServerInterceptor.intercept:9", "shop.Geo.locate:31")
                .runs(5, "okhttp3.OkHttpClient$Builder.build:12", "shop.Geo.client:20", "shop.Geo.locate:30");
    }

    private static Dumps starts() {
        return Dumps.of()
                .runs(
                        3,
                        "java.lang.Thread.start0",
                        "java.lang.Thread.start:1545",
                        "java.util.concurrent.ThreadPoolExecutor.addWorker:953",
                        "shop.Mailer.<init>:14");
    }

    /** The threads of a Timer, or of a scheduler, in a task or idle. */
    private static Dumps timer(int busy, int idle, String... task) {
        String[] inner =
                Dumps.join(task, new String[] {"java.util.TimerThread.mainLoop:571", "java.util.TimerThread.run:521"});
        Dumps d = Dumps.of().idle(5);
        if (busy > 0) {
            d.add("Timer-*", busy, Thread.State.RUNNABLE, "", -1, Dumps.join(Dumps.read(), inner));
        }
        return idle > 0
                ? d.add(
                        "Timer-*",
                        idle,
                        Thread.State.WAITING,
                        "",
                        -1,
                        "java.lang.Object.wait0",
                        "java.util.TimerThread.mainLoop:537",
                        "java.util.TimerThread.run:521")
                : d;
    }

    private static Seen stale(Dumps d) {
        return new Seen().answered(503, 90_000).threads(d.seen());
    }

    /** Busy at the second and third of four looks; so many wrong answers a second from then on, and before. */
    private static Seen staleFor(double during, double before) {
        ThreadsSeen busy = timer(1, 0, "shop.Report.send:9").seen(1);
        ThreadsSeen free = timer(0, 1, "shop.Report.send:9").seen(1);
        var frames = new ArrayList<>(busy.frames());
        int from = frames.size();
        frames.addAll(free.frames());
        var moved = free.moments().getFirst().groups().stream()
                .map(g -> new ThreadsSeen.Group(
                        g.kind(),
                        g.count(),
                        0,
                        g.state(),
                        g.stack().stream().map(f -> f + from).toList(),
                        "",
                        -1))
                .toList();
        var held = busy.moments().getFirst().groups();
        return new Seen()
                .answered(503, 3000)
                .over("load.errors", before, before, before, before, during, during, during, during, before, before)
                .threads(new ThreadsSeen(
                        frames,
                        List.of(
                                new ThreadsSeen.Moment(1000, moved),
                                new ThreadsSeen.Moment(5000, held),
                                new ThreadsSeen.Moment(7000, held),
                                new ThreadsSeen.Moment(9500, moved))));
    }

    private static Dumps directMemory() {
        return Dumps.of()
                .add(
                        "relay-*",
                        2,
                        Thread.State.TIMED_WAITING,
                        "",
                        -1,
                        "java.lang.Thread.sleep0",
                        "java.nio.Bits.reserveMemory:124",
                        "java.nio.DirectByteBuffer.<init>:1",
                        "io.netty.buffer.PoolArena$DirectArena.allocateDirect:1",
                        "feed.Fanout.publish:40",
                        "io.netty.channel.nio.NioEventLoop.run:1");
    }

    private static Dumps websockets() {
        return Dumps.of()
                .runs(3, "org.apache.tomcat.websocket.WsRemoteEndpointAsync.sendText:50", "feed.Ticker.push:12");
    }

    static Stream<Arguments> found() {
        return Stream.of(
                // one connection a call, which it ends
                row("connections-not-kept", service(40, 38, 1000).threads(reads().seen()), "shop.Meter.count", PEER),
                // a client a call, whose connection stays
                row(
                        "connections-not-kept",
                        service(90_000, 9_000, 950)
                                .over("sockets.closeWait", 0, 3000, 6000, 9000)
                                .sighted(Sighting.PEER_CLOSE_WAIT, PEER, 9000, "")
                                .threads(builds().seen()),
                        "shop.Geo.client",
                        PEER),
                // calls that time out, four times a request
                row(
                        "connections-not-kept",
                        service(40, 40, 4000)
                                .errors(ErrorKind.READ_TIMEOUT, 900)
                                .threads(reads().seen()),
                        "shop.Meter.count",
                        "4"),
                // connections that are not closed, of a client that was not seen to be made
                row(
                        "connections-left-open",
                        service(90_000, 9_000, 950)
                                .over("sockets.closeWait", 0, 3000, 6000, 9000)
                                .always("sockets.established", 100)
                                .sighted(Sighting.PEER_CLOSE_WAIT, PEER, 9000, "")
                                .threads(reads().seen()),
                        "shop.Meter.count"),
                row(
                        "threads-grow",
                        new Seen().over("threads.total", 40, 900, 2500, 5000).threads(starts().seen()),
                        "shop.Mailer.<init>"),
                row(
                        "threads-for-each-request",
                        new Seen().always("threads.started", 3000).threads(starts().seen()),
                        "shop.Mailer.<init>",
                        "3"),
                row("scheduler-held-up", stale(timer(1, 0, "shop.Report.send:9")), "Timer-*", "shop.Report.send"),
                row("scheduler-held-up", staleFor(600, 0), "Timer-*", "shop.Report.send"),
                // answers fail all the time
                row("server-errors", staleFor(300, 290), "500"),
                row(
                        "peer-does-not-read",
                        new Seen()
                                .over("sockets.untaken", 0, 3e6, 2e6, 1e6, 0, 0, 0, 0)
                                .sighted(Sighting.PEER_UNTAKEN, PEER, 3e6, "")
                                .threads(directMemory().seen()),
                        "feed.Fanout.publish",
                        PEER),
                row(
                        "peer-does-not-read",
                        new Seen()
                                .always("sockets.untaken", 2e6)
                                .always("heap.afterGc", 95e6)
                                .always("heap.max", 100e6)
                                .sighted(Sighting.PEER_UNTAKEN, "from 10.0.0.7", 3e6, "")
                                .threads(websockets().seen()),
                        "feed.Ticker.push",
                        "from 10.0.0.7"));
    }

    static Stream<Arguments> healthy() {
        return Stream.of(
                // a pool that keeps its connections; one that renews a few; others in the same namespace open many
                row("connections-not-kept", service(300, 20, 15).threads(reads().seen())),
                row("connections-not-kept", service(300, 60, 15).threads(reads().seen())),
                row("connections-not-kept", service(300, 20, 3000).threads(reads().seen())),
                // a check of a service's health, now and then; the load's own connects
                row("connections-not-kept", service(10, 10, 2).threads(reads().seen())),
                row("connections-not-kept", service(3, 3, 900).threads(reads().seen())),
                row("connections-not-kept", service(20, 20, 900).tls(9000).threads(reads().seen())),
                // the pool of a server that starts; one thread for each request under way
                row("threads-grow", new Seen().over("threads.total", 40, 200, 239, 240)),
                row("threads-grow", new Seen().clients(400, 1000, 0.4).over("threads.total", 40, 300, 500, 700)),
                row("threads-grow", new Seen().over("threads.total", 40, 900, 2500, 2500)),
                row(
                        "threads-for-each-request",
                        new Seen().always("threads.started", 20).threads(starts().seen())),
                // one of two threads is free; nothing is wrong with the answers; it waits for work of others
                // the load asks for a page that is not there
                row(
                        "scheduler-held-up",
                        new Seen()
                                .answered(404, 90_000)
                                .threads(timer(1, 0, "shop.Report.send:9").seen())),
                row("scheduler-held-up", stale(timer(1, 1, "shop.Report.send:9"))),
                row(
                        "scheduler-held-up",
                        new Seen().threads(timer(1, 0, "shop.Report.send:9").seen())),
                row("scheduler-held-up", stale(timer(0, 1, "shop.Report.send:9"))),
                row(
                        "scheduler-held-up",
                        stale(Dumps.of()
                                .add(
                                        "Timer-*",
                                        1,
                                        Thread.State.WAITING,
                                        "",
                                        -1,
                                        Dumps.parked(
                                                "java.util.concurrent.LinkedBlockingQueue.take:435",
                                                "shop.Report.next:4",
                                                "java.util.TimerThread.mainLoop:571")))),
                // large answers that clients read as fast as they can, while nothing is short; a leak, with peers that
                // read
                row(
                        "peer-does-not-read",
                        new Seen()
                                .always("sockets.untaken", 2e6)
                                .sighted(Sighting.PEER_UNTAKEN, "from 10.0.0.7", 3e6, "")
                                .threads(websockets().seen())),
                row(
                        "peer-does-not-read",
                        new Seen()
                                .always("sockets.untaken", 9000)
                                .sighted(Sighting.PEER_UNTAKEN, PEER, 9000, "")
                                .threads(directMemory().seen())));
    }

    /** An Error ended the thread that hands on requests: it is named, and what else there is in the dump. */
    @Test
    void aLoopThatHasEndedIsNamed() {
        String[] select = {"sun.nio.ch.EPoll.wait", "sun.net.httpserver.ServerImpl$Dispatcher.run:516"};
        ThreadsSeen both = Dumps.of()
                .idle(4)
                .add("HTTP-Dispatcher", 1, Thread.State.RUNNABLE, "", -1, select)
                .seen(2);
        var gone =
                new ThreadsSeen.Moment(9000, both.moments().getFirst().groups().subList(0, 1));
        var seen = new ThreadsSeen(both.frames(), List.of(both.moments().getFirst(), gone));
        assertThat(Diagnosis.of(new Seen()
                                .failed(Kind.HUNG)
                                .always("workers.busy", 0)
                                .threads(seen)
                                .trial())
                        .findings()
                        .getFirst()
                        .sentence())
                .contains("HTTP-Dispatcher");
        assertThat(Diagnosis.of(new Seen()
                                .failed(Kind.HUNG)
                                .always("workers.busy", 0)
                                .threads(both)
                                .trial())
                        .findings()
                        .getFirst()
                        .sentence())
                .doesNotContain("HTTP-Dispatcher");
    }

    /** A finalizer that is at work in the dump of a target without memory, too. */
    @Test
    void aDumpShowsTheFinalizerAtWork() {
        ThreadsSeen one = Dumps.of()
                .idle(4)
                .add(
                        "Finalizer",
                        1,
                        Thread.State.TIMED_WAITING,
                        "",
                        -1,
                        "java.lang.Thread.sleep0",
                        "shop.Scan.finalize:9",
                        "java.lang.ref.Finalizer.runFinalizer:94")
                .seen(1);
        Seen seen = new Seen()
                .failed(Kind.HUNG)
                .over("gc.share", 0.1, 0.6, 0.8)
                .over("finalizers.waiting", 29)
                .threads(one)
                .sighted(Sighting.DUMP, "it hangs", 1, "");
        assertThat(Diagnosis.of(seen.trial()).findings().getFirst().rule()).isEqualTo("hung");
        Finding first = Diagnosis.of(seen.sighted(Sighting.DUMP_FREEING, "Finalizer", 1, "shop.Scan.finalize")
                        .trial())
                .findings()
                .getFirst();
        assertThat(first.rule()).isEqualTo("finalizers");
        assertThat(first.title()).contains("shop.Scan.finalize");
    }

    @ParameterizedTest
    @MethodSource
    void found(String rule, Seen seen, List<String> words) {
        Finding first = Diagnosis.of(seen.trial()).findings().getFirst();
        assertThat(first.rule()).isEqualTo(rule);
        assertThat(first.title() + first.sentence() + first.remedy())
                .contains(words)
                .doesNotContain("{", "}", "NaN", "[");
    }

    @ParameterizedTest
    @MethodSource
    void healthy(String rule, Seen seen, List<String> words) {
        assertThat(words).isEmpty();
        assertThat(Diagnosis.of(seen.trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain(rule);
    }
}
