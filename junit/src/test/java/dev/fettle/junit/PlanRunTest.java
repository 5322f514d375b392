package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class PlanRunTest {
    @TempDir
    private Path home;

    private Path plan = Path.of("shop.yaml");

    @BeforeEach
    void writePlan() throws IOException {
        plan = Files.writeString(home.resolve("shop.yaml"), "name: shop\n");
    }

    private PlanResult run(int exit, String result) {
        return Fettle.plan(plan).run(StubCommand.in(home, exit, result, "").command());
    }

    @Test
    void aRateThatWasFoundPasses() {
        PlanResult result = run(0, "capacity-found");
        assertThat(result.capacity()).isEqualTo(1_210);
        assertThat(result.runId()).isEqualTo("hello-13");
        assertThat(result.headline()).contains("1,210/s");
    }

    @Test
    void lessThanWasAskedFails() {
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Fettle.plan(plan)
                        .atLeast("2000/s")
                        .run(StubCommand.in(home, 5, "capacity-found", "").command()))
                .withMessageContainingAll("1,210/s", "--at-least=2000/s");
    }

    @ParameterizedTest
    @CsvSource({"4, capacity-nothing-valid", "4, capacity-budget", "6, capacity-budget", "4, compare-void"})
    void whatIsVoidOrCantBeToldAborts(int exit, String result) {
        assertThatExceptionOfType(TestAbortedException.class).isThrownBy(() -> run(exit, result));
    }

    /** The command ends with 4, as it has no rate to give; but that each rate breaks the SLO was measured. */
    @Test
    void anSloThatEvenTheLowestRateBreaksFails() throws IOException {
        var stub = StubCommand.in(home, 4, "", "");
        Files.writeString(
                home.resolve("out"),
                StubCommand.resource("capacity-nothing-valid").replace("nothing-valid", "no-rate"));
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Fettle.plan(plan).run(stub.command()));
    }

    /** A comparison ends with 0 whatever it finds, unless it is asked for more. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"trials\": 0 | \"trials\": 0 | void",
                "\"trials\": 0 | \"trials\": 2 | passed",
                "\"limitsBroken\": [] | \"limitsBroken\": [\"p99 3 s (at most 1 s)\"] | failed",
                "\"problems\" | \"failed\": \"crashed in 2 of 2 blocks\", \"problems\" | failed"
            })
    void aComparisonIsJudgedByItsVariants(String from, String to, String verdict) throws IOException {
        var stub = StubCommand.in(home, 0, "", "");
        Files.writeString(
                home.resolve("out"), StubCommand.resource("compare-void").replace(from, to));
        PlanRun run = Fettle.plan(plan).command(PlanCommand.COMPARE);
        switch (verdict) {
            case "passed" -> assertThat(run.run(stub.command()).capacity()).isNaN();
            case "failed" ->
                assertThatExceptionOfType(AssertionFailedError.class)
                        .isThrownBy(() -> run.run(stub.command()))
                        .withMessageContaining("small: ");
            default ->
                assertThatExceptionOfType(TestAbortedException.class)
                        .isThrownBy(() -> run.run(stub.command()))
                        .withMessageContaining("small: ");
        }
    }

    @Test
    void argumentsAreTheCommandThePlanAndTheOptions() throws IOException {
        var stub = StubCommand.in(home, 0, "capacity-found", "");
        Fettle.plan(plan)
                .atLeast("2000/s")
                .budget(Duration.ofMinutes(5))
                .option("--launches=3")
                .run(stub.command());
        assertThat(stub.arguments())
                .containsExactly(
                        "capacity",
                        plan.toString(),
                        "--json",
                        "--dir=" + Path.of("target/fettle").toAbsolutePath(),
                        "--at-least=2000/s",
                        "--budget=300000ms",
                        "--launches=3");
    }

    @Test
    void aPlanThatIsNotThereIsAnError() {
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> Fettle.plan("no-such.yaml"))
                .withMessageContaining("no-such.yaml");
    }
}
