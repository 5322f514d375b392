package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DumpReaderTest {
    private static final String POOL = """
               java.lang.Thread.State: TIMED_WAITING (parking)
            	at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
            	- parking to wait for  <0x00000000f0000100> (a java.util.concurrent.SynchronousQueue$Transferer)
            	at java.util.concurrent.locks.LockSupport.parkNanos(java.base@25/LockSupport.java:271)
            	at java.util.concurrent.SynchronousQueue.poll(java.base@25/SynchronousQueue.java:800)
            	at com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)
            	at com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:160)
            	at com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)
            	at shop.Orders.%s(Orders.java:12)
            	at jakarta.servlet.http.HttpServlet.service(HttpServlet.java:1)
            	at org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1189)

               Locked ownable synchronizers:
            	- <0x00000000f0000999> (a org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker)
            """;
    private static final String IDLE = """
               java.lang.Thread.State: WAITING (parking)
            	at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
            	- parking to wait for  <0x00000000f0000200> (a java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject)
            	at org.apache.tomcat.util.threads.TaskQueue.take(TaskQueue.java:1)
            	at org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1114)
            """;
    private static final String LOCK = """
               java.lang.Thread.State: WAITING (parking)
            	at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
            	- parking to wait for  <0x00000000f0000300> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            	at java.util.concurrent.locks.LockSupport.park(java.base@25/LockSupport.java:223)
            	at java.util.concurrent.locks.ReentrantLock.lock(java.base@25/ReentrantLock.java:322)
            	at shop.Stock.take(Stock.java:9)
            """;
    private static final String MONITOR = """
               java.lang.Thread.State: BLOCKED (on object monitor)
            	at shop.Prices.load(Prices.java:20)
            	- waiting to lock <0x00000000f0000400> (a java.util.HashMap)
            	at shop.Page.show(Page.java:5)
            """;
    private static final String READS = """
               java.lang.Thread.State: RUNNABLE
            	at sun.nio.ch.SocketDispatcher.read0(java.base@25/Native Method)
            	at sun.nio.ch.NioSocketImpl.read(java.base@25/NioSocketImpl.java:307)
            	at java.net.Socket$SocketInputStream.read(java.base@25/Socket.java:974)
            	at shop.Rates.ask(Rates.java:31)
            	- locked <0x00000000f0000400> (a java.util.HashMap)
            	at shop.Prices.load(Prices.java:22)
            """;

    /** Both wait for Fettle's next question. */
    private static final String FETTLES = """
               java.lang.Thread.State: RUNNABLE
            	at sun.nio.ch.EPoll.wait(java.base@25/Native Method)
            	at sun.nio.ch.SelectorImpl.select(java.base@25/SelectorImpl.java:146)
            	at dev.fettle.agent.ControlPort.turn(ControlPort.java:180)
            	at dev.fettle.agent.ControlPort.run(ControlPort.java:150)
            """;

    @Test
    void fettlesOwnThreadsWaitForNothingOfTheTarget() {
        String dump = threads("fettle-control", 1, 1, FETTLES) + threads("http-", 1, 20, IDLE);
        assertThat(DumpReader.read(dump)).isEmpty();
        assertThat(DumpReader.read(dump + threads("loader-", 1, 1, READS)))
                .extracting(Sighting::what)
                .containsExactly("the thread loader-*", "threads in the application that do not wait for work");
    }

    private static String threads(String name, int from, int n, String body) {
        return IntStream.range(from, from + n)
                .mapToObj(i -> "\"" + name + i + "\" #" + i + " [1" + i
                        + "] daemon prio=5 os_prio=0 cpu=1.20ms tid=0x1 nid=1 waiting  [0x2]\n" + body)
                .collect(Collectors.joining("\n"));
    }

    private static List<Sighting> read(String... parts) {
        return DumpReader.read("2026-11-28 06:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\n"
                + String.join("\n", parts) + "\nJNI global refs: 22, weak refs: 0\n");
    }

    @Test
    void waitersOfAPoolAreOneGroupWithTheMethodsThatAsked() {
        List<Sighting> seen = read(
                threads("http-nio-80-exec-", 1, 40, POOL.formatted("place")),
                threads("http-nio-80-exec-", 41, 10, POOL.formatted("audit")));
        assertThat(seen).extracting(Sighting::kind).containsExactly("dump.stack.pool", "dump.busy");
        assertThat(seen.getFirst().what()).isEqualTo("50 of the 50 threads http-nio-80-exec-*");
        assertThat(seen.getFirst().detail())
                .contains(
                        "HikariCP", "HikariDataSource.getConnection", "shop.Orders.place (40), shop.Orders.audit (10)");
        assertThat(seen.getLast().count()).isEqualTo(50);
    }

    @Test
    void aMonitorsOwnerIsNamedWithWhatItDoes() {
        List<Sighting> seen = read(threads("exec-", 1, 19, MONITOR), threads("exec-", 20, 1, READS));
        assertThat(seen.getFirst().kind()).isEqualTo("dump.stack.locked");
        assertThat(seen.getFirst().detail())
                .contains("java.util.HashMap, which \"exec-20\" holds", "waits for a socket in", "shop.Rates.ask");
    }

    /** Who waits in Object.wait has given the monitor up, though the dump says that it locked it. */
    @Test
    void whoWaitsForANotificationOwnsNothing() {
        String waits = """
                   java.lang.Thread.State: WAITING (on object monitor)
                	at java.lang.Object.wait0(java.base@25/Native Method)
                	- waiting on <0x00000000f0000400> (a java.util.HashMap)
                	at java.lang.Object.wait(java.base@25/Object.java:389)
                	at shop.Prices.await(Prices.java:50)
                	- locked <0x00000000f0000400> (a java.util.HashMap)
                	- locked <0x00000000f0000400> (a java.util.HashMap)
                """;
        List<Sighting> seen = read(threads("exec-", 1, 19, MONITOR), threads("exec-", 20, 1, waits));
        assertThat(seen.getFirst().detail()).doesNotContain("exec-20");
    }

    /** Without {@code -l} the dump does not have the owners of these locks; with it, it does. */
    @Test
    void theOwnerOfALockIsNamedOnlyWhereTheDumpHasIt() {
        String waiters = threads("exec-", 1, 19, LOCK);
        assertThat(read(waiters, threads("exec-", 20, 1, IDLE)).getFirst().detail())
                .contains("ReentrantLock$NonfairSync; no thread of the dump is shown as its owner");
        String owner = IDLE
                + "\n   Locked ownable synchronizers:\n\t- <0x00000000f0000300> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)\n";
        assertThat(read(waiters, threads("exec-", 20, 1, owner)).getFirst().detail())
                .contains("which \"exec-20\" holds", "waits for work", "without giving the lock back");
    }

    @Test
    void idleThreadsAndThoseOfTheJvmShowNothing() {
        assertThat(read(threads("exec-", 1, 50, IDLE), threads("Reference Handler", 1, 1, MONITOR)))
                .isEmpty();
        assertThat(read("")).isEmpty();
        assertThat(DumpReader.read("\"\n\tat \n\t- locked <\n\"x\" \n\tat a(\n\t- waiting on <1> ("))
                .isEmpty();
    }

    /** What the finalizer does is no work on requests, but the program's: where it does nothing, it is not there. */
    @Test
    void theFinalizerAtWorkIsNamed() {
        String at = "\"Finalizer\" #13 daemon\n   java.lang.Thread.State: TIMED_WAITING (sleeping)\n"
                + "\tat java.lang.Thread.sleepNanos0(java.base@25/Native Method)\n";
        String ends = "\tat java.lang.ref.Finalizer.runFinalizer(java.base@25/Finalizer.java:94)\n";
        assertThat(DumpReader.read(at + "\tat shop.Scan.finalize(Scan.java:9)\n" + ends))
                .containsExactly(new Sighting(Sighting.DUMP_FREEING, "Finalizer", 1, "shop.Scan.finalize"));
        assertThat(DumpReader.read(at + ends)).isEmpty();
    }

    @Test
    void whatTheApplicationDoesComesBeforeLibrariesOnTheirOwn() {
        String library = """
                   java.lang.Thread.State: TIMED_WAITING (sleeping)
                	at java.lang.Thread.sleep0(java.base@25/Native Method)
                	at java.lang.Thread.sleep(java.base@25/Thread.java:509)
                	at org.apache.catalina.core.StandardServer.await(StandardServer.java:563)
                """;
        assertThat(read(threads("container-", 0, 1, library), threads("exec-", 1, 4, READS)))
                .extracting(Sighting::kind)
                .containsExactly("dump.stack.socket", "dump.busy");
    }

    @Test
    void aVirtualThreadOnItsCarrierIsAThreadOfItsOwn() {
        List<SeenThread> seen = DumpReader.seen("""
                "ForkJoinPool-1-worker-2" #25 [14047] daemon prio=5 os_prio=0 cpu=561.68ms elapsed=8.15s tid=0x00007fe4d80e7870  [0x00007fe4b823f000]
                   Carrying virtual thread #24
                \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
                \tat java.util.concurrent.ForkJoinWorkerThread.run(java.base@25.0.3/ForkJoinWorkerThread.java:187)
                   Mounted virtual thread #24
                \tat shop.Cart.total(Cart.java:12)
                \tat java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)

                """);
        assertThat(seen).extracting(SeenThread::id).containsExactly(25L, 24L);
        assertThat(seen.get(0).stack()).hasSize(2);
        assertThat(seen.get(1).stack()[0].getMethodName()).isEqualTo("total");
    }
}
