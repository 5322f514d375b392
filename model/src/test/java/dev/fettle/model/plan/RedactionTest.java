package dev.fettle.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.TrialSpec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
    /** No word of the model holds it, so that finding it in JSON means a leak. */
    private static final String SECRET = "hunter2";

    private static final ObjectMapper JSON = Json.mapper();

    /** Every place a secret may stand in gets one; none may be left, and a second pass changes nothing. */
    @Property(tries = 500)
    void noSecretIsLeft(
            @ForAll("secrets") String secret, @ForAll("secretNames") String name, @ForAll("headers") String header)
            throws JsonProcessingException {
        Plan plan = plan(secret, name, header);

        Plan safe = Redaction.of(plan);

        assertThat(JSON.writeValueAsString(plan)).contains(SECRET);
        assertThat(JSON.writeValueAsString(safe)).doesNotContain(SECRET).contains(Secrets.MASK);
        assertThat(Redaction.of(safe)).isEqualTo(safe);
        TrialSpec spec = new TrialSpec(
                TrialSpec.Phase.SWEEP,
                "",
                Map.of("load.path", "/x?" + name + "=" + secret),
                0,
                plan.target(),
                plan.hold(),
                plan.load());
        TrialSpec safeSpec = Redaction.of(spec);
        assertThat(JSON.writeValueAsString(safeSpec)).doesNotContain(SECRET);
        assertThat(Redaction.of(safeSpec)).isEqualTo(safeSpec);
    }

    @Provide
    Arbitrary<String> secrets() {
        Arbitrary<String> ends = Arbitraries.strings()
                .withCharRange('a', 'z')
                .numeric()
                .withChars("-_.!=:+/")
                .ofMaxLength(8);
        return Combinators.combine(ends, ends).as((a, b) -> "s" + a + SECRET + b);
    }

    @Provide
    Arbitrary<String> secretNames() {
        Arbitrary<String> word =
                Arbitraries.of("password", "PASSWD", "apiToken", "client_secret", "key", "Credential", "db.pwd");
        Arbitrary<String> ends = Arbitraries.of("", "x", "my_", "my-", "a.b.");
        return Combinators.combine(ends, word).as((a, b) -> a + b);
    }

    @Provide
    Arbitrary<String> headers() {
        return Arbitraries.of("Authorization", "Cookie", "X-Api-Key", "X-Anything", "Proxy-Authorization", "x");
    }

    private static Plan plan(String secret, String name, String header) {
        var jvm = new Target.Jvm(Optional.empty(), List.of("-Xmx1g", "-D" + name + "=" + secret));
        var command = new Target.Command(
                List.of(
                        List.of("x", "--" + name, secret),
                        List.of("--" + name),
                        List.of(secret),
                        List.of("--" + name + "=" + secret)),
                Map.of(name, secret, "URL", "http://u:" + SECRET + "@h/"),
                Map.of(
                        "a.properties", "a=b\n" + name + " = " + secret + "\nc=d\n",
                        "b.json", "{\"" + name + "\": \"" + secret + "\"}"),
                Map.of("c.properties", name + "=" + secret + "\n"),
                Map.of(),
                Optional.empty(),
                Map.of(),
                jvm);
        var load = new Load(
                1,
                true,
                new Load.Request("POST", "/a?b=c&" + name + "=" + secret, Map.of(header, secret), Optional.of(secret)),
                Load.Expect.OK,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(1),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
        Setting hold = Setting.of("jvm.flags", "-Da=b -D" + name + "=" + secret);
        Target url = new Target.Url(URI.create("http://user:" + SECRET + "@127.0.0.1:80"));
        return Plan.of("p", command, load)
                .with()
                .hold(hold)
                .knobs(List.of(KnobRange.choices("jvm.flags", List.of("-D" + name + "=" + secret))))
                .sweep(Optional.of(
                        new Plan.Sweep(List.of(new Dimension("load.path", List.of("/?" + name + "=" + secret))), 1)))
                .compare(Optional.of(new Plan.Compare(
                        List.of(new Variant("a", url, hold)),
                        List.of(new Dimension("jvm.flags", List.of("-D" + name + "=" + secret))),
                        2,
                        Optional.empty(),
                        false,
                        Optional.empty())))
                .hooks(Optional.of(hooks(secret, name)))
                .seed(1)
                .build();
    }

    private static Hooks hooks(String secret, String name) {
        List<List<String>> command = List.of(List.of("redis-cli"), List.of("--" + name, secret), List.of("-x"));
        var hook = new Hook(
                command,
                Map.of(name, secret),
                false,
                Optional.of(new Hook.Ready.Http("http://u:" + SECRET + "@h/?" + name + "=" + secret, 200)),
                Hook.WITHIN,
                0,
                Hook.Scope.TRIAL);
        var probed = new Hook(
                command, Map.of(), true, Optional.of(new Hook.Ready.Probe(command)), Hook.WITHIN, 0, Hook.Scope.RUN);
        return new Hooks(List.of(hook, probed), List.of(hook));
    }

    @Test
    void noSecretOfAScenarioIsLeft() throws JsonProcessingException {
        var step = new Scenario.Step(
                "log in",
                "POST",
                "/in?token=" + SECRET,
                Map.of("Authorization", "Bearer " + SECRET, "Accept", "text/html", "X-Token", "${token}"),
                Optional.of("{\"pin\": \"" + SECRET + "\"}"),
                Map.of("j_username", "${account}", "pin", SECRET, "both", "${account}" + SECRET),
                Set.of(200),
                List.of(
                        new Scenario.Check(Scenario.CheckKind.HEADER_EQUALS, "Set-Cookie", SECRET),
                        new Scenario.Check(Scenario.CheckKind.JSON_EQUALS, "$.token", SECRET),
                        new Scenario.Check(Scenario.CheckKind.BODY_CONTAINS, "", "Welcome")),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                false);
        var scenario = new Scenario(
                List.of(new Scenario.Flow("main", 1, List.of(step))),
                List.of(new Scenario.Data("/x/users.csv", Scenario.Order.USER)),
                Map.of("account", SECRET),
                false,
                1);
        Load load = new Load(
                        1,
                        true,
                        Load.Request.get("/"),
                        Load.Expect.OK,
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        1,
                        Arrivals.Closed.BACK_TO_BACK,
                        Wire.PLAIN,
                        Optional.empty())
                .withScenario(scenario);

        Load safe = Redaction.of(load);

        String json = JSON.writeValueAsString(safe);
        assertThat(json)
                .doesNotContain(SECRET)
                .contains("${account}", "${token}", "text/html", "Welcome", "/x/users.csv");
        assertThat(Redaction.of(safe)).isEqualTo(safe);
        assertThat(JSON.readValue(json, Load.class)).isEqualTo(safe);
    }

    @Test
    void harmlessThingsStay() {
        var load = new Load(
                5,
                true,
                new Load.Request(
                        "GET",
                        "/a?page=2",
                        Map.of("Accept", "text/html", "user-agent", "x", "Content-Type", "a/b"),
                        Optional.empty()),
                Load.Expect.OK,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(1),
                1,
                Arrivals.Open.constant(5),
                new Wire(Protocol.HTTP_2, 3, Optional.empty(), TransportKind.NIO, List.of("127.0.0.2")),
                Optional.empty());
        var target = new Target.Embedded(
                ServerKind.JETTY,
                "work",
                Map.of("cpu", "1ms"),
                Optional.empty(),
                new Target.Jvm(Optional.of("25"), List.of("-Xmx512m", "-XX:+UseG1GC", "-Da=b")));

        assertThat(Redaction.of(load)).isEqualTo(load);
        assertThat(Redaction.of(target)).isEqualTo(target);
        assertThat(Redaction.of(Setting.of("threads.max", "5"))).isEqualTo(Setting.of("threads.max", "5"));
    }

    @Test
    void anArgumentAfterTheNameOfASecretIsOne() {
        Target boot = new Target.Boot(
                "app.jar",
                ServerKind.TOMCAT,
                "4.1",
                List.of("--db.password", SECRET, "--port", "80"),
                Target.Jvm.SAME,
                Setting.DEFAULT);
        Target safe = Redaction.of(boot);
        assertThat(((Target.Boot) safe).arguments()).containsExactly("--db.password", Secrets.MASK, "--port", "80");
        assertThat(Redaction.of(safe)).isEqualTo(safe);
    }

    @ParameterizedTest
    @CsvSource({"DB_PASS, true", "smtp.pass, true", "pass, true", "passes, false", "bypass, false", "compass, false"})
    void shortNamesOfPasswordsAreNamesOfSecrets(String name, boolean secret) {
        assertThat(Secrets.looksSecret(name)).isEqualTo(secret);
    }

    /** A password may hold what separates it from the host. */
    @Test
    void theWholeUserInfoIsMasked() {
        assertThat(Secrets.redact("postgresql://app:s@" + SECRET + "@db:5432/shop, asked by a@b"))
                .isEqualTo("postgresql://***@db:5432/shop, asked by a@b");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080,http://127.0.0.1:8080",
        "http://u:p@h:1/a,http://***@h:1/a",
        "http://h/a?x=1&access_token=abc#f,http://h/a?x=1&access_token=***#f",
        "http://h/a?sig=abc&sign=up,http://h/a?sig=***&sign=up",
        "http://h/a?X-Amz-Signature=abc&design=b,http://h/a?X-Amz-Signature=***&design=b",
        "http://h/a?jwt=e.y.z,http://h/a?jwt=***"
    })
    void redactsUrls(URI url, URI safe) {
        assertThat(Secrets.redact(url)).isEqualTo(safe);
    }
}
