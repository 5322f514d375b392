package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.plan.VariantDifference;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A variant names another program: the whole target, or a part of it; the rest is the plan's. */
class ProgramVariantsTest {
    @TempDir
    Path folder;

    private final PlanReader reader = new PlanReader(2, 4096, SchemaTest.ANY_JAR);

    @BeforeEach
    void files() throws IOException {
        for (String file : List.of("old-tomcat.jar", "new-tomcat.jar", "new-jetty.jar", "old.war", "new.war")) {
            Files.writeString(folder.resolve(file), file);
        }
        Files.createDirectories(folder.resolve("home1/webapps"));
        Files.createDirectories(folder.resolve("home2/webapps"));
    }

    private Plan plan(String target, String variants) {
        String text = "name: p\nload: {connections: 10}\ntarget: " + target + "\n"
                + (variants.isEmpty() ? "" : "compare: {variants: {base: {}, head: " + variants + "}}\n");
        return reader.read(folder.resolve("p.yaml"), text.getBytes(StandardCharsets.UTF_8), UnaryOperator.identity());
    }

    private static List<Variant> variants(Plan plan) {
        return plan.compare().orElseThrow().variants();
    }

    private Target head(String target, String variant) {
        Plan plan = plan(target, variant);
        assertThat(variants(plan).getFirst().target()).isEqualTo(plan.target());
        return variants(plan).getLast().target();
    }

    private String at(String file) {
        return folder.resolve(file).toString();
    }

    @Test
    void anotherJarKeepsTheRest() {
        var head = (Target.Boot)
                head("{boot: old-tomcat.jar, args: [--a=b], jvm: [-Xmx64m]}", "{boot: new-jetty.jar, args: [--c]}");
        assertThat(head.jar()).isEqualTo(at("new-jetty.jar"));
        assertThat(head.server()).isEqualTo(ServerKind.JETTY); // it is looked up in the jar
        assertThat(head.arguments()).containsExactly("--c");
        assertThat(head.jvm().flags()).containsExactly("-Xmx64m");
    }

    @Test
    void anotherWarOrServersHome() {
        var war = (Target.War) head("{server: tomcat, war: old.war, context: /shop}", "{war: new.war}");
        assertThat(war).isEqualTo(new Target.War(ServerKind.TOMCAT, at("new.war"), "/shop", Target.Jvm.SAME));

        var moved = (Target.Standalone)
                head("{standalone: tomcat, version: 11.0.24, war: old.war}", "{home: home2, base: home1}");
        assertThat(moved.version()).as("a home is in place of a version").isEmpty();
        assertThat(moved.home()).contains(at("home2"));
        assertThat(moved.base()).contains(at("home1"));
        assertThat(moved.war()).contains(at("old.war"));

        var newer = (Target.Standalone) head("{standalone: tomcat, home: home1, war: old.war}", "{version: 11.0.25}");
        assertThat(newer.version()).contains("11.0.25");
        assertThat(newer.home()).isEmpty();
    }

    @Test
    void partsOfACommand() {
        String command = "{command: ['{java}', -jar, '{artifact:app}', '{port}'], artifacts: {app: 'a:b:1'},"
                + " env: {A: b, C: d}, files: {x: y}, java: 25}";
        var head = (Target.Command) head(command, "{artifacts: {app: 'a:b:2'}, env: {A: z}, files: {v: w}}");
        assertThat(head.artifacts()).isEqualTo(Map.of("app", "a:b:2"));
        assertThat(head.environment()).isEqualTo(Map.of("A", "z", "C", "d"));
        assertThat(head.files()).isEqualTo(Map.of("x", "y", "v", "w"));
        assertThat(head.jvm().java()).contains("25");

        var other = (Target.Command) head(command, "{command: ['{java}', -cp, '{artifact:app}', X, '{port}']}");
        assertThat(other.arguments()).contains(List.of("X"));
        assertThat(other.environment()).isEqualTo(Map.of("A", "b", "C", "d"));
    }

    @Test
    void anotherKindOfTarget() {
        var head = (Target.Command)
                head("{boot: old-tomcat.jar, args: [--a], jvm: [-Xmx64m]}", "{command: ['{java}', '{jvm}', '{port}']}");
        assertThat(head.jvm().flags()).as("what both have").containsExactly("-Xmx64m");
        assertThat(head("{server: tomcat, app: hello, java: 25}", "{server: jetty, war: new.war}"))
                .isEqualTo(new Target.War(
                        ServerKind.JETTY, at("new.war"), "/", new Target.Jvm(java.util.Optional.of("25"), List.of())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {boot: old-tomcat.jar}                            | {war: new.war}                  | 4:39: 'war' cannot vary: the target is a Spring Boot jar
            {boot: old-tomcat.jar}                            | {env: {A: b}}                   | 4:39: 'env' cannot vary: the target is a Spring Boot jar
            {url: 'http://127.0.0.1:1'}                       | {boot: new-tomcat.jar}          | 4:39: 'boot' cannot vary: the target is a url
            {server: tomcat, app: hello}                      | {war: new.war}                  | 4:39: 'war' cannot vary: the target is an embedded server
            {server: tomcat, war: old.war}                    | {war: missing.war}              | war: no such file:
            {server: tomcat, war: old.war}                    | {boot: a.jar, command: [b]}     | a target has either 'boot' or 'command', not both
            {boot: old-tomcat.jar, jvm: [-Xmx1g]}             | {command: [x, '{port}']}        | jvm has no effect: {jvm} is not in the command
            {standalone: tomcat, home: home1}                 | {version: 11.0.25, home: home2} | a standalone target has either 'version'
            """)
    void whatCannotVary(String target, String variant, String problem) {
        assertThatThrownBy(() -> plan(target, variant)).hasMessageContaining(problem);
    }

    @Test
    void anOwnKnobNeedsAPlaceInEveryProgram() {
        String plan = """
            name: p
            load: {connections: 10}
            own: {pool: {type: int, set: {property: a.b}}}
            target: {boot: old-tomcat.jar}
            compare: {variants: {base: {}, head: {command: [x, '{port}']}}}
            """;
        assertThatThrownBy(() -> reader.read(
                        folder.resolve("p.yaml"), plan.getBytes(StandardCharsets.UTF_8), UnaryOperator.identity()))
                .hasMessageContaining("p.yaml:5:32: variant head: own.pool: a property is for a Spring Boot jar");
    }

    private Plan programs(String target, String... programs) {
        var named = new LinkedHashMap<String, Path>();
        for (int i = 0; i < programs.length; i++) {
            named.put(i == 0 ? "base" : "head", folder.resolve(programs[i]));
        }
        return reader.comparing(plan(target, ""), named);
    }

    @Test
    void programsInPlaceOfThePlans() {
        List<Variant> jars =
                variants(programs("{boot: old-tomcat.jar, args: [--a]}", "new-tomcat.jar", "new-jetty.jar"));
        assertThat(jars).extracting(Variant::name).containsExactly("base", "head");
        assertThat(jars)
                .extracting(v -> ((Target.Boot) v.target()).jar())
                .containsExactly(at("new-tomcat.jar"), at("new-jetty.jar"));
        assertThat(((Target.Boot) jars.getLast().target()).arguments()).containsExactly("--a");

        assertThat(variants(programs("{server: tomcat, war: old.war}", "old.war", "new.war"))
                        .getLast()
                        .target())
                .isEqualTo(new Target.War(ServerKind.TOMCAT, at("new.war"), "/", Target.Jvm.SAME));
        assertThat(variants(programs("{standalone: tomcat, home: home1}", "home1", "home2"))
                        .getLast()
                        .target())
                .extracting(t -> ((Target.Standalone) t).home().orElseThrow())
                .isEqualTo(at("home2"));
        assertThat(variants(programs("{standalone: tomcat, version: 11.0.24, war: old.war}", "old.war", "new.war"))
                        .getLast()
                        .target())
                .extracting(t -> ((Target.Standalone) t).war().orElseThrow())
                .isEqualTo(at("new.war"));
        assertThat(variants(programs(
                                "{command: [java, -jar, " + at("old-tomcat.jar") + ", '{port}']}",
                                "old-tomcat.jar",
                                "new-tomcat.jar"))
                        .getLast()
                        .target())
                .extracting(t -> ((Target.Command) t).arguments())
                .isEqualTo(List.of(List.of("java"), List.of("-jar"), List.of(at("new-tomcat.jar")), List.of("{port}")));
    }

    @Test
    void aProgramThatTheTargetHasNoPlaceFor() {
        assertThatThrownBy(() -> programs("{server: tomcat, app: hello}", "old.war", "new.war"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a sample app has no program of yours");
        assertThatThrownBy(() -> programs("{command: [java, -cp, a, X, '{port}']}", "old.war", "new.war"))
                .hasMessageContaining("compare.variants");
        assertThatThrownBy(() -> programs("{boot: old-tomcat.jar}", "old-tomcat.jar", "missing.jar"))
                .hasMessageContaining("no such file");
    }

    @Test
    void saysWhatDiffersAndNothingElse() {
        Plan plan = plan(
                "{boot: old-tomcat.jar, args: [--a], jvm: [-Xmx64m]}",
                "{boot: new-tomcat.jar, jvm: [-Xmx128m], set: {threads.max: 20}}");
        assertThat(VariantDifference.among(variants(plan)))
                .containsExactly(
                        new VariantDifference("jar", List.of(at("old-tomcat.jar"), at("new-tomcat.jar"))),
                        new VariantDifference("JVM flags", List.of("-Xmx64m", "-Xmx128m")),
                        new VariantDifference("threads.max", List.of("", "20")));
        assertThat(VariantDifference.among(variants(plan(
                        "{command: [java, -Xmx1g, -jar, a.jar, '{port}'], files: {x: y}}",
                        "{command: [java, -Xmx1g, -jar, b.jar, -v, '{port}'], files: {x: z}}"))))
                .as("of a command what is not the same; of a file that it has other contents")
                .satisfiesExactly(
                        d -> assertThat(d).isEqualTo(new VariantDifference("command", List.of("a.jar", "b.jar -v"))),
                        d -> assertThat(d.part()).isEqualTo("file x"));
        assertThat(VariantDifference.among(variants(plan("{boot: old-tomcat.jar}", "{}"))))
                .isEmpty();
    }
}
