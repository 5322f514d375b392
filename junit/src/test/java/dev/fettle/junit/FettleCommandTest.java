package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FettleCommandTest {
    @TempDir
    private Path home;

    @TempDir
    private Path other;

    private static FettleCommand find(Map<String, String> properties, Map<String, String> environment) {
        return FettleCommand.find(properties::get, environment::get);
    }

    @Test
    void thePropertyComesFirstThenTheVariableThenThePath() {
        StubCommand.in(home, 0, "", "");
        StubCommand.in(other, 0, "", "");
        Map<String, String> both = Map.of("FETTLE_HOME", home.toString(), "PATH", "/nowhere:" + other);
        assertThat(find(Map.of("fettle.home", other.toString()), both).launcher())
                .isEqualTo(other.resolve("fettle"));
        assertThat(find(Map.of(), both).launcher()).isEqualTo(home.resolve("fettle"));
        assertThat(find(Map.of("fettle.home", " "), Map.of("PATH", "::/nowhere:" + other))
                        .launcher())
                .isEqualTo(other.resolve("fettle"));
    }

    @Test
    void oneThatIsNamedAndNotThereIsAnErrorAlthoughThePathHasOne() {
        StubCommand.in(other, 0, "", "");
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> find(Map.of("fettle.home", home.toString()), Map.of("PATH", other.toString())))
                .withMessageContainingAll("-Dfettle.home", home.toString());
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> find(Map.of(), Map.of("FETTLE_HOME", "/nowhere", "PATH", other.toString())))
                .withMessageContainingAll("FETTLE_HOME", "/nowhere/fettle");
    }

    @Test
    void withoutOneALineSaysWhatToDo() {
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> find(Map.of(), Map.of()))
                .withMessageContainingAll("fettle.home", "FETTLE_HOME", "PATH")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void argumentsReachItAsTheyAre() throws IOException {
        var stub = StubCommand.in(home, 0, "", "");
        stub.command().run(List.of("bench", "$(touch x)", "a b", "*", "'\"`;", ""), "one\n", Duration.ofMinutes(1));
        assertThat(stub.arguments()).containsExactly("bench", "$(touch x)", "a b", "*", "'\"`;", "");
        assertThat(stub.input()).isEqualTo("one\n");
    }

    @Test
    void oneThatTakesTooLongIsAskedToEnd() throws IOException {
        var stub = StubCommand.endless(home);
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> stub.command().run(List.of("bench"), "", Duration.ofMillis(300)))
                .withMessageContaining("bench");
        String pid = Files.exists(home.resolve("pid"))
                ? Files.readString(home.resolve("pid")).strip()
                : "";
        assertThat(Optional.of(pid).filter(p -> !p.isEmpty()).flatMap(p -> ProcessHandle.of(Long.parseLong(p))))
                .isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedEndsItAndStaysInterrupted() throws IOException {
        var stub = StubCommand.endless(home);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> stub.command().run(List.of("bench"), "", Duration.ofMinutes(1)));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void ofMuchProgressTheLastIsKeptAndTheReasonFound() {
        String error = "progress\n".repeat(100_000) + "fettle: the plan has no slo\nReport: page.html\n";
        var ended = StubCommand.in(home, 2, "", error).command().run(List.of("capacity"), "", Duration.ofMinutes(1));
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.error().length()).isLessThan(10_000);
        assertThat(ended.why()).isEqualTo("the plan has no slo");
    }
}
