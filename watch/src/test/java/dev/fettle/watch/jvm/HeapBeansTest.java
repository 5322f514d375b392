package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The beans of this JVM itself. */
@Timeout(60)
class HeapBeansTest {
    private final Map<String, String> notObserved = new HashMap<>();

    private Map<String, Double> read(HeapBeans beans) throws Exception {
        var figures = new HashMap<String, Double>();
        beans.read(figures, notObserved);
        return figures;
    }

    @Test
    void collectionsThatTheApplicationAskedForAreCounted() throws Exception {
        var beans = new HeapBeans(ManagementFactory.getPlatformMBeanServer(), System::nanoTime);
        assertThat(read(beans)).containsEntry("gc.explicit", 0.0).containsEntry("gc.humongous", 0.0);
        System.gc();
        // the JVM notifies from a thread of its own
        while (read(beans).get("gc.explicit") < 1) {
            Thread.sleep(20);
        }
        assertThat(read(beans)).containsEntry("gc.humongous", 0.0);
        assertThat(notObserved).doesNotContainKeys("gc.explicit", "gc.humongous");
    }

    /** Keeps 20 MB, and asks for a collection. */
    public static final class Asks {
        private static Object kept = "";

        public static void main(String[] args) throws Exception {
            kept = new byte[20 << 20];
            System.out.println("up");
            while (System.in.read() >= 0) {
                System.gc();
                System.out.println(kept.hashCode());
            }
        }
    }

    /** Each of their cycles has several pauses, which know nothing of the heap. */
    @ParameterizedTest
    @ValueSource(strings = {"ZGC", "ShenandoahGC"})
    void aCollectorBesideTheProgramTellsWhatIsLeftAndWhy(String collector) throws Exception {
        assumeTrue(hasFlag("Use" + collector), "this JDK has no such collector");
        Process jvm = JvmSignalsTest.start(Asks.class, "-XX:+Use" + collector);
        try (RunningJvm running = JvmSignalsTest.attached(jvm)) {
            var beans = new HeapBeans(running.beans(), System::nanoTime);
            read(beans);
            jvm.outputWriter().append('\n').flush();
            assertThat(jvm.inputReader().readLine()).isNotBlank();
            while (read(beans).get("gc.explicit") < 1) {
                Thread.sleep(20);
            }
            Map<String, Double> seen = read(beans);
            assertThat(seen.get("heap.afterGc")).isBetween(20e6, 64e6 * 1.1);
            assertThat(seen.get("gc.explicit")).isEqualTo(1);
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static boolean hasFlag(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                            .getVMOption(name)
                    != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ZGC Major Pauses, true, false",
        "ZGC Major Cycles, false, true",
        "Shenandoah Pauses, true, false",
        "G1 Young Generation, true, true",
        "G1 Concurrent GC, true, true",
        // before Java 17
        "ZGC, true, true",
        // without its cycles it is all there is
        "Other Pauses, true, true",
    })
    void whichCollectorTellsWhat(String collector, boolean pauses, boolean tells) {
        var all = Set.of("ZGC Major Pauses", "ZGC Major Cycles", "Shenandoah Pauses", "Shenandoah Cycles");
        assertThat(HeapBeans.pauses(collector)).isEqualTo(pauses);
        assertThat(HeapBeans.tellsWhatIsLeft(collector, all)).isEqualTo(tells);
    }

    @Test
    void threadsThatWaitForEachOtherAreCounted() throws Exception {
        var locks = List.of(new ReentrantLock(), new ReentrantLock());
        var bothHeld = new CountDownLatch(2);
        Thread a = waiter(locks.get(0), locks.get(1), bothHeld);
        Thread b = waiter(locks.get(1), locks.get(0), bothHeld);
        try {
            bothHeld.await();
            while (!locks.get(0).hasQueuedThread(b) || !locks.get(1).hasQueuedThread(a)) {
                Thread.sleep(5);
            }
            var beans = new HeapBeans(ManagementFactory.getPlatformMBeanServer(), System::nanoTime);
            assertThat(read(beans).get("threads.deadlocked")).isEqualTo(2.0);
        } finally {
            a.interrupt();
            b.interrupt();
            a.join();
            b.join();
        }
    }

    private static Thread waiter(ReentrantLock first, ReentrantLock second, CountDownLatch bothHeld) {
        return Thread.ofPlatform().daemon().start(() -> {
            first.lock();
            try {
                bothHeld.countDown();
                bothHeld.await();
                second.lockInterruptibly();
                second.unlock();
            } catch (InterruptedException ended) {
                // the test is over
            } finally {
                first.unlock();
            }
        });
    }

    /** The time of a rest, and its collections, are no part of the share. */
    @Test
    void theShareOfCollectionsIsNotOverARest() throws Exception {
        long[] now = {1};
        var beans = new HeapBeans(ManagementFactory.getPlatformMBeanServer(), () -> now[0]);
        assertThat(read(beans)).doesNotContainKey("gc.share");
        now[0] += 1_000_000_000L;
        assertThat(read(beans)).containsKeys("gc.share", "gc.count");
        now[0] += 1_000_000_000L;
        beans.gap();
        assertThat(read(beans)).doesNotContainKeys("gc.share", "gc.pauseMax").containsKey("gc.count");
        now[0] += 1_000_000_000L;
        assertThat(read(beans)).containsKey("gc.share");
    }
}
