package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import dev.fettle.watch.signal.TimelineRecorder;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads, and a JVM that takes no serialised objects. */
@Timeout(300)
class DumpedThreadsTest {
    /** Virtual threads: one holds a monitor and waits, three wait for it. */
    public static final class Virtual {
        private static final Object LOCK = new Object();

        public static void main(String[] args) throws Exception {
            var held = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> hold(held));
            held.await();
            for (int i = 0; i < 3; i++) {
                Thread.ofVirtual().start(Virtual::want);
            }
            System.out.println("up");
            System.in.read();
        }

        private static void hold(CountDownLatch held) {
            synchronized (LOCK) {
                held.countDown();
                rest();
            }
        }

        private static void rest() {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private static void want() {
            synchronized (LOCK) {
                rest();
            }
        }
    }

    private static List<Group> in(ThreadsSeen seen, String method) {
        return seen.moments().isEmpty()
                ? List.of()
                : seen.moments().getLast().groups().stream()
                        .filter(g -> g.stack().stream()
                                .anyMatch(f -> seen.frames().get(f).contains(".Virtual." + method)
                                        || seen.frames().get(f).contains("$Virtual." + method)))
                        .toList();
    }

    private static int count(List<Group> groups) {
        return groups.stream().mapToInt(Group::count).sum();
    }

    private static void isConvoy(ThreadsSeen seen) {
        Group owner = in(seen, "hold").getFirst();
        assertThat(in(seen, "want")).allSatisfy(g -> {
            assertThat(g.state()).isEqualTo(Thread.State.BLOCKED);
            assertThat(seen.moments().getLast().groups().get(g.owner())).isEqualTo(owner);
        });
    }

    @Test
    void virtualThreadsAreSeenWithTheMonitorsThatTheyHold() throws Exception {
        Process jvm = JvmSignalsTest.start(Virtual.class);
        try (RunningJvm running = JvmSignalsTest.attached(jvm)) {
            var moments = new ThreadMoments(running);
            while (count(in(moments.seen(), "want")) < 3) {
                moments.read(System.nanoTime());
            }
            isConvoy(moments.seen());
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** As Helidon sets one: management's calls are refused, and its threads are asked for by a command. */
    @Test
    void aJvmThatTakesNoSerialisedObjectsIsAskedByCommands() throws Exception {
        Process jvm = JvmSignalsTest.start(Virtual.class, "-Djdk.serialFilter=!*");
        try (var source = JvmSignals.of(jvm.pid(), 8080).withThreads(true)) {
            var recorder = new TimelineRecorder(1000);
            ThreadsSeen seen = ThreadsSeen.NONE;
            while (count(in(seen, "want")) < 3) {
                source.sample(recorder);
                seen = recorder.timeline().threads();
            }
            isConvoy(seen);
            assertThat(seen.moments().getLast().groups())
                    .as("platform threads, too")
                    .anyMatch(g -> g.kind().equals("main"));
            assertThat(recorder.notObserved().get("io.*")).contains("REJECTED");
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** As Java 21 writes it: without states, and without what they wait for. */
    @Test
    void anOlderDumpHasStacksOnly() throws Exception {
        List<SeenThread> seen = DumpedThreads.read("""
                {"threadDump": {"threadContainers": [{"container": "<root>", "threads": [
                  {"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.run(Thread.java:1)"]},
                  {"tid": "30", "name": "", "stack": [
                    "java.base/java.lang.VirtualThread.park(VirtualThread.java:582)",
                    "app//shop.Api.show(Api.java:12)",
                    "shop.Api$$Lambda/0x00007f1.run(Unknown Source)",
                    "java.base/java.lang.VirtualThread.run(VirtualThread.java:309)"]},
                  {"tid": "31", "name": "req-31", "stack": [
                    "shop.Api.show(Api.java:14)",
                    "java.base/java.lang.VirtualThread.run(VirtualThread.java:309)"]}]}]}}
                """, false);
        assertThat(seen).hasSize(2);
        assertThat(seen.getFirst().state()).isEqualTo(Thread.State.WAITING);
        assertThat(seen.getFirst().stack()[1]).isEqualTo(new StackTraceElement("shop.Api", "show", null, 12));
        assertThat(seen.getFirst().stack()).hasSize(3);
        assertThat(seen.getLast().state()).isEqualTo(Thread.State.RUNNABLE);
        assertThat(seen.getLast().name()).isEqualTo("req-31");
    }

    @Test
    void aDumpIsOnlyTakenWhenNoVirtualThreadRanForAWhile() {
        Supplier<OptionalLong> idle = () -> OptionalLong.of(7);
        var looks = new AtomicInteger();
        assertThat(DumpedThreads.atRest(() -> looks.incrementAndGet() % 3 == 0 ? 1 : 0, idle))
                .isFalse();
        assertThat(DumpedThreads.atRest(() -> -1, idle)).isFalse();
        assertThat(DumpedThreads.atRest(() -> 0, idle)).isTrue();
        assertThat(DumpedThreads.atRest(() -> 0, OptionalLong::empty)).isTrue();
        looks.set(0);
        assertThat(DumpedThreads.atRest(() -> looks.incrementAndGet() < 9 ? 1 : 0, idle))
                .isFalse();
        looks.set(0);
        assertThat(DumpedThreads.atRest(() -> looks.incrementAndGet() < 3 ? 1 : 0, idle))
                .isTrue();
        // one that runs between the looks uses CPU time
        var used = new AtomicLong();
        assertThat(DumpedThreads.atRest(() -> 0, () -> OptionalLong.of(used.incrementAndGet())))
                .isFalse();
    }

    /** The carriers of this very JVM. */
    @Test
    void carriersAreThoseOfVirtualThreads() throws Exception {
        Supplier<OptionalLong> carriers =
                DumpedThreads.carriers(ProcessHandle.current().pid());
        long before = carriers.get().orElse(0);
        Thread.ofVirtual()
                .start(() -> {
                    long end = System.nanoTime() + 20_000_000;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                })
                .join();
        assertThat(carriers.get().orElse(0)).isGreaterThan(before);
    }
}
