package dev.fettle.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.load.Scenario;
import dev.fettle.model.read.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurlImportTest {
    @TempDir
    Path folder;

    private Scenario.Step step(String command) throws IOException {
        return scenario(command).flows().getFirst().steps().getFirst();
    }

    private Scenario scenario(String command) throws IOException {
        String yaml = CurlImport.read(command).yaml();
        return ScenarioReader.readFile(Files.writeString(folder.resolve("s.yaml"), yaml));
    }

    @Test
    void aPlainUrl() throws IOException {
        Scenario.Step step = step("curl localhost:8080");
        assertThat(step.method()).isEqualTo("GET");
        assertThat(step.path()).isEqualTo("/");
        assertThat(CurlImport.read("curl localhost:8080/a").notes())
                .contains("run it: fettle bench http://localhost:8080/ --scenario FILE");
    }

    @Test
    void aFormBecomesFieldsAndItsPasswordAVariable() throws IOException {
        Scenario scenario = scenario(
                "curl -sSX POST 'http://h/login?next=%2Fhome' -H 'Accept: text/html' \\\n  -d account=ada+b -d 'password=hunter2'"
                        + " --data-urlencode 'text=a b&c'");
        Scenario.Step step = scenario.flows().getFirst().steps().getFirst();
        assertThat(step.path()).isEqualTo("/login?next=%2Fhome");
        assertThat(step.headers()).isEqualTo(Map.of("Accept", "text/html"));
        assertThat(step.form()).isEqualTo(Map.of("account", "ada b", "password", "${password}", "text", "a b&c"));
        assertThat(scenario.variables()).isEqualTo(Map.of("password", "CHANGE-ME"));
    }

    @Test
    void jsonKeepsItsTextButForSecrets() throws IOException {
        Scenario.Step step =
                step("curl --json '{\"user\": \"ada\", \"apiKey\": \"hunter2\", \"price\": \"${5}\"}' h/x");
        assertThat(step.method()).isEqualTo("POST");
        assertThat(step.headers()).isEqualTo(Map.of("Content-Type", "application/json", "Accept", "application/json"));
        assertThat(step.body()).hasValue("{\"user\": \"ada\", \"apiKey\": \"${apiKey|json}\", \"price\": \"$${5}\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "-u ada:hunter2 h! Authorization: Basic ${basic}",
                "http://ada:hunter2@h! Authorization: Basic ${basic}",
                "-H 'Authorization: Bearer hunter2' h! Authorization: ${authorization}",
                "-H \"Authorization: Bearer $TOKEN\" h! Authorization: ${authorization}",
                "-b 'sid=hunter2' h! Cookie: ${cookie}",
                "-H 'cookie: sid=hunter2' h! Cookie: ${cookie}",
                "-H 'X-Api-Key: hunter2' h! X-Api-Key: ${x_api_key}",
                "-A 'me/1' h! User-Agent: me/1",
            })
    void secretsBecomeVariables(String arguments, String header) throws IOException {
        Imported imported = CurlImport.read("curl " + arguments);
        assertThat(imported.yaml()).doesNotContain("hunter2");
        Scenario.Step step = step("curl " + arguments);
        assertThat(step.headers().entrySet())
                .extracting(e -> e.getKey() + ": " + e.getValue())
                .containsExactly(header);
    }

    @Test
    void queriesLoseTheirSecretsAndGTurnsDataIntoOne() throws IOException {
        assertThat(step("curl -G -d q=a%20b 'h/s?token=hunter2'").path()).isEqualTo("/s?token=${token}&q=a%20b");
        assertThat(step("curl -I h/s").method()).isEqualTo("HEAD");
    }

    @Test
    void shellVariablesBecomeTheScenarios() throws IOException {
        Scenario scenario = scenario("curl \"h/users/$USER_ID/x\" -H \"X-A: ${A}b\" -H 'X-B: ${A}'");
        assertThat(scenario.variables().keySet()).containsExactly("USER_ID", "A");
        Scenario.Step step = scenario.flows().getFirst().steps().getFirst();
        assertThat(step.path()).isEqualTo("/users/${USER_ID}/x");
        assertThat(step.headers()).isEqualTo(Map.of("X-A", "${A}b", "X-B", "$${A}"));
    }

    @Test
    void whatIsLeftOutIsSaid() {
        assertThat(CurlImport.read("curl -kL --compressed -o x https://h/").notes())
                .anyMatch(n -> n.startsWith("-k: "))
                .anyMatch(n -> n.startsWith("-L was left out"))
                .anyMatch(n -> n.startsWith("--compressed was left out"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "wget h! a command line that begins with 'curl' is wanted",
                "curl! the curl command has no URL",
                "curl h g! the curl command has 2 URLs: import them one by one",
                "curl --proxy x h! the curl option --proxy is not known here: leave it out",
                "curl -sZ h! the curl option -Z is not known here: leave it out",
                "curl -d @body.json h! --data @body.json: no file is read, put the data itself in",
                "curl -F a=b h! -F: multipart forms are not supported",
                "curl h -X! --request lacks its value",
                "curl 'h! a ' is not closed",
                "curl \"h! a \" is not closed",
                "curl h | jq .! '|' outside quotes needs a shell, and none is used: give a single curl command",
                "curl h; rm -rf x! ';' outside quotes needs a shell, and none is used: give a single curl command",
                "curl $(cat x)! $(…) would have to be executed: put its output in its place",
                "curl \"`cat x`\"! `…` would have to be executed: put its output in its place",
            })
    void whatCannotBeImported(String command, String problem) {
        assertThatThrownBy(() -> CurlImport.read(command))
                .isInstanceOf(ImportException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "a b  c! a|b|c",
                "'a b'c\"d e\"! a bcd e",
                "a\\ b '' c! a b||c",
                "\"a\\\"b\\$c\\d\"! a\"b$c\\d",
                "a # b c! a",
                "a#b! a#b",
                "'$''{x}'! $${x}",
            })
    void splitsAsAShellDoes(String line, String words) {
        assertThat(String.join("|", ShellWords.split(line).words())).isEqualTo(words);
    }

    @Test
    void readsAnsiQuotes() {
        assertThat(ShellWords.split("$'a\\nb\\u00e9\\x41\\101\\'c'").words()).containsExactly("a\nb\u00e9AA'c");
    }

    /** Whatever is quoted comes back as one word, with its {@code ${} escaped. */
    @Property(tries = 300)
    void whatIsQuotedIsOneWord(@ForAll @StringLength(max = 20) String text) {
        String quoted = "'" + text.replace("'", "'\\''") + "'";
        assertThat(ShellWords.split(quoted).words()).isEqualTo(List.of(text.replace("${", "$${")));
    }

    /** Whatever the text: a word of it, or a refusal in one line. */
    @Property(tries = 500)
    void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
        try {
            assertThat(CurlImport.read("curl " + text).yaml()).contains("steps:");
        } catch (ImportException e) {
            assertThat(e).message().isNotBlank();
        }
    }

    @Test
    void aLongJsonStringIsTaken() throws IOException {
        String text = "x".repeat(50_000) + "\\\\n".repeat(50_000);
        assertThat(step("curl --json '{\"token\":\"t\",\"text\":\"" + text + "\"}' localhost/")
                        .body())
                .hasValueSatisfying(
                        b -> assertThat(b).contains("\"${token|json}\"").hasSizeGreaterThan(100_000));
    }

    /** curl takes line breaks out of files only, and none is read here. */
    @ParameterizedTest
    @CsvSource({"-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--json"})
    void lineBreaksOfABodyStay(String option) throws IOException {
        assertThat(step("curl " + option + " '{\"a\": 1,\n\"b\": 2}' -H 'Content-Type: application/json' localhost/")
                        .body())
                .contains("{\"a\": 1,\n\"b\": 2}");
    }
}
