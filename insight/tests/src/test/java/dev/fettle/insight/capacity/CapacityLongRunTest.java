package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CapacityLongRunTest {
    private static final int SEARCHES = Integer.getInteger("fettle.runs", 12);

    enum Cell {
        M_D_50(50, 0.05, LongQueue.Kind.CONSTANT, "p99<300ms", 0, 990.5),
        M_D_8(8, 0.01, LongQueue.Kind.CONSTANT, "p99<100ms", 0, 774.5),
        M_M_8(8, 0.01, LongQueue.Kind.EXPONENTIAL, "p99<100ms", 0, 749.5),
        M_M_50(50, 0.05, LongQueue.Kind.EXPONENTIAL, "p99<400ms", 0, 985.7),
        LOGNORMAL_20(20, 0.02, LongQueue.Kind.LOGNORMAL, "p99<300ms", 0, 954.4),
        PARETO_20(20, 0.02, LongQueue.Kind.PARETO, "p95<100ms", 0, 967.2),
        M_D_200(200, 0.05, LongQueue.Kind.CONSTANT, "p99<500ms", 0, 3994.8),
        M_M_8_MEAN(8, 0.01, LongQueue.Kind.EXPONENTIAL, "mean<30ms", 0, 758.0),
        M_D_50_MEDIAN(50, 0.05, LongQueue.Kind.CONSTANT, "p50<100ms", 0, 993.2),
        STALLS_8(8, 0.01, LongQueue.Kind.STALLS, "p99<150ms", 0, 732.1),
        DRIFT_50(50, 0.05, LongQueue.Kind.DRIFT, "p99<300ms", 0, 978.1),
        REFUSED_50(50, 0.05, LongQueue.Kind.EXPONENTIAL, "p99<300ms,errors<0.1%", 80, 886.9);

        final LongQueue.Server server;
        final double truth;

        Cell(int threads, double hold, LongQueue.Kind kind, String slo, int most, double truth) {
            this.server = new LongQueue.Server(threads, hold, kind, slo, most);
            this.truth = truth;
        }
    }

    @ParameterizedTest
    @EnumSource
    void cell(Cell cell) {
        String only = System.getProperty("cells", "");
        if (!only.isEmpty() && !Arrays.asList(only.split(",")).contains(cell.name())) return;
        var server = cell.server;
        double truth = cell.truth;
        Slo slo = server.parsed();
        int found = 0, hour = 0, covered = 0, limits = 0, near = 0, over = 0;
        double clock = 0, longest = 0, ratio = 0, width = 0;
        long bad = 0;
        for (int seed = 1; seed <= SEARCHES; seed++) {
            var queue = new LongQueue(server, 5, seed);
            CapacityResult r = queue.search(
                    slo,
                    new CapacitySearch.Settings(
                            0.9 * server.full(),
                            CapacitySearch.floor(slo, Duration.ofSeconds(5), Iteration.ONE_REQUEST),
                            0.03,
                            1,
                            Duration.ofMinutes(3),
                            500,
                            server.full(),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(60)));
            clock += queue.clock();
            longest = Math.max(longest, queue.clock());
            if (r.limit().isPresent()) {
                limits++;
                covered += r.limit().get().contains(truth) ? 1 : 0;
                width += (r.limit().get().high() - r.limit().get().low()) / truth;
            }
            if (r.outcome() == Outcome.FOUND) {
                found++;
                ratio += r.rate() / truth;
                near += r.rate() >= 0.95 * truth ? 1 : 0;
                over += r.rate() > truth ? 1 : 0;
                hour += server.meets(r.rate(), 3600, 1000 + seed) ? 1 : 0;
            }
        }
        System.out.printf(
                "%-13s truth %.1f (%.3f of full) found %d/%d covered %.3f width %.3f answer/truth %.3f hour-ok %.3f >=.95 %.3f above %.3f time %.0f max %.0f%n",
                cell, truth, truth / server.full(), found, SEARCHES, covered / (double) limits, width / limits,
                ratio / found, hour / (double) found, near / (double) found, over / (double) found,
                clock / SEARCHES, longest);
    }
}
