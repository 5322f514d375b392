package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class BenchTest {
    private static final String URL = "http://127.0.0.1:18123/";

    @TempDir
    private Path home;

    private BenchResult run(int exit, String result, String error) {
        return Fettle.bench(URL)
                .slo("p99<500ms")
                .run(StubCommand.in(home, exit, result, error).command());
    }

    @Test
    void aValidResultThatMeetsTheObjectivePassesWithItsFigures() {
        BenchResult result = run(0, "bench-valid", "");
        assertThat(result.throughput()).isEqualTo(38_370.7, within(0.1));
        assertThat(result.responses()).isEqualTo(39_887);
        assertThat(result.errorShare()).isZero();
        assertThat(result.latency().p99()).isEqualTo(Duration.ofNanos(1_330_175));
        assertThat(result.latency().max()).isEqualTo(Duration.ofNanos(50_724_863));
        assertThat(result.cautions()).hasSize(2).first().asString().startsWith("shared-cpus: ");
        assertThat(result.json()).containsEntry("schema", "fettle.bench/1");
        assertThat(result).asString().contains("1.33 ms");
    }

    @Test
    void aBrokenObjectiveFailsWithEachConditionAndItsFigure() {
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> run(5, "bench-broken", ""))
                .withMessageContainingAll("p99<=100us", "0.4948 ms", "throughput>=1000000/s", "59,645.1/s");
    }

    /** The command ends with 5 where a condition is met, whether or not the result is void: a test must not fail by void figures. */
    @ParameterizedTest
    @CsvSource({"4, bench-void", "5, bench-void-and-broken", "0, bench-void"})
    void aVoidResultAbortsWithTheReasonWhateverTheExitCode(int exit, String result) {
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> run(exit, result, ""))
                .withMessageContainingAll("nothing-measured", "wrong-answers");
    }

    @Test
    void aRunThatWasNotStartedSinceItCantBeValidAborts() {
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> run(
                        4, "", "Loading\nfettle: this run can't be valid, so nothing was started: raise ulimit -n\n"))
                .withMessageContaining("raise ulimit -n");
    }

    @ParameterizedTest
    @CsvSource({"130", "143"})
    void anInterruptedOneAborts(int exit) {
        assertThatExceptionOfType(TestAbortedException.class).isThrownBy(() -> run(exit, "bench-valid", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "1, fettle: cannot load http://127.0.0.1:1: while connecting: Connection refused",
        "2, fettle: --fail-if p98>1ms: 'p98' is no figure",
        "3, fettle: no JDK 25",
        "137, Killed"
    })
    void whereThereWasNoLoadTheReasonIsAnError(int exit, String error) {
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> run(exit, "", error + "\n"))
                .withMessageContainingAll(String.valueOf(exit), error.replace("fettle: ", ""));
    }

    @Test
    void whatIsNoResultIsAnErrorAndNeverAPass() throws IOException {
        var stub = StubCommand.in(home, 0, "", "");
        Files.writeString(
                home.resolve("out"), StubCommand.resource("bench-valid").substring(0, 500));
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> Fettle.bench(URL).run(stub.command()));
        Files.writeString(home.resolve("out"), "{}");
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> Fettle.bench(URL).run(stub.command()));
    }

    @Test
    void everyOptionIsOneArgument() throws IOException {
        var stub = StubCommand.in(home, 0, "bench-valid", "");
        Fettle.bench(URL)
                .connections(50)
                .duration(Duration.ofSeconds(5))
                .rate("1000/s")
                .warmUp(Duration.ZERO)
                .timeout(Duration.ofMillis(1_500))
                .method("PUT")
                .status(201)
                .contains("Log in; $(x)")
                .requests(7)
                .pid(12)
                .option("--http2")
                .slo("p99<50ms,errors<0.1%")
                .slo("throughput>1/s")
                .run(stub.command());
        assertThat(stub.arguments())
                .containsExactly(
                        "bench",
                        URL,
                        "--json",
                        "--connections=50",
                        "--duration=5000ms",
                        "--rate=1000/s",
                        "--warm-up=0ms",
                        "--timeout=1500ms",
                        "--method=PUT",
                        "--status=201",
                        "--contains=Log in; $(x)",
                        "--requests=7",
                        "--pid=12",
                        "--http2",
                        "--fail-if=p99>=50ms,errors>=0.1%",
                        "--fail-if=throughput<=1/s");
    }

    @Test
    void whatMayBeSecretIsInNoArgument() throws IOException {
        var stub = StubCommand.in(home, 0, "bench-valid", "");
        Fettle.bench(URL)
                .header("Authorization", "Bearer s3cret")
                .header("X-Other", "1")
                .body("@pass=s3cret")
                .run(stub.command());
        assertThat(stub.arguments()).noneMatch(a -> a.contains("s3cret")).contains("--header=@-");
        assertThat(stub.input()).isEqualTo("Authorization: Bearer s3cret\nX-Other: 1\n");
        assertThat(home.resolve("body")).hasContent("@pass=s3cret");
        assertThat(Files.getPosixFilePermissions(home.resolve("body"))).hasSize(2);
        Path file = Path.of(stub.arguments().stream()
                .filter(a -> a.startsWith("--body=@"))
                .map(a -> a.substring("--body=@".length()))
                .findFirst()
                .orElseThrow());
        assertThat(file).doesNotExist();
    }

    @Test
    void aBenchDoesNotChange() throws IOException {
        Bench one = Fettle.bench(URL).connections(5);
        one.slo("p99<1ms").header("A", "b").body("x").option("--http2");
        var stub = StubCommand.in(home, 0, "bench-valid", "");
        one.run(stub.command());
        assertThat(stub.arguments()).containsExactly("bench", URL, "--json", "--connections=5");
    }

    @Test
    void whatWouldBeAnotherArgumentIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Fettle.bench("--help"));
        assertThatIllegalArgumentException().isThrownBy(() -> Fettle.bench(URL).header("A", "b\nHost: other"));
        assertThatIllegalArgumentException().isThrownBy(() -> Fettle.bench(URL).header("A: b\r\nC", "d"));
        assertThatIllegalArgumentException().isThrownBy(() -> Fettle.bench(URL).option("http://127.0.0.1:1/"));
        assertThatIllegalArgumentException().isThrownBy(() -> Fettle.bench(URL).slo("p99"));
    }
}
