package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signals;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What Prometheus gets. */
class LiveMetricsTest {
    private final LiveMetrics metrics = new LiveMetrics("process 7 (ja\"va\\), port 8080", 0);

    private void add(double at, Map<String, Double> values) {
        metrics.add(at, values);
    }

    /** Samples by name and labels. */
    private Map<String, Double> samples() {
        var found = new TreeMap<String, Double>();
        for (String line : metrics.text(false).split("\n")) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                assertThat(found.put(
                                line.substring("fettle_watch_".length(), space),
                                Double.valueOf(line.substring(space + 1))))
                        .as(line)
                        .isNull();
            }
        }
        return found;
    }

    @Test
    void aGaugeIsOfTheLastFifteenSecondsAndACounterOfAll() {
        for (int second = 1; second <= 30; second++) {
            add(
                    second,
                    Map.of(
                            Signals.HEAP_USED, second == 10 ? 900.0 : second == 20 ? 500.0 : 100.0,
                            Signals.CPU_TOTAL, second <= 15 ? 4.0 : 1.0,
                            Signals.GC_PAUSE_MAX, second == 25 ? 250.0 : 5.0,
                            Signals.GC_COUNT, 2.0,
                            Signals.HEAP_COMMITTED, (double) second));
        }
        assertThat(samples())
                .containsEntry("heap_used_bytes", 500.0)
                .containsEntry("cpu_total_cpus", 1.0)
                .containsEntry("gc_pause_max_seconds", 0.25)
                .containsEntry("gc_count_total", 60.0)
                .containsEntry("heap_committed_bytes", 30.0)
                .containsEntry("seconds_total", 30.0);
    }

    @Test
    void whatIsNoLongerReadIsAbsentAndALimitIsKeptLonger() {
        add(1, Map.of(Signals.HEAP_USED, 5.0, Signals.FDS_LIMIT, 1024.0, Signals.GC_COUNT, 3.0));
        for (int second = 2; second <= 20; second++) {
            add(second, Map.of(Signals.CPU_TOTAL, Double.NaN));
        }
        assertThat(samples())
                .doesNotContainKeys("heap_used_bytes", "cpu_total_cpus")
                .containsEntry("fds_limit", 1024.0)
                .containsEntry("gc_count_total", 3.0);
        add(200, Map.of());
        assertThat(samples()).doesNotContainKey("fds_limit").containsEntry("gc_count_total", 3.0);
    }

    @Test
    void poolsShareANameAndAreLabelled() {
        add(
                1,
                Map.of(
                        "pool.Hikari \"a\".active",
                        3.0,
                        "pool.Hikari.b.active",
                        4.0,
                        "odd.Name-x",
                        1.0,
                        "odd.Name.x",
                        2.0));
        assertThat(samples())
                .containsEntry("pool_active{pool=\"Hikari \\\"a\\\"\"}", 3.0)
                .containsEntry("pool_active{pool=\"Hikari.b\"}", 4.0)
                .containsEntry("odd__name_x", 1.0);
        assertThat(metrics.text(false)).containsOnlyOnce("# TYPE fettle_watch_pool_active gauge");
        assertThat(samples()).containsKey("info{target=\"process 7 (ja\\\"va\\\\), port 8080\"}");
    }

    /** Names that only letters, digits and lines may have; only counters end with _total; each has one type. */
    @Test
    void everySignalHasAMetricOfItsOwn() {
        var all = new HashMap<String, Double>();
        Signal.all().forEach(s -> all.put(s.id(), 1.0));
        add(1, all);
        var types = new HashMap<String, String>();
        for (String line : metrics.text(false).split("\n")) {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ");
                assertThat(types.put(words[2], words[3])).as(line).isNull();
                assertThat(words[2]).matches("^fettle_watch_[a-z0-9_]+$");
                assertThat(words[2].endsWith("_total")).as(line).isEqualTo(words[3].equals("counter"));
            }
        }
        assertThat(types).hasSize(Signal.all().size() + 2);
        assertThat(new HashSet<>(types.values())).containsExactlyInAnyOrder("gauge", "counter");
    }

    /** There, a counter's family has no _total, and the end is marked. */
    @Test
    void openMetrics() {
        add(1, Map.of(Signals.GC_COUNT, 2.0));
        assertThat(metrics.text(true))
                .contains("# TYPE fettle_watch_gc_count counter\n")
                .contains("fettle_watch_gc_count_total 2\n")
                .endsWith("# EOF\n");
    }

    @Test
    void anyNumberOfPoolsIsBounded() {
        for (int i = 0; i < 5000; i++) {
            add(1, Map.of("pool.p" + i + ".active", 1.0));
        }
        assertThat(samples().size()).isLessThan(600);
    }

    /** A load's answers by its labels; some minutes after it has ended they are gone. */
    @Test
    void aLoadsAnswersAreCountedByTrial() {
        var times = new Histogram(3);
        times.recordValue(1_500_000);
        for (int i = 1; i <= 3; i++) {
            add(i, Map.of());
            metrics.answered(new LiveMetrics.Answers(Map.of("trial", "1"), Map.of(ErrorKind.RESET, 2L), times));
        }
        metrics.ended("1", false);
        assertThat(metrics.text(true).lines())
                .contains(
                        "fettle_load_latency_seconds_count{trial=\"1\"} 3",
                        "fettle_load_latency_seconds_bucket{le=\"0.001\",trial=\"1\"} 0",
                        "fettle_load_latency_seconds_bucket{le=\"0.002\",trial=\"1\"} 3",
                        "fettle_load_failed_total{kind=\"reset\",trial=\"1\"} 6",
                        "fettle_load_trial_valid{trial=\"1\"} 0");
        add(200, Map.of());
        assertThat(metrics.text(false)).doesNotContain("fettle_load_latency").contains("fettle_load_trial_valid");
    }
}
