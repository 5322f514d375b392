package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be shown of the answers of a server that repeats what it was sent. */
class WrongAnswersTest {
    private static final Load LOAD = Fixtures.load(1, "x")
            .withRequest(new Load.Request(
                    "POST",
                    "/",
                    Map.of(
                            "Authorization", "Bearer 9f8e7d6c",
                            "Proxy-Authorization", "Basic bWU6b3BlbiBzZXNhbWU=",
                            "Cookie", "theme=dark; session=XYZ123; id=7",
                            "Accept", "text/html"),
                    Optional.of("user=anna&password=pw12%2F3")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "user for token 9f8e7d6c not found ~ user for token *** not found",
                "no such session XYZ123, text/html wanted ~ no such session ***, text/html wanted",
                "me and open sesame ~ me and ***",
                "bWU6b3BlbiBzZXNhbWU= ~ ***",
                "no user with pw12/3 or pw12%2F3 ~ no user with *** or ***",
                "got user=anna&password=pw12%2F3 ~ got ***",
                "no header line: 'Set-Cookie : JSESSIONID=8F3A' ~ no header line: 'Set-Cookie : ***'",
                "connection reset: id 7 ~ connection reset: id 7",
                "status 503, expected 200 ~ status 503, expected 200",
            })
    void partsOfWhatWasSentGo(String said, String shown) {
        assertThat(new WrongAnswers(Optional.of(LOAD)).message(said)).isEqualTo(shown);
        assertThat(new WrongAnswers(Optional.of(LOAD)).messages(Map.of(ErrorKind.STATUS, said)))
                .containsExactly(Map.entry(ErrorKind.STATUS, shown));
    }

    @Test
    void aMessageCanNotMoveTheCursor() {
        assertThat(new WrongAnswers(Optional.empty()).message("closed: \u001b[2J\r\nbye"))
                .isEqualTo("closed:  [2J  bye");
    }

    @Test
    void theNameOfAStepIsNoSecret() {
        var step = new Scenario.Step(
                "get token",
                "GET",
                "/",
                Map.of(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                List.of(),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                false);
        Load load = LOAD.withScenario(
                new Scenario(List.of(new Scenario.Flow("user", 1, List.of(step))), List.of(), Map.of(), false, 1));
        assertThat(new WrongAnswers(Optional.of(load)).message("step 'get token': status 403, token: 12345"))
                .isEqualTo("step 'get token': status 403, token: ***");
    }
}
