package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fettle.model.trial.Sighting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTallyTest {
    private static SeenThread thread(long id, Thread.State state, String type, String method) {
        return new SeenThread(id, "w" + id, state, "", -1, new StackTraceElement[] {
            new StackTraceElement(type, method, null, -1), new StackTraceElement("app.Page", "get", null, -1)
        });
    }

    /** Of those that run more were read than of those that wait: each part stands for its own workers. */
    @Test
    void eachPartStandsForItsOwnWorkers() {
        var tally = new WaitTally();
        var running = List.of(
                thread(1, Thread.State.RUNNABLE, "app.Page", "sum"),
                thread(2, Thread.State.RUNNABLE, "app.Page", "sum"));
        var waiting = List.of(thread(3, Thread.State.TIMED_WAITING, "java.lang.Thread", "sleep"));
        tally.add(List.of(new WaitTally.Part(running, 2), new WaitTally.Part(waiting, 50)), 7, _ -> Optional.empty());
        assertThat(tally.last())
                .containsEntry(WorkerState.RUNNING, 2)
                .containsEntry(WorkerState.SLEEP, 50)
                .containsEntry(WorkerState.IDLE, 7);
        assertThat(tally.sightings())
                .as("as they were read")
                .contains(
                        new Sighting(Sighting.RUN_FRAME, "app.Page.sum", 2, "seen in 1 of 1 samples"),
                        new Sighting(Sighting.FRAME, "app.Page.get", 1, Sighting.SLEEPS + "; seen in 1 of 1 samples"));
    }

    private static SeenThread runs(String name, String... methods) {
        StackTraceElement[] stack = Arrays.stream(methods)
                .map(m -> new StackTraceElement(
                        m.substring(0, m.lastIndexOf('.')), m.substring(m.lastIndexOf('.') + 1), null, -1))
                .toArray(StackTraceElement[]::new);
        return new SeenThread(1, name, Thread.State.RUNNABLE, "", -1, stack);
    }

    /** A carrier does what its virtual thread does, and one that is ready and has no carrier does nothing. */
    @Test
    void ofAllThreadsThoseOnACpuAreCounted() {
        var tally = new WaitTally();
        tally.addRunning(List.of(
                runs("ForkJoinPool-1-worker-1", "jdk.internal.vm.Continuation.run", "java.lang.VirtualThread.run"),
                runs("", "java.lang.VirtualThread.park", "shop.Api.get", "java.lang.VirtualThread.run"),
                runs("", "java.lang.VirtualThread.yieldContinuation", "shop.Api.get"),
                runs("", "java.util.HashMap.put", "org.hibernate.Session.load", "shop.Api.get"),
                runs("epoll", "sun.nio.ch.EPoll.wait", "io.netty.channel.nio.NioEventLoop.run"),
                thread(9, Thread.State.WAITING, "java.lang.Object", "wait")));
        assertThat(tally.ofAll())
                .contains(
                        new Sighting(Sighting.ofAll(Sighting.STACKS), Sighting.RUNS, 1, "in 1 sample"),
                        new Sighting(Sighting.ofAll(Sighting.STACKS), Sighting.LOOKS, 1),
                        new Sighting(Sighting.ofAll(Sighting.RUN_OWN), "shop.Api.get", 1, "seen in 1 of 1 samples"),
                        new Sighting(
                                Sighting.ofAll(Sighting.RUN_FRAME),
                                "org.hibernate.Session.load",
                                1,
                                "called from shop.Api.get; seen in 1 of 1 samples"));
    }

    /** What the JDK's server writes for its handler is the server's. */
    @Test
    void whatTheServerDoesForAHandlerIsNotItsOwn() {
        var tally = new WaitTally();
        tally.addRunning(List.of(runs(
                "w",
                "java.util.concurrent.locks.ReentrantLock.unlock",
                "sun.net.httpserver.ExchangeImpl.close",
                "shop.Api.get",
                "sun.net.httpserver.ServerImpl$Exchange.run")));
        assertThat(tally.ofAll()).noneMatch(x -> x.kind().equals(Sighting.ofAll(Sighting.RUN_OWN)));
        assertThat(count(tally, Sighting.RUN_FRAME, "sun.net.httpserver.ExchangeImpl.close"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "shop.Order$HibernateProxy$x1.getName, shop.Api.get",
        "shop.Orders$$SpringCGLIB$$0.save, shop.Api.get",
        "shop.Orders$$EnhancerBySpringCGLIB$$1f.save, shop.Api.get",
        "shop.$Proxy31.find, shop.Api.get",
        "0x000000008f195800.newInvokeSpecial, shop.Api.get",
        "shop.Api$$Lambda/0x01.apply, shop.Api.get",
        "shop.Orders$Proxy.save, shop.Orders$Proxy.save",
        "shop.Api.lambda$list$0, shop.Api.list",
        "shop.Api$Names.of, shop.Api$Names.of",
    })
    void aGeneratedClassIsNotTheProgramsOwn(String top, String own) {
        var tally = new WaitTally();
        tally.addRunning(List.of(runs("", top, "shop.Api.get", "org.apache.catalina.core.T.run")));
        assertThat(count(tally, Sighting.RUN_OWN, own)).isEqualTo(1);
        assertThat(count(tally, Sighting.RUN_FRAME, own)).isEqualTo(1);
    }

    /** A worker that waits for its next task holds no lock: its stack is of another moment than the owner's name. */
    @Test
    void anIdleWorkerIsNotNamedAsTheHolderOfALock() {
        var waiter = new SeenThread(1, "w1", Thread.State.BLOCKED, "shop.Stock@1", 2, new StackTraceElement[] {
            new StackTraceElement("shop.Stock", "count", null, -1)
        });
        var idle = new SeenThread(2, "w2", Thread.State.WAITING, "", -1, new StackTraceElement[] {
            new StackTraceElement("jdk.internal.misc.Unsafe", "park", null, -1),
            new StackTraceElement("java.util.concurrent.ThreadPoolExecutor", "getTask", null, -1)
        });
        var tally = new WaitTally();
        tally.add(List.of(new WaitTally.Part(List.of(waiter), 1)), 0, _ -> Optional.of(idle));
        assertThat(tally.sightings())
                .filteredOn(x -> x.kind().equals(Sighting.LOCK))
                .singleElement()
                .satisfies(x ->
                        assertThat(x.detail()).startsWith("its holder is not known; asked for in shop.Stock.count"));
    }

    private static SeenThread stack(long id, Thread.State state, String... classes) {
        return new SeenThread(
                id,
                "w" + id,
                state,
                "java.util.concurrent.locks.ReentrantLock@1",
                -1,
                Arrays.stream(classes)
                        .map(c -> new StackTraceElement(c, "run", null, -1))
                        .toArray(StackTraceElement[]::new));
    }

    private static void look(WaitTally tally, List<SeenThread> threads) {
        tally.add(List.of(new WaitTally.Part(threads, threads.size())), 0, _ -> Optional.empty());
    }

    private static double count(WaitTally tally, String kind, String what) {
        return tally.sightings().stream()
                .filter(s -> s.kind().equals(kind) && s.what().equals(what))
                .mapToDouble(Sighting::count)
                .sum();
    }

    /** Few of many methods are told: a share is one of all stacks that run, and not of those. */
    @Test
    void allStacksThatRunAreCounted() {
        var tally = new WaitTally();
        var threads = new ArrayList<SeenThread>();
        for (int i = 0; i < 100; i++) {
            // fifty waits each at a place of its own push no method that runs out
            threads.add(stack(i, Thread.State.WAITING, "java.lang.Object", "app.Waits" + i % 20));
            threads.add(stack(1000 + i, Thread.State.RUNNABLE, "app.Page" + i % 50));
        }
        threads.add(stack(2000, Thread.State.RUNNABLE, "java.lang.Throwable", "java.lang.Exception", "app.Shop"));
        for (int i = 0; i < 3; i++) {
            threads.add(stack(
                    3000 + i,
                    Thread.State.RUNNABLE,
                    "sun.security.ssl.Handshake",
                    "org.apache.tomcat.util.net.SecureNioChannel"));
            threads.add(stack(4000 + i, Thread.State.RUNNABLE, "app.Hot"));
            threads.add(stack(5000 + i, Thread.State.WAITING, "java.lang.Object", "app.Hot"));
            threads.add(stack(6000 + i, Thread.State.WAITING, "java.lang.Object", "app.Hot"));
        }
        look(tally, threads);
        assertThat(count(tally, Sighting.STACKS, Sighting.RUNS)).isEqualTo(107);
        assertThat(count(tally, Sighting.STACKS, Sighting.RUNS_THROWING)).isEqualTo(1);
        assertThat(count(tally, Sighting.STACKS, Sighting.RUNS_TLS)).isEqualTo(3);
        assertThat(count(tally, Sighting.RUN_FRAME, "app.Hot.run"))
                .as("those that run, although more wait there")
                .isEqualTo(3);
        assertThat(tally.sightings())
                .filteredOn(s -> s.kind().equals(Sighting.FRAME))
                .allMatch(s -> s.what().startsWith("app.Waits") || s.what().equals("app.Hot.run"));
    }

    /** A lock that all waited for once, when a class was loaded, is not the one that most wait for all the time. */
    @Test
    void theLockThatDelaysMostOverAllIsFirst() {
        var tally = new WaitTally();
        var once = new ArrayList<SeenThread>();
        var always = new ArrayList<SeenThread>();
        for (int i = 0; i < 48; i++) {
            once.add(blocked(i, "app.Loader"));
        }
        for (int i = 0; i < 30; i++) {
            always.add(blocked(i, "app.Log"));
        }
        look(tally, once);
        look(tally, always);
        look(tally, always);
        assertThat(tally.sightings())
                .filteredOn(s -> s.kind().equals(Sighting.LOCK))
                .extracting(Sighting::what, Sighting::count)
                .as("the most at once are told")
                .containsExactly(tuple("app.Log", 30.0), tuple("app.Loader", 48.0));
    }

    private static SeenThread blocked(long id, String lock) {
        return new SeenThread(id, "w" + id, Thread.State.BLOCKED, lock + "@1", -1, new StackTraceElement[] {
            new StackTraceElement("app.Page", "get", null, -1)
        });
    }

    /** Locks go by the names of their classes, and sixteen stripes of a map have one. */
    @Test
    void locksOfOneClassAreToldApart() {
        assertThat(details(i -> 1)).as("one").doesNotContain(Sighting.DIFFERENT_LOCKS);
        assertThat(details(i -> i % 16)).as("sixteen").contains(Sighting.DIFFERENT_LOCKS);
        assertThat(details(i -> i == 0 ? 2 : 1)).as("nearly all at one").doesNotContain(Sighting.DIFFERENT_LOCKS);
    }

    private static String details(IntUnaryOperator lock) {
        var tally = new WaitTally();
        var threads = new ArrayList<SeenThread>();
        for (int i = 0; i < 32; i++) {
            threads.add(new SeenThread(
                    i, "w" + i, Thread.State.BLOCKED, "app.Stripe@" + lock.applyAsInt(i), -1, new StackTraceElement[] {
                        new StackTraceElement("app.Page", "get", null, -1)
                    }));
        }
        look(tally, threads);
        look(tally, threads.subList(0, 2));
        return tally.sightings().stream()
                .filter(s -> s.kind().equals(Sighting.LOCK) && s.what().equals("app.Stripe"))
                .map(Sighting::detail)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theWarmUpIsForgotten() {
        var tally = new WaitTally();
        look(tally, List.of(blocked(1, "app.Loader"), thread(2, Thread.State.RUNNABLE, "app.Compiled", "jsp")));
        tally.restart();
        assertThat(tally.sightings()).as("nothing was looked at since").isEmpty();
        assertThat(tally.last()).containsEntry(WorkerState.LOCKED, 1);
        assertThat(tally.looks()).isEqualTo(1);
        look(tally, List.of(thread(2, Thread.State.RUNNABLE, "app.Page", "sum")));
        assertThat(tally.looks()).isEqualTo(2);
        assertThat(tally.sightings())
                .contains(
                        new Sighting(Sighting.RUN_FRAME, "app.Page.sum", 1, "seen in 1 of 1 samples"),
                        new Sighting(Sighting.STACKS, Sighting.RUNS, 1, "in 1 sample"))
                .extracting(Sighting::what)
                .doesNotContain("app.Loader", "app.Compiled.jsp");
    }

    @ParameterizedTest
    @CsvSource({
        // read: running, in a lock; meant; then
        "10, 54, 64,  10, 54",
        "16, 48, 200, 50, 150",
        "1, 63, 100,  2, 98",
        "33, 31, 65,  34, 31",
        "0, 64, 500,  0, 500",
        "0, 0, 0,     0, 0",
        "3, 1, 2,     3, 1",
    })
    void theStacksThatWereReadStandForAll(int running, int locked, int meant, int allRunning, int allLocked) {
        Map<WorkerState, Integer> counts = new EnumMap<>(WorkerState.class);
        if (running > 0) {
            counts.put(WorkerState.RUNNING, running);
        }
        if (locked > 0) {
            counts.put(WorkerState.LOCKED, locked);
        }
        WaitTally.scale(counts, meant);
        assertThat(counts.getOrDefault(WorkerState.RUNNING, 0)).isEqualTo(allRunning);
        assertThat(counts.getOrDefault(WorkerState.LOCKED, 0)).isEqualTo(allLocked);
    }
}
