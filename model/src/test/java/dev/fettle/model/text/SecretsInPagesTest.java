package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsInPagesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "<input type=\"hidden\" name=\"_csrf\" value=\"abc123\"/> ~ <input type=\"hidden\" name=\"_csrf\" value=***/>",
                "<input value='q' name=x> ~ <input value=*** name=x>",
                "<a href=\"/a;jsessionid=0A1B2C\">go</a> ~ <a href=\"/a;jsessionid=***\">go</a>",
                "{\"token\": \"abc\", \"n\": 1} ~ {\"token\": ***, \"n\": 1}",
                "{\"apiKey\":12345,\"n\":1} ~ {\"apiKey\":***,\"n\":1}",
                "Authorization: Bearer abc.def says ~ Authorization: *** *** says",
                "<meta name=\"csrf-token\" content=\"xyz\"> ~ <meta name=\"csrf-token\" content=***>",
                "see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-1 ~ see ***",
                "http://me:pw@host/x ~ http://***@host/x",
                "<password>hunter2</password> ~ <password>***</password>",
            })
    void goes(String page, String shown) {
        assertThat(Secrets.page(page, Set.of())).isEqualTo(shown);
    }

    @Test
    void whatTheLoadSendsGoes() {
        assertThat(Secrets.page("no user with hunter22 here", Set.of("hunter22")))
                .isEqualTo("no user with *** here");
    }

    @Test
    void theRestStays() {
        String page =
                "<html><body><h1>HTTP Status 404</h1><p>The page /nothere is not available, value=3.</p></body></html>";
        assertThat(Secrets.page(page, Set.of())).isEqualTo(page);
    }

    @Test
    void ofHeadsOnlyWhatIsKnownToBeHarmlessIsShown() {
        assertThat(Secrets.answerField("Content-Type: text/html", Set.of())).isEqualTo("Content-Type: text/html");
        assertThat(Secrets.answerField("Set-Cookie: JSESSIONID=1", Set.of())).isEqualTo("Set-Cookie: ***");
        assertThat(Secrets.answerField("X-Own: 1", Set.of())).isEqualTo("X-Own: ***");
        assertThat(Secrets.answerField("Location: /login?token=abc&x=1;jsessionid=2", Set.of()))
                .doesNotContain("abc")
                .contains("/login?token=***");
    }
}
