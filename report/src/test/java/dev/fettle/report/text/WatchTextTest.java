package dev.fettle.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.WatchReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.markdown.MarkdownReport;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTextTest {
    private static final Timeline SEEN = Timeline.of(
            0,
            1000,
            Map.of(
                    "cpu.total", Series.of(0, 0.5, 1),
                    "cpu.workers", Series.of(0, 0.4, 0.9),
                    "heap.used", Series.of(1 << 20, Double.NaN, 512 << 20),
                    "sockets.closeWait", Series.of(0, 12, 40),
                    "pool.orders.active", Series.of(3, 3, 10),
                    "wait.lock", Series.of(5, Double.NaN, Double.NaN)),
            Map.of(
                    "gc.share",
                    "it is no JVM",
                    "heap.max",
                    "it is no JVM",
                    "swap.used",
                    "the kernel does not report it"),
            List.of(
                    new Sighting("peer.closeWait", "10.0.0.5:5432", 40),
                    new Sighting("client.closeWait", "from 10.0.0.9", 7),
                    new Sighting("client.established", "from 127.0.0.1", 100),
                    new Sighting("peer.established", "from 127.0.0.1", 100), // of an old recording
                    new Sighting("thread.hottest", "http-nio-8080-e", 0.6)));

    private static String summary(String about, Timeline seen, int width, boolean colour) {
        return new TextReport(width, colour)
                .document(WatchDocument.of(new WatchReport(about, List.of("3 seconds"), seen)));
    }

    /** What is printed at the end of a watch: over all of it, and with what is highest, not only as it was last. */
    @Test
    void everyFigureOfTheScreenIsInTheCatalogue() {
        var known = Signal.all().stream().map(Signal::id).toList();
        assertThat(known)
                .containsAll(
                        WatchRow.ALL.stream().flatMap(r -> r.all().stream()).toList())
                .containsAll(WatchRow.BRIEF.keySet());
        assertThat(WatchRow.ALL)
                .filteredOn(r -> r.label().equals("wait"))
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.key()).isEqualTo(Signals.WAIT_LOCK);
                    assertThat(r.all()).contains(Signals.WAIT_LOCK, Signals.WAIT_IDLE);
                });
    }

    @Test
    void theSummaryAtTheEndIsOfTheWholeTime() {
        var seen = Timeline.of(
                0,
                1000,
                Map.of("cpu.total", Series.of(1, 3, 2), "heap.used", Series.of(1 << 20, 3 << 20)),
                Map.of(),
                List.of());
        var watch = WatchDocument.of(new WatchReport("process 7", List.of(), seen));
        assertThat(new TextReport(80, false, TextReport.Detail.ANSWER).document(watch))
                .contains("process 7")
                .containsPattern("CPUs used, by group of threads +all threads +1 +2 +3\\n")
                .containsPattern("Heap +used +1.00 MiB +2.00 MiB +3.00 MiB\\n")
                .doesNotContain("Not observed");
        assertThat(MarkdownReport.of(watch))
                .containsPattern("\\| all threads \\| 1 \\| 2 \\| 3 \\|")
                .contains("Fettle puts no load on it");
    }

    /** With a lock, a pool and a reason whose names are longer than a line, or of wide characters. */
    @ParameterizedTest
    @ValueSource(strings = {"com.example.shop.orders.OrderRepository$$Lambda", "注文", "x"})
    void noLineIsWiderThanTheTerminal(String name) {
        String longName = name.repeat(8);
        var values = new HashMap<String, Series>();
        WatchRow.ALL.forEach(row -> row.all().forEach(id -> values.put(id, Series.of(1e9, 123_456_789, 987_654_321))));
        values.put("pool." + longName + ".active", Series.of(1, 2, 3));
        var seen = Timeline.of(
                0,
                1000,
                values,
                Map.of("heap." + longName, "why " + longName),
                List.of(
                        new Sighting("lock", longName, 7),
                        new Sighting("peer.closeWait", longName, 40),
                        new Sighting("thread.hottest", longName, 0.6)));
        for (int width = 60; width <= 220; width++) {
            var text = new WatchText(width, width % 2 == 0);
            String all = text.screen("process 7 " + longName, 3, seen, Integer.MAX_VALUE)
                    + text.screen("process 7 " + longName, 3, seen, 5);
            int most = width;
            assertThat(all.replaceAll("\033\\[[0-9;]*m", "").lines())
                    .allSatisfy(l -> assertThat(Wording.length(l)).as(l).isLessThanOrEqualTo(most));
            assertThat(all).contains("lock ", "more lines");
        }
    }

    /** The figures have the room that they need; the graph has what is left. */
    @ParameterizedTest
    @CsvSource({"60, 16", "80, 16", "100, 26", "120, 46", "134, 60", "220, 60"})
    void theGraphIsAsWideAsTheFiguresLetIt(int width, int sparks) {
        var full = new double[100];
        Arrays.fill(full, 1);
        var seen = Timeline.of(0, 1000, Map.of("cpu.total", Series.of(full)), Map.of(), List.of());
        assertThat(new WatchText(width, false).screen("process 7", 3, seen, 50).lines())
                .anySatisfy(l -> assertThat(l)
                        .startsWith("CPU")
                        .contains("█".repeat(sparks))
                        .doesNotContain("█".repeat(sparks + 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void theScreenFitsAndSaysAll(int width) {
        String screen = new WatchText(width, false).screen("process 7", 3, SEEN, 50);
        assertThat(screen.lines()).allSatisfy(l -> assertThat(l.length()).isLessThanOrEqualTo(width));
        assertThat(screen)
                .contains("process 7", "all threads 1", "workers 0.9", "most: http-nio-8080-e 0.6")
                .contains("used 512 MiB", "CLOSE_WAIT 40", "CLOSE_WAIT 10.0.0.5:5432 ×40")
                .contains("CLOSE_WAIT from 10.0.0.9 ×7", "orders:", "active 10")
                .contains("gc.share, heap.max: it is no JVM", "swap.used: the kernel does not report it")
                .doesNotContain("from 127.0.0.1", "NaN");
    }

    /** A thread, a pool, a host may be called anything. */
    @Test
    void noNameMovesTheCursor() {
        String bad = "x\033[2J\007y\nz";
        var seen = Timeline.of(
                0,
                1000,
                Map.of(
                        "cpu.total",
                        Series.of(1, 1),
                        "pool." + bad + ".active",
                        Series.of(1, 1),
                        "pool." + bad + ".\033[5m",
                        Series.of(1, 1)),
                Map.of("heap." + bad, "why " + bad),
                List.of(
                        new Sighting("peer.closeWait", bad, 40),
                        new Sighting("peer.established", bad, 100),
                        new Sighting("lock", bad, 7),
                        new Sighting("thread.hottest", bad, 0.6)));
        var text = new WatchText(200, false);
        String all = text.screen("process 7 " + bad, 2, seen, 50)
                + text.screen("process 7 " + bad, 2, seen, 3)
                + summary("process 7 " + bad, seen, 200, false);
        assertThat(all).contains("x [2J y z").doesNotContain("\033", "\007", "y\nz");
    }

    /** A point of a long recording stands for more than a second. */
    @Test
    void theAgeOfAFigureIsInSeconds() {
        var values = Map.of(
                "cpu.total", Series.of(1, 1, 1, 1, 1, 1, 1),
                "wait.lock", Series.of(1, 1, 1, 1, 5, Double.NaN, Double.NaN),
                "heap.used",
                        Series.of(512 << 20, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
        var text = new WatchText(80, false);
        assertThat(text.screen("process 7", 7, Timeline.of(0, 1000, values, Map.of(), List.of()), 50))
                .contains("used 512 MiB (6 s ago)")
                .doesNotContain("lock 5 (");
        assertThat(text.screen("process 7", 56, Timeline.of(0, 8000, values, Map.of(), List.of()), 50))
                .contains("lock 5 (16 s ago)", "used 512 MiB (48 s ago)");
    }

    @Test
    void aScreenWithFewRowsIsCut() {
        assertThat(new WatchText(80, true).screen("process 7", 3, SEEN, 4).lines())
                .hasSize(4);
    }

    @Test
    void aLowTerminalHasWhatHasANameAndLeavesOutZeros() {
        var seen = Timeline.of(
                0,
                1000,
                Map.of(
                        "cpu.total", Series.of(1, 1, 1),
                        "cpu.gc", Series.of(0, 0, 0),
                        "wait.lock", Series.of(7, 7, 7),
                        "tcp.retransmits", Series.of(0, 0, 0),
                        "disk.write", Series.of(0, 0, 0),
                        "threads.total", Series.of(40, 40, 40)),
                Map.of("heap.max", "it is no JVM"),
                List.of(new Sighting("lock", "com.example.Log", 7)));
        var text = new WatchText(80, false);
        assertThat(text.screen("process 7", 3, seen, 50))
                .contains("GC 0", "retransmits 0/s", "threads 40", "it is no JVM");
        assertThat(text.screen("process 7", 3, seen, 7))
                .contains("lock com.example.Log ×7", "lock 7", "retransmits 0/s")
                .doesNotContain("GC 0");
        assertThat(text.screen("process 7", 3, seen, 5).lines())
                .hasSize(5)
                .anyMatch(l -> l.contains("lock com.example.Log ×7"))
                .last()
                .isEqualTo("3 more lines: on a taller terminal, by --once, or on the page of --html");
    }

    @Test
    void oneLookAccountsForEachFigure() {
        assertThat(summary("process 7", SEEN, 80, false))
                .contains("• Fettle puts no load on it: load.errors, load.inflight")
                .contains(
                        "• the kernel does not report it: swap.used",
                        "nothing was read in the time watched: accept.drops")
                .doesNotContain("cpu.total", "heap.used");
        var rested =
                Timeline.of(0, 1000, Map.of("gc.count", Series.of(0, 0)), Map.of("heap.*", "it is no JVM"), List.of());
        assertThat(rested.missing())
                .containsEntry("gc.pauseMax", "there was no collection in the time watched")
                .containsEntry("heap.*", "it is no JVM")
                .doesNotContainKeys("heap.used", "gc.count");
    }

    @Test
    void aCourseIsDrawnAgainstItsHighestAndAGapIsAGap() {
        assertThat(WatchText.sparkline(Series.of(0, 1, Double.NaN, 8), 6)).isEqualTo("  ▁▂ █");
        assertThat(WatchText.sparkline(Series.of(0, 0), 2)).isEqualTo("▁▁");
    }

    @Test
    void aSecondIsALineOfWhatWasReadInIt() {
        var p = new WatchPoint(12.0, Map.of("cpu.total", 1.25, "sockets.established", 300.0), List.of(), Map.of());
        assertThat(new WatchText(80, false).line(p)).isEqualTo("    12 s  cpu 1.25  conns 300");
    }
}
