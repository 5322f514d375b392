package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.lab.fake.Phase;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each driver does with servers that are as they should be, and with those that are just within what is borne. */
class DriversTest {
    @TempDir
    Path folder;

    private static Measurement measured(TrialOutcome o) {
        return o.measurement().orElseThrow(() -> new AssertionError(o.failure()));
    }

    private static Evidence evidence(TrialOutcome o) {
        return o.evidence().orElseThrow(() -> new AssertionError(o.failure()));
    }

    private static Conditions.Pair pair(TrialOutcome o) {
        return evidence(o).conditions().pair().orElseThrow();
    }

    private static Conditions.Slices slices(TrialOutcome o) {
        return pair(o).slices().orElseThrow();
    }

    /** 16 clients that pause for 10 ms after each answer of 10 ms. */
    @Test
    void aTrialAloneIsLaunchedWarmedUpMeasuredAndEnded() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            TrialOutcome o = run.alone(VirtualRun.LOAD);
            assertThat(o.verdict().reasons()).isEmpty();
            assertThat(measured(o).throughput()).isCloseTo(800, within(1.0));
            assertThat(measured(o).elapsed()).isEqualTo(Duration.ofSeconds(10));
            assertThat(o.warmUp()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
            assertThat(o.took()).isEqualTo(o.warmUp().plusMillis(500 + 10_000 + 1_000 + 100 + 200 + 500));
            assertThat(evidence(o).acceptQueueLimit()).hasValue(100);
            assertThat(evidence(o).startupMillis()).isEqualTo(1000);
            assertThat(evidence(o).effective()).containsEntry("threads.max", "200");
            assertThat(run.progress.stream().map(LabListener.Progress::stage).distinct())
                    .containsExactly(
                            TrialStage.LAUNCH,
                            TrialStage.READY,
                            TrialStage.READ_BACK,
                            TrialStage.WARM_UP,
                            TrialStage.MEASURE,
                            TrialStage.STOP);
        }
    }

    /** 16 clients that pause for a second can't ask for more than 16 pages a second, whatever the server. */
    @Test
    void clientsWhoThinkAreSaidToSetTheThroughput() throws Exception {
        var load = VirtualRun.LOAD.withArrivals(new Arrivals.Closed(Duration.ofSeconds(1)));
        try (var run = VirtualRun.of(folder)) {
            TrialOutcome o = run.alone(load);
            assertThat(measured(o).throughput()).isCloseTo(16 / 1.01, within(0.2));
            assertThat(o.verdict().advises("think-time")).isTrue();
            assertThat(o.verdict().reasons()).extracting(r -> r.rule()).doesNotContain("think-time", "littles-law");
            assertThat(run.alone(VirtualRun.LOAD).verdict().advises("think-time"))
                    .isFalse();
        }
    }

    @Test
    void errorsThatBeginUnderLoadMakeTheTrialVoid() throws Exception {
        try (var run = VirtualRun.of(folder, new FakeServer().at(Phase.MEASURE, 20, FakeServer::answersWrong))) {
            TrialOutcome o = run.alone(VirtualRun.LOAD);
            assertThat(o.verdict().reasons()).extracting(r -> r.rule()).contains("wrong-answers");
        }
    }

    /** 20 threads of 10 ms answer 2000 a second, and 4000 are due. */
    @Test
    void whatAnOpenLoadCouldNotSendIsAnError() throws Exception {
        var load = VirtualRun.LOAD.withConnections(1000).withArrivals(Arrivals.Open.constant(4000));
        try (var run = VirtualRun.of(folder, new FakeServer().threads(20))) {
            Measurement m = measured(run.alone(load));
            var offered = m.detail().offered().orElseThrow();
            assertThat(offered.unsent()).isPositive();
            assertThat(m.failed()).isZero();
            assertThat(m.errorShare()).isCloseTo(0.5, within(0.2));
        }
    }

    @Test
    void whatIsLeftOutOfALogIsNoted() throws Exception {
        try (var run = VirtualRun.of(folder, new FakeServer().at(Phase.STOP, 1, FakeServer::writesLogsWithoutEnd))) {
            assertThat(evidence(run.alone(VirtualRun.LOAD)).notes())
                    .anyMatch(n -> n.startsWith("5 MiB of the target's logs"));
        }
    }

    @Test
    void aTargetThatOnlyStartsIsNotLoaded() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            TrialOutcome o = run.runner.run(1, VirtualRun.spec(TrialSpec.Phase.START, VirtualRun.LOAD), run.listener);
            assertThat(o.verdict().valid()).isTrue();
            assertThat(o.measurement()).isEmpty();
            assertThat(o.took()).isEqualTo(Duration.ofMillis(1_800));
        }
    }

    @Test
    void aTargetThatStandsIsEndedWithTheRunner() throws Exception {
        var run = VirtualRun.of(folder);
        var up = run.runner.stand(VirtualRun.spec(TrialSpec.Phase.SEARCH, VirtualRun.LOAD), run.listener);
        assertThat(up.port()).isEqualTo(10_001);
        assertThat(run.lab.running()).isEqualTo(1);
        run.close();
    }

    @Test
    void aTrialThatIsSurelyWorseIsEndedLongBeforeItsTime() throws Exception {
        var load = VirtualRun.LOAD.withMeasure(Duration.ofMinutes(10)).withWarmUpAtMost(Duration.ofMinutes(10));
        var spec = VirtualRun.spec(TrialSpec.Phase.SEARCH, load);
        var step = new Step.Run(spec, "", 0, Optional.of(new GiveUp(Metric.THROUGHPUT, 1e9, 5)));
        try (var run = VirtualRun.of(folder)) {
            TrialOutcome o = run.runner.run(1, step, run.listener);
            assertThat(AttemptStatus.of(o)).isEqualTo(AttemptStatus.WORSE);
            assertThat(EarlyStopping.atBest(o).orElseThrow()).isBetween(0.01, 1e9);
            assertThat(o.took()).isLessThan(Duration.ofSeconds(15));
            assertThat(measured(o).windows()).anyMatch(w -> !w.measured()).anyMatch(w -> w.measured());
        }
    }

    @Test
    void theTwoOfAPairTakeTurnsOnOneClockAndNobodysTimeCountsTwice() throws Exception {
        try (var run =
                VirtualRun.of(folder, new FakeServer().answersAfter(0.005), new FakeServer().answersAfter(0.1))) {
            long before = run.lab.clock().nanos();
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            Duration wall = run.lab.clock().since(before);
            Measurement a = measured(both.get(0));
            Measurement b = measured(both.get(1));
            assertThat(both).allMatch(o -> o.verdict().valid());
            assertThat(a.throughput()).isCloseTo(16 / 0.015, within(2.0));
            assertThat(b.throughput()).isCloseTo(16 / 0.11, within(2.0));
            assertThat(a.elapsed()).isEqualTo(Duration.ofSeconds(10));
            assertThat(b.elapsed()).isEqualTo(Duration.ofSeconds(10));
            assertThat(both).allSatisfy(o -> {
                assertThat(pair(o).sideBySide()).isTrue();
                assertThat(slices(o).counted()).isEqualTo(10);
                assertThat(slices(o).planned()).isEqualTo(10);
                assertThat(slices(o).disturbed()).isZero();
                assertThat(slices(o).cpuSeconds()).hasSize(10);
            });
            List<Measurement.Window> all = new ArrayList<>(a.windows());
            all.addAll(b.windows());
            all.sort(Comparator.comparingDouble(Measurement.Window::at));
            for (int i = 1; i < all.size(); i++) {
                assertThat(all.get(i).at())
                        .as("never both at once")
                        .isGreaterThanOrEqualTo(
                                all.get(i - 1).at() + all.get(i - 1).seconds() - 1e-9);
            }
            assertThat(a.windows()).as("as much warm-up").hasSameSizeAs(b.windows());
            assertThat(run.turns()).isEqualTo("12211221122112211221");
            // halves of a time in whole nanoseconds
            assertThat(both.get(0).took().plus(both.get(1).took())).isBetween(wall.minusNanos(1), wall);
            assertThat(run.begun).containsExactly(1, 2);
        }
    }

    @Test
    void cpuTimeIsThatOfASidesOwnSlices() throws Exception {
        try (var run =
                VirtualRun.of(folder, new FakeServer().answersAfter(0.02), new FakeServer().answersAfter(0.004))) {
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            assertThat(cpu(both.get(0))).isCloseTo(0.002, within(1e-4));
            assertThat(cpu(both.get(1))).isCloseTo(0.0004, within(2e-5));
            assertThat(evidence(both.get(0)).notes()).isEmpty();
        }
    }

    private static double cpu(TrialOutcome o) {
        return evidence(o).get(Aggregate.SERVER_CPU_SECONDS).orElseThrow()
                / measured(o).responses();
    }

    /** One pair of slices is measured again in place of the one in which others had the CPUs. */
    @Test
    void aDisturbedSliceIsTakenOutTogetherWithItsPartner() throws Exception {
        var disturbed =
                new FakeServer().at(Phase.MEASURE, 5, s -> s.othersUse(0.5)).at(Phase.MEASURE, 9, s -> s.othersUse(0));
        try (var run = VirtualRun.of(folder, disturbed)) {
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            assertThat(both).allSatisfy(o -> {
                assertThat(slices(o).counted()).isEqualTo(10);
                assertThat(slices(o).disturbed()).isPositive();
                assertThat(slices(o).keptDisturbed()).isZero();
                assertThat(measured(o).elapsed()).isEqualTo(Duration.ofSeconds(10));
                assertThat(o.verdict().valid()).isTrue();
            });
        }
    }

    @Test
    void twoThatCanNotBeUpTogetherAreTriedEitherWayThenAloneAndFromThenOnAllAre() throws Exception {
        try (var run =
                new VirtualRun(folder, Metric.THROUGHPUT, (_, _) -> new FakeServer().takesWhatOnlyOneCanHave())) {
            for (int ordinal : List.of(1, 3)) {
                ranOneAfterTheOther(
                        run.pair(ordinal, VirtualRun.LOAD),
                        "did not start next to the first",
                        "Address already in use");
            }
            assertThat(run.begun).containsExactly(1, 2, 2, 1, 1, 2, 3, 4);
        }
    }

    private static void ranOneAfterTheOther(List<TrialOutcome> both, String... because) {
        assertThat(both).allSatisfy(o -> {
            assertThat(pair(o).sideBySide()).isFalse();
            assertThat(pair(o).whyNot().orElseThrow()).contains(because);
        });
    }

    /** Two of at most 128 MiB of heap and 256 of all else need 768 MiB, and a tenth of the memory is to stay free. */
    @Test
    void twoThatDoNotFitIntoMemoryRunOneAfterTheOtherWithTheSameWarmUp() throws Exception {
        var slow = new FakeServer().answersAfter(0.05);
        try (var run = new VirtualRun(folder, Metric.THROUGHPUT, VirtualRun.each(slow), 850)) {
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            ranOneAfterTheOther(both, "768 MiB");
            assertThat(both.get(1).warmUp()).isGreaterThanOrEqualTo(both.get(0).warmUp());
            assertThat(both).allMatch(o -> o.verdict().valid());
            assertThat(run.begun).containsExactly(1, 2);
        }
        try (var run = new VirtualRun(folder, Metric.THROUGHPUT, VirtualRun.each(), 860)) {
            assertThat(run.pair(3, VirtualRun.LOAD))
                    .allSatisfy(o -> assertThat(pair(o).sideBySide()).isTrue());
        }
    }

    @Test
    void oneThatFailsToStartOnceIsStartedAgainBesideTheOther() throws Exception {
        var flaky = new FakeServer().at(Phase.LAUNCH, 1, s -> s.dies(7));
        try (var run = VirtualRun.of(folder, new FakeServer(), flaky)) {
            assertThat(run.pair(1, VirtualRun.LOAD)).allSatisfy(o -> {
                assertThat(pair(o).sideBySide()).isTrue();
                assertThat(pair(o).again().orElseThrow()).contains("exited with code 7");
            });
            assertThat(run.pair(3, VirtualRun.LOAD))
                    .allSatisfy(o -> assertThat(pair(o).again()).isEmpty());
            assertThat(run.begun).containsExactly(1, 2, 2, 1, 3, 4);
        }
    }

    @Test
    void afterOneWasKilledWhileBothWereUpTheyRunOneAfterTheOther() throws Exception {
        var killed = new FakeServer().at(Phase.MEASURE, 7, FakeServer::isKilled);
        try (var run = VirtualRun.of(folder, new FakeServer(), killed)) {
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            ranOneAfterTheOther(both, "was killed");
            assertThat(both.get(1).warmUp()).isGreaterThanOrEqualTo(both.get(0).warmUp());
            assertThat(run.begun).containsExactly(1, 2, 1, 2);
        }
    }

    /** Before half of the slices nothing can be said of the other one; after that, what it has shown is kept. */
    @Test
    void whatTheOtherHasShownIsKeptWhenOneFailsLate() throws Exception {
        var late = new FakeServer().at(Phase.MEASURE, 34, FakeServer::leaks);
        try (var run = VirtualRun.of(folder, new FakeServer(), late)) {
            List<TrialOutcome> both = run.pair(1, VirtualRun.LOAD);
            assertThat(both.get(1).failure().orElseThrow().kind()).isEqualTo(Kind.OUT_OF_MEMORY);
            assertThat(both.get(0).failure()).isEmpty();
            assertThat(measured(both.get(0)).throughput()).isCloseTo(800, within(2.0));
            assertThat(evidence(both.get(0)).notes())
                    .anyMatch(n -> n.startsWith("its partner in the pair failed after "));
        }
    }

    /** 20 threads of 10 ms: 2000 requests a second at most. */
    @Test
    void aTrialSearchesItsCapacityBetweenTwoLooksAtItsClosedLoad() throws Exception {
        try (var run = new VirtualRun(folder, Metric.CAPACITY, (_, _) -> new FakeServer().threads(20))) {
            TrialOutcome o = run.runner.run(
                    1,
                    VirtualRun.spec(
                            TrialSpec.Phase.SEARCH,
                            VirtualRun.LOAD.withConnections(64).withMeasure(Duration.ofSeconds(30))),
                    run.listener);
            CapacitySeen found = measured(o).detail().capacity().orElseThrow();
            assertThat(found.end()).isEqualTo(CapacitySeen.End.FOUND);
            assertThat(found.known().orElseThrow()).isBetween(1850.0, 2100.0);
            assertThat(found.before()).isEqualTo(measured(o).throughput());
            assertThat(found.after()).isCloseTo(found.before(), within(20.0));
            assertThat(o.verdict().valid()).as("%s", o.verdict()).isTrue();
            assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(o), TrialOutcome.class))
                    .isEqualTo(o);
        }
    }

    @Test
    void theTwoOfAPairSearchTheirCapacityInTurn() throws Exception {
        try (var run = new VirtualRun(
                folder,
                Metric.CAPACITY,
                (n, _) -> n == 1 ? new FakeServer().threads(20) : new FakeServer().answersAfter(0.1))) {
            List<TrialOutcome> both =
                    run.pair(1, VirtualRun.LOAD.withConnections(64).withMeasure(Duration.ofSeconds(30)));
            CapacitySeen quick = measured(both.get(0)).detail().capacity().orElseThrow();
            CapacitySeen slow = measured(both.get(1)).detail().capacity().orElseThrow();
            assertThat(quick.known().orElseThrow()).isBetween(1850.0, 2100.0);
            assertThat(slow.end()).isEqualTo(CapacitySeen.End.NO_RATE);
            assertThat(slow.known().optional()).hasValue(0);
            assertThat(both).allSatisfy(o -> assertThat(pair(o).sideBySide()).isTrue());
        }
    }

    /** A machine that was busy with other things must not end a search before it began, nor halve what the clients got. */
    @Test
    void aLookWithoutAnswersGoesOnUntilOneComes() throws Exception {
        var naps = new FakeServer().threads(20).at(Phase.MEASURE, 1, s -> {
            s.fallsSilent();
            s.later(14, FakeServer::answersAgain);
        });
        try (var run = new VirtualRun(folder, Metric.CAPACITY, VirtualRun.each(naps))) {
            TrialOutcome o = run.runner.run(
                    1,
                    VirtualRun.spec(
                            TrialSpec.Phase.SEARCH,
                            VirtualRun.LOAD.withConnections(64).withMeasure(Duration.ofSeconds(30))),
                    run.listener);
            CapacitySeen found = measured(o).detail().capacity().orElseThrow();
            assertThat(found.before()).isCloseTo(2000, within(20.0));
            assertThat(found.known().orElseThrow()).isBetween(1850.0, 2100.0);
        }
    }

    @Test
    void whatWasWatchedUnderTheProbeInWhichItDiedIsKept() throws Exception {
        var dies = new FakeServer().threads(20).at(Phase.PROBE, 30, s -> s.dies(9));
        try (var run = new VirtualRun(folder, Metric.CAPACITY, VirtualRun.each(dies))) {
            TrialOutcome o = run.runner.run(
                    1,
                    VirtualRun.spec(
                            TrialSpec.Phase.SEARCH,
                            VirtualRun.LOAD.withConnections(64).withMeasure(Duration.ofSeconds(30))),
                    run.listener);
            assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.DIED);
            assertThat(o.measurement()).isEmpty();
            // no other load than an open one knows how late it sends
            assertThat(evidence(o).sendLagP99Millis().optional()).isPresent();
            assertThat(evidence(o).timeline().find(Signals.LOAD_RATE)).isPresent();
        }
    }

    @Test
    void aKeptTargetIsLaunchedAndWarmedUpOnceAndProbedAtRateAfterRate() throws Exception {
        try (var run = VirtualRun.of(folder, new FakeServer().threads(20))) {
            TrialOutcome met = run.kept(1, 1000);
            TrialOutcome broken = run.kept(2, 3000);
            TrialOutcome again = run.kept(3, 1000);
            assertThat(run.lab.launches()).isEqualTo(1);
            assertThat(ProbeVerdict.read(met.verdict()).result()).isEqualTo(ProbeVerdict.Result.MET);
            assertThat(measured(met).throughput()).isCloseTo(1000, within(10.0));
            assertThat(ProbeVerdict.read(broken.verdict()).result()).isEqualTo(ProbeVerdict.Result.BROKEN);
            assertThat(measured(broken).elapsed()).as("ended when it was lost").isLessThan(Duration.ofSeconds(4));
            assertThat(ProbeVerdict.read(again.verdict()).result())
                    .as("it was given a rest")
                    .isEqualTo(ProbeVerdict.Result.MET);
            assertThat(met.took()).isLessThan(Duration.ofSeconds(9));
        }
    }

    @Test
    void aSpikeIsMeasuredUntilTheTargetHasRecovered() throws Exception {
        var second = Duration.ofSeconds(1);
        var stages = List.of(
                new Arrivals.Stage(500, 500, second.multipliedBy(4), 1),
                new Arrivals.Stage(3000, 3000, second.multipliedBy(2), 1),
                new Arrivals.Stage(500, 500, second.multipliedBy(20), 1));
        var load = VirtualRun.LOAD
                .withConnections(4000)
                .withMeasure(second.multipliedBy(26))
                .withArrivals(new Arrivals.Open(stages, false, 1));
        try (var run = VirtualRun.of(folder, new FakeServer().threads(20).recorded())) {
            TrialOutcome o = run.runner.run(1, VirtualRun.spec(TrialSpec.Phase.COMPARE, load), run.listener);
            assertThat(o.failure()).isEmpty();
            // what a recording costs is paid for all the time
            assertThat(evidence(o).notes()).contains("recorded");
            assertThat(measured(o).detail().stages()).hasSize(3);
            // 2000 requests too many, worked off with 1500 a second
            assertThat(measured(o).elapsed()).isBetween(second.multipliedBy(7), second.multipliedBy(12));
        }
    }

    private static Setting threads(int most) {
        return Setting.of("threads.max", Integer.toString(most));
    }

    @Test
    void aWarmJvmTakesOneSettingAfterTheOtherWithoutALaunch() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            TrialOutcome first = run.live(1, Setting.DEFAULT);
            TrialOutcome smaller = run.live(2, threads(4));
            TrialOutcome again = run.live(3, Setting.DEFAULT);
            assertThat(run.lab.launches()).isEqualTo(1);
            assertThat(WarmJvm.launched(first)).isTrue();
            assertThat(List.of(smaller, again)).allMatch(WarmJvm::kept);
            assertThat(WarmJvm.live(first)).containsExactlyInAnyOrder("threads.max", "threads.min", "connections.max");
            assertThat(measured(first).throughput()).isCloseTo(800, within(2.0));
            assertThat(measured(smaller).throughput()).isCloseTo(400, within(2.0));
            assertThat(measured(again).throughput()).isCloseTo(800, within(2.0));
            assertThat(evidence(smaller).effective())
                    .containsEntry("threads.max", "4")
                    .containsEntry("threads.min", "4");
            assertThat(evidence(again).effective())
                    .containsEntry("threads.max", "200")
                    .containsEntry("threads.min", "10");
            assertThat(smaller.took())
                    .as("it only settles")
                    .isLessThan(first.took().minusSeconds(3));
            assertThat(List.of(first, smaller, again)).allMatch(o -> o.verdict().valid());
        }
    }

    @Test
    void aPoolThatDoesNotShrinkNeedsAFreshJvm() throws Exception {
        try (var run = new VirtualRun(folder, Metric.THROUGHPUT, (_, _) -> new FakeServer().keepsItsThreads())) {
            run.live(1, Setting.DEFAULT);
            long before = run.lab.clock().nanos();
            TrialOutcome smaller = run.live(2, threads(4));
            assertThat(run.lab.launches()).isEqualTo(2);
            assertThat(WarmJvm.launched(smaller)).isTrue();
            assertThat(evidence(smaller).notes())
                    .anySatisfy(n -> assertThat(n)
                            .startsWith("the warm JVM was replaced by a fresh one")
                            .contains("the pool still has 8 threads"));
            assertThat(run.lab.clock().since(before)).isGreaterThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void aKnobThatNeedsAStartGetsAProcessOfItsOwn() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            run.live(1, Setting.DEFAULT);
            TrialOutcome own = run.live(2, Setting.of("backlog", "321"));
            assertThat(WarmJvm.of(own)).isEmpty();
            assertThat(evidence(own).effective()).containsEntry("backlog", "321");
            assertThat(evidence(own).notes())
                    .anySatisfy(n -> assertThat(n)
                            .startsWith("this setting had a process of its own")
                            .contains("backlog can't be set while the server runs"));
        }
    }

    @Test
    void aDisturbedTrialDoesNotCostTheWarmJvm() throws Exception {
        var disturbed =
                new FakeServer().at(Phase.MEASURE, 2, s -> s.othersUse(0.6)).at(Phase.MEASURE, 60, s -> s.othersUse(0));
        try (var run = VirtualRun.of(folder, disturbed)) {
            assertThat(AttemptStatus.of(run.live(1, Setting.DEFAULT))).isEqualTo(AttemptStatus.DISTURBED);
            assertThat(run.looks).as("before its launch").isEqualTo(1);
            assertThat(WarmJvm.kept(run.live(2, Setting.DEFAULT))).isTrue();
            assertThat(run.looks).as("after the disturbed one").isEqualTo(2);
            run.live(3, Setting.DEFAULT);
            assertThat(run.looks).as("after a sound one").isEqualTo(2);
        }
    }

    /** At most as long as is measured: 10 s, in looks of half a second after the first one. */
    @Test
    void aTrialWaitsForCalmAndBeginsWithoutItAtTheBound() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            run.disturbed.addAll(Collections.nCopies(4, () -> {}));
            assertThat(evidence(run.alone(VirtualRun.LOAD)).notes()).noneMatch(n -> n.contains("calm"));
            assertThat(run.looks).isEqualTo(5);
            assertThat(run.notes).anyMatch(n -> n.startsWith("waiting for calm: other processes use 50 %"));
            run.looks = 0;
            run.disturbed.addAll(Collections.nCopies(100, () -> {}));
            assertThat(evidence(run.alone(VirtualRun.LOAD)).notes())
                    .anyMatch(n -> n.startsWith("the trial began without calm after"));
            assertThat(run.looks).isLessThanOrEqualTo(21);
        }
    }

    /** There is one wait for both: before the first of them is launched. */
    @Test
    void anInterruptWhileWaitingForCalmEndsTheRunBeforeAnythingIsUp() throws Exception {
        try (var run = VirtualRun.of(folder)) {
            run.disturbed.addAll(List.of(() -> {}, () -> Thread.currentThread().interrupt()));
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> run.pair(1, VirtualRun.LOAD));
            assertThat(run.looks).isEqualTo(2);
            assertThat(run.lab.launches()).isZero();
        }
    }

    @Test
    void aKeptTargetIsGivenCalmBeforeTheFirstProbeAndAfterADisturbedOne() throws Exception {
        var disturbed = new FakeServer()
                .threads(20)
                .at(Phase.PROBE, 2, s -> s.othersUse(0.6))
                .at(Phase.STOP, 1, s -> s.othersUse(0));
        try (var run = VirtualRun.of(folder, disturbed)) {
            TrialOutcome first = run.kept(1, 3000);
            assertThat(run.looks).isEqualTo(1);
            assertThat(ProbeVerdict.read(first.verdict()).result()).isEqualTo(ProbeVerdict.Result.DISTURBED);
            disturbed.othersUse(0);
            run.kept(2, 1000);
            assertThat(run.looks).isEqualTo(2);
            run.kept(3, 1000);
            assertThat(run.looks).isEqualTo(2);
        }
    }
}
