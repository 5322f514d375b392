package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.model.load.Load;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer to HEAD has no body: its length is the one that it announces, as for the load. */
class ReadinessHeadTest {
    @ParameterizedTest
    @CsvSource({"HEAD, 0, 5, true", "HEAD, 0, 4, false", "GET, 5, 5, true", "GET, 0, 5, false"})
    void hasTheLengthThatItAnnounces(String method, int came, long announced, boolean right) {
        Load load = Fixtures.load(1, "x")
                .withRequest(new Load.Request(method, "/", Map.of(), Optional.empty()))
                .withExpect(new Load.Expect(200, OptionalInt.of(5), Optional.empty()));
        assertThat(Readiness.wrong(200, new byte[came], announced, load).isEmpty())
                .isEqualTo(right);
    }

    private static Optional<String> wrong(int status, String body, Load load) {
        return Readiness.wrong(status, body.getBytes(StandardCharsets.US_ASCII), body.length(), load);
    }

    @Test
    void anEmptyBodyIsWrongUnlessThePlanExpectsIt() {
        Load load = Fixtures.load(1, "x");
        Load any = load.withExpect(Load.Expect.OK);
        assertThat(wrong(200, "", any)).isPresent();
        assertThat(wrong(200, "x", any)).isEmpty();
        assertThat(wrong(404, "x", any)).hasValueSatisfying(w -> assertThat(w).contains("404"));
        assertThat(wrong(200, "axb", load)).isEmpty();
        assertThat(wrong(200, "ab", load)).isPresent();
    }
}
