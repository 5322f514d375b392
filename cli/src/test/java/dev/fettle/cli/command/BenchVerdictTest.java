package dev.fettle.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.measure.Bench;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a bench of ten seconds over ten connections is worth. */
class BenchVerdictTest {
    private static final long RESPONSES = 90;

    /** @param share of the clients' time that requests and think time account for */
    @ParameterizedTest(name = "{0} in flight each, {1} ms of think time, {2}: {3}")
    @CsvSource({
        "1, 0,    0.99, neither",
        "1, 0,    0.50, advisory",
        "1, 0,    1.10, void",
        "8, 0,    0.50, advisory",
        "8, 0,    1.10, void",
        "1, 200,  0.50, advisory",
        "1, 1000, 1.50, void",
    })
    void clientsThatWereIdleAreNormalInABench(int inFlight, long think, double share, String littlesLaw) {
        Load load = load(inFlight, think);
        double occupied = share * load.clients() * 10 - RESPONSES * think / 1e3;
        Verdict verdict = verdict(load, occupied, Optional.empty());
        assertThat(verdict.reasons().stream().anyMatch(r -> r.rule().equals("littles-law")))
                .isEqualTo(littlesLaw.equals("void"));
        assertThat(verdict.advises("littles-law")).isEqualTo(littlesLaw.equals("advisory"));
    }

    @Test
    void oneWhoseGeneratorFailedSaysNothing() {
        assertThat(verdict(load(1, 0), 99, Optional.empty()).valid()).isTrue();
        assertThat(verdict(load(1, 0), 99, Optional.of("engine thread 0 ended early: OutOfMemoryError"))
                        .reasons())
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.rule()).isEqualTo(BenchReport.GENERATOR_FAILED);
                    assertThat(r.message()).contains("OutOfMemoryError");
                    assertThat(r.passing()).isFalse();
                });
    }

    private static Load load(int inFlight, long think) {
        return new Load(
                10,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(10),
                Duration.ZERO,
                Duration.ofSeconds(10),
                1,
                new Arrivals.Closed(Duration.ofMillis(think)),
                Wire.PLAIN
                        .with()
                        .protocol(inFlight > 1 ? Protocol.HTTP_2 : Protocol.HTTP_1_1)
                        .inFlight(inFlight)
                        .build(),
                Optional.empty());
    }

    private static Verdict verdict(Load load, double occupied, Optional<String> failure) {
        long each = (long) (Math.max(0.01, occupied / RESPONSES) * 1e9);
        var m = new Measurement(
                Duration.ofSeconds(10),
                RESPONSES,
                Map.of(),
                Map.of(),
                Map.of(200, RESPONSES),
                RESPONSES * 200,
                occupied,
                new LatencySummary(RESPONSES, each, each, each, each, each, each, each, each, each),
                LatencySummary.NONE,
                0,
                10,
                List.of(new Measurement.Window(0, 10, RESPONSES, 0, each, true)),
                "",
                Measurement.Detail.NONE);
        var evidence = new Evidence(
                0,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING,
                OptionalFigure.of(0.1),
                OptionalFigure.empty(),
                OptionalInt.empty(),
                0,
                Map.of(),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        var result = new Bench.Result(Duration.ZERO, m, evidence, false, Optional.empty(), failure, Optional.empty());
        return BenchCommand.verdict(URI.create("http://127.0.0.1/"), load, result);
    }
}
