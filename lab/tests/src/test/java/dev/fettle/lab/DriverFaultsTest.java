package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.lab.fake.FakeServer.Fault;
import dev.fettle.lab.fake.Phase;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every failure at every phase of every way to run a trial. After each, nothing is up, and the same runner can run a sound trial,
 * unless the run is over.
 */
class DriverFaultsTest {
    private static final Load LONG = VirtualRun.LOAD.withConnections(64).withMeasure(Duration.ofSeconds(15));

    @TempDir
    Path folder;

    private static Fault fault(String name) {
        return switch (name) {
            case "dies" -> s -> s.dies(9);
            case "killed" -> FakeServer::isKilled;
            case "hangs" -> FakeServer::fallsSilent;
            case "refuses" -> FakeServer::refuses;
            case "wrong" -> FakeServer::answersWrong;
            case "leaks" -> FakeServer::leaks;
            case "complains" -> FakeServer::complains;
            case "unreached" -> FakeServer::isNotReached;
            case "generator" -> FakeServer::generatorFails;
            case "no-socket" -> s -> s.loadIsRefused(new UncheckedIOException(new IOException("Too many open files")));
            case "other-value" -> s -> s.has("threads.max", "199");
            case "ignores" -> FakeServer::ignoresWhatIsSet;
            case "deaf" -> FakeServer::isDeaf;
            case "interrupt" -> s -> Thread.currentThread().interrupt();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** What came of it: the kind of its failure, or how the run ended. */
    private record End(String what, Optional<TrialOutcome> outcome) {
        static End of(TrialOutcome o) {
            return new End(
                    o.failure().map(f -> f.kind().name()).orElse(o.verdict().valid() ? "VALID" : "VOID"),
                    Optional.of(o));
        }
    }

    private interface Way {
        TrialOutcome run() throws Exception;
    }

    private static End end(Way way) throws Exception {
        try {
            return End.of(way.run());
        } catch (InterruptedException e) {
            return new End("INTERRUPTED", Optional.empty());
        } catch (LabException e) {
            return new End("RUN ENDS: " + e.getMessage(), Optional.empty());
        }
    }

    /** Whatever was watched under a load is kept, unless what failed says nothing of the target. */
    private static void hasEvidenceOfItsLoad(TrialOutcome o) {
        Kind kind = o.failure().orElseThrow().kind();
        assertThat(o.evidence().isPresent()).isEqualTo(!kind.passing());
        o.evidence()
                .ifPresent(e -> assertThat(e.timeline().find(Signals.LOAD_RATE)).isPresent());
        assertThat(o.measurement()).isEmpty();
        assertThat(o.verdict().reasons())
                .extracting(r -> r.rule())
                .containsExactly(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    @ParameterizedTest(name = "{1} in {0}: {3}")
    @CsvSource({
        "LAUNCH, dies, 1, DID_NOT_START, LAUNCH",
        "LAUNCH, hangs, 1, NEVER_READY, LAUNCH",
        "LAUNCH, refuses, 1, NEVER_READY, LAUNCH",
        "LAUNCH, interrupt, 1, INTERRUPTED, LAUNCH",
        "READY, dies, 1, DID_NOT_START, READY",
        "READY, hangs, 1, NEVER_READY, READY",
        "READY, refuses, 1, NEVER_READY, READY",
        "READY, wrong, 1, WRONG_ANSWER, READY",
        "READY, interrupt, 1, INTERRUPTED, READY",
        "READ_BACK, other-value, 1, NOT_EFFECTIVE, READ_BACK",
        "READ_BACK, dies, 1, DIED, WARM_UP",
        "READ_BACK, hangs, 1, HUNG, WARM_UP",
        "READ_BACK, no-socket, 1, LAB, WARM_UP",
        "READ_BACK, interrupt, 1, INTERRUPTED, WARM_UP",
        "WARM_UP, dies, 1, DIED, WARM_UP",
        "WARM_UP, dies, 7, DIED, WARM_UP",
        "WARM_UP, killed, 7, DIED, WARM_UP",
        "WARM_UP, hangs, 1, HUNG, WARM_UP",
        "WARM_UP, hangs, 7, HUNG, WARM_UP",
        "WARM_UP, refuses, 7, HUNG, WARM_UP",
        "WARM_UP, unreached, 7, LAB, WARM_UP",
        "WARM_UP, leaks, 7, OUT_OF_MEMORY, WARM_UP",
        "WARM_UP, generator, 7, LAB, WARM_UP",
        "WARM_UP, wrong, 7, VOID, WARM_UP",
        "WARM_UP, interrupt, 7, INTERRUPTED, WARM_UP",
        "MEASURE, dies, 1, DIED, MEASURE",
        "MEASURE, dies, 20, DIED, MEASURE",
        "MEASURE, dies, 40, DIED, MEASURE",
        "MEASURE, hangs, 3, HUNG, MEASURE",
        "MEASURE, refuses, 3, HUNG, MEASURE",
        "MEASURE, unreached, 3, LAB, MEASURE",
        "MEASURE, leaks, 3, OUT_OF_MEMORY, MEASURE",
        "MEASURE, complains, 3, OUT_OF_MEMORY, MEASURE",
        "MEASURE, generator, 3, LAB, MEASURE",
        "MEASURE, wrong, 3, VOID, MEASURE",
        "MEASURE, interrupt, 3, INTERRUPTED, MEASURE",
        "STOP, dies, 1, VALID, STOP",
        "STOP, interrupt, 1, VALID, STOP",
    })
    void alone(Phase phase, String fault, int step, String what, String stage) throws Exception {
        var server = new FakeServer().at(phase, step, fault(fault));
        Setting setting = Setting.of("threads.max", "200");
        try (var run = VirtualRun.of(folder, server)) {
            End end = end(() ->
                    run.runner.run(1, VirtualRun.spec(TrialSpec.Phase.SEARCH, setting, VirtualRun.LOAD), run.listener));
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            Thread.interrupted();
            assertThat(run.lab.running()).isZero();
            end.outcome()
                    .flatMap(TrialOutcome::failure)
                    .ifPresent(f -> assertThat(f.during().map(TrialStage::name)).contains(stage));
            if ((phase == Phase.WARM_UP || phase == Phase.MEASURE)
                    && end.outcome().isPresent()
                    && !what.equals("VOID")) {
                hasEvidenceOfItsLoad(end.outcome().get());
            }
            assertThat(end(() -> run.alone(VirtualRun.LOAD)).what())
                    .as("the next one")
                    .isEqualTo("VALID");
        }
    }

    @ParameterizedTest(name = "side {0}: {2} in {1}: {4}")
    @CsvSource({
        "0, LAUNCH, dies, 1, DID_NOT_START, LAB",
        "0, LAUNCH, hangs, 1, NEVER_READY, LAB",
        "0, LAUNCH, interrupt, 1, INTERRUPTED, -",
        "1, LAUNCH, interrupt, 1, INTERRUPTED, -",
        "0, READY, wrong, 1, WRONG_ANSWER, LAB",
        "1, READY, interrupt, 1, INTERRUPTED, -",
        "0, READ_BACK, other-value, 1, NOT_EFFECTIVE, LAB",
        "1, READ_BACK, other-value, 1, NOT_EFFECTIVE, LAB",
        "1, READ_BACK, no-socket, 1, LAB, LAB",
        "0, WARM_UP, dies, 2, DIED, LAB",
        "1, WARM_UP, dies, 2, DIED, LAB",
        "0, WARM_UP, hangs, 2, HUNG, LAB",
        "1, WARM_UP, hangs, 2, HUNG, LAB",
        "1, WARM_UP, leaks, 2, OUT_OF_MEMORY, LAB",
        "0, WARM_UP, generator, 2, LAB, LAB",
        "1, WARM_UP, interrupt, 2, INTERRUPTED, -",
        "0, REST, dies, 1, DIED, LAB",
        "1, REST, dies, 1, DIED, LAB",
        "0, REST, dies, 3, DIED, LAB",
        "1, REST, dies, 9, DIED, VALID",
        "1, REST, hangs, 2, HUNG, LAB",
        "1, REST, interrupt, 3, INTERRUPTED, -",
        "0, MEASURE, dies, 5, DIED, LAB",
        "1, MEASURE, dies, 5, DIED, LAB",
        "0, MEASURE, hangs, 5, HUNG, LAB",
        "1, MEASURE, hangs, 5, HUNG, LAB",
        "1, MEASURE, refuses, 5, HUNG, VALID",
        "1, MEASURE, leaks, 5, OUT_OF_MEMORY, LAB",
        "0, MEASURE, complains, 5, OUT_OF_MEMORY, LAB",
        "0, MEASURE, generator, 5, LAB, LAB",
        "0, MEASURE, interrupt, 5, INTERRUPTED, -",
    })
    void pair(int side, Phase phase, String fault, int step, String what, String partners) throws Exception {
        var server = new FakeServer().at(phase, step, fault(fault));
        var other = new FakeServer();
        try (var run = side == 0 ? VirtualRun.of(folder, server, other) : VirtualRun.of(folder, other, server)) {
            var both = new ArrayList<TrialOutcome>();
            var setting = Setting.of("threads.max", "200");
            End end = end(() -> {
                var s = new Step.Run(VirtualRun.spec(TrialSpec.Phase.DUEL, setting, VirtualRun.LOAD), "", 2);
                both.addAll(run.runner.runPair(1, new Step.Pair(s, s), run.listener));
                return both.get(side);
            });
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            Thread.interrupted();
            assertThat(run.lab.running()).isZero();
            if (!both.isEmpty()) {
                TrialOutcome partner = both.get(1 - side);
                assertThat(End.of(partner).what()).isEqualTo(partners);
                // from half of the slices on, what it has shown is kept
                assertThat(partner.failure()
                                .map(TrialOutcome.Failure::message)
                                .orElseGet(() ->
                                        partner.evidence().orElseThrow().notes().getLast()))
                        .startsWith("its partner in the pair failed");
                assertThat(partner.verdict().reasons()).allMatch(r -> r.passing());
            }
            assertThat(run.pair(3, VirtualRun.LOAD))
                    .as("the next pair")
                    .allMatch(o -> o.verdict().valid());
        }
    }

    /** The run ends: no outcome of a target that has failed is kept, and fettle resume starts a new one. */
    @ParameterizedTest(name = "{1} in {0}: {3}")
    @CsvSource({
        "LAUNCH, dies, 1, exited with code 9 before it listened",
        "LAUNCH, hangs, 1, nothing listens",
        "READY, wrong, 1, status 500",
        "READY, interrupt, 1, INTERRUPTED",
        "READ_BACK, other-value, 1, VALID", // nothing was set
        "WARM_UP, dies, 3, under load",
        "WARM_UP, hangs, 1, no valid answer in the warm-up",
        "WARM_UP, wrong, 1, no valid answer in the warm-up",
        "WARM_UP, generator, 3, the load generator failed",
        "WARM_UP, interrupt, 3, INTERRUPTED",
        "PROBE, dies, 1, under load",
        "PROBE, dies, 12, under load",
        "PROBE, generator, 12, the load generator failed",
        "PROBE, interrupt, 12, INTERRUPTED",
        "PROBE, hangs, 12, VALID", // that probe is broken; that it is silent shows at the next rest
        "LOOK, dies, 1, under load",
        "LOOK, hangs, 1, no valid answer to a single client",
        "LOOK, refuses, 1, no valid answer to a single client",
        "LOOK, interrupt, 1, INTERRUPTED",
    })
    void kept(Phase phase, String fault, int step, String what) throws Exception {
        var server = new FakeServer().threads(40).at(phase, step, fault(fault));
        try (var run = VirtualRun.of(folder, server)) {
            End end = end(() -> run.kept(1, 1000));
            assertThat(end.what()).as("%s", end).contains(what);
            Thread.interrupted();
            if (fault.equals("hangs") && phase == Phase.PROBE) {
                assertThat(end(() -> run.kept(2, 1000)).what()).contains("no valid answer to a single client");
            }
        }
    }

    /** A warm JVM that is gone is replaced; one that fails when it is fresh is a failure of the setting. */
    @ParameterizedTest(name = "{1} in {0}: {3} after {4} launches")
    @CsvSource({
        "SET, dies, 1, VALID, 2",
        "SET, deaf, 1, VALID, 2",
        "SET, ignores, 1, VALID, 2",
        "SET, interrupt, 1, INTERRUPTED, 1",
        "WARM_UP, dies, 21, VALID, 2",
        "WARM_UP, hangs, 21, VALID, 2",
        "MEASURE, dies, 45, VALID, 2",
        "MEASURE, hangs, 45, VALID, 2",
        "MEASURE, complains, 45, VALID, 2",
        "MEASURE, leaks, 45, VALID, 2",
        "MEASURE, interrupt, 45, INTERRUPTED, 1",
    })
    void aWarmJvmThatWasSound(Phase phase, String fault, int step, String what, int launches) throws Exception {
        var server = new FakeServer().at(phase, step, fault(fault));
        try (var run = VirtualRun.of(folder, server)) {
            assertThat(end(() -> run.live(1, Setting.DEFAULT)).what()).isEqualTo("VALID");
            End end = end(() -> run.live(2, Setting.of("threads.max", "100")));
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            assertThat(run.lab.launches()).isEqualTo(launches);
            Thread.interrupted();
            end.outcome()
                    .ifPresent(o -> assertThat(o.evidence().orElseThrow().notes())
                            .anySatisfy(n -> assertThat(n).startsWith("the warm JVM was replaced by a fresh one")));
            assertThat(run.lab.running()).as("one JVM at most").isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{1} in {0}: {3} after {4} launches")
    @CsvSource({
        // with a process of its own
        "LAUNCH, dies, 1, VALID, 2",
        "READY, wrong, 1, VALID, 2",
        "SET, deaf, 1, VALID, 2",
        "READY, interrupt, 1, INTERRUPTED, 1",
        "WARM_UP, dies, 3, DIED, 1",
        "WARM_UP, hangs, 3, HUNG, 1",
        "MEASURE, dies, 3, DIED, 1",
        "MEASURE, leaks, 3, OUT_OF_MEMORY, 1",
        "MEASURE, generator, 3, LAB, 1",
        "MEASURE, interrupt, 3, INTERRUPTED, 1",
    })
    void aWarmJvmThatIsFresh(Phase phase, String fault, int step, String what, int launches) throws Exception {
        var server = new FakeServer().at(phase, step, fault(fault));
        try (var run = VirtualRun.of(folder, server)) {
            Setting setting = Setting.of("threads.max", "100");
            End end = end(() -> run.live(1, setting));
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            assertThat(run.lab.launches()).isEqualTo(launches);
            Thread.interrupted();
            if (end.outcome().isPresent() && phase != Phase.LAUNCH && launches == 1) {
                hasEvidenceOfItsLoad(end.outcome().get());
                assertThat(end.outcome().get().spec().setting()).isEqualTo(setting);
                assertThat(run.lab.running()).isZero();
            }
            if (!what.equals("INTERRUPTED")) { // then the run is over
                assertThat(end(() -> run.live(2, setting)).what())
                        .as("the next one")
                        .isEqualTo("VALID");
            }
        }
    }

    @ParameterizedTest(name = "{1} in {0}: {3}")
    @CsvSource({
        "LAUNCH, dies, 1, DID_NOT_START",
        "READY, hangs, 1, NEVER_READY",
        "WARM_UP, dies, 3, DIED",
        "MEASURE, dies, 2, DIED",
        "MEASURE, hangs, 2, HUNG",
        "MEASURE, interrupt, 2, INTERRUPTED",
        "REST, dies, 1, DIED",
        "REST, interrupt, 1, INTERRUPTED",
        "LOOK, dies, 1, DIED",
        "LOOK, interrupt, 1, INTERRUPTED",
        "PROBE, dies, 2, DIED",
        "PROBE, dies, 30, DIED",
        "PROBE, killed, 30, DIED",
        "PROBE, hangs, 30, HUNG",
        "PROBE, refuses, 30, HUNG",
        "PROBE, generator, 30, LAB",
        "PROBE, interrupt, 30, INTERRUPTED",
    })
    void capacity(Phase phase, String fault, int step, String what) throws Exception {
        var server = new FakeServer().threads(20).at(phase, step, fault(fault));
        try (var run =
                new VirtualRun(folder, Metric.CAPACITY, (n, _) -> n == 1 ? server : new FakeServer().threads(20))) {
            End end = end(() -> run.runner.run(1, VirtualRun.spec(TrialSpec.Phase.SEARCH, LONG), run.listener));
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            Thread.interrupted();
            assertThat(run.lab.running()).isZero();
            end.outcome()
                    .filter(_ -> phase != Phase.LAUNCH && phase != Phase.READY)
                    .ifPresent(DriverFaultsTest::hasEvidenceOfItsLoad);
        }
    }

    @ParameterizedTest(name = "side {0}: {2} in {1}: {4}")
    @CsvSource({
        "0, MEASURE, dies, 2, DIED",
        "1, LOOK, dies, 1, DIED",
        "0, PROBE, dies, 12, DIED",
        "1, PROBE, dies, 12, DIED",
        "1, PROBE, hangs, 12, HUNG",
        "0, PROBE, generator, 12, LAB",
        "1, PROBE, interrupt, 12, INTERRUPTED",
    })
    void capacityOfAPair(int side, Phase phase, String fault, int step, String what) throws Exception {
        var server = new FakeServer().threads(20).at(phase, step, fault(fault));
        try (var run = new VirtualRun(
                folder, Metric.CAPACITY, (n, _) -> n == side + 1 ? server : new FakeServer().threads(20))) {
            var both = new ArrayList<TrialOutcome>();
            End end = end(() -> {
                both.addAll(run.pair(1, LONG));
                return both.get(side);
            });
            assertThat(end.what()).as("%s", end).isEqualTo(what);
            Thread.interrupted();
            assertThat(run.lab.running()).isZero();
            if (!both.isEmpty()) {
                assertThat(both.get(1 - side).failure().orElseThrow().message())
                        .startsWith("its partner in the pair failed: ");
            }
        }
    }
}
