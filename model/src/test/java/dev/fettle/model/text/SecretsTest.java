package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static String[] secrets(String one) {
        return one.isEmpty() ? new String[0] : new String[] {one};
    }
}
