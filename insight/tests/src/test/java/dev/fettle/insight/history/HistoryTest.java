package dev.fettle.insight.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.history.Course.Change;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static PastRun run(int n, Map<GateMetric, PastRun.Figure> figures, String reference) {
        return run(n, figures, reference, Map.of("CPU", "a"), Map.of("kernel", "1"), Optional.empty());
    }

    private static PastRun run(
            int n,
            Map<GateMetric, PastRun.Figure> figures,
            String reference,
            Map<String, String> conditions,
            Map<String, String> facts,
            Optional<String> unused) {
        return new PastRun(
                "run-" + n,
                "journal.db",
                START.plus(Duration.ofDays(n)),
                "commit" + n,
                false,
                conditions,
                OptionalFigure.of(8e9 + n),
                facts,
                figures,
                reference,
                Optional.empty(),
                unused);
    }

    private static Map<GateMetric, PastRun.Figure> cpu(double value) {
        return Map.of(GateMetric.CPU, PastRun.Figure.alone(value));
    }

    private static Map<GateMetric, PastRun.Figure> gate(GateMetric metric, double base, double head) {
        return Map.of(metric, new PastRun.Figure(head, OptionalFigure.of(base), Optional.empty()));
    }

    private static History history(List<PastRun> runs) {
        return History.of(runs, Set.of(), Levels.usual(), History.usualLeast());
    }

    private static Course only(History h) {
        assertThat(h.series()).hasSize(1);
        assertThat(h.series().getFirst().courses()).hasSize(1);
        return h.series().getFirst().courses().getFirst();
    }

    /** Half a per cent with each run, which no gate of 3 % reports: against a base that stays it adds up, whatever the machine does. */
    @Test
    void manySmallLossesAddUp() {
        var r = new Random(3);
        var runs = new ArrayList<PastRun>();
        double machine = 1;
        for (int i = 0; i < 30; i++) {
            machine *= 1 + 0.02 * r.nextGaussian();
            double program = i < 10 ? 1e-5 : 1e-5 * Math.pow(1.005, i - 10);
            runs.add(run(
                    i,
                    gate(
                            GateMetric.CPU,
                            1e-5 * machine * (1 + 0.005 * r.nextGaussian()),
                            program * machine * (1 + 0.005 * r.nextGaussian())),
                    "commit 1a2b3c4d5"));
        }
        Course c = only(history(runs));
        assertThat(c.changes()).isNotEmpty().allMatch(Course.Change::loss);
        assertThat(c.changes().getFirst().seen()).isLessThan(24);
        assertThat(c.now() / c.changes().getFirst().before()).isBetween(1.03, 1.12);
    }

    /** Six metrics without a change are searched with less than one metric's level each. */
    @Test
    void metricsShareTheirError() {
        Levels usual = Levels.usual();
        assertThat(usual.of(1)).isEqualTo(usual);
        assertThat(usual.of(1.0 / 12).strict()).isEqualTo(usual.strict() / 6);
        assertThat(usual.of(4.0 / 12).strict()).isLessThan(usual.strict());
        assertThat(usual.of(4.0 / 12).strict()).isGreaterThan(usual.strict() / 2);
    }

    @Test
    void aStepIsOfTheRunItCameWith() {
        var r = new Random(1);
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 40; i++) {
            runs.add(run(i, cpu((i < 25 ? 1e-5 : 1.05e-5) * (1 + 0.005 * r.nextGaussian())), ""));
        }
        Collections.shuffle(runs, r);
        Course c = only(history(runs));
        assertThat(c.points())
                .isSortedAccordingTo(
                        (a, b) -> a.run().started().compareTo(b.run().started()));
        assertThat(c.changes()).hasSize(1);
        Change x = c.changes().getFirst();
        assertThat(x.at()).isEqualTo(25);
        assertThat(x.from()).isEqualTo(25);
        assertThat(x.to()).isEqualTo(25);
        assertThat(x.seen()).isEqualTo(29);
        assertThat(x.loss()).isTrue();
        assertThat(x.size(GateMetric.CPU)).isCloseTo(1.05, Offset.offset(0.005));
        assertThat(x.besides()).isEmpty();
    }

    @Test
    void lessThroughputIsALossAndLessTimeAGain() {
        for (GateMetric m : List.of(GateMetric.THROUGHPUT, GateMetric.CPU)) {
            var r = new Random(1);
            var runs = new ArrayList<PastRun>();
            for (int i = 0; i < 20; i++) {
                runs.add(run(
                        i, Map.of(m, PastRun.Figure.alone((i < 10 ? 100 : 80) * (1 + 0.005 * r.nextGaussian()))), ""));
            }
            assertThat(only(history(runs)).changes().getFirst().loss()).isEqualTo(m == GateMetric.THROUGHPUT);
        }
    }

    /** More runs add points, and move none. */
    @Test
    void whatWasReportedStays() {
        int frozen = 0;
        for (int seed = 0; seed < 20; seed++) {
            var r = new Random(seed);
            var runs = new ArrayList<PastRun>();
            double level = 1;
            double drift = 1;
            for (int i = 0; i < 90; i++) {
                level *= r.nextInt(20) == 0 ? 0.9 + 0.2 * r.nextDouble() : 1;
                drift *= 1 + 0.01 * r.nextGaussian();
                String base = "base " + (seed % 3 == 0 ? 0 : i / (seed % 3 == 1 ? 40 : 1));
                runs.add(run(
                        i,
                        gate(
                                GateMetric.CPU,
                                drift * (1 + 0.004 * r.nextGaussian()),
                                level * drift * (1 + 0.01 * r.nextGaussian())),
                        base));
            }
            List<Change> before = List.of();
            for (int n = 1; n <= runs.size(); n++) {
                List<Change> now = only(history(runs.subList(0, n))).changes();
                assertThat(now.size()).isGreaterThanOrEqualTo(before.size());
                for (int i = 0; i < before.size(); i++) {
                    Change then = before.get(i);
                    Change still = now.get(i);
                    assertThat(List.of(still.at(), still.from(), still.to(), still.seen(), still.loss()))
                            .isEqualTo(List.of(then.at(), then.from(), then.to(), then.seen(), then.loss()));
                    assertThat(still.p()).isEqualTo(then.p());
                }
                before = now;
            }
            frozen += before.size();
        }
        assertThat(frozen).isGreaterThan(20);
    }

    @Test
    void whatTheMachineDidIsTakenOutAndShown() {
        var r = new Random(2);
        var runs = new ArrayList<PastRun>();
        var without = new ArrayList<PastRun>();
        for (int i = 0; i < 60; i++) {
            double machine = i < 30 ? 1 : 1.1; // a slower machine from then on
            double base = 1e-5 * machine * (1 + 0.003 * r.nextGaussian());
            double head = (i < 45 ? 1 : 0.95) * 1.2 * base * (1 + 0.003 * r.nextGaussian());
            runs.add(run(i, gate(GateMetric.CPU, base, head), "SHA-256 1"));
            without.add(run(i, cpu(head), ""));
        }
        Course c = only(history(runs));
        assertThat(c.changes()).extracting(Change::at).containsExactly(45);
        assertThat(c.drift().orElseThrow().most() / c.drift().orElseThrow().least())
                .isBetween(1.09, 1.13);
        assertThat(c.drift().orElseThrow().runs()).isEqualTo(60);
        assertThat(c.points().get(10).measured())
                .isNotEqualTo(c.points().get(10).figure());
        // without a reference it is the machine's change that is found as well
        Course alone = only(history(without));
        assertThat(alone.changes()).extracting(Change::at).containsExactly(30, 45);
        assertThat(alone.drift()).isEmpty();
    }

    @Test
    void aBaseOfOneRunSaysNothingOfTheMachine() {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 10; i++) {
            runs.add(run(i, gate(GateMetric.CPU, 1 + 0.1 * i, 2), "SHA-256 " + i));
        }
        Course c = only(history(runs));
        assertThat(c.points()).allMatch(p -> p.figure() == 2);
        assertThat(c.drift()).isEmpty();
        assertThat(c.changes()).isEmpty();
    }

    /** However steady it was before: zero has no spread, and any failure would be a change. */
    @Test
    void errorsNeedADifferenceThatMatters() {
        for (double share : new double[] {1e-6, 1e-4, 9e-4, 0.002, 0.5}) {
            var runs = new ArrayList<PastRun>();
            for (int i = 0; i < 30; i++) {
                runs.add(run(
                        i,
                        Map.of(GateMetric.ERRORS, PastRun.Figure.alone(i < 20 ? 0 : share * (1 + 0.01 * (i % 3)))),
                        ""));
            }
            assertThat(only(history(runs)).changes()).as("errors of " + share).hasSize(share > 0.001 ? 1 : 0);
        }
    }

    @Test
    void aSteadyFigureNeedsAChangeOfTheLeastSize() {
        for (double by : new double[] {1.0001, 1.009, 1.011}) {
            var runs = new ArrayList<PastRun>();
            for (int i = 0; i < 30; i++) {
                runs.add(run(i, cpu(i < 20 ? 1 : by), ""));
            }
            assertThat(only(history(runs)).changes()).as("by " + by).hasSize(by > 1.01 ? 1 : 0);
        }
    }

    @Test
    void voidRunsAreKeptAndNotUsed() {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 30; i++) {
            runs.add(run(
                    i,
                    cpu(i % 2 == 0 ? 1 : 5),
                    "",
                    Map.of(),
                    Map.of(),
                    i % 2 == 0 ? Optional.empty() : Optional.of("disturbed")));
        }
        History h = history(runs);
        assertThat(h.series().getFirst().runs()).hasSize(30);
        assertThat(only(h).points()).hasSize(15).allMatch(p -> p.figure() == 1);
    }

    @Test
    void anotherMachineIsASeriesOfItsOwn() {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 40; i++) {
            runs.add(run(
                    i, cpu(i % 2 == 0 ? 1 : 2), "", Map.of("CPU", i % 2 == 0 ? "a" : "b"), Map.of(), Optional.empty()));
        }
        History h = history(runs);
        assertThat(h.series()).hasSize(2);
        assertThat(h.series())
                .allMatch(s -> s.runs().size() == 20
                        && s.courses().getFirst().changes().isEmpty());
        assertThat(h.series().getFirst().conditions()).containsEntry("CPU", "b");
    }

    @Test
    void whatElseIsNewIsSaid() {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 30; i++) {
            runs.add(run(
                    i,
                    cpu(i < 20 ? 1 : 2),
                    "",
                    Map.of(),
                    Map.of("kernel", i < 20 ? "Linux 6.1" : "Linux 6.2", "JDK", "25.0.1"),
                    Optional.empty()));
        }
        assertThat(only(history(runs)).changes().getFirst().besides())
                .containsExactly("kernel Linux 6.2, before Linux 6.1");
    }

    @Test
    void ofAClosedLoadLatencyIsSearchedOnlyIfAskedFor() {
        var figures = new EnumMap<GateMetric, PastRun.Figure>(GateMetric.class);
        Arrays.stream(GateMetric.values()).forEach(m -> figures.put(m, PastRun.Figure.alone(0.5)));
        var runs = List.of(run(1, figures, ""));
        assertThat(history(runs).series().getFirst().courses())
                .extracting(Course::metric)
                .contains(GateMetric.THROUGHPUT, GateMetric.CPU)
                .doesNotContain(GateMetric.P50, GateMetric.P99);
        assertThat(History.of(runs, Set.of(GateMetric.P99), Levels.usual(), 0.01)
                        .series()
                        .getFirst()
                        .courses())
                .extracting(Course::metric)
                .containsExactly(GateMetric.P99);
        assertThat(history(List.of()).series()).isEmpty();
    }

    /** What a reference program's benches say is taken out of those next to them. */
    @Test
    void benchesHaveAReferenceToo() {
        var r = new Random(5);
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < 40; i++) {
            double machine = i < 15 ? 1 : 1.2;
            Map<String, String> machineOf = Map.of("CPU", "a");
            var reference = new HashMap<>(machineOf);
            reference.put("target", "http://127.0.0.1:9000");
            var shop = new HashMap<>(machineOf);
            shop.put("target", "http://127.0.0.1:8080");
            runs.add(run(i, cpu(machine * (1 + 0.003 * r.nextGaussian())), "", reference, Map.of(), Optional.empty()));
            PastRun own = run(
                    i,
                    cpu((i < 30 ? 2 : 2.2) * machine * (1 + 0.003 * r.nextGaussian())),
                    "",
                    shop,
                    Map.of(),
                    Optional.empty());
            runs.add(own);
        }
        var reference = BenchReference.of("http://127.0.0.1:9000");
        List<PastRun> next = reference.nextTo(runs);
        assertThat(next)
                .hasSize(40)
                .noneMatch(reference::isOf)
                .noneMatch(x -> x.reference().isEmpty());
        Course c = only(history(next));
        assertThat(c.changes()).extracting(Change::at).containsExactly(30);
        assertThat(c.drift().orElseThrow().runs()).isEqualTo(40);
        // without one the machine's change is found as the program's
        assertThat(history(runs).series().stream()
                        .flatMap(s -> s.courses().getFirst().changes().stream())
                        .map(Change::at))
                .contains(15);
        // one that is too far away in time says nothing
        assertThat(new BenchReference("http://127.0.0.1:9000", Duration.ZERO.minusDays(1)).nextTo(runs))
                .allMatch(x -> x.reference().isEmpty());
    }
}
