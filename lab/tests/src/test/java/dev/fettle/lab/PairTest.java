package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.trials.PairSlices;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.JournalTest;
import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pairs of real processes, loaded in turn or one after the other, sound and faulty ones. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class PairTest {
    @TempDir
    Path folder;

    private boolean leaksLate;
    private final List<Integer> begun = new ArrayList<>();
    private final List<LabListener.Progress> progress = new ArrayList<>();

    private final LabListener listener = new LabListener() {
        @Override
        public void trialBegins(int ordinal, Experiment.Step.Run step) {
            begun.add(ordinal);
        }

        @Override
        public void trialGoesOn(Progress p) {
            progress.add(p);
            // in the second half of the slices, of which there are two where answers take long, else four
            if (leaksLate && p.slice() > 0 && 2 * p.slice() > p.slices()) {
                try {
                    Files.writeString(folder.resolve("trial-2").resolve(FaultyServer.LEAK), "");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    };

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private static Experiment.Step.Pair pair(Target first, Target second, Load load) {
        return new Experiment.Step.Pair(step(first, load), step(second, load));
    }

    private static Experiment.Step.Run step(Target target, Load load) {
        return new Experiment.Step.Run(Fixtures.spec(target, Setting.DEFAULT, load), "pair 1", 2);
    }

    private List<TrialOutcome> run(Experiment.Step.Pair pair) throws Exception {
        return run(pair, Hooks.NONE);
    }

    private List<TrialOutcome> run(Experiment.Step.Pair pair, Hooks hooks) throws Exception {
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, hooks, listener)) {
            return runner.runPair(1, pair, listener);
        }
    }

    /** Of a client that takes a server for hung when it is silent for ten seconds. */
    private static Load impatient(Duration measure) {
        return Fixtures.load(8, "fine", Duration.ofSeconds(10), measure);
    }

    /** On a machine that is busy with other things, an answer may take seconds. */
    private static Load patient(Duration measure) {
        return Fixtures.patient(8, "fine", measure);
    }

    private static Measurement measured(TrialOutcome o) {
        return o.measurement().orElseThrow(() -> new AssertionError(o.failure()));
    }

    private static Evidence evidence(TrialOutcome o) {
        return o.evidence().orElseThrow(() -> new AssertionError(o.failure()));
    }

    /** The one waits so much longer than the other that no busy machine makes up for it. */
    @Test
    void twoAreLoadedInTurnAndEachHasItsOwnFigures() throws Exception {
        long before = System.nanoTime();
        List<TrialOutcome> both =
                run(pair(Fixtures.faulty("waits-5"), Fixtures.faulty("waits-100"), patient(Duration.ofSeconds(4))));
        Duration wall = Duration.ofNanos(System.nanoTime() - before);

        assertThat(both).extracting(TrialOutcome::ordinal).containsExactly(1, 2);
        Measurement a = measured(both.get(0));
        Measurement b = measured(both.get(1));
        // a machine on which half of the answers of 100 ms take twice as long makes both as slow
        boolean starved = b.latency().p50() > 200_000_000L;
        assertThat(starved || b.throughput() < a.throughput()).isTrue();
        assertThat(b.throughput()).as("8 clients, 100 ms").isLessThan(8 / 0.1 * 1.1);
        assertThat(b.latency().p50()).isGreaterThanOrEqualTo(99_000_000L);
        assertThat(starved || a.latency().p50() < b.latency().p50())
                .as("p50 %d and %d ns", a.latency().p50(), b.latency().p50())
                .isTrue();
        assertThat(both)
                .allSatisfy(o -> assertThat(evidence(o).facts())
                        .containsEntry(PairSlices.SIDE_BY_SIDE, "true")
                        .containsKeys(PairSlices.DISTURBED, PairSlices.KEPT_DISTURBED)
                        .hasEntrySatisfying(
                                PairSlices.SLICES, n -> assertThat(n).matches("([0-9]+)/\\1")));
        assertThat(a.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(3_990));
        assertThat(b.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(3_990));

        // one clock, and never both at once
        List<Measurement.Window> all = new ArrayList<>(a.windows());
        all.addAll(b.windows());
        all.sort(Comparator.comparingDouble(Measurement.Window::at));
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).at())
                    .isGreaterThanOrEqualTo(all.get(i - 1).at() + all.get(i - 1).seconds() - 0.001);
        }
        assertThat(a.windows())
                .as("as much warm-up for the one as for the other")
                .hasSameSizeAs(b.windows());
        assertThat(turns()).matches("1221(1221)*(12)?");
        Duration took = both.get(0).took().plus(both.get(1).took());
        assertThat(took)
                .as("nobody's time counts twice")
                .isLessThanOrEqualTo(wall)
                .isGreaterThan(wall.dividedBy(2));
        assertThat(begun).containsExactly(1, 2);
    }

    /** Whose slices were measured, one after the other. */
    private String turns() {
        var text = new StringBuilder();
        String last = "";
        for (LabListener.Progress p : progress) {
            String now = p.ordinal() + " " + p.slice();
            if (p.slice() > 0 && !now.equals(last)) {
                text.append(p.ordinal());
            }
            last = now;
        }
        return text.toString();
    }

    @Test
    void cpuTimeIsThatOfASidesOwnSlices() throws Exception {
        List<TrialOutcome> both =
                run(pair(Fixtures.faulty("burns-20"), Fixtures.faulty("waits-4"), patient(Duration.ofSeconds(2))));
        double burning = cpu(both.get(0));
        double waiting = cpu(both.get(1));
        // 0.02, but for requests that begin in a slice or end in it
        assertThat(burning).isGreaterThan(0.01);
        assertThat(waiting).isLessThan(burning / 3);
    }

    private static double cpu(TrialOutcome o) {
        return evidence(o).serverCpuSeconds().orElseThrow() / measured(o).responses();
    }

    @ParameterizedTest
    @CsvSource({
        "dies-20, waits-20, 0, DIED",
        "waits-20, dies-20, 1, DIED",
        "dies-1500, waits-20, 0, DIED",
        "waits-20, hangs-900, 1, HUNG",
        "memory, waits-20, 0, OUT_OF_MEMORY",
        "exits, waits-20, 0, DID_NOT_START",
        "waits-20, not-found, 1, WRONG_ANSWER",
    })
    void whoFailsIsNamedAndThePartnerIsNotBlamed(String first, String second, int fallen, Kind kind) throws Exception {
        Target a = Fixtures.faulty(first, "-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
        Target b = Fixtures.faulty(second, "-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
        // longer than the faulty one lasts; one that never comes up has its partner run alone
        var measure = Duration.ofSeconds(kind == Kind.WRONG_ANSWER ? 1 : 60);
        List<TrialOutcome> both = run(pair(a, b, impatient(measure)));

        TrialOutcome bad = both.get(fallen);
        TrialOutcome good = both.get(1 - fallen);
        assertThat(bad.failure().orElseThrow().kind()).isEqualTo(kind);
        assertThat(bad.verdict().valid()).isFalse();
        assertThat(good.failure().orElseThrow().kind()).isEqualTo(Kind.LAB);
        assertThat(good.failure().get().message()).startsWith("its partner in the pair failed: ");
        assertThat(good.verdict().reasons()).allMatch(r -> r.passing());
    }

    @Test
    void whatTheOtherHasShownIsKeptWhenOneFailsLate() throws Exception {
        leaksLate = true;
        List<TrialOutcome> both =
                run(pair(Fixtures.faulty("waits-40"), Fixtures.faulty("leaks"), patient(Duration.ofSeconds(4))));
        assertThat(both.get(1).failure().orElseThrow().kind()).isEqualTo(Kind.OUT_OF_MEMORY);
        TrialOutcome kept = both.get(0);
        assertThat(kept.failure()).isEmpty();
        assertThat(measured(kept).responses()).isPositive();
        assertThat(evidence(kept).notes()).anyMatch(n -> n.startsWith("its partner in the pair failed after "));
    }

    @Test
    void whereTwoDoNotFitTheyAreRunOneAfterTheOtherWithTheSameWarmUp() throws Exception {
        Hook reset =
                new Hook(List.of(List.of("true")), Map.of(), false, Optional.empty(), Hook.WITHIN, 0, Hook.Scope.TRIAL);
        List<TrialOutcome> both = run(
                pair(Fixtures.faulty("waits-20"), Fixtures.faulty("waits-20"), patient(Fixtures.SHORT)),
                new Hooks(List.of(reset), List.of()));
        assertThat(both)
                .allSatisfy(o -> assertThat(evidence(o).facts())
                        .containsEntry(PairSlices.SIDE_BY_SIDE, "false")
                        .hasEntrySatisfying(
                                PairSlices.WHY_NOT,
                                why -> assertThat(why).contains("hook (true)").contains("{port:NAME}")));
        assertThat(both.get(1).warmUp()).isGreaterThanOrEqualTo(both.get(0).warmUp());
        assertThat(begun).containsExactly(1, 2);
    }

    @Test
    void oneThatDoesNotComeUpBesideTheOtherIsTriedAloneAndFromThenOnAllAre() throws Exception {
        Target greedy = Fixtures.faulty("takes-" + Ports.freePort());
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, listener)) {
            for (int ordinal : List.of(1, 3)) {
                List<TrialOutcome> both =
                        runner.runPair(ordinal, pair(greedy, greedy, patient(Fixtures.SHORT)), listener);
                assertThat(both)
                        .allSatisfy(o -> assertThat(evidence(o).facts())
                                .hasEntrySatisfying(
                                        PairSlices.WHY_NOT,
                                        why -> assertThat(why)
                                                .contains("did not come up beside the first")
                                                .contains("Address already in use")));
            }
        }
        assertThat(begun).as("tried together once either way").containsExactly(1, 2, 2, 1, 1, 2, 3, 4);
    }

    /** Nothing says that the other was in its way: they are loaded in turn, and what happened is kept. */
    @Test
    void oneThatFailsToStartOnceIsStartedAgainBesideTheOther() throws Exception {
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, listener)) {
            for (int ordinal : List.of(1, 3)) {
                List<TrialOutcome> both = runner.runPair(
                        ordinal,
                        pair(Fixtures.faulty("waits-20"), Fixtures.faulty("flaky"), patient(Fixtures.SHORT)),
                        listener);
                assertThat(both)
                        .allSatisfy(
                                o -> assertThat(evidence(o).facts()).containsEntry(PairSlices.SIDE_BY_SIDE, "true"));
                assertThat(evidence(both.get(1)).facts().getOrDefault(PairSlices.AGAIN, ""))
                        .startsWith(ordinal == 1 ? "the second server did not come up beside the first: " : "");
            }
        }
        assertThat(begun).containsExactly(1, 2, 2, 1, 3, 4);
    }

    @Test
    void anInterruptInASliceEndsBothAndNothingHalfIsJournalled() throws Exception {
        Thread me = Thread.currentThread();
        LabListener interrupting = new LabListener() {
            @Override
            public void trialGoesOn(Progress p) {
                if (p.slice() == 2) {
                    me.interrupt();
                }
            }
        };
        Experiment one = new Experiment() {
            @Override
            public Step next(List<TrialOutcome> seen) {
                return seen.isEmpty()
                        ? pair(Fixtures.faulty("waits-20"), Fixtures.faulty("waits-20"), patient(Duration.ofSeconds(1)))
                        : new Step.Stop(new CompareConclusion(
                                "done", Objective.Metric.THROUGHPUT, List.of(), List.of(), Optional.empty()));
            }
        };
        var env = Fixtures.unloaded(folder);
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            String run = JournalTest.begin(journal).id();
            try (var runner = Fixtures.runner(env, folder, interrupting)) {
                assertThatExceptionOfType(InterruptedException.class)
                        .isThrownBy(() -> new Lab(runner, journal, interrupting).run(run, one));
            }
            Thread.interrupted();
            assertThat(journal.trials(run)).isEmpty();
            nothingIsLeftRunning();

            try (var runner = Fixtures.runner(env, folder, listener)) {
                new Lab(runner, journal, listener).run(run, one);
            }
            assertThat(journal.trials(run)).extracting(TrialOutcome::ordinal).containsExactly(1, 2);
        }
    }
}
