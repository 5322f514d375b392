package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-Ddb.password=hunter2             | hunter2",
                "--token=hunter2                   | hunter2",
                "--password hunter2                | hunter2",
                "redis://app:hunter2@cache:6379    | hunter2",
                "--url=jdbc:x://db/shop?user=a&password=hunter2&ssl=on | hunter2",
                "{\"db.password\":\"hunter2\",\"size\":7}                 | hunter2",
                "-Xmx96m --port 80                 | ``",
                "postgres://postgres@localhost/app | ``",
                "--server.ssl.key-alias=fettle     | ``",
                "--key-alias tomcat                | ``",
                "-Djavax.net.ssl.keyStoreType=jks --server.ssl.key-store-type=PKCS12 | ``",
                "--password --port 80              | ``",
                "http://127.0.0.1:8080/x           | ``"
            })
    void theValuesThatAreMaskedAreKnown(String arguments, String secret) {
        List<String> all = List.of(arguments.split(" +"));
        Set<String> found = Secrets.masked(all, Map.of());
        assertThat(found).isEqualTo(secret.isEmpty() ? Set.of() : found).contains(secrets(secret));
        assertThat(Secrets.flags(all)).noneMatch(a -> !secret.isEmpty() && a.contains(secret));
    }

    @ParameterizedTest
    @CsvSource({
        "DB_PASSWORD, hunter2, hunter2",
        "URL, postgresql://me:hunter2@db/, hunter2",
        "SIZE, hunter2, ''",
        "SERVER_SSL_KEY_ALIAS, tomcat, ''"
    })
    void thoseOfVariables(String name, String value, String secret) {
        assertThat(Secrets.masked(List.of(), Map.of(name, value)))
                .hasSize(secret.isEmpty() ? 0 : value.contains("@") ? 2 : 1)
                .contains(secrets(secret));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://ada:hunter2@h:9/ x   | http://***@h:9/ x",
                "http://ada:hun ter2@h/      | http://***@h/",
                "http://ada:hun/ter2@h/x     | http://***@h/x",
                "http:/ada:hunter2@h         | http:/***@h",
                "http://h/?token=hunter2 x   | http://h/?token=***",
                "x?a=1&sig=hunter2&b=2       | x?a=1&sig=***&b=2",
                "/a;jsessionid=1/b;v=2?x=1&sid=2&q=3 | /a;jsessionid=***/b;v=2?x=1&sid=***&q=3",
                "http://h:80/x?mail=a@b      | http://h:80/x?mail=a@b",
                "http://[::1]:80/x?mail=a@b  | http://[::1]:80/x?mail=a@b",
                "/inside?spin=1&design=2     | /inside?spin=1&design=2",
            })
    void whatShouldBeAUrlIsShownWithoutThem(String text, String shown) {
        assertThat(Secrets.redactUrl(text)).isEqualTo(shown);
        assertThat(Secrets.redactUrl(shown)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"://", "a://!", "@a://!", "a:/", ";sid", "?key"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongOneIsReadInTime(String part) {
        assertThat(Secrets.redactUrl(part.repeat(20_000))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "password, true", "X-Session-Id, true", "JSESSIONID, true", "PHPSESSID, true", "sid, true", "user_sid, true",
        "X-Amz-Signature, true", "sig, true", "jwt, true", "_csrf, true", "otp, true", "X-XSRF, true",
        "inside, false", "design, false", "spin, false", "session_idle, false", "account, false"
    })
    void namesInARequest(String name, boolean secret) {
        assertThat(Secrets.looksSecretInRequest(name)).isEqualTo(secret);
    }

    private static String[] secrets(String one) {
        return one.isEmpty() ? new String[0] : new String[] {one};
    }
}
