package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @CsvSource({
        "my.db.password=x y, my.db.password=***",
        "a-token: x, a-token: ***",
        "keykey.x=1, keykey.x=***",
        "monkeys=3, monkeys=***", // better one too many
        "keysize=3, keysize=3",
        "-Durl=jdbc:mysql://me:pw@host/x, -Durl=jdbc:mysql://***@host/x",
        "-http://me:pw@host/x, -http://***@host/x",
        "1http://me:pw@host/x, 1http://***@host/x",
        "http://host/me@x, http://host/me@x"
    })
    void goesFromALine(String line, String shown) {
        assertThat(Secrets.redact(line)).isEqualTo(shown);
    }

    /** Each is looked at once; if once for each of its characters, that takes minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"0a", "key", "a://", "http+", "a.b-", "://a"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongWordIsReadOnce(String part) {
        String text = part.repeat(300_000);
        assertThat(Secrets.redact(text)).isEqualTo(text);
        assertThat(Secrets.page(text, Set.of())).isEqualTo(text);
    }
}
