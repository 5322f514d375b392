package dev.fettle.watch.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.trial.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On logs that Java 17 and 25 wrote, in {@code gclog/*.log}, and on lines of Java 8. */
class GcLogTest {
    private static GcLog recorded(String name) throws IOException {
        try (var in = new BufferedReader(new InputStreamReader(
                GcLogTest.class.getResourceAsStream("/dev/fettle/watch/gclog/" + name + ".log"),
                StandardCharsets.UTF_8))) {
            return GcLog.read(in);
        }
    }

    private static GcLog of(String... lines) throws IOException {
        return GcLog.read(new BufferedReader(new StringReader(String.join("\n", lines))));
    }

    @ParameterizedTest
    @CsvSource({
        "java-17-G1, true, Pause Full (System.gc())",
        "java-17-Serial, true, Pause Full (System.gc())",
        "java-17-Parallel, true, Pause Full (System.gc())",
        "java-17-Z, false, Pause Mark Start",
        "java-17-Shenandoah, false, Pause Init Mark (unload classes)",
        "temurin-25-G1, true, Pause Full (System.gc())",
        "temurin-25-Serial, true, Pause Full (System.gc())",
        "temurin-25-Parallel, true, Pause Full (System.gc())",
        "temurin-25-Z, false, Pause Mark Start (Major)",
        "temurin-25-Shenandoah, false, Pause Init Mark (unload classes)"
    })
    void everyCollectorsLogIsRead(String log, boolean sizes, String one) throws IOException {
        GcLog read = recorded(log);
        assertThat(read.unread()).isZero();
        assertThat(read.pauses()).extracting(GcLog.Pause::what).contains(one);
        assertThat(read.pauses()).allSatisfy(p -> {
            assertThat(p.millis()).isBetween(0.0, 1000.0);
            assertThat(p.at()).isBetween(0.0, 10.0);
        });
        assertThat(read.pauses().stream().anyMatch(p -> p.heap() == 48 << 20 || p.after() > 0))
                .isEqualTo(sizes);
        assertThat(read.pauses().stream().anyMatch(GcLog.Pause::full)).isEqualTo(one.startsWith("Pause Full"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0.512: [GC (Allocation Failure)  65536K->1032K(251392K), 0.0012345 secs] | GC (Allocation Failure) | 65536 | 1032 | 1.2345
            2026-01-02T10:00:00.000+0100: 12.345: [GC (Allocation Failure) [PSYoungGen: 65536K->1024K(76288K)] 70000K->2000K(251392K), 0.0100000 secs] [Times: user=0.01 sys=0.00, real=0.01 secs] | GC (Allocation Failure) | 70000 | 2000 | 10
            20.100: [Full GC (Ergonomics) [PSYoungGen: 10K->0K(76288K)] [ParOldGen: 90000K->80000K(175104K)] 90010K->80000K(251392K), [Metaspace: 2000K->2000K(1056768K)], 0.5000000 secs] [Times: user=0.9 sys=0.0, real=0.5 secs] | Full GC (Ergonomics) | 90010 | 80000 | 500
            1.000: [GC pause (G1 Evacuation Pause) (young), 0.0123000 secs] | GC pause (G1 Evacuation Pause) (young) | | | 12.3
            1.500: [GC (Allocation Failure) 1.500: [ParNew: 30720K->3392K(30720K), 0.0300000 secs] 30720K->5000K(99008K), 0.0301000 secs] | GC (Allocation Failure) | 30720 | 5000 | 30.1
            """)
    void linesOfJava8(String line, String what, Double beforeKb, Double afterKb, double millis) throws IOException {
        GcLog.Pause p = of(line).pauses().getFirst();
        assertThat(p.what()).isEqualTo(what);
        assertThat(p.millis()).isCloseTo(millis, within(1e-6));
        assertThat(p.before()).isEqualTo(Double.valueOf(beforeKb == null ? Double.NaN : beforeKb * 1024));
        assertThat(p.after()).isEqualTo(Double.valueOf(afterKb == null ? Double.NaN : afterKb * 1024));
    }

    @Test
    void theTimelineHasHeapPausesAndAllocation() throws IOException {
        GcLog log = of(
                "[1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 10M->2M(64M) 10.000ms",
                "[3.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 22M->4M(64M) 20.000ms",
                "[3.500s][info][gc] GC(2) Concurrent Mark Cycle 12.3ms",
                "[5.000s][info][gc] GC(3) Pause Full (G1 Compaction Pause) 64M->60M(64M) 400.000ms");
        Timeline t = log.timeline();
        assertThat(t.max("heap.afterGc").getAsDouble()).isCloseTo(60 << 20, within(1e4));
        assertThat(t.max("gc.pauseMax").optional()).hasValue(400);
        // 20 MB in the first two seconds, 60 MB in the next two
        assertThat(t.max("alloc.rate").getAsDouble()).isCloseTo(30 << 20, within(1e4));
        assertThat(t.find("alloc.rate").orElseThrow().observed().min().getAsDouble())
                .isCloseTo(10 << 20, within(1e4));
        assertThat(t.max("gc.share").getAsDouble()).isCloseTo(0.2, within(1e-3));
        assertThat(t.sightings("gc.pause").getFirst().what()).isEqualTo("Pause Young (Normal) (G1 Evacuation Pause)");
    }

    /** Written by two JVMs, one after the other: the second one's pauses come after the first one's. */
    @Test
    void aLogOverARestartIsOneAfterTheOther() throws IOException {
        GcLog log = of(
                "[1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 10M->2M(64M) 10.000ms",
                "[101.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 22M->2M(64M) 20.000ms",
                "[2.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 20M->1M(64M) 20.000ms",
                "[52.000s][info][gc] GC(1) Pause Full (G1 Compaction Pause) 51M->2M(64M) 400.000ms");
        assertThat(log.restarts()).containsExactly(2);
        assertThat(log.pauses()).extracting(GcLog.Pause::at).containsExactly(1.0, 101.0, 103.0, 153.0);
        Timeline t = log.timeline();
        assertThat(t.stepMillis() * t.find("heap.used").orElseThrow().size()).isBetween(150_000L, 156_000L);
        // 20 MB in the first two seconds of the second JVM
        assertThat(t.max("alloc.rate").getAsDouble()).isCloseTo(10 << 20, within(1e4));
        assertThat(recorded("temurin-25-G1").restarts()).isEmpty();
    }

    /** A time that no JVM has measured ended in an index beyond the timeline's points. */
    @ParameterizedTest
    @CsvSource({
        "[0.100s],[999999999999999999999999999999.1s]",
        "[0.100s],[1000000000.1s]",
        "[100ms],[999999999999999ms]",
        "[2020-01-01T00:00:00.000+0000],[9999-12-31T00:00:00.000+0000]",
        "[2020-01-01T00:00:00.000+0000],[0001-12-31T00:00:00.000+0000]",
    })
    void aTimeThatNoJvmHasMeasuredIsNotRead(String one, String other) throws IOException {
        String pause = " GC(1) Pause Young (Normal) (a) 24M->4M(256M) 3.456ms";
        GcLog log = of(one + pause, other + pause, one + pause);
        assertThat(log.pauses()).hasSize(2);
        assertThat(log.unread()).isOne();
        assertThat(log.timeline().points()).isNotNull();
    }

    /** Many restarts must not add up to such a time. */
    @Test
    void norATimeThatIsTheSumOfMany() throws IOException {
        String pause = "s] GC(1) Pause Young (Normal) (a) 24M->4M(256M) 3.456ms";
        var lines = new String[40];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = (i % 2 == 0 ? "[0.1" : "[90000000.1") + pause;
        }
        GcLog log = of(lines);
        assertThat(log.unread()).isPositive();
        assertThat(log.pauses()).allSatisfy(p -> assertThat(p.at()).isLessThan(1e9));
    }

    @Test
    void whatIsNoSuchLogIsSaidSo() {
        assertThatIOException().isThrownBy(() -> of("127.0.0.1 - GET / 200")).withMessageContaining("no pause");
        assertThatIOException()
                .isThrownBy(() -> of("[gc] GC(0) Pause Young (Normal) 10M->2M(64M) 10.000ms"))
                .withMessageContaining("need a time");
    }
}
