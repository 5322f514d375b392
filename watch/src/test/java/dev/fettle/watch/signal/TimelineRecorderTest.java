package dev.fettle.watch.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineRecorderTest {
    private static final long MILLI = 1_000_000;

    private long now = 77_000 * MILLI;
    private final TimelineRecorder recorder = new TimelineRecorder(500, () -> now);

    private void passes(long millis) {
        now += millis * MILLI;
    }

    private Series series(String id) {
        return recorder.timeline().find(id).orElseThrow();
    }

    @Test
    void aReasonOfAWholeGroupHoldsUntilOneOfItIsSeen() {
        recorder.notObserved("heap.*", "the JVM has not answered yet");
        assertThat(recorder.timeline().notObserved()).containsKey("heap.*");
        recorder.value("heap.used", 1);
        recorder.notObserved("heap.*", "the JVM has gone");
        assertThat(recorder.timeline().notObserved()).doesNotContainKey("heap.*");
    }

    /** A program may make a pool, with a name of its own, for each job. */
    @Test
    void namesWithoutEndDoNotFillTheMemory() {
        recorder.value("heap.used", 1);
        for (int i = 0; i < 1000; i++) {
            recorder.value("pool.job-" + i + ".active", 1);
            recorder.counted("counted." + i, now, 1);
            recorder.span("span." + i, now, now + MILLI, 1);
        }
        passes(500);
        recorder.value("heap.used", 2);
        assertThat(recorder.timeline().series()).hasSize(TimelineRecorder.MOST_SERIES);
        assertThat(series("heap.used")).isEqualTo(Series.of(1, 2));
    }

    @Test
    void severalReadingsOfAPointBecomeOneAsFitsThem() {
        for (double v : List.of(1.0, 5.0, 3.0)) {
            recorder.value("wait.lock", v);
            recorder.value("heap.used", v);
            recorder.value("heap.old", v);
            passes(100);
        }
        assertThat(series("wait.lock")).as("mean").isEqualTo(Series.of(3));
        assertThat(series("heap.used")).as("most").isEqualTo(Series.of(5));
        assertThat(series("heap.old")).as("last").isEqualTo(Series.of(3));
    }

    @Test
    void aPointWithoutAReadingIsNotZero() {
        recorder.value("heap.old", 1);
        passes(1500);
        recorder.value("heap.old", 2);
        assertThat(series("heap.old")).isEqualTo(Series.of(1, Double.NaN, Double.NaN, 2));
    }

    @Test
    void aTotalBecomesWhatItGrewByPerSecond() {
        recorder.value("cpu.total", 100);
        passes(1000);
        recorder.value("cpu.total", 101.5);
        passes(500);
        recorder.value("cpu.total", 102.5);
        assertThat(series("cpu.total")).isEqualTo(Series.of(1.5, 1.5, 2));
    }

    @Test
    void theLastPointIsToldWithoutATimeline() {
        assertThat(recorder.last("threads.deadlocked").optional()).isEmpty();
        recorder.value("threads.deadlocked", 0);
        passes(1000);
        recorder.value("threads.deadlocked", 2);
        passes(1000);
        recorder.value("heap.used", 1);
        assertThat(recorder.last("threads.deadlocked").optional()).hasValue(2);
    }

    @Test
    void whatIsCountedIsAddedUp() {
        recorder.value("gc.count", 7);
        passes(100);
        recorder.value("gc.count", 9);
        passes(100);
        recorder.value("gc.count", 12);
        assertThat(series("gc.count")).isEqualTo(Series.of(5));
    }

    @Test
    void aCounterThatBeganAgainOrRestedSaysNothing() {
        recorder.value("cpu.total", 100);
        passes(500);
        recorder.value("cpu.total", 3);
        passes(500);
        recorder.gap();
        recorder.value("cpu.total", 50);
        assertThat(recorder.timeline().find("cpu.total")).isEmpty();
        passes(500);
        recorder.value("cpu.total", 51);
        assertThat(series("cpu.total").last().optional()).hasValue(2);
    }

    /** With thousands of threads their times are read as seldom as a source may. */
    @Test
    void aTotalThatIsReadSeldomStillGivesARate() {
        recorder.value("cpu.total", 100);
        passes((long) (1000 * SamplingRate.LONGEST_HOST_SECONDS) + 500);
        recorder.value("cpu.total", 161);
        assertThat(series("cpu.total").observed()).hasSize(61).containsOnly(2.0);
        passes((long) (3000 * SamplingRate.LONGEST_HOST_SECONDS));
        recorder.value("cpu.total", 9161);
        assertThat(series("cpu.total").observed()).as("nobody looked").hasSize(61);
    }

    @Test
    void memoryIsBoundedAndOnlyThePointsBecomeLonger() {
        for (int i = 0; i < 3 * Timeline.MOST_POINTS; i++) {
            recorder.value("heap.used", i);
            recorder.value("load.rate", i % 2 == 0 ? 10 : 20);
            recorder.value("gc.count", i);
            passes(500);
        }
        recorder.value("gc.count", 3 * Timeline.MOST_POINTS);
        Timeline t = recorder.timeline();
        assertThat(t.stepMillis()).isEqualTo(2000);
        assertThat(t.points()).isBetween(Timeline.MOST_POINTS / 2, Timeline.MOST_POINTS);
        assertThat(t.find("load.rate").orElseThrow().observed()).containsOnly(15.0);
        assertThat(t.max("heap.used").optional()).hasValue(3 * Timeline.MOST_POINTS - 1);
        assertThat(t.sum("gc.count").optional()).hasValue(3 * Timeline.MOST_POINTS);
    }

    /** What a screen shows as now is no mean over the time that a point of a long timeline stands for. */
    @Test
    void theLastPointsStayShort() {
        assertThat(recorder.recent().isEmpty()).isTrue();
        recorder.keepRecent();
        int all = 3 * Timeline.MOST_POINTS;
        for (int i = 1; i <= all; i++) {
            passes(500);
            recorder.value("threads.total", i % 2);
            recorder.span("load.rate", now - 2500 * MILLI, now, 5);
        }
        Timeline last = recorder.recent();
        assertThat(last.stepMillis()).isEqualTo(500);
        assertThat(last.points()).isEqualTo(TimelineRecorder.RECENT);
        assertThat(last.find("threads.total").orElseThrow().last().optional()).hasValue(all % 2);
        assertThat(last.find("threads.total").orElseThrow().observed())
                .hasSize(TimelineRecorder.RECENT)
                .contains(0.0, 1.0);
        assertThat(last.find("load.rate").orElseThrow().observed())
                .as("a span fills its points")
                .hasSize(TimelineRecorder.RECENT - 1)
                .containsOnly(5.0);
        assertThat(last.startMillis()).isEqualTo((all - TimelineRecorder.RECENT + 1) * 500L);
    }

    @Test
    void windowsThatFollowEachOtherLeaveNoHoleAndAreMixedNowhere() {
        long at = now;
        for (int i = 0; i < 20; i++) {
            long end = at + 503 * MILLI;
            recorder.span("load.rate", at, end, i);
            at = end;
        }
        Series s = series("load.rate");
        assertThat(s.observed()).hasSize(s.size());
        assertThat(s.observed()).isSorted();
        assertThat(s.size()).isEqualTo(20);
    }

    @Test
    void theClockCountsFromWhenMeasuringBegan() {
        recorder.value("load.rate", 5);
        passes(2000);
        recorder.measuringBegins();
        recorder.value("load.rate", 50);
        passes(500);
        recorder.measuringBegins();
        Timeline t = recorder.timeline();
        assertThat(t.startMillis()).isEqualTo(-2000);
        assertThat(t.firstMeasured()).isEqualTo(4);
        assertThat(t.mean("load.rate").optional()).hasValue(50);
        assertThat(t.seconds(4)).isZero();
    }

    @Test
    void whatIsReadIsNotSaidToBeUnread() {
        recorder.notObserved("heap.old", "no attach");
        recorder.notObserved("alloc.rate", "no attach");
        recorder.value("heap.old", 5);
        recorder.value("gc.count", Double.NaN);
        recorder.value("heap.used", 5);
        recorder.notObserved("heap.used", "gone");
        assertThat(recorder.timeline().notObserved()).containsOnlyKeys("alloc.rate");
        assertThat(recorder.timeline().series()).containsOnlyKeys("heap.old", "heap.used");
    }

    @Test
    void theMostSeenOfEachKindIsKept() {
        for (int i = 0; i < 100; i++) {
            recorder.sighting(new Sighting("peer.closeWait", "10.0.0." + i, i));
            recorder.sighting(new Sighting("lock", "only", i % 7, "owner " + i));
        }
        List<Sighting> peers = recorder.timeline().sightings("peer.closeWait");
        assertThat(peers).hasSize(TimelineRecorder.MOST_SIGHTINGS);
        assertThat(peers.getFirst()).isEqualTo(new Sighting("peer.closeWait", "10.0.0.99", 99));
        assertThat(recorder.timeline().sightings("lock").getFirst().count()).isEqualTo(6);
    }

    /** Who tells all of a kind knows which goes first. */
    @Test
    void aListReplacesTheOneBeforeAndKeepsItsOrder() {
        recorder.sightings("lock", List.of(new Sighting("lock", "app.Loader", 48)));
        var all = List.of(new Sighting("lock", "app.Log", 30), new Sighting("lock", "app.Cache", 40));
        recorder.sightings("lock", all);
        recorder.sighting(new Sighting("frame", "app.Page.get", 3));
        assertThat(recorder.timeline().sightings("lock")).isEqualTo(all);
        assertThat(recorder.timeline().sightings()).hasSize(3);
        recorder.sightings("lock", List.of());
        assertThat(recorder.timeline().sightings("lock")).isEmpty();
    }

    /** The compilers of the warm-up are not the hottest threads of the measured time; a connection may be as old as it likes. */
    @Test
    void whatThreadsDidInTheWarmUpIsForgotten() {
        recorder.sighting(new Sighting(Sighting.HOTTEST, "C2 CompilerThre", 0.9));
        recorder.sighting(new Sighting(Sighting.PEER_CLOSE_WAIT, "10.0.0.5:443", 300));
        recorder.sighting(new Sighting(Sighting.DEADLOCK, "two threads", 2));
        recorder.sightings(Sighting.LOCK, List.of(new Sighting(Sighting.LOCK, "app.Loader", 48)));
        recorder.measuringBegins();
        assertThat(recorder.timeline().sightings())
                .extracting(Sighting::kind)
                .containsExactlyInAnyOrder(Sighting.PEER_CLOSE_WAIT, Sighting.DEADLOCK);
        recorder.sighting(new Sighting(Sighting.HOTTEST, "exec-1", 0.4));
        recorder.measuringBegins();
        assertThat(recorder.timeline().sightings(Sighting.HOTTEST))
                .containsExactly(new Sighting(Sighting.HOTTEST, "exec-1", 0.4));
    }

    @Test
    void aReasonForAFamilyGoesWhenOneOfItIsRead() {
        var r = new TimelineRecorder(1000);
        r.notObserved("heap.*", "the JVM has not answered yet");
        r.notObserved("gc.*", "the JVM has not answered yet");
        r.value("heap.used", 5);
        r.notObserved("heap.*", "the JVM has not answered yet");
        assertThat(r.timeline().notObserved()).containsOnlyKeys("gc.*");
    }
}
