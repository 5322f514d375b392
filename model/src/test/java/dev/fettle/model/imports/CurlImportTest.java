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

    /** Whatever the body is: a secret in it is a variable, or all of it is one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "x! role=a&role=b&password=hunter2! role=a&role=b&password=${password|url}",
                "text/plain! a=b&pass%77ord=hunter2! a=b&pass%77ord=${password|url}",
                "application/json! {\"password\": 4711, \"n\": 5}! {\"password\": ${password}, \"n\": 5}",
                "application/json! {\"a\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}! {\"a\":\"${a|json}\"}",
                "application/json! {\"credentials\": {\"user\": \"hunter2\"}}! {\"credentials\": {\"user\": \"${v_user|json}\"}}",
                "application/json! [{\"tokens\":[\"hunter2\",-1.5e3]}]! [{\"tokens\":[\"${tokens|json}\",${tokens}]}]",
                "application/json! {\"a\":\"http://x/?sig=hunter2\",\"key\":\"\"}! {\"a\":\"${a|json}\",\"key\":\"\"}",
                "application/json! {\"token\":\"a${hunter2}\"}! {\"token\":\"${token|json}\"}",
                "application/json! {\"query\":\"query q($token: ID) {a(token: $token)}\"}! {\"query\":\"query q($token: ID) {a(token: $token)}\"}",
                "application/json! [{\"name\":\"user\",\"value\":\"ann\"},{\"name\":\"password\",\"value\":\"hunter2\"}]"
                        + "! [{\"name\":\"user\",\"value\":\"ann\"},{\"name\":\"password\",\"value\":\"${password|json}\"}]",
                "application/json! {\"Value\":4711,\"n\":1,\"label\":\"pin\"}! {\"Value\":${pin},\"n\":1,\"label\":\"pin\"}",
                "application/json! {\"id\":\"token\",\"fieldValues\":[{\"x\":\"hunter2\"}]}"
                        + "! {\"id\":\"token\",\"fieldValues\":[{\"x\":\"${x|json}\"}]}",
                "application/json! {\"value\":\"password\",\"of\":\"kinds\"}! {\"value\":\"password\",\"of\":\"kinds\"}",
                "application/json! {\"grant\":\"password\",\"user\":\"ann\"}! {\"grant\":\"password\",\"user\":\"ann\"}",
                "application/json! {password: hunter2}! ${body}",
                "application/json! {\"a\": 1, \"password\": \"hunter2! ${body}",
                "text/xml! <a><password>hunter2</password><b>1</b></a>! <a><password>${password}</password><b>1</b></a>",
                "text/xml! <a password='hunter2' b='1'/>! <a password=\"${password}\" b='1'/>",
                "text/xml! <m><name>password</name><value>hunter2</value></m>! ${body}",
                "text/xml! <a><password>hunter2</a>! ${body}",
                "text/plain! the password is hunter2! ${body}",
                "multipart/form-data; boundary=b! --b name=\"password\" hunter2! ${body}",
                "text/plain! hello, world! hello, world",
            })
    void secretsOfABodyBecomeVariables(String type, String body, String kept) throws IOException {
        String sent = body.replace("'", "'\\''");
        String command = "curl -H 'Content-Type: " + type + "' --data-raw '" + sent + "' http://h/";
        assertThat(CurlImport.read(command).yaml()).doesNotContain("hunter2").doesNotContain("4711");
        assertThat(step(command).body()).hasValue(kept);
    }

    @Test
    void textInXmlMayStandAsCharacterData() throws IOException {
        String body = "<a><!-- x --><s:Token t='1'><b><![CDATA[%s]]></b> </s:Token><c><![CDATA[<&]]></c></a>";
        assertThat(step("curl --data-raw \"" + body.formatted("hunter2") + "\" h/")
                        .body())
                .hasValue(body.replace("<![CDATA[%s]]>", "${b}"));
    }

    @Test
    void aBrowsersFormIsOneAsWell() throws IOException {
        Scenario.Step step = step("curl 'http://h/login' -H 'content-type: application/x-www-form-urlencoded'"
                + " --data-raw 'account=ada&password=hunter2&_csrf=hunter2&next=%2Fa%3Ftoken%3Dhunter2&empty='");
        assertThat(step.form())
                .isEqualTo(Map.of(
                        "account",
                        "ada",
                        "password",
                        "${password}",
                        "_csrf",
                        "${_csrf}",
                        "next",
                        "${next}",
                        "empty",
                        ""));
        assertThat(step.headers()).isEmpty();
    }

    @Test
    void shellVariablesStayInBodies() throws IOException {
        assertThat(step("curl --json \"{\\\"id\\\": $ID, \\\"password\\\":\\\"$PW\\\", \\\"pin\\\":\\\"1$PW\\\"}\" h/")
                        .body())
                .hasValue("{\"id\": ${ID}, \"password\":\"${PW}\", \"pin\":\"${pin|json}\"}");
        assertThat(step("curl -d \"a=x%20${A}&b=$(:)\" h/".replace("$(:)", "2")).form())
                .isEqualTo(Map.of("a", "x ${A}", "b", "2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/f;jsessionid=hunter2;v=1/x?a=1      | /f;jsessionid=${jsessionid};v=1/x?a=1 | GET /f_jsessionid_x_v_1/x",
                "/f?X-Amz-Signature=hunter2&sig=hunter2| /f?X-Amz-Signature=${X-Amz-Signature}&sig=${sig} | GET /f",
                "/f?jwt=hunter2&sid=hunter2&code=1    | /f?jwt=${jwt}&sid=${sid}&code=1 | GET /f",
                "/f?to=http%3A%2F%2Fx%2F%3Ftoken%3Dhunter2 | /f?to=${to} | GET /f",
                "/eyJh.hunter2.x/f?eyJh.hunter2.x     | /${token}/f?${query} | GET /x/f",
                "/ü?q=ä                               | /%C3%BC?q=%C3%A4 | GET /_C3_BC",
            })
    void pathsLoseTheirSecrets(String path, String kept, String name) throws IOException {
        Scenario.Step step = step("curl 'http://h:8080" + path + "'");
        assertThat(step.path()).isEqualTo(kept);
        assertThat(step.name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-H 'X-Session-Id: hunter2' h          | X-Session-Id: ${x_session_id}",
                "-H 'X-XSRF: hunter2' h                | X-XSRF: ${x_xsrf}",
                "-e 'http://r.example/' h              | Referer: http://r.example/",
                "-e 'http://r.example/?sid=hunter2' h  | Referer: ${referer}",
                "-H 'Origin: http://o' h               | Origin: http://o",
                "-H 'Host: shop.example' h             | Host: shop.example",
                "-H 'Host: H:80' -H 'A: b' h:80        | A: b",
                "-H 'A:' -H 'bad name: x' -H 'B: b' h  | B: b",
            })
    void headersThatAreKept(String arguments, String header) throws IOException {
        assertThat(CurlImport.read("curl " + arguments).yaml()).doesNotContain("hunter2");
        assertThat(step("curl " + arguments).headers().entrySet())
                .extracting(e -> e.getKey() + ": " + e.getValue())
                .containsExactly(header);
    }

    @ParameterizedTest
    @CsvSource({
        "http://[::1]:8080/x[1], http://[::1]:8080/, /x%5B1%5D",
        "https://[2001:db8::1]/, https://[2001:db8::1]/, /",
        "[::1]:8080/x, http://[::1]:8080/, /x"
    })
    void addressesOfVersion6(String url, String base, String path) throws IOException {
        assertThat(CurlImport.read("curl '" + url + "'").notes())
                .contains("run it: fettle bench " + base + " --scenario FILE");
        assertThat(step("curl '" + url + "'").path()).isEqualTo(path);
    }

    @Test
    void variablesHaveNamesThatAScenarioTakes() throws IOException {
        assertThat(scenario("curl \"h/$user?a=$" + "x".repeat(70) + "\"")
                        .variables()
                        .keySet())
                .containsExactly("v_user", "v_" + "x".repeat(60));
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
        assertThat(CurlImport.read("curl -H 'Connection: close' -H 'Sec-Fetch-Mode: cors' -H \"X: a\nb\" h")
                        .notes())
                .contains(
                        "headers left out, since Fettle sets them or they are of a browser: Connection, Sec-Fetch-Mode",
                        "a header was left out: its name or value holds characters that can't be sent");
        assertThat(CurlImport.read("curl -d '" + "x".repeat(1 << 20) + "' h").notes())
                .anyMatch(n -> n.startsWith("this file is larger than 1 MiB"));
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
                "curl -X PURGE h! -X PURGE: a scenario sends GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS and nothing else",
                "curl ftp://me:hunter2@h/! the URL 'ftp://***@h/' is neither http nor https, and nothing else is sent",
                "curl 'http://me:hunter2@/?token=hunter2'! the URL 'http://***@/?token=***' has no host",
                "curl --pass=hunter2 h! the curl option --pass is not known here: leave it out",
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
