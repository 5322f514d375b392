package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.insight.waits.Dumps;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cause comes first, and what hangs on it are its symptoms; where the graph says nothing, neither do its rules. */
class ChainRulesTest {
    private static final String[] HIKARI = {
        "com.zaxxer.hikari.util.ConcurrentBag.borrow:151", "com.zaxxer.hikari.pool.HikariPool.getConnection:161"
    };

    private static String[] at(String[] inner, String... own) {
        return Dumps.join(inner, own);
    }

    private static Dumps selfLocked() {
        return Dumps.of()
                .parks(10, at(HIKARI, "desk.Audit.record:50", "desk.Orders.place:21"))
                .parks(30, at(HIKARI, "desk.Orders.place:19"));
    }

    private static Dumps sleepingLoops() {
        return Dumps.of()
                .add(
                        "loop-*",
                        2,
                        Thread.State.TIMED_WAITING,
                        "",
                        -1,
                        "java.lang.Thread.sleep0",
                        "app.Filter.read:20",
                        "io.netty.channel.SingleThreadIoEventLoop.run:200");
    }

    private static Dumps lock(Dumps holder) {
        return holder.blocked(30, "java.lang.Object@1", 0, "shop.Rates.get:11", "shop.Api.show:5");
    }

    private static Dumps remoteHolder() {
        return lock(Dumps.of().reads(1, "shop.Rates.fetch:30", "shop.Rates.get:12", "shop.Api.show:5"));
    }

    private static Dumps runningHolder() {
        return lock(Dumps.of().runs(1, "shop.Rates.compute:30", "shop.Rates.get:12", "shop.Api.show:5"));
    }

    private static Dumps atTheLimit() {
        return Dumps.of()
                .idle(10)
                .add(
                        "http-nio-8080-Acceptor",
                        1,
                        Thread.State.WAITING,
                        "",
                        -1,
                        Dumps.parked(
                                "org.apache.tomcat.util.threads.LimitLatch.countUpOrAwait:117",
                                "org.apache.tomcat.util.net.Acceptor.run:118"));
    }

    private static Dumps jetty() {
        return Dumps.of()
                .add(
                        "qtp1-*",
                        2,
                        Thread.State.TIMED_WAITING,
                        "",
                        -1,
                        "java.lang.Thread.sleep0",
                        "app.Api.handle:22",
                        "org.eclipse.jetty.server.Server.handle:1")
                .add(
                        "qtp1-*",
                        1,
                        Thread.State.RUNNABLE,
                        "",
                        -1,
                        "sun.nio.ch.EPoll.wait",
                        "org.eclipse.jetty.io.ManagedSelector.select:1")
                .add(
                        "qtp1-24-acceptor-0@x",
                        1,
                        Thread.State.RUNNABLE,
                        "",
                        -1,
                        "sun.nio.ch.Net.accept",
                        "org.eclipse.jetty.server.ServerConnector.accept:1");
    }

    private static Dumps stuck() {
        return Dumps.of().reads(30, "scrape.Metrics.fetch:9");
    }

    /** A server whose requests are handed to a pool of threads. */
    private static Seen handed(double cpu, int clients, double perSecond, double seconds, Dumps pool) {
        return new Seen().cpu(cpu).clients(clients, perSecond, seconds).threads(pool.seen());
    }

    /** Workers in a search that does not end, each time elsewhere in it. */
    private static Seen endless(int n) {
        return new Seen()
                .threads(Dumps.of()
                        .moving()
                        .runs(n, "java.util.regex.Pattern$Loop.match:4964", "mail.Form.isAddress:9", "mail.Api.show:5")
                        .seen())
                .sighted(Sighting.ofAll(Sighting.STACKS), Sighting.RUNS, 40, "")
                .sighted(
                        Sighting.ofAll(Sighting.METHOD_RUNS),
                        "regex-backtracking",
                        40,
                        "mail.Form.isAddress; seen in 9")
                .sighted(Sighting.ofAll(Sighting.STACKS), Sighting.LOOKS, 20, "");
    }

    private static Arguments row(String rule, Seen seen, String... words) {
        return Arguments.of(rule, seen, List.of(words));
    }

    static Stream<Arguments> causes() {
        return Stream.of(
                row("pool-locks-itself", new Seen().threads(selfLocked().seen()), "desk.Audit.record", "65"),
                row(
                        "pool-locks-itself",
                        new Seen()
                                .failed(Kind.HUNG)
                                .always("workers.busy", 40)
                                .always("wait.pool", 40)
                                .threads(selfLocked().seen()),
                        "desk.Audit.record"),
                row("blocked-loop", new Seen().threads(sleepingLoops().seen()), "app.Filter.read", "loop-*"),
                row("lock", new Seen().threads(remoteHolder().seen()), "shop.Rates.fetch", "java.lang.Object"),
                row(
                        "lock",
                        new Seen()
                                .always("wait.lock", 25)
                                .threads(runningHolder().seen()),
                        "shop.Rates.compute"),
                row(
                        "connection-limit",
                        new Seen()
                                .dropped(50)
                                .always("accept.queue", 10)
                                .threads(atTheLimit().seen()),
                        "maxConnections"),
                row(
                        "few-workers-left",
                        new Seen().clients(50, 100, 0.5).threads(jetty().seen()),
                        "qtp1-*",
                        "2 are left"),
                row(
                        "calls-that-hang",
                        new Seen().failed(Kind.HUNG).always("workers.busy", 30).threads(stuck().seen()),
                        "scrape.Metrics.fetch"),
                row(
                        "calls-that-hang",
                        new Seen().errors(ErrorKind.READ_TIMEOUT, 500).threads(stuck().seen()),
                        "scrape.Metrics.fetch"),
                row(
                        "requests-run-on",
                        endless(20).failed(Kind.HUNG).always("cpu.total", 0.4),
                        "mail.Form.isAddress",
                        "backtracking",
                        "possessive"),
                row(
                        "requests-run-on",
                        endless(20).errors(ErrorKind.READ_TIMEOUT, 500).always("cpu.total", 1.9),
                        "mail.Form.isAddress"),
                row(
                        "connection-pool",
                        new Seen()
                                .always("wait.pool", 30)
                                .threads(Dumps.of()
                                        .parks(36, at(HIKARI, "shop.Articles.find:8", "shop.Page.show:20"))
                                        .reads(4, "shop.Supplier.days:33", "shop.Page.show:22")
                                        .seen()),
                        "shop.Supplier.days",
                        "Give the connection back"),
                row(
                        "few-threads",
                        new Seen()
                                .workers(50, 200)
                                .always("wait.other", 50)
                                .threads(Dumps.of()
                                        .parks(
                                                50,
                                                "java.util.concurrent.CompletableFuture.join:2100",
                                                "app.Supply.handle:12")
                                        .add(
                                                "ForkJoinPool.commonPool-worker-*",
                                                1,
                                                Thread.State.TIMED_WAITING,
                                                "",
                                                -1,
                                                "java.lang.Thread.sleep0",
                                                "app.Supply.price:11",
                                                "java.util.concurrent.ForkJoinWorkerThread.run:187")
                                        .seen()),
                        "ForkJoinPool.commonPool-worker-*",
                        "app.Supply.price"),
                row("queue-for-threads", handed(0.1, 40, 197, 0.204, crew(4, 0)), "claims-*", "app.Register.ask"),
                row("queue-for-threads", handed(0.1, 32, 23, 1.39, crew(1, 0)), "The only thread", "app.Register.ask"),
                row(
                        "queue-for-threads",
                        new Seen()
                                .cpu(0.1)
                                .clients(40, 81, 0.494)
                                .threads(Dumps.of()
                                        .moving()
                                        .add(
                                                "OkHttp http://127.0.0.1:*",
                                                5,
                                                Thread.State.RUNNABLE,
                                                "",
                                                -1,
                                                Dumps.join(Dumps.read(), new String[] {
                                                    "okio.AsyncTimeout$source$1.read:128",
                                                    "okhttp3.internal.http1.Http1ExchangeCodec.readResponseHeaders:180",
                                                    "okhttp3.internal.connection.RealCall$AsyncCall.run:517",
                                                    "java.util.concurrent.ThreadPoolExecutor.runWorker:1090",
                                                    "java.util.concurrent.ThreadPoolExecutor$Worker.run:614"
                                                }))
                                        .seen()),
                        "OkHttp http"),
                row(
                        "calls-one-by-one",
                        new Seen()
                                .always("ctxt.serving", 31_000)
                                .threads(Dumps.of()
                                        .reads(30, "shop.Prices.get:9", "shop.Page.show:3")
                                        .seen()),
                        "shop.Prices.get",
                        "about 31 calls"),
                row(
                        "calls-one-by-one",
                        new Seen()
                                .always("ctxt.serving", 20_000)
                                .threads(lazyLoading().seen()),
                        "shop.Page.show",
                        "join fetch"),
                row("calls-one-by-one", new Seen().threads(lazyLoading().seen()), "shop.Page.show", "N+1"),
                row(
                        "calls-one-by-one",
                        new Seen()
                                .always("ctxt.serving", 12_000)
                                .threads(Dumps.of()
                                        .sleeps(30, "shop.Jobs.result:9", "shop.Page.show:3")
                                        .seen()),
                        "shop.Jobs.result",
                        "Wait for the event itself"),
                row(
                        "computed-at-once",
                        stampede().over("load.rate", SWINGING).threads(lent().seen()),
                        "shop.Offers.of",
                        "one thread compute"),
                row(
                        "sleeping-workers",
                        new Seen()
                                .threads(Dumps.of()
                                        .sleeps(30, "shop.Jobs.result:9", "shop.Page.show:3")
                                        .seen()),
                        "shop.Jobs.result"),
                row(
                        "name-lookups",
                        new Seen()
                                .threads(Dumps.of()
                                        .runs(
                                                30,
                                                "java.net.Inet6AddressImpl.getHostByAddr",
                                                "java.net.InetAddress.getHostName:700",
                                                "shop.Log.client:9")
                                        .seen()),
                        "shop.Log.client"),
                row(
                        "permits-not-returned",
                        new Seen()
                                .threads(Dumps.of()
                                        .parks(
                                                30,
                                                "java.util.concurrent.Semaphore.tryAcquire:415",
                                                "topic.Lookup.broker:44")
                                        .seen()),
                        "topic.Lookup.broker"));
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("causes")
    void theCauseIsFirst(String rule, Seen seen, List<String> words) {
        List<Finding> found = Diagnosis.of(seen.trial()).findings();
        assertThat(found).isNotEmpty();
        Finding first = found.getFirst();
        assertThat(first.rule()).isEqualTo(rule);
        assertThat(first.title() + first.sentence() + first.remedy()).contains(words);
        assertThat(found).filteredOn(f -> f.rule().equals("hung")).isEmpty();
    }

    static Stream<Arguments> nothing() {
        return Stream.of(
                Arguments.of(
                        "full CPUs make locks look contended",
                        new Seen()
                                .cpu(1.0)
                                .always("wait.lock", 25)
                                .threads(runningHolder().seen()),
                        "lock"),
                Arguments.of(
                        "a slow way that some requests take at random",
                        stampede()
                                .over("load.rate", 4100, 4400, 4600, 4300, 4500, 4200, 4800, 4400, 4300, 4500)
                                .threads(lent().seen()),
                        "computed-at-once"),
                Arguments.of(
                        "all wait for a long time now and then",
                        stampede().median(0.008).over("load.rate", SWINGING).threads(lent().seen()),
                        "computed-at-once"),
                Arguments.of(
                        "a few sleep",
                        new Seen()
                                .threads(Dumps.of()
                                        .sleeps(10, "shop.Jobs.result:9")
                                        .runs(20, "shop.Page.show:3")
                                        .seen()),
                        "sleeping-workers"),
                Arguments.of(
                        "one slow call a request",
                        new Seen()
                                .always("ctxt.serving", 3000)
                                .threads(Dumps.of()
                                        .reads(30, "shop.Prices.get:9", "shop.Page.show:3")
                                        .seen()),
                        "calls-one-by-one"),
                Arguments.of(
                        "threads that wait for each other wake up often, and not for calls",
                        new Seen()
                                .always("ctxt.serving", 30_000)
                                .threads(lock(Dumps.of()
                                                .reads(
                                                        1,
                                                        "shop.Rates.fetch:30",
                                                        "shop.Rates.get:12",
                                                        "shop.Api.show:5"))
                                        .seen()),
                        "calls-one-by-one"),
                Arguments.of(
                        "virtual threads go on and off their carriers, which is not counted",
                        new Seen()
                                .always("ctxt.serving", 30_000)
                                .threads(Dumps.of()
                                        .add(
                                                "virtual threads",
                                                30,
                                                Thread.State.RUNNABLE,
                                                "",
                                                -1,
                                                Dumps.join(Dumps.read(), new String[] {
                                                    "shop.Prices.get:9", "java.lang.VirtualThread.run:460"
                                                }))
                                        .seen()),
                        "calls-one-by-one"),
                Arguments.of("one look is chance", new Seen().threads(one()), "pool-locks-itself"),
                Arguments.of(
                        "an acceptor at its limit while nobody waits",
                        new Seen()
                                .always("accept.queue", 0)
                                .threads(atTheLimit().seen()),
                        "connection-limit"),
                Arguments.of(
                        "as many clients as threads are left",
                        new Seen().clients(2, 100, 0.02).threads(jetty().seen()),
                        "few-workers-left"),
                Arguments.of(
                        "a batch that waits, and does not move",
                        new Seen()
                                .cpu(0.1)
                                .clients(40, 197, 0.204)
                                .threads(Dumps.of()
                                        .add(
                                                "batch-*",
                                                1,
                                                Thread.State.TIMED_WAITING,
                                                "",
                                                -1,
                                                "java.lang.Thread.sleep0",
                                                "batch.Job.run:9",
                                                "java.util.concurrent.ThreadPoolExecutor.runWorker:1090")
                                        .seen()),
                        "queue-for-threads"),
                Arguments.of("a pool with a thread left", handed(0.1, 40, 197, 0.204, crew(4, 1)), "queue-for-threads"),
                Arguments.of(
                        "as many threads as requests, of a pool without a bound",
                        handed(0.1, 40, 640, 0.0625, crew(38, 0)),
                        "queue-for-threads"),
                Arguments.of(
                        "a poller of messages next to a fast server",
                        handed(0.4, 40, 9000, 0.0044, crew(1, 0)),
                        "queue-for-threads"),
                Arguments.of(
                        "a server's threads that wait themselves",
                        new Seen()
                                .cpu(0.1)
                                .clients(40, 197, 0.204)
                                .threads(crew(4, 0)
                                        .add(
                                                "qtp1-*",
                                                36,
                                                Thread.State.TIMED_WAITING,
                                                "",
                                                -1,
                                                "java.lang.Thread.sleep0",
                                                "app.Api.handle:22",
                                                "org.eclipse.jetty.server.Server.handle:1")
                                        .seen()),
                        "queue-for-threads"),
                Arguments.of(
                        "a pool whose threads want a full CPU",
                        handed(1.0, 40, 197, 0.204, crew(4, 0)),
                        "queue-for-threads"),
                Arguments.of(
                        "an expensive method whose requests are answered",
                        endless(20).always("cpu.total", 1.9),
                        "requests-run-on"),
                Arguments.of(
                        "threads that got no CPU",
                        endless(20).failed(Kind.HUNG).always("cpu.total", 0.05),
                        "requests-run-on"),
                Arguments.of(
                        "one of many that runs",
                        new Seen()
                                .failed(Kind.HUNG)
                                .always("cpu.total", 1)
                                .threads(
                                        stuck().runs(5, "mail.Form.isAddress:9").seen()),
                        "requests-run-on"),
                Arguments.of(
                        "threads that allocate in a heap that is full",
                        endless(20)
                                .failed(Kind.HUNG)
                                .always("cpu.total", 1.9)
                                .always("heap.max", 1e8)
                                .always("heap.afterGc", 0.99e8)
                                .always("gc.share", 0.99),
                        "requests-run-on"),
                Arguments.of("long polls that are answered", new Seen().threads(stuck().seen()), "calls-that-hang"),
                Arguments.of(
                        "long polls in a queue that are answered",
                        new Seen()
                                .threads(Dumps.of()
                                        .parks(
                                                30,
                                                "java.util.concurrent.LinkedBlockingQueue.poll:435",
                                                "chat.Events.next:9")
                                        .seen()),
                        "nobody-answers"));
    }

    /** Threads of an executor that wait for an answer from elsewhere, and such that wait for a task. */
    private static Dumps crew(int waiting, int idle) {
        Dumps d = Dumps.of()
                .moving()
                .add("claims-*", waiting, Thread.State.RUNNABLE, "", -1, Dumps.join(Dumps.read(), new String[] {
                    "app.Register.ask:12",
                    "java.util.concurrent.ThreadPoolExecutor.runWorker:1090",
                    "java.util.concurrent.ThreadPoolExecutor$Worker.run:614"
                }));
        return idle == 0
                ? d
                : d.add(
                        "claims-*",
                        idle,
                        Thread.State.WAITING,
                        "",
                        -1,
                        Dumps.parked(
                                "java.util.concurrent.LinkedBlockingQueue.take:435",
                                "java.util.concurrent.ThreadPoolExecutor.getTask:1016",
                                "java.util.concurrent.ThreadPoolExecutor.runWorker:1076"));
    }

    private static final double[] SWINGING = {5610, 244, 166, 11990, 10058, 178, 220, 8844, 196, 9809};

    private static Seen stampede() {
        return new Seen().clients(48, 4400, 0.0109).median(0.000113);
    }

    private static Dumps lent() {
        return Dumps.of()
                .parks(40, "java.util.concurrent.Semaphore.acquire:318", "shop.Offers.of:9", "shop.Page.render:4")
                .sleeps(3, "shop.Offers.of:11", "shop.Page.render:4");
    }

    private static Dumps lazyLoading() {
        return Dumps.of()
                .parks(
                        20,
                        "org.h2.jdbc.JdbcPreparedStatement.executeQuery:80",
                        "org.hibernate.proxy.AbstractLazyInitializer.initialize:183",
                        "shop.Page.show:3");
    }

    private static dev.fettle.model.trial.ThreadsSeen one() {
        return new dev.fettle.model.trial.ThreadsSeen(
                selfLocked().seen().frames(), selfLocked().seen().moments().subList(0, 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nothing")
    void whatIsInOrderIsNotFound(String name, Seen seen, String rule) {
        assertThat(Diagnosis.of(seen.trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain(rule);
    }

    /** Raising a backlog in front of a blocked loop changes nothing. */
    @Test
    void whatFollowsFromABlockedLoopIsItsSymptom() {
        Diagnosis d = Diagnosis.of(new Seen()
                .dropped(500)
                .always("accept.queue", 128)
                .over("sockets.closeWait", 10, 200, 300, 400)
                .always("sockets.established", 100)
                .always("fds.open", 1000)
                .always("fds.limit", 1024)
                .errors(ErrorKind.READ_TIMEOUT, 500)
                .errors(ErrorKind.CONNECT_TIMEOUT, 500)
                .threads(sleepingLoops().seen())
                .trial());
        assertThat(d.findings()).extracting(Finding::rule).containsExactly("blocked-loop");
        assertThat(d.findings().getFirst().symptoms()).hasSizeGreaterThanOrEqualTo(4);
    }
}
