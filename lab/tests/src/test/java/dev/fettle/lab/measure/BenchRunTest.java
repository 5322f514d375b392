package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.fake.FakeLab;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.lab.fake.FakeServer.Fault;
import dev.fettle.lab.fake.Phase;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bench on a scripted server and virtual time. A server that fails is a result of it, and no failure. */
class BenchRunTest {
    /** 16 clients that pause for 10 ms after each answer of 10 ms: 800 requests a second. */
    private static final Load LOAD = Fixtures.patient(16, "fine", Duration.ofSeconds(10));

    private final FakeLab lab = new FakeLab((_, _) -> new FakeServer());
    private final List<Bench.Second> seconds = new ArrayList<>();

    private Bench.Result run(FakeServer server, Load load, WarmUp warmUp, LongSupplier compiled) throws LabException {
        var address = lab.runs(server);
        var bench = new Bench(load, warmUp, address, OptionalLong.empty(), Optional.empty(), Optional.empty());
        var sides = new Bench.Sides(lab.clock(), lab.loads(), _ -> lab.watch(1), compiled);
        try {
            return bench.run(sides, seconds::add);
        } finally {
            assertThat(lab.running()).as("loads that are left").isZero();
        }
    }

    private Bench.Result run(FakeServer server, WarmUp warmUp) throws LabException {
        return run(server, LOAD, warmUp, () -> 0);
    }

    @Test
    void allIsMeasuredFromTheFirstSecondToTheLast() throws Exception {
        Bench.Result r = run(new FakeServer(), WarmUp.NONE);
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(r.measurement().throughput()).isCloseTo(800, within(1.0));
        assertThat(r.measurement().windows()).hasSize(10).allMatch(w -> w.measured());
        assertThat(r.measurement().connectionsOpen()).isEqualTo(16);
        assertThat(r.warmUp()).isZero();
        assertThat(r.interrupted()).isFalse();
        assertThat(r.failure()).isEmpty();
        assertThat(seconds).hasSize(10);
        assertThat(r.evidence().timeline().find(Signals.LOAD_RATE)).isPresent();
    }

    @Test
    void aWarmUpOfAFixedLengthIsNotMeasured() throws Exception {
        Bench.Result r = run(new FakeServer(), WarmUp.lasting(Duration.ofMillis(2500)));
        assertThat(r.warmUp()).isEqualTo(Duration.ofMillis(2500));
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(lab.clock().nanos()).isEqualTo(7_000_000_000L + 12_500_000_000L);
        assertThat(r.measurement().windows()).filteredOn(w -> !w.measured()).hasSize(3);
    }

    /** For two seconds the compilers use half a CPU. */
    @Test
    void aWarmUpEndsWhenFettlesOwnCodeIsCompiled() throws Exception {
        Bench.Result r = run(
                new FakeServer(),
                LOAD,
                WarmUp.UNTIL_COMPILED,
                () -> Math.min(lab.clock().nanos() - 7_000_000_000L, 2_000_000_000L) / 2);
        assertThat(r.warmUp()).isEqualTo(Duration.ofMillis(2500));
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(r.cold()).isEmpty();
    }

    @Test
    void aWarmUpHasABound() throws Exception {
        Bench.Result r = run(
                new FakeServer(), LOAD, WarmUp.UNTIL_COMPILED, () -> lab.clock().nanos() / 2);
        assertThat(r.warmUp()).isEqualTo(Duration.ofSeconds(10));
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(10));
    }

    private static Fault fault(String name) {
        return switch (name) {
            case "dies" -> s -> s.dies(9);
            case "hangs" -> FakeServer::fallsSilent;
            case "refuses" -> FakeServer::refuses;
            case "wrong" -> FakeServer::answersWrong;
            case "generator" -> FakeServer::generatorFails;
            case "interrupt" -> _ -> Thread.currentThread().interrupt();
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest(name = "{1} in {0}: {3} s measured, {4} answers")
    @CsvSource({
        "MEASURE, dies, 5, 10, 3200, false",
        "MEASURE, hangs, 5, 10, 3200, false",
        "MEASURE, refuses, 5, 10, 3200, false",
        "MEASURE, wrong, 5, 10, 3200, false",
        "MEASURE, generator, 5, 10, 8000, false",
        "MEASURE, interrupt, 5, 4, 3200, true",
        "MEASURE, interrupt, 1, 0, 0, true",
        "WARM_UP, interrupt, 2, 0, 0, true",
        "WARM_UP, dies, 2, 10, 0, false",
        "WARM_UP, hangs, 2, 10, 0, false",
    })
    void whatHappensUnderLoadIsPartOfItsFigures(
            Phase phase, String fault, int step, int measured, long answers, boolean interrupted) throws Exception {
        Bench.Result r = run(
                new FakeServer().at(phase, step, fault(fault)),
                phase == Phase.WARM_UP ? WarmUp.lasting(Duration.ofSeconds(3)) : WarmUp.NONE);
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(measured));
        assertThat(r.measurement().responses()).isEqualTo(answers);
        assertThat(r.interrupted()).isEqualTo(interrupted);
        assertThat(r.failure().isPresent()).isEqualTo(fault.equals("generator"));
        assertThat(r.measurement().failed() > 0)
                .isEqualTo(List.of("dies", "refuses", "wrong").contains(fault));
        assertThat(Thread.interrupted()).as("the caller goes on").isFalse();
    }

    /** A server that is refused from the first connect on is not waited for. */
    @Test
    void whereNobodyListensItEndsAfterThreeSeconds() throws Exception {
        Bench.Result r = run(new FakeServer().at(Phase.MEASURE, 1, FakeServer::refuses), WarmUp.NONE);
        assertThat(r.measurement().elapsed()).isEqualTo(Duration.ofSeconds(3));
        assertThat(r.measurement().responses()).isZero();
    }

    /** 20 threads of 10 ms answer 2000 a second, and 3000 are due. */
    @Test
    void whatAnOpenLoadLeavesIsSaid() throws Exception {
        var open = LOAD.withConnections(1000).withArrivals(Arrivals.Open.constant(3000));
        Bench.Result r = run(new FakeServer().threads(20), open, WarmUp.NONE, () -> 0);
        assertThat(r.measurement().throughput()).isCloseTo(2000, within(5.0));
        var offered = r.measurement().detail().offered().orElseThrow();
        assertThat(offered.due()).isCloseTo(30_000, within(10L));
        assertThat(offered.unsent()).isCloseTo(9_000, within(50L));
    }

    @Test
    void aLoadThatThisMachineCanNotOfferEndsIt() {
        var server = new FakeServer();
        server.loadIsRefused(new UncheckedIOException(new IOException("Too many open files")));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> run(server, WarmUp.NONE))
                .withMessageContaining("Too many open files");
    }
}
