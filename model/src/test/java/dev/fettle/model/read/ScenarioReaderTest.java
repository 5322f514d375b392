package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Scenario.Check;
import dev.fettle.model.load.Scenario.CheckKind;
import dev.fettle.model.load.Scenario.Data;
import dev.fettle.model.load.Scenario.Extraction;
import dev.fettle.model.load.Scenario.From;
import dev.fettle.model.load.Scenario.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioReaderTest {

    private static final String SHOP = """
      data: [{file: users.csv, order: user}]
      variables: {shop: main}
      keep-cookies: true
      seed: 9
      flows:
        browse:
          weight: 3
          steps:
            - name: page
              path: /${shop}?q=${term}
              headers: {Accept: text/html}
              expect:
                status: [200, 304]
                headers: {ETag: {present: true}, X-A: "${user}", X-B: {matches: '^b'}}
                contains: [Sign in, "${term}"]
                lacks: Error
                matches: b.dy
                json: {$.a: 1}
              extract:
                csrf: {regex: 'value="([^"]+)"'}
                id: {json: $.id}
                next: {header: Location, regex: '/([0-9]+)'}
              think: {from: 1s, to: 3s}
              on-failure: continue
            - {name: next, path: "/${next}/${id}"}
        buy:
          steps:
            - {name: order, path: /order, form: {term: "${term}", n: 1}}
            - {name: put, method: PUT, path: /x, body: '{"a": "${term|json}"}'}
      """;

    @Test
    void readsAFileWithEverything(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("users.csv"), "term\nabc\n");
        Path file = Files.writeString(folder.resolve("shop.yaml"), SHOP);

        Scenario s = ScenarioReader.readFile(file);

        assertThat(s.data())
                .containsExactly(
                        new Data(folder.resolve("users.csv").toAbsolutePath().toString(), Order.USER));
        assertThat(s.variables()).isEqualTo(Map.of("shop", "main"));
        assertThat(s.keepCookies()).isTrue();
        assertThat(s.seed()).isEqualTo(9);
        assertThat(s.stepNames()).containsExactly("browse/page", "browse/next", "buy/order", "buy/put");
        assertThat(s.thinks()).isTrue();
        assertThat(s.opening()).isEmpty();
        Scenario.Step page = s.flows().getFirst().steps().getFirst();
        assertThat(s.flows()).extracting(Scenario.Flow::weight).containsExactly(3, 1);
        assertThat(page.method()).isEqualTo("GET");
        assertThat(page.statuses()).isEqualTo(Set.of(200, 304));
        assertThat(page.checks())
                .containsExactly(
                        new Check(CheckKind.HEADER_PRESENT, "ETag", ""),
                        new Check(CheckKind.HEADER_EQUALS, "X-A", "${user}"),
                        new Check(CheckKind.HEADER_MATCHES, "X-B", "^b"),
                        new Check(CheckKind.BODY_CONTAINS, "", "Sign in"),
                        new Check(CheckKind.BODY_CONTAINS, "", "${term}"),
                        new Check(CheckKind.BODY_LACKS, "", "Error"),
                        new Check(CheckKind.BODY_MATCHES, "", "b.dy"),
                        new Check(CheckKind.JSON_EQUALS, "$.a", "1"));
        assertThat(page.extractions())
                .containsExactly(
                        new Extraction("csrf", From.BODY, "", Optional.of("value=\"([^\"]+)\"")),
                        new Extraction("id", From.JSON, "$.id", Optional.empty()),
                        new Extraction("next", From.HEADER, "Location", Optional.of("/([0-9]+)")));
        assertThat(page.thinkFrom()).isEqualTo(Duration.ofSeconds(1));
        assertThat(page.thinkTo()).isEqualTo(Duration.ofSeconds(3));
        assertThat(page.goOn()).isTrue();
        assertThat(s.flows().getLast().steps())
                .extracting(Scenario.Step::method)
                .containsExactly("POST", "PUT");
        assertThat(s.flows().getLast().steps().getFirst().form()).isEqualTo(Map.of("term", "${term}", "n", "1"));
    }

    @Test
    void aPlanNamesAScenarioOrHoldsIt(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("s.yaml"), "steps: [{name: a, path: /a, expect: {status: 201}}]\n");
        String head = "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 1, scenario: ";
        Path named = Files.writeString(folder.resolve("named.yaml"), head + "s.yaml}\n");
        Path inline = Files.writeString(
                folder.resolve("inline.yaml"), head + "{steps: [{name: a, path: /a, expect: {status: 201}}]}}\n");
        var reader = new PlanReader(2, 4096);

        Load load = reader.read(named).load();

        assertThat(load).isEqualTo(reader.read(inline).load());
        assertThat(load.scenario().orElseThrow().stepNames()).containsExactly("a");
        // the target is ready when it answers the first step
        assertThat(load.request()).isEqualTo(Load.Request.get("/a"));
        assertThat(load.expect().status()).isEqualTo(201);
    }

    @Test
    void whatIsWrongInAnotherFileIsToldWithItsPlaceThere(@TempDir Path folder) throws IOException {
        Path bad = Files.writeString(folder.resolve("s.yaml"), "steps:\n  - {name: a, path: x}\n");
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 1, scenario: s.yaml}\n");
        assertThatThrownBy(() -> new PlanReader(2, 4096).read(plan))
                .isInstanceOf(PlanException.class)
                .hasMessage(
                        bad.toAbsolutePath()
                                + ":2:21: a path starts with '/' (or with a value that is one: ${name|path}) and holds no blanks: 'x'");
        assertThatThrownBy(() -> ScenarioReader.readFile(folder.resolve("none.yaml")))
                .hasMessage(folder.resolve("none.yaml") + ": no such file");
        assertThatThrownBy(() -> ScenarioReader.readFile(plan))
                .hasMessageStartingWith(plan + ":1:1: this is a plan, not a scenario");
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "");
        assertThatThrownBy(() -> ScenarioReader.readFile(empty))
                .hasMessage(empty + ":1:1: the scenario is empty: it needs steps or flows");
    }

    @Test
    void dataIsReadBeforeTheRun(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("u.csv"), "name,password\nada,hunter2,x\n");
        Path file = Files.writeString(
                folder.resolve("s.yaml"), "data: [{file: u.csv}]\nsteps: [{name: a, path: '/${name}'}]\n");
        assertThatThrownBy(() -> ScenarioReader.readFile(file))
                .hasMessageStartingWith(file + ":1:15: u.csv: row 1 has 3 values for 2 columns")
                .hasMessageNotContaining("hunter2");
    }

    /** Only a plan names a file: one that names itself would be read for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"s.yaml", "other.yaml", "[s.yaml]", "1"})
    void aFileIsNoNameOfAnother(String text, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("other.yaml"), "steps: [{name: a, path: /}]");
        Path file = Files.writeString(folder.resolve("s.yaml"), text);
        assertThatThrownBy(() -> ScenarioReader.readFile(file))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("s.yaml:1:1")
                .hasMessageContaining("a scenario is a mapping");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target: {boot: \"a\\0.jar\"}",
                "target: {server: tomcat, war: \"a\\0.war\"}",
                "target: {standalone: tomcat, home: \"a\\0\"}",
                "target: {standalone: tomcat, version: 11.0.24, war: \"a\\0.war\"}",
                "load: {scenario: \"a\\0.yaml\"}",
                "load: {scenario: {data: [{file: \"a\\0.csv\"}], steps: [{name: a, path: /}]}}",
                "load: {tls: {ca: \"a\\0.pem\"}}",
            })
    void aNameThatNoFileCanHaveIsAProblem(String line) {
        String rest = line.startsWith("load") ? "target: {server: tomcat}\n" : "";
        assertThatThrownBy(() -> new PlanReader(2, 4096).read("p.yaml", rest + line + "\n"))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("is no name of a file");
    }
}
