package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.diagnose.Points;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.insight.tune.Scoring;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.MeasuredValues;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogTest {
    private static final int THREADS = 8;
    private static final double HOLD = 0.01;
    private static final double MEASURED = 4;
    private static final int RUNS = 300;

    /** What a trial of a queue shows: a Poisson load, first on so many connections, then on eight threads of 10 ms. */
    private static double share(double load, int connections, double warmUp, Random random) {
        double rate = load * THREADS / HOLD;
        var threads = new PriorityQueue<Double>();
        var links = new PriorityQueue<Double>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(0.0);
        }
        for (int i = 0; i < connections; i++) {
            links.add(0.0);
        }
        double end = warmUp + MEASURED;
        long ended = 0;
        long waiting = 0;
        long underWay = 0;
        double wait = 0;
        double service = 0;
        long last = 0;
        double t = 0;
        while (true) {
            t -= Math.log(1 - random.nextDouble()) / rate;
            if (t > end) {
                break;
            }
            double sent = Math.max(t, links.remove());
            double done = Math.max(sent, threads.remove()) + HOLD;
            threads.add(done);
            links.add(done);
            if (done > warmUp - 0.5 && done <= warmUp) {
                wait += sent - t;
                service += done - sent;
                last++;
            }
            ended += done > warmUp && done <= end ? 1 : 0;
            waiting += sent > end ? 1 : 0;
            underWay += sent <= end && done > end ? 1 : 0;
        }
        Backlog left = Backlog.of(MEASURED, ended, waiting, underWay, wait / last, service / last);
        return MeasuredValues.errorShare(ended, left.unsent() + left.unanswered());
    }

    @ParameterizedTest
    @CsvSource({"0.5, 16, 5", "0.9, 16, 5", "0.9, 4000, 5", "0.95, 16, 20", "0.95, 4000, 20", "0.97, 100, 10"})
    void whoTakesAllIsLeftWithNothing(double load, int connections, double warmUp) {
        int wrong = 0;
        for (int i = 0; i < RUNS; i++) {
            wrong += share(load, connections, warmUp, new Random(i * 7919L + 1)) > Objective.DEFAULT.errorsAtMost()
                    ? 1
                    : 0;
        }
        assertThat((double) wrong / RUNS)
                .as("errors beyond the limit, although all was taken")
                .isLessThan(0.03);
    }

    @ParameterizedTest
    @CsvSource({"1.2, 16, 5", "1.2, 100000, 5", "2, 16, 5", "2, 16, 20", "2, 300, 20", "2, 100000, 5", "3, 1000, 10"})
    void whoTakesTooLittleIsLeftWithTheRest(double load, int connections, double warmUp) {
        for (int i = 0; i < 20; i++) {
            assertThat(share(load, connections, warmUp, new Random(i * 7919L + 5)))
                    .isCloseTo(1 - 1 / load, within(0.08));
        }
    }

    @Test
    void nothingMeasuredIsNothingLeft() {
        assertThat(Backlog.of(0, 0, 9, 9, 0, 0)).isEqualTo(Backlog.NONE);
        assertThat(Backlog.of(4, 0, 0, 0, 0, 0)).isEqualTo(Backlog.NONE);
    }

    /** Answers of a millisecond, more of them than the baseline gives, and as many again that were never sent. */
    @Test
    void survivorsThatLookGoodDoNotMeetTheLimits() {
        SettingTrials took = observation(1000, new Measurement.Offered(4000, 0, 0, 0));
        SettingTrials survivors = observation(1100, new Measurement.Offered(8800, 4400, 4400, 0));
        var scoring = new Scoring(Objective.DEFAULT);
        assertThat(survivors.errorShare()).isEqualTo(0.5);
        assertThat(scoring.feasible(survivors)).isFalse();
        assertThat(scoring.feasible(took)).isTrue();
        assertThat(List.of(survivors, took).stream().sorted(scoring.bestFirst()).findFirst())
                .contains(took);
        assertThat(Points.explain(survivors.valid().getFirst()).orElseThrow().sentences())
                .last()
                .asString()
                .contains("50 %", "never sent 4400");
    }

    private static SettingTrials observation(int perSecond, Measurement.Offered offered) {
        long n = 4L * perSecond;
        var latency = new LatencySummary(
                n, 1e6, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000);
        var m = new Measurement(
                Duration.ofSeconds(4),
                n,
                Map.of(),
                Map.of(),
                Map.of(200, n),
                200 * n,
                n / 1e3,
                latency,
                LatencySummary.NONE,
                0,
                16,
                List.of(),
                "",
                Measurement.Detail.NONE
                        .with()
                        .service(latency)
                        .firstByte(latency)
                        .offered(Optional.of(offered))
                        .build());
        var spec = new TrialSpec(
                TrialSpec.Phase.SEARCH, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(16));
        var trial = new TrialOutcome(
                1,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(9),
                Duration.ofSeconds(5),
                Optional.of(m),
                Optional.empty(),
                Optional.empty(),
                Verdict.VALID,
                List.of());
        return TriedSettings.of(Setting.DEFAULT, Origin.DEFAULT, List.of(trial));
    }
}
