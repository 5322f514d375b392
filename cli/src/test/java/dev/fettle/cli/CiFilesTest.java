package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.fettle.cli.run.CiDraft;
import dev.fettle.cli.run.CiDraft.Platform;
import dev.fettle.cli.run.PlanDraft;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle init --ci}: the file that is written, the one that the page shows, and the schemas of those who read it. */
class CiFilesTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:yaml|groovy)\n(.*?)^```");

    @TempDir
    Path project;

    private static Ended fettle(String... arguments) {
        return Ended.of(arguments);
    }

    private Ended init(Platform platform, String... more) {
        String[] all = Stream.concat(
                        Stream.of(
                                "init",
                                project.resolve("shop/target/shop.war").toString(),
                                "--path",
                                "/login",
                                "--out",
                                project.resolve("shop/fettle.yaml").toString(),
                                "--ci",
                                platform.word()),
                        Arrays.stream(more))
                .toArray(String[]::new);
        return fettle(all);
    }

    @BeforeEach
    void makeProject() throws IOException {
        Files.createDirectories(project.resolve(".git"));
        Files.createDirectories(project.resolve("shop/target/shop.war/WEB-INF"));
    }

    private static JsonSchema schema(Platform platform) throws IOException {
        String name = platform == Platform.GITHUB ? "github-workflows" : "gitlab-ci";
        try (InputStream in = Objects.requireNonNull(CiFilesTest.class.getResourceAsStream("ci/" + name + ".json"))) {
            return JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(new ObjectMapper().readTree(in));
        }
    }

    private static CiDraft example(Platform platform) {
        return new CiDraft(platform, "shop.yaml", "mvn -q -DskipTests package", "target/shop-*.jar");
    }

    private static List<String> pageBlocks() throws IOException {
        Matcher m = BLOCK.matcher(Files.readString(Fettle.home().resolve("docs/ci.md")));
        return m.results().map(r -> r.group(1)).toList();
    }

    @ParameterizedTest
    @EnumSource(Platform.class)
    void thePageShowsWhatIsWritten(Platform platform) throws IOException {
        assertThat(pageBlocks()).contains(example(platform).text());
    }

    @ParameterizedTest
    @EnumSource(names = {"GITHUB", "GITLAB"})
    void itIsWhatThePublicSchemaWants(Platform platform) throws IOException {
        JsonSchema schema = schema(platform);
        JsonNode file = YAML.readTree(example(platform).text());
        assertThat(schema.validate(file)).isEmpty();
        // the schema is one that can refuse
        String wrong = example(platform)
                .text()
                .replace("runs-on: ubuntu-latest", "run-on: ubuntu-latest")
                .replace("exit_codes: 6", "exit_code: 6");
        assertThat(schema.validate(YAML.readTree(wrong))).isNotEmpty();
    }

    /** Each runs a gate and a history, keeps the journal or the figures, and says what 4 and 6 mean. */
    @ParameterizedTest
    @EnumSource(Platform.class)
    void eachHasAGateAndAHistory(Platform platform) {
        String text = example(platform).text();
        assertThat(text)
                .contains("/fettle\" gate shop.yaml --base-ref ".replace("\"", platform == Platform.GITHUB ? "" : "\""))
                .contains("--build \"mvn -q -DskipTests package\" --artifact \"target/shop-*.jar\"")
                .contains("history fettle-history")
                .contains("4: nothing could be compared", ".fettle")
                .containsPattern("6: can't tell|code == 6")
                .doesNotContain("PLAN_FILE", "BUILD_COMMAND", "ARTIFACT\"");
        String bare = text.replaceAll("\\\\'", "").replaceAll("(?m)(//|#) .*$", "");
        for (String pair : List.of("{}", "[]")) {
            assertThat(bare.chars().filter(c -> c == pair.charAt(0)).count())
                    .as(pair)
                    .isEqualTo(bare.chars().filter(c -> c == pair.charAt(1)).count());
        }
    }

    /** The options of the commands in the files are options that there are. */
    @ParameterizedTest
    @EnumSource(Platform.class)
    void everyOptionIsOneOfTheCommand(Platform platform) {
        Matcher options =
                Pattern.compile("--([a-z][a-z-]+)").matcher(example(platform).text());
        var known = Stream.of("gate", "history")
                .flatMap(c -> Main.commandLine().getSubcommands().get(c).getCommandSpec().options().stream())
                .flatMap(o -> Stream.of(o.names()))
                .toList();
        List<String> used =
                options.results().map(r -> "--" + r.group(1)).distinct().toList();
        assertThat(used).contains("--base-ref", "--json");
        assertThat(used.stream()
                        .filter(o -> !List.of("--strip-components", "--short").contains(o)))
                .isSubsetOf(known);
    }

    @ParameterizedTest
    @EnumSource(Platform.class)
    void planAndFileComeFromOneCommand(Platform platform) throws IOException {
        Ended e = init(platform);
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(project.resolve(platform.file()))
                .content()
                .isEqualTo(
                        new CiDraft(platform, "shop/fettle.yaml", "mvn -q -DskipTests package", "shop/target/shop.war")
                                .text());
        assertThat(project.resolve("shop/fettle.yaml"))
                .content()
                .contains("war: \"target/shop.war\"")
                .doesNotContain(project.toString());
    }

    @Test
    void theSchemaOfAPlanIsNamedWithItsVersion() throws IOException {
        assertThat(init(Platform.GITHUB).code).isZero();
        assertThat(Files.readAllLines(project.resolve("shop/fettle.yaml")).getFirst())
                .isEqualTo("# yaml-language-server: $schema=" + PlanDraft.SCHEMA);
        // the very file, next to the plan: no network, and a team has it with its plan
        assertThat(project.resolve("shop").resolve(PlanDraft.SCHEMA))
                .hasSameTextualContentAs(Fettle.home().resolve("model/src/main/resources/dev/fettle/plan.schema.json"));
        JsonNode schema = new ObjectMapper()
                .readTree(project.resolve("shop").resolve(PlanDraft.SCHEMA).toFile());
        assertThat(schema.get("$id").textValue()).endsWith("plan-1");
    }

    @Test
    void whatIsThereIsLeftAlone() throws IOException {
        Path plan = Files.writeString(project.resolve("shop/fettle.yaml"), "name: own\n");
        Path workflow = project.resolve(Platform.GITHUB.file());
        Files.createDirectories(workflow.getParent());
        Files.writeString(workflow, "own");
        Ended taken = init(Platform.GITHUB);
        assertThat(taken.code).isEqualTo(2);
        assertThat(taken.err).contains(Platform.GITHUB.file() + " exists already and was left alone");
        assertThat(workflow).content().isEqualTo("own");

        Files.writeString(project.resolve(".gitlab-ci.yml"), "own");
        Ended next = init(Platform.GITLAB);
        assertThat(next.out + next.err)
                .contains("fettle.yaml exists already and was left alone")
                .contains(".gitlab-ci.yml exists already and was left alone: add to .gitlab-ci.yml");
        assertThat(plan).content().isEqualTo("name: own\n");
        assertThat(project.resolve(".gitlab-ci.yml")).content().isEqualTo("own");
        assertThat(project.resolve(".gitlab/fettle.yml")).content().contains("gate shop/fettle.yaml");
        assertThat(init(Platform.GITLAB).code).isEqualTo(2);
    }

    @Test
    void whereTheCiFileCantBeNoPlanIsWrittenEither() throws IOException {
        Files.writeString(project.resolve("Jenkinsfile"), "own");
        Files.writeString(project.resolve("Jenkinsfile.fettle"), "own");
        assertThat(init(Platform.JENKINS).code).isEqualTo(2);
        assertThat(project.resolve("shop/fettle.yaml")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "shop-1.2.jar, -, mvn -q -DskipTests package, target/shop-*.jar",
                "shop-core-1.2-SNAPSHOT.war, mvnw, ./mvnw -q -DskipTests package, target/shop-core-*.war",
                "shop.jar, build.gradle, gradle -q assemble, target/shop.jar",
                "a-b.jar, build.gradle.kts+gradlew, ./gradlew -q assemble, target/a-b.jar"
            })
    void theBuildIsTheProjectsAndTheVersionIsAny(String name, String files, String build, String artifact)
            throws IOException {
        for (String f : files == null ? new String[0] : files.split("\\+")) {
            Files.writeString(project.resolve(f), "");
        }
        CiDraft draft = CiDraft.of(
                Platform.GITHUB,
                project,
                project.resolve("fettle.yaml"),
                project.resolve("target/" + name).toString());
        assertThat(draft.build()).isEqualTo(build);
        assertThat(draft.artifact()).isEqualTo(artifact);
        assertThat(draft.plan()).isEqualTo("fettle.yaml");
    }

    /** A name in a CI file is read by a shell, on a machine with secrets. */
    @ParameterizedTest
    @ValueSource(
            strings = {"a b.jar", "$(id).jar", "a;b.jar", "a\"b.jar", "a'b.jar", "${{ x }}.jar", "a\nb.jar", "a`b`.jar"
            })
    void aNameThatWouldNeedQuotesIsRefused(String name) throws IOException {
        Ended e = fettle(
                "init",
                project.resolve(name).toString(),
                "--ci",
                "github",
                "--out",
                project.resolve("x.yaml").toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("--ci: ");
        assertThat(project.resolve(".github")).doesNotExist();
        assertThat(project.resolve("x.yaml")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://127.0.0.1:1/", "12345", "tomcat", "OUTSIDE.jar"})
    void whatNoBuildMakesHasNoGate(String what) {
        String named = what.replace("OUTSIDE", project.resolveSibling("other").toString());
        String out = project.resolve("x.yaml").toString();
        Ended e = what.isEmpty()
                ? fettle("init", "--ci", "gitlab", "--out", out)
                : fettle("init", named, "--ci", "gitlab", "--out", out);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.toLowerCase(Locale.ROOT)).contains("--ci");
        assertThat(project.resolve("x.yaml")).doesNotExist();
    }

    @Test
    void whatLiesElsewhereKeepsItsWholePath(@TempDir Path elsewhere) throws IOException {
        Path war = elsewhere.resolve("shop.war");
        Files.createDirectories(war.resolve("WEB-INF"));
        Path out = project.resolve("x.yaml");
        assertThat(fettle("init", war.toString(), "--out", out.toString()).code).isZero();
        assertThat(out).content().contains("war: \"" + war + "\"");
    }

    /** The plan's folder is not the jar's: a path from the plan, up to the repository's root. */
    @Test
    void aPathMayGoUpWithinTheRepository() throws IOException {
        Files.createDirectories(project.resolve("load"));
        Path out = project.resolve("load/x.yaml");
        Ended e = fettle("init", project.resolve("shop/target/shop.war").toString(), "--out", out.toString());
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(out).content().contains("war: \"../shop/target/shop.war\"");
    }
}
