package dev.fettle.insight.waits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.model.trial.ThreadsSeen;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.AggregateWith;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.aggregator.ArgumentsAggregator;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of chain, and near misses of each: what a healthy server looks like. */
class WaitGraphTest {
    private static final Thread.State WAITING = Thread.State.WAITING;
    private static final Thread.State RUNNABLE = Thread.State.RUNNABLE;
    private static final String[] HIKARI = {
        "java.util.concurrent.SynchronousQueue.poll:300",
        "com.zaxxer.hikari.util.ConcurrentBag.borrow:151",
        "com.zaxxer.hikari.pool.HikariPool.getConnection:161"
    };

    private static String[] at(String[] inner, String... own) {
        return Dumps.join(inner, own);
    }

    private static Arguments row(String name, Dumps dump, Kind kind, String subject, Wait does, String where) {
        return Arguments.of(name, dump, kind, subject, does, where);
    }

    static Stream<Arguments> chains() {
        return Stream.of(
                row(
                        "a lock whose holder waits for another machine",
                        Dumps.of()
                                .reads(1, "shop.Rates.fetch:30", "shop.Rates.get:12", "shop.Api.show:5")
                                .blocked(20, "java.lang.Object@1", 0, "shop.Rates.get:11", "shop.Api.show:5"),
                        Kind.LOCK,
                        "java.lang.Object",
                        Wait.REMOTE,
                        "shop.Rates.fetch"),
                row(
                        "a lock of java.util.concurrent whose holder syncs a file",
                        Dumps.of()
                                .runs(
                                        1,
                                        "sun.nio.ch.UnixFileDispatcherImpl.force0",
                                        "sun.nio.ch.FileChannelImpl.force:520",
                                        "log.Journal.append:40")
                                .add(
                                        "http-nio-8080-exec-*",
                                        12,
                                        WAITING,
                                        "java.util.concurrent.locks.ReentrantLock$NonfairSync@7",
                                        0,
                                        Dumps.parked(
                                                "java.util.concurrent.locks.ReentrantLock.lock:322",
                                                "log.Journal.append:38",
                                                "org.apache.coyote.X.y")),
                        Kind.LOCK,
                        "ReentrantLock",
                        Wait.FILE,
                        "log.Journal.append"),
                row(
                        "two locks in a row: the second one is the end",
                        Dumps.of()
                                .sleeps(1, "shop.Stock.count:9")
                                .blocked(1, "shop.Stock@2", 0, "shop.Stock.count:8", "shop.Cart.sum:3")
                                .blocked(30, "shop.Cart@3", 1, "shop.Cart.sum:2", "shop.Api.cart:7"),
                        Kind.LOCK,
                        "shop.Stock",
                        Wait.SLEEP,
                        "shop.Stock.count"),
                row(
                        "a pool that locks itself: two connections in two methods",
                        Dumps.of()
                                .add(
                                        "orders housekeeper",
                                        1,
                                        WAITING,
                                        "",
                                        -1,
                                        Dumps.parked("java.util.concurrent.ThreadPoolExecutor.getTask:1"))
                                .parks(
                                        10,
                                        at(HIKARI, "desk.Audit.record:50", "desk.Orders.place:21", "desk.Api.post:9"))
                                .parks(30, at(HIKARI, "desk.Orders.place:19", "desk.Api.post:9")),
                        Kind.POOL_OF_ITSELF,
                        "'orders' (HikariCP)",
                        Wait.POOL,
                        "desk.Audit.record"),
                row(
                        "the same in one method",
                        Dumps.of()
                                .parks(10, at(HIKARI, "desk.Orders.place:21", "desk.Api.post:9"))
                                .parks(90, at(HIKARI, "desk.Orders.place:19", "desk.Api.post:9")),
                        Kind.POOL_OF_ITSELF,
                        "HikariCP",
                        Wait.POOL,
                        "desk.Orders.place"),
                row(
                        "connections held while another service answers",
                        Dumps.of()
                                .parks(
                                        36,
                                        at(
                                                HIKARI,
                                                "org.hibernate.internal.SessionImpl.find:3",
                                                "shop.Articles.find:8",
                                                "shop.Page.show:20"))
                                .reads(4, "shop.Supplier.days:33", "shop.Page.show:22"),
                        Kind.POOL,
                        "HikariCP",
                        Wait.REMOTE,
                        "shop.Supplier.days"),
                row(
                        "connections held by statements",
                        Dumps.of()
                                .parks(36, at(HIKARI, "shop.Articles.find:8", "shop.Page.show:20"))
                                .reads(
                                        4,
                                        "org.postgresql.core.v3.QueryExecutorImpl.execute:300",
                                        "org.postgresql.jdbc.PgStatement.executeQuery:200",
                                        "com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery",
                                        "shop.Articles.find:9",
                                        "shop.Page.show:20"),
                        Kind.POOL,
                        "HikariCP",
                        Wait.QUERY,
                        "shop.Articles.find"),
                row(
                        "connections that are checked at each borrowing, by the name of the outer pool",
                        Dumps.of()
                                .parks(
                                        20,
                                        "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst:2",
                                        "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject:279",
                                        "org.apache.commons.dbcp2.PoolingDataSource.getConnection:141",
                                        "parts.Catalog.name:30")
                                .sleeps(
                                        9,
                                        "parts.Wire.exchange:70",
                                        "org.apache.commons.dbcp2.PoolableConnection.validate:300",
                                        "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject:300",
                                        "org.apache.commons.dbcp2.PoolingDataSource.getConnection:141",
                                        "parts.Catalog.name:30")
                                .sleeps(
                                        3,
                                        "parts.Wire.exchange:70",
                                        "org.apache.commons.dbcp2.DelegatingStatement.execute:3",
                                        "parts.Catalog.name:31"),
                        Kind.POOL,
                        "DBCP2",
                        Wait.VALIDATES,
                        "parts.Wire.exchange"),
                row(
                        "c3p0, by the name in its threads",
                        Dumps.of()
                                .add(
                                        "C3P0PooledConnectionPoolManager[identityToken->x1, dataSourceName->customers]-HelperThread-#*",
                                        3,
                                        WAITING,
                                        "",
                                        -1,
                                        "java.lang.Object.wait0",
                                        "com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread.run:1")
                                .parks(
                                        30,
                                        "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable:1503",
                                        "com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource.getConnection:103",
                                        "desk.Desk.handle:40")
                                .reads(5, "desk.Address.ask:5", "desk.Desk.handle:44"),
                        Kind.POOL,
                        "'customers' (c3p0)",
                        Wait.REMOTE,
                        "desk.Address.ask"),
                row(
                        "connections that nobody is seen to have",
                        Dumps.of().parks(40, at(HIKARI, "shop.Articles.find:8")),
                        Kind.POOL_LOST,
                        "HikariCP",
                        Wait.OTHER,
                        ""),
                row(
                        "holders of connections that wait for a lock: the lock is the end",
                        Dumps.of()
                                .reads(1, "shop.Rates.fetch:30", "shop.Rates.get:12", "shop.Page.show:22")
                                .blocked(3, "shop.Rates@1", 0, "shop.Rates.get:11", "shop.Page.show:22")
                                .parks(30, at(HIKARI, "shop.Articles.find:8", "shop.Page.show:20")),
                        Kind.LOCK,
                        "shop.Rates",
                        Wait.REMOTE,
                        "shop.Rates.fetch"),
                row(
                        "Apache HttpClient 5's connections of a route",
                        Dumps.of()
                                .parks(
                                        43,
                                        "org.apache.hc.core5.concurrent.BasicFuture.get:82",
                                        "org.apache.hc.core5.pool.StrictConnPool$1.get:170",
                                        "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$3.get:300",
                                        "org.apache.hc.client5.http.impl.classic.InternalExecRuntime.acquireEndpoint:123",
                                        "fare.TariffClient.ask:60")
                                .reads(
                                        5,
                                        "org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer:149",
                                        "fare.TariffClient.ask:60"),
                        Kind.CLIENT_POOL,
                        "PoolingHttpClientConnectionManager",
                        Wait.REMOTE,
                        "fare.TariffClient.ask"),
                row(
                        "the common pool of one thread",
                        Dumps.of()
                                .parks(50, "java.util.concurrent.CompletableFuture.join:2100", "app.Supply.handle:12")
                                .add(
                                        "ForkJoinPool.commonPool-worker-*",
                                        1,
                                        Thread.State.TIMED_WAITING,
                                        "",
                                        -1,
                                        "java.lang.Thread.sleep0",
                                        "app.Supply.lambda$handle$0:11",
                                        "java.util.concurrent.CompletableFuture$AsyncSupply.run:1789",
                                        "java.util.concurrent.ForkJoinWorkerThread.run:187"),
                        Kind.EXECUTOR,
                        "ForkJoinPool.commonPool-worker-*",
                        Wait.SLEEP,
                        "app.Supply.handle"),
                row(
                        "a scheduler of one, behind a latch",
                        Dumps.of()
                                .parks(20, "java.util.concurrent.CountDownLatch.await:230", "mail.Outbox.send:14")
                                .pool(
                                        "scheduling-*",
                                        1,
                                        RUNNABLE,
                                        at(Dumps.read(), "mail.Smtp.talk:80", "mail.Outbox.flush:30")),
                        Kind.EXECUTOR,
                        "scheduling-*",
                        Wait.REMOTE,
                        "mail.Smtp.talk"),
                row(
                        "tasks that wait for tasks of their own pool",
                        Dumps.of()
                                .parks(20, "java.util.concurrent.FutureTask.get:190", "app.Report.make:9")
                                .pool(
                                        "pool-1-thread-*",
                                        8,
                                        WAITING,
                                        Dumps.parked("java.util.concurrent.FutureTask.get:190", "app.Report.part:30")),
                        Kind.EXECUTOR_OF_ITSELF,
                        "pool-1-thread-*",
                        Wait.FUTURE,
                        "app.Report.part"),
                row(
                        "a parallel stream that waits",
                        Dumps.of()
                                .sleeps(
                                        16,
                                        "send.Shuffle.block:20",
                                        "java.util.stream.ForEachOps$ForEachOp$OfRef.accept:180",
                                        "java.util.stream.ForEachOps$ForEachTask.compute:290",
                                        "java.util.concurrent.ForkJoinTask.invoke:600",
                                        "send.Shuffle.inStream:12"),
                        Kind.STREAM,
                        "commonPool",
                        Wait.SLEEP,
                        "send.Shuffle.block"),
                row(
                        "permits that are held while a call waits",
                        Dumps.of()
                                .parks(
                                        30,
                                        "java.util.concurrent.Semaphore.acquire:318",
                                        "img.Resizer.take:5",
                                        "img.Api.get:8")
                                .reads(4, "img.Store.load:20", "img.Api.get:9"),
                        Kind.PERMITS,
                        "a Semaphore",
                        Wait.REMOTE,
                        "img.Store.load"),
                row(
                        "permits that nobody has",
                        Dumps.of().parks(30, "java.util.concurrent.Semaphore.tryAcquire:415", "topic.Lookup.broker:44"),
                        Kind.PERMITS_LOST,
                        "a Semaphore",
                        Wait.OTHER,
                        ""),
                row(
                        "objects of a pool that the application made, in a queue",
                        Dumps.of()
                                .parks(
                                        30,
                                        "java.util.concurrent.ArrayBlockingQueue.take:420",
                                        "pdf.Engines.lend:7",
                                        "pdf.Api.print:20")
                                .sleeps(3, "pdf.Engine.render:90", "pdf.Api.print:21"),
                        Kind.PERMITS,
                        "a queue",
                        Wait.SLEEP,
                        "pdf.Engine.render"),
                row(
                        "event loops that sleep",
                        Dumps.of()
                                .add(
                                        "multiThreadIoEventLoopGroup-*",
                                        2,
                                        Thread.State.TIMED_WAITING,
                                        "",
                                        -1,
                                        "java.lang.Thread.sleep0",
                                        "EventLoop$1$1.channelRead0:20",
                                        "io.netty.channel.SimpleChannelInboundHandler.channelRead:99",
                                        "io.netty.channel.SingleThreadIoEventLoop.run:200"),
                        Kind.LOOP,
                        "multiThreadIoEventLoopGroup-* (Netty)",
                        Wait.SLEEP,
                        "EventLoop$1$1.channelRead0"),
                row(
                        "Undertow's I/O threads that wait for another pool",
                        Dumps.of()
                                .add(
                                        "XNIO-1 I/O-*",
                                        2,
                                        WAITING,
                                        "",
                                        -1,
                                        Dumps.parked(
                                                "java.util.concurrent.CompletableFuture.join:2100",
                                                "groups.Admin.change:20",
                                                "io.undertow.server.Connectors.executeRootHandler:393",
                                                "org.xnio.nio.WorkerThread.run:601")),
                        Kind.LOOP,
                        "XNIO-1 I/O-* (XNIO)",
                        Wait.FUTURE,
                        "groups.Admin.change"),
                row(
                        "an acceptor at the limit of connections",
                        Dumps.of()
                                .idle(10)
                                .add(
                                        "http-nio-8080-Acceptor",
                                        1,
                                        WAITING,
                                        "",
                                        -1,
                                        Dumps.parked(
                                                "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly:1",
                                                "org.apache.tomcat.util.threads.LimitLatch.countUpOrAwait:117",
                                                "org.apache.tomcat.util.net.Acceptor.run:118")),
                        Kind.CONNECTIONS,
                        "Tomcat's maxConnections",
                        Wait.LIMIT,
                        ""),
                row(
                        "a log that is written by one slow thread",
                        Dumps.of()
                                .parks(
                                        30,
                                        "java.util.concurrent.ArrayBlockingQueue.put:370",
                                        "ch.qos.logback.core.AsyncAppenderBase.putUninterruptibly:139",
                                        "shop.Api.show:12")
                                .add(
                                        "AsyncAppender-Worker-FILE",
                                        1,
                                        RUNNABLE,
                                        "",
                                        -1,
                                        "sun.nio.ch.UnixFileDispatcherImpl.write0",
                                        "ch.qos.logback.core.recovery.ResilientOutputStreamBase.write:1",
                                        "ch.qos.logback.core.AsyncAppenderBase$Worker.run:290"),
                        Kind.LOG,
                        "Logback",
                        Wait.FILE,
                        ""),
                row(
                        "a cache's entry that one thread computes",
                        Dumps.of()
                                .reads(
                                        1,
                                        "shop.Offers.load:40",
                                        "java.util.concurrent.ConcurrentHashMap.computeIfAbsent:1740",
                                        "shop.Window.page:10")
                                .blocked(
                                        20,
                                        "java.util.concurrent.ConcurrentHashMap$ReservationNode@5",
                                        0,
                                        "java.util.concurrent.ConcurrentHashMap.computeIfAbsent:1711",
                                        "shop.Window.page:10"),
                        Kind.CACHE,
                        "computeIfAbsent",
                        Wait.REMOTE,
                        "shop.Offers.load"),
                row(
                        "a ring of a lock and a pool",
                        Dumps.of()
                                .parks(1, at(HIKARI, "a.Store.save:30", "a.Store.all:20"))
                                .blocked(9, "a.Store@1", 0, "a.Store.all:19", "a.Page.show:22")
                                .parks(20, at(HIKARI, "a.Page.user:8", "a.Page.show:20")),
                        Kind.RING,
                        "a.Store",
                        Wait.LOCK,
                        ""),
                row(
                        "a result that nobody works on",
                        Dumps.of().parks(40, "java.util.concurrent.CompletableFuture.get:2000", "chat.Reply.await:5"),
                        Kind.NOBODY,
                        "a future",
                        Wait.FUTURE,
                        ""),
                row(
                        "a server of its own, whose pool waits for another one",
                        Dumps.of()
                                .pool(
                                        "pool-1-thread-*",
                                        10,
                                        WAITING,
                                        Dumps.parked("java.util.concurrent.FutureTask.get:190", "own.Server.answer:40"))
                                .pool(
                                        "pool-2-thread-*",
                                        2,
                                        RUNNABLE,
                                        at(Dumps.read(), "own.Backend.ask:7", "own.Server.work:60")),
                        Kind.EXECUTOR,
                        "pool-2-thread-*",
                        Wait.REMOTE,
                        "own.Backend.ask"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chains")
    void theEndOfAChainIsNamed(String name, Dumps dump, Kind kind, String subject, Wait does, String where) {
        List<Root> roots = WaitGraph.of(dump.seen()).roots();
        assertThat(roots).isNotEmpty();
        Root first = roots.getFirst();
        assertThat(first.kind()).as(roots.toString()).isEqualTo(kind);
        assertThat(first.subject()).contains(subject);
        assertThat(first.does()).isEqualTo(does);
        assertThat(first.method()).isEqualTo(kind == Kind.LOG || kind == Kind.RING ? first.method() : where);
        assertThat(first.moments()).isEqualTo(3);
        assertThat(first.share()).isGreaterThan(0.5);
    }

    /** What a library waits with is not what it waits for. */
    static Stream<Arguments> waits() {
        return Stream.of(
                Arguments.of(
                        Wait.REMOTE,
                        "java.util.concurrent.CompletableFuture.get:2",
                        "jdk.internal.net.http.HttpClientImpl.send:5"),
                Arguments.of(
                        Wait.REMOTE,
                        "java.util.concurrent.CountDownLatch.await:2",
                        "io.lettuce.core.protocol.AsyncCommand.await:5"),
                Arguments.of(
                        Wait.REMOTE,
                        "java.util.concurrent.CompletableFuture.get:2",
                        "io.grpc.stub.ClientCalls.blockingUnaryCall:5"),
                Arguments.of(
                        Wait.REMOTE,
                        "java.lang.Object.wait0",
                        "org.apache.kafka.clients.producer.KafkaProducer.send:5"),
                Arguments.of(
                        Wait.REMOTE,
                        "java.util.concurrent.CountDownLatch.await:2",
                        "reactor.core.publisher.BlockingSingleSubscriber.blockingGet:5"),
                Arguments.of(
                        Wait.REMOTE,
                        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await:1",
                        "com.mongodb.internal.connection.InternalStreamConnection.receive:5"),
                Arguments.of(
                        Wait.POOL,
                        "java.util.concurrent.LinkedBlockingDeque.takeFirst:2",
                        "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject:5"),
                Arguments.of(
                        Wait.POOL,
                        "java.util.concurrent.Semaphore.tryAcquire:2",
                        "com.mongodb.internal.connection.DefaultConnectionPool.get:5"),
                Arguments.of(Wait.ROUTE, "java.lang.Object.wait0", "okhttp3.Dispatcher.promote:1"),
                Arguments.of(
                        Wait.LOOKUP,
                        "java.util.concurrent.locks.ReentrantLock.lock:1",
                        "java.net.InetAddress$CachedLookup.get:4",
                        "okhttp3.internal.connection.RealCall.execute:3"),
                Arguments.of(Wait.PROCESS, "java.lang.Object.wait0", "java.lang.ProcessImpl.waitFor:430"),
                Arguments.of(Wait.EXIT, "java.lang.Thread.join:2", "java.lang.ApplicationShutdownHooks.runHooks:107"),
                Arguments.of(Wait.MEMORY, "java.lang.Thread.sleep0", "java.nio.Bits.reserveMemory:150"),
                Arguments.of(
                        Wait.LOAD,
                        "java.util.concurrent.CompletableFuture.join:2",
                        "com.github.benmanes.caffeine.cache.LocalAsyncCache.get:5"),
                Arguments.of(
                        Wait.PERMIT,
                        "java.util.concurrent.Semaphore.tryAcquire:2",
                        "io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.tryEnter:5"),
                Arguments.of(
                        Wait.FUTURE,
                        "java.util.concurrent.ForkJoinTask.awaitDone:2",
                        "java.util.concurrent.ForkJoinTask.join:5"),
                Arguments.of(Wait.FULL_QUEUE, "java.util.concurrent.LinkedBlockingQueue.put:2"),
                Arguments.of(Wait.QUEUE, "java.util.concurrent.LinkedBlockingQueue.take:2"),
                Arguments.of(Wait.SLEEP, "java.lang.Thread.sleep0"),
                Arguments.of(Wait.OTHER));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void whatAThreadWaitsFor(Wait is, @AggregateWith(Rest.class) String... frames) {
        ThreadsSeen seen = Dumps.of().parks(1, at(frames, "shop.Api.show:4")).seen();
        assertThat(new Place(seen.moments().getFirst().groups().getFirst(), seen).doing())
                .isEqualTo(is);
    }

    /** All arguments but the first. */
    static final class Rest implements ArgumentsAggregator {
        @Override
        public Object aggregateArguments(ArgumentsAccessor all, ParameterContext context) {
            return all.toList().stream().skip(1).map(String::valueOf).toArray(String[]::new);
        }
    }

    static Stream<Arguments> healthy() {
        return Stream.of(
                Arguments.of("nobody at work", Dumps.of().idle(20).poolIdle("pool-1-thread-*", 4)),
                Arguments.of(
                        "workers that compute",
                        Dumps.of().runs(8, "shop.Page.render:9").idle(20)),
                Arguments.of(
                        "workers that ask another service", Dumps.of().moving().reads(8, "shop.Supplier.days:9")),
                Arguments.of("workers that sleep", Dumps.of().sleeps(8, "shop.Poll.next:9")),
                Arguments.of(
                        "a slow statement or two, and room in the pool",
                        Dumps.of()
                                .moving()
                                .reads(2, "com.zaxxer.hikari.pool.HikariProxyStatement.execute", "shop.Articles.find:9")
                                .runs(6, "shop.Page.render:9")),
                Arguments.of(
                        "a scheduler that has nothing to do, and a batch that sleeps",
                        Dumps.of()
                                .poolIdle("scheduling-*", 4)
                                .pool(
                                        "batch-*",
                                        1,
                                        Thread.State.TIMED_WAITING,
                                        "java.lang.Thread.sleep0",
                                        "batch.Job.run:9")
                                .runs(3, "shop.Page.render:9")),
                Arguments.of(
                        "event loops that select or compute",
                        Dumps.of()
                                .add(
                                        "loop-*",
                                        1,
                                        RUNNABLE,
                                        "",
                                        -1,
                                        "io.netty.channel.epoll.Native.epollWait",
                                        "io.netty.channel.epoll.EpollEventLoop.run:1")
                                .add(
                                        "loop-*",
                                        1,
                                        RUNNABLE,
                                        "",
                                        -1,
                                        "app.Json.write:4",
                                        "io.netty.channel.epoll.EpollEventLoop.run:1")),
                Arguments.of(
                        "an acceptor that accepts",
                        Dumps.of()
                                .add(
                                        "http-nio-8080-Acceptor",
                                        1,
                                        RUNNABLE,
                                        "",
                                        -1,
                                        "sun.nio.ch.Net.accept",
                                        "sun.nio.ch.ServerSocketChannelImpl.accept:1",
                                        "org.apache.tomcat.util.net.Acceptor.run:1")
                                .idle(10)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("healthy")
    void aHealthyServerHasNoChain(String name, Dumps dump) {
        assertThat(WaitGraph.of(dump.seen()).roots()).isEmpty();
    }

    /** A look at one moment is chance: the share is of all moments. */
    @Test
    void aShortWaitAtALockIsAFewOfThoseAtWork() {
        Dumps dump = Dumps.of()
                .runs(1, "shop.Stock.count:9")
                .blocked(2, "shop.Stock@2", 0, "shop.Stock.count:8")
                .runs(9, "shop.Page.render:9");
        assertThat(WaitGraph.of(dump.seen()).roots())
                .singleElement()
                .satisfies(r -> assertThat(r.share()).isLessThan(0.2));
    }

    /** An idle thread holds nothing: its stack is of another moment than the owner's name, or the lock was left. */
    @Test
    void anIdleThreadIsNoHolder() {
        Dumps dump = Dumps.of().idle(1).blocked(20, "shop.Stock@2", 0, "shop.Stock.count:8");
        assertThat(WaitGraph.of(dump.seen()).roots().getFirst().where()).isEmpty();
    }

    /** Two connections one after the other: whoever waits for the second has given the first back. */
    @Test
    void aSecondConnectionAfterTheFirstIsNotTheSameAsTwoAtOnce() {
        Dumps dump = Dumps.of()
                .parks(20, at(HIKARI, "shop.Repo.open:3", "shop.Page.show:20"))
                .parks(15, at(HIKARI, "shop.Repo.open:3", "shop.Page.show:25"))
                .reads(5, "com.zaxxer.hikari.pool.HikariProxyStatement.execute", "shop.Repo.ask:9", "shop.Page.show:20")
                .reads(
                        5,
                        "com.zaxxer.hikari.pool.HikariProxyStatement.execute",
                        "shop.Repo.ask:9",
                        "shop.Page.show:25");
        assertThat(WaitGraph.of(dump.seen()).roots().getFirst().kind()).isEqualTo(Kind.POOL);
    }

    /** Who checks a connection that it was lent has it, and does not wait for one. */
    @Test
    void whoChecksAConnectionHoldsIt() {
        String borrow = "org.apache.commons.dbcp2.PoolingDataSource.getConnection:136";
        Dumps dump = Dumps.of()
                .parks(20, borrow, "shop.Page.show:20")
                .reads(4, "org.apache.commons.dbcp2.PoolableConnection.validate:300", borrow, "shop.Page.show:20")
                .reads(3, "org.h2.jdbc.JdbcPreparedStatement.executeQuery:80", "shop.Page.show:22");
        Root root = WaitGraph.of(dump.seen()).roots().getFirst();
        assertThat(root.kind()).isEqualTo(Kind.POOL);
        assertThat(root.does()).isEqualTo(Wait.VALIDATES);
        assertThat(root.waiting()).isEqualTo(20);
        assertThat(root.holders()).isEqualTo(7);
    }

    @Test
    void everyWaitOfTheTableIsKnown() {
        List<String> kinds = Arrays.asList(
                "loop",
                "server",
                "worker",
                "query",
                "validates",
                "lazy",
                "stream",
                "library",
                "opens",
                "makes",
                "starts",
                "scheduled",
                "writes",
                "pool-name",
                "log-thread");
        assertThat(FrameTable.get().lines())
                .allSatisfy(l -> assertThat(kinds.contains(l.is()) || l.wait_().isPresent())
                        .as(l.id() + " is " + l.is())
                        .isTrue());
    }
}
