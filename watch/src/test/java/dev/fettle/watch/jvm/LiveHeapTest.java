package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LiveHeapTest {
    private static final String YOUNG = "G1 Young Generation";
    private static final String MARKING = "G1 Concurrent GC";
    private static final String FULL = "G1 Old Generation";
    private static final Set<String> G1 = Set.of("G1 Eden Space", "G1 Survivor Space", "G1 Old Gen");

    private static Map<String, MemoryUsage> left(String pool, long bytes) {
        return Map.of(pool, new MemoryUsage(0, bytes, bytes, -1));
    }

    private static List<Long> g1(LiveHeap live, Object... events) {
        var found = new ArrayList<Long>();
        for (int i = 0; i < events.length; i += 2) {
            live.collected((String) events[i], left("G1 Old Gen", (int) events[i + 1]));
            live.next().ifPresent(v -> found.add((long) v));
        }
        return found;
    }

    @Test
    void youngCollectionsOfG1TellNothing() {
        var live = new LiveHeap(G1, Set.of(YOUNG, MARKING, FULL));
        assertThat(g1(live, YOUNG, 10, YOUNG, 20, YOUNG, 30, YOUNG, 40)).isEmpty();
        assertThat(live.why()).contains("what young collections leave is not all live");
    }

    @Test
    void theLeastBetweenTwoMarkingsOfG1IsLive() {
        var live = new LiveHeap(G1, Set.of(YOUNG, MARKING, FULL));
        assertThat(g1(
                        live, YOUNG, 80, MARKING, 60, MARKING, 61, YOUNG, 50, YOUNG, 42, YOUNG, 70, MARKING, 62,
                        MARKING, 62, YOUNG, 44, YOUNG, 75, MARKING, 63))
                .containsExactly(42L, 44L);
    }

    /** A heap full of live objects: markings free nothing, and no mixed collection follows. */
    @Test
    void aMarkingThatFreesNothingTellsAsWell() {
        var live = new LiveHeap(G1, Set.of(YOUNG, MARKING, FULL));
        assertThat(g1(live, MARKING, 60, MARKING, 60, YOUNG, 64, MARKING, 66, MARKING, 66, YOUNG, 70, MARKING, 72))
                .containsExactly(60L, 66L);
        assertThat(g1(live, FULL, 71)).containsExactly(71L);
    }

    /** Before Java 20 it tells of no marking. */
    @Test
    void ofAnOldG1OnlyFullCollectionsCount() {
        var live = new LiveHeap(G1, Set.of(YOUNG, FULL));
        assertThat(g1(live, YOUNG, 10, YOUNG, 5, YOUNG, 30, FULL, 7, YOUNG, 12)).containsExactly(7L);
    }

    @ParameterizedTest
    @CsvSource({
        "Copy, false",
        "MarkSweepCompact, true",
        "PS Scavenge, false",
        "PS MarkSweep, true",
        "ZGC Minor Cycles, false",
        "ZGC Major Cycles, true",
        "ZGC Cycles, true",
        "Shenandoah Cycles, true",
        "scavenge, false"
    })
    void whichCollectionsAreOfTheWholeHeap(String collector, boolean whole) {
        var live = new LiveHeap(Set.of("heap"), Set.of(collector));
        live.collected(collector, left("heap", 5));
        assertThat(live.next().isPresent()).isEqualTo(whole);
    }

    @Test
    void whereItCanNotBeKnownItIsSaidWhy() {
        assertThat(new LiveHeap(Set.of("Epsilon Heap"), Set.of("Epsilon Heap")).why())
                .contains("never collects");
        assertThat(new LiveHeap(Set.of("a"), Set.of("scavenge")).why()).contains("scavenge", "not known");
        // a generational one gives its young collections the same name
        var shenandoah = new LiveHeap(
                Set.of("Shenandoah Young Gen", "Shenandoah Old Gen"), Set.of("Shenandoah Cycles", "Shenandoah Pauses"));
        shenandoah.collected("Shenandoah Cycles", left("Shenandoah Old Gen", 5));
        assertThat(shenandoah.next().optional()).isEmpty();
        assertThat(shenandoah.why()).contains("not known");
    }

    /** Keeps 30 MB, makes garbage of which each piece lives for a while, and collects when it is asked. */
    public static final class Fills {
        public static void main(String[] args) throws IOException {
            byte[] kept = new byte[30 << 20];
            var ring = new byte[2000][];
            System.out.println("up");
            for (int i = 0; System.in.read() >= 0; i++) {
                for (int k = 0; k < 4000; k++) {
                    ring[k % ring.length] = new byte[8000];
                }
                if (i % 4 == 3) {
                    System.gc();
                }
                System.out.println(kept.length);
            }
        }
    }

    /** Each in its own JVM: what a full collection left is what the program keeps, and no young one tells. */
    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Z", "Shenandoah"})
    void realCollectorsTellWhatIsKept(String collector) throws Exception {
        Process jvm = JvmSignalsTest.start(Fills.class, "-XX:+Use" + collector + "GC", "-Xmx128m");
        try (RunningJvm running = JvmSignalsTest.attached(jvm)) {
            var beans = new HeapBeans(running.beans(), System::nanoTime);
            var why = new HashMap<String, String>();
            var first = new HashMap<String, Double>();
            beans.read(first, why);
            // a cycle may have ended before: ZGC has some of its own while a program starts
            assertThat(why.containsKey("heap.live")).isNotEqualTo(first.containsKey("heap.live"));
            double live = first.getOrDefault("heap.live", 0.0);
            while (live == 0) {
                jvm.outputWriter().append('\n').flush();
                jvm.inputReader().readLine();
                var figures = new HashMap<String, Double>();
                beans.read(figures, why);
                live = figures.getOrDefault("heap.live", 0.0);
            }
            assertThat(live).isBetween(30e6, 128.0 * (1 << 20));
        } finally {
            jvm.destroyForcibly();
        }
    }
}
