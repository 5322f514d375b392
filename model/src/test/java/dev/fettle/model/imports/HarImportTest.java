package dev.fettle.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.load.Scenario;
import dev.fettle.model.read.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HarImportTest {
    @TempDir
    Path folder;

    private static final String HAR = """
      {"log": {"version": "1.2", "entries": [
        {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 40,
         "request": {"method": "GET", "url": "http://shop:8080/?q=a b&token=hunter2", "headers": [
           {"name": "Host", "value": "shop:8080"}, {"name": "Accept", "value": "text/html"},
           {"name": "Cookie", "value": "sid=hunter2"}, {"name": "Sec-Fetch-Mode", "value": "navigate"},
           {"name": "Accept-Encoding", "value": "gzip"}, {"name": ":path", "value": "/"},
           {"name": "Authorization", "value": "Bearer hunter2"}]},
         "response": {"status": 304, "content": {"mimeType": "text/html"}}},
        {"startedDateTime": "2026-01-01T00:00:00.050Z", "time": 5,
         "request": {"method": "GET", "url": "http://shop:8080/logo.png", "headers": []},
         "response": {"status": 200, "content": {"mimeType": "image/png"}}},
        {"startedDateTime": "2026-01-01T00:00:00.060Z", "time": 5,
         "request": {"method": "GET", "url": "https://cdn.example/x.html", "headers": []},
         "response": {"status": 200, "content": {"mimeType": "text/html"}}},
        {"startedDateTime": "2026-01-01T00:00:02.040Z", "time": 30,
         "request": {"method": "POST", "url": "http://shop:8080/login", "headers": [
            {"name": "Content-Type", "value": "application/x-www-form-urlencoded"}],
           "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "account=ada&password=hunter2&x=%24%7Bb"}},
         "response": {"status": 303, "content": {"mimeType": ""}}},
        {"startedDateTime": "2026-01-01T00:00:02.070Z", "time": 30,
         "request": {"method": "POST", "url": "http://shop:8080/api", "headers": [
            {"name": "content-type", "value": "application/json"}],
           "postData": {"mimeType": "application/json", "text": "{\\"secret\\": \\"hunter2\\", \\"a\\": \\"é\\"}"}},
         "response": {"status": 201, "content": {"mimeType": "application/json"}}}
      ]}}
      """;

    private List<Scenario.Step> steps(Imported imported) throws IOException {
        return ScenarioReader.readFile(Files.writeString(folder.resolve("s.yaml"), imported.yaml()))
                .flows()
                .getFirst()
                .steps();
    }

    @Test
    void readsTheRequestsToOneHostWithoutSecrets() throws IOException {
        Imported imported = HarImport.read(HAR, false, false);
        assertThat(imported.yaml()).doesNotContain("hunter2");
        assertThat(imported.notes())
                .contains(
                        "left out: 1 to https://cdn.example",
                        "left out: 1 for images, styles, scripts and fonts (--all keeps them)",
                        "run it: fettle bench http://shop:8080/ --scenario FILE");
        List<Scenario.Step> steps = steps(imported);
        assertThat(steps).extracting(Scenario.Step::name).containsExactly("GET /", "POST /login", "POST /api");
        assertThat(steps).extracting(Scenario.Step::path).containsExactly("/?q=a%20b&token=${token}", "/login", "/api");
        assertThat(steps).extracting(Scenario.Step::statuses).containsExactly(Set.of(200), Set.of(303), Set.of(201));
        assertThat(steps.getFirst().headers())
                .isEqualTo(Map.of("Accept", "text/html", "Authorization", "${authorization}"));
        assertThat(steps.get(1).headers()).isEmpty();
        assertThat(steps.get(1).form()).isEqualTo(Map.of("account", "ada", "password", "${password}", "x", "$${b"));
        assertThat(steps.get(2).body()).hasValue("{\"secret\": \"${secret|json}\", \"a\": \"é\"}");
        assertThat(steps).allMatch(s -> s.thinkTo().isZero());
    }

    private static String har(String url, String headers, String post) {
        return "{\"log\":{\"entries\":[{\"request\":{\"method\":\"POST\",\"url\":\"" + url + "\",\"headers\":["
                + headers + "],\"postData\":" + post + "},\"response\":{\"status\":200}}]}}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "application/x-www-form-urlencoded! role=a&role=b&password=hunter2! role=a&role=b&password=${password|url}",
                "application/json! {'password':4711}! {'password':${password}}",
                "application/json! {'token':'a${hunter2}','b':'${c}'}! {'token':'${token|json}','b':'$${c}'}",
                "text/xml! <password>hunter2</password>! <password>${password}</password>",
                "text/plain! password hunter2! ${body}",
            })
    void secretsOfABodyBecomeVariables(String type, String body, String kept) throws IOException {
        String post = "{\"mimeType\":\"" + type + "\",\"text\":\"" + body.replace("'", "\\\"") + "\"}";
        Imported imported = HarImport.read(har("http://h/", "", post), false, false);
        assertThat(imported.yaml()).doesNotContain("hunter2").doesNotContain("4711");
        assertThat(steps(imported).getFirst().body()).hasValue(kept.replace("'", "\""));
    }

    @Test
    void fieldsThatStandTwiceInAListStay() throws IOException {
        String post = "{\"mimeType\":\"application/x-www-form-urlencoded\",\"params\":["
                + "{\"name\":\"a b\",\"value\":\"1&2\"},{\"name\":\"a b\",\"value\":\"3\"},{\"name\":\"pin\",\"value\":\"4\"}]}";
        assertThat(steps(HarImport.read(har("http://h/", "", post), false, false))
                        .getFirst()
                        .body())
                .hasValue("a+b=1%262&a+b=3&pin=${pin|url}");
    }

    @Test
    void whatCannotBeSentIsLeftOutAndSecretsOfTheUrlAreTakenOut() throws IOException {
        String headers =
                "{\"name\":\"bad name\",\"value\":\"x\"},{\"name\":\"\",\"value\":\"x\"},{\"name\":\"X\",\"value\":\"a\\nb\"},"
                        + "{\"name\":\"Origin\",\"value\":\"http://h\"},{\"name\":\"X-Session-Id\",\"value\":\"hunter2\"}";
        Imported imported = HarImport.read(
                har("http://[::1]:8080/f;jsessionid=hunter2?sig=hunter2&q={1}", headers, "null"), false, false);
        assertThat(imported.yaml()).doesNotContain("hunter2");
        assertThat(imported.notes())
                .contains(
                        "a header was left out: its name or value holds characters that can't be sent",
                        "run it: fettle bench http://[::1]:8080/ --scenario FILE");
        Scenario.Step step = steps(imported).getFirst();
        assertThat(step.path()).isEqualTo("/f;jsessionid=${jsessionid}?sig=${sig}&q=%7B1%7D");
        assertThat(step.headers()).isEqualTo(Map.of("X-Session-Id", "${x_session_id}"));
    }

    @Test
    void aTextMayBeAsLongAsTheFile() {
        String post = "{\"mimeType\":\"text/plain\",\"text\":\"a\",\"comment\":\"" + "x".repeat(21_000_000) + "\"}";
        assertThat(HarImport.read(har("http://h/", "", post), false, false).yaml())
                .contains("path: /");
        assertThatThrownBy(() -> HarImport.read("[".repeat(2000), false, false))
                .hasMessage("not a HAR file: nested too deeply, or a number is too long");
    }

    @Test
    void pausesBecomeThinkTimesAndAssetsStepsIfTheyAreWanted() throws IOException {
        List<Scenario.Step> steps = steps(HarImport.read(HAR, true, true));
        assertThat(steps)
                .extracting(Scenario.Step::path)
                .containsExactly("/?q=a%20b&token=${token}", "/logo.png", "/login", "/api");
        assertThat(steps)
                .extracting(Scenario.Step::thinkFrom)
                .containsExactly(Duration.ofMillis(10), Duration.ofMillis(1985), Duration.ZERO, Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "hello! not a HAR file: no JSON (line 1)",
                "{}! not a HAR file: it has no log.entries",
                "{\"log\": {\"entries\": []}}! the HAR file has no request that can be sent",
                "{\"log\": {\"entries\": [{\"request\": {\"url\": \"ftp://x/\"}}]}}! the HAR file has no request that can be sent",
            })
    void whatIsNoRecording(String text, String problem) {
        assertThatThrownBy(() -> HarImport.read(text, false, false)).hasMessage(problem);
    }

    /** Any text in quotes is the same text to a YAML reader. */
    @Property(tries = 500)
    void quotesWhatYamlWouldTakeOtherwise(@ForAll String text) {
        Object read = new org.yaml.snakeyaml.Yaml().load("a: " + ScenarioYaml.quoted(text));
        assertThat(read).isEqualTo(Map.of("a", text));
    }

    private static String entry(String started, String method, String path, String request, int status) {
        return """
                {"startedDateTime": "%s", "time": 5,
                 "request": {"method": "%s", "url": "http://shop:8080%s", %s},
                 "response": {"status": %d, "content": {"mimeType": "text/html"}}}""".formatted(started, method, path, request, status);
    }

    private static Imported har(String... entries) {
        return HarImport.read("{\"log\": {\"entries\": [" + String.join(",", entries) + "]}}", false, false);
    }

    private static final String NO_BODY = "\"headers\": []";

    @Test
    void ordersByTheTimeAtWhichEachWasSent() throws IOException {
        Imported imported = har(
                entry("2026-01-01T21:14:09.000Z", "POST", "/form", NO_BODY, 200),
                entry("2026-01-01T22:13:59.000+01:00", "GET", "/form", NO_BODY, 200),
                entry("2026-01-01T21:14:10.000Z", "GET", "/first", NO_BODY, 200),
                entry("2026-01-01T16:14:10.000-0500", "GET", "/second", NO_BODY, 200));
        assertThat(steps(imported))
                .extracting(Scenario.Step::name)
                .containsExactly("GET /form", "POST /form", "GET /first", "GET /second");
        assertThat(imported.notes()).anyMatch(n -> n.contains("order in which they were sent"));
    }

    @Test
    void keepsTheOrderOfTheFileWhereThereAreNoTimes() throws IOException {
        Imported imported = har(
                entry("2026-01-01T00:00:05Z", "GET", "/c", NO_BODY, 200),
                entry("yesterday", "GET", "/d", NO_BODY, 200),
                entry("2026-01-01T00:00:01Z", "GET", "/a", NO_BODY, 200),
                entry("", "GET", "/b", NO_BODY, 200));
        assertThat(steps(imported))
                .extracting(Scenario.Step::name)
                .containsExactly("GET /a", "GET /b", "GET /c", "GET /d");
        assertThat(imported.notes()).anyMatch(n -> n.startsWith("2 of 4 requests have no time"));
        Imported inOrder = har(
                entry("2026-01-01T00:00:01Z", "GET", "/a", NO_BODY, 200),
                entry("2026-01-01T00:00:01Z", "GET", "/b", NO_BODY, 200));
        assertThat(inOrder.notes()).noneMatch(n -> n.contains("order") || n.contains("no time"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"headers\": [{\"name\": \"content-length\", \"value\": \"55\"}], \"bodySize\": 0 | 55 bytes",
                "\"headers\": [], \"bodySize\": 12 | 12 bytes",
                "\"headers\": [{\"name\": \"Content-Length\", \"value\": \"55\"}], \"postData\": {\"mimeType\": \"application/json\", \"text\": \"\"} | 55 bytes",
                "\"headers\": [{\"name\": \"Content-Length\", \"value\": \"55\"}], \"postData\": {\"mimeType\": \"application/json\", \"text\": \"{\\\"a\\\"\"} | 4 of the 55 bytes",
                "\"headers\": [{\"name\": \"Content-Type\", \"value\": \"application/json\"}], \"bodySize\": -1 | if it had one",
                "\"headers\": [{\"name\": \"Content-Type\", \"value\": \"application/json\"}, {\"name\": \"Transfer-Encoding\", \"value\": \"chunked\"}], \"bodySize\": 0 | if it had one"
            })
    void saysWhichBodyIsMissingAndTheFileIsRefusedWithoutIt(String request, String says) throws IOException {
        Imported imported = har(
                entry("2026-01-01T00:00:01Z", "POST", "/order?id=1", request, 200),
                entry("2026-01-01T00:00:02Z", "GET", "/", NO_BODY, 200));
        assertThat(imported.notes()).anyMatch(n -> n.startsWith("POST /order: ") && n.contains(says));
        assertThatThrownBy(() -> steps(imported)).hasMessageContaining("body");
        String filled = imported.yaml().replaceFirst("(?m)^  body: #.*$", "  body: a=b");
        Scenario.Step step = steps(new Imported(filled, List.of())).getFirst();
        assertThat(step.method()).isEqualTo("POST");
        assertThat(step.body()).hasValue("${body}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"headers\": [], \"bodySize\": 0",
                "\"headers\": [], \"bodySize\": -1",
                "\"headers\": [{\"name\": \"Content-Length\", \"value\": \"0\"}, {\"name\": \"Content-Type\", \"value\": \"application/json\"}]"
            })
    void anEmptyBodyIsNoLostOne(String request) throws IOException {
        Imported imported = har(entry("2026-01-01T00:00:01Z", "POST", "/logout", request, 200));
        assertThat(steps(imported).getFirst().body()).isEmpty();
        assertThat(imported.notes()).noneMatch(n -> n.contains("body"));
    }

    @Test
    void buildsFormsFromTheirFieldsAndUnpacksBase64() throws IOException {
        List<Scenario.Step> steps = steps(har(
                entry(
                        "2026-01-01T00:00:01Z",
                        "POST",
                        "/a",
                        "\"headers\": [{\"name\": \"Content-Length\", \"value\": \"9\"}], \"postData\": {\"mimeType\": \"application/x-www-form-urlencoded\", \"params\": [{\"name\": \"a\", \"value\": \"b c\"}]}",
                        200),
                entry(
                        "2026-01-01T00:00:02Z",
                        "PUT",
                        "/b",
                        "\"headers\": [], \"postData\": {\"mimeType\": \"application/json\", \"encoding\": \"base64\", \"text\": \"eyJhIjogMX0=\"}",
                        200)));
        assertThat(steps.getFirst().form()).isEqualTo(Map.of("a", "b c"));
        assertThat(steps.get(1).body()).hasValue("{\"a\": 1}");
    }

    @Test
    void buildsMultipartFormsOfFieldsAndLeavesThoseWithFilesOutWholly() throws IOException {
        String type =
                "\"headers\": [{\"name\": \"Content-Type\", \"value\": \"multipart/form-data; boundary=XX\"}, {\"name\": \"Content-Length\", \"value\": \"900\"}]";
        String fields =
                ", \"postData\": {\"mimeType\": \"multipart/form-data; boundary=XX\", \"params\": [{\"name\": \"who\", \"value\": \"ada\"}, {\"name\": \"password\", \"value\": \"hunter2\"}]}";
        String text =
                ", \"postData\": {\"mimeType\": \"multipart/form-data; boundary=XX\", \"text\": \"--XX\\r\\nContent-Disposition: form-data; name=\\\"who\\\"\\r\\n\\r\\nada\\r\\n--XX--\\r\\n\"}";
        String file =
                ", \"postData\": {\"mimeType\": \"multipart/form-data; boundary=XX\", \"text\": \"--XX\\r\\nContent-Disposition: form-data; name=\\\"f\\\"; filename=\\\"a.png\\\"\\r\\n\\r\\n\\r\\n--XX--\\r\\n\"}";
        String upload =
                ", \"postData\": {\"mimeType\": \"multipart/form-data; boundary=XX\", \"params\": [{\"name\": \"f\", \"fileName\": \"a.png\", \"value\": \"\"}]}";
        Imported imported = har(
                entry("2026-01-01T00:00:01Z", "POST", "/fields", type + fields, 200),
                entry("2026-01-01T00:00:02Z", "POST", "/text", type + text, 200),
                entry("2026-01-01T00:00:03Z", "POST", "/file", type + file, 200),
                entry("2026-01-01T00:00:04Z", "POST", "/upload", type + upload, 200));
        assertThat(imported.yaml()).doesNotContain("hunter2");
        List<Scenario.Step> steps = steps(imported);
        assertThat(steps).extracting(Scenario.Step::name).containsExactly("POST /fields", "POST /text");
        assertThat(steps.getFirst().headers())
                .isEqualTo(Map.of("Content-Type", "multipart/form-data; boundary=fettle-boundary"));
        assertThat(steps.getFirst().body()).hasValue("""
                        --fettle-boundary
                        Content-Disposition: form-data; name="who"

                        ada
                        --fettle-boundary
                        Content-Disposition: form-data; name="password"

                        ${password}
                        --fettle-boundary--
                        """.replace("\n", "\r\n"));
        assertThat(imported.notes())
                .anyMatch(n -> n.startsWith("left out: POST /file: ") && n.endsWith("later steps may depend on it"))
                .anyMatch(n -> n.startsWith("left out: POST /upload: "));
    }

    @Test
    void leavesOutWhatNoUserSends() throws IOException {
        String preflight = "\"headers\": [{\"name\": \"Access-Control-Request-Method\", \"value\": \"POST\"}]";
        Imported imported = har(
                entry("2026-01-01T00:00:00Z", "GET", "/blocked", NO_BODY, 0),
                entry("2026-01-01T00:00:01Z", "OPTIONS", "/api", preflight, 204),
                entry("2026-01-01T00:00:02Z", "OPTIONS", "/own", NO_BODY, 204),
                entry("2026-01-01T00:00:03Z", "GET", "/chat", NO_BODY, 101),
                entry("2026-01-01T00:00:04Z", "HEAD", "/", NO_BODY, 200),
                entry("2026-01-01T00:00:05Z", "GET", "/old", NO_BODY, 302),
                entry("2026-01-01T00:00:06Z", "GET", "/new", NO_BODY, 304));
        assertThat(steps(imported))
                .extracting(Scenario.Step::name)
                .containsExactly("OPTIONS /own", "HEAD /", "GET /old", "GET /new");
        assertThat(steps(imported)).extracting(Scenario.Step::statuses).last().isEqualTo(Set.of(200));
        assertThat(imported.notes())
                .anyMatch(n -> n.startsWith("left out: 1 without an answer"))
                .anyMatch(n -> n.contains("preflights"))
                .anyMatch(n -> n.contains("WebSocket"))
                .anyMatch(n -> n.startsWith("redirects are not followed"));
    }

    /** Browsers send more characters as they are than a URL may have by the standard. */
    @Test
    void keepsStepsWhoseUrlIsOneOfABrowser() throws IOException {
        Imported imported = har(
                entry("2026-01-01T00:00:00Z", "GET", "/a^b`c", NO_BODY, 200),
                entry("2026-01-01T00:00:01Z", "GET", "/d?q=^x`y<z>|{1}[2]#top", NO_BODY, 200),
                entry("2026-01-01T00:00:02Z", "GET", "/e?q=a\\\\b", NO_BODY, 200),
                entry("2026-01-01T00:00:03Z", "GET", "/f%zz", NO_BODY, 200),
                entry("2026-01-01T00:00:04Z", "GET", "/g?q=100%", NO_BODY, 200));
        assertThat(steps(imported))
                .extracting(Scenario.Step::path)
                .containsExactly("/a%5Eb%60c", "/d?q=%5Ex%60y%3Cz%3E%7C%7B1%7D%5B2%5D", "/e?q=a%5Cb");
        assertThat(imported.notes())
                .anyMatch(n -> n.startsWith("left out: 2 ") && n.contains("URL"))
                .noneMatch(n -> n.contains("without an http URL"));
    }

    @Test
    void leavesOutStreamsThatNeverEnd() throws IOException {
        String stream = entry("2026-01-01T00:00:01Z", "GET", "/events", NO_BODY, 200)
                .replace("text/html", "text/event-stream; charset=utf-8");
        String typed = entry("2026-01-01T00:00:02Z", "GET", "/live", NO_BODY, 200)
                .replaceFirst("\\{", "{\"_resourceType\": \"eventsource\", ");
        Imported imported = har(
                stream,
                typed,
                entry("2026-01-01T00:00:03Z", "GET", "/", NO_BODY, 200),
                entry("2026-01-01T00:00:04Z", "GET", "/a", NO_BODY, 200));
        assertThat(steps(imported)).extracting(Scenario.Step::path).containsExactly("/", "/a");
        assertThat(imported.notes()).anyMatch(n -> n.startsWith("left out: 2 ") && n.contains("event"));
    }
}
