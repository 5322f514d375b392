package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.ConfigFile;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConfigFilesTest {
    private static final Target BOOT =
            new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "4.1.1", List.of(), Target.Jvm.SAME, Setting.DEFAULT);

    /** A tune whose winner is this, over the fixtures' held backlog. */
    private static RunReport won(Target target, Setting winner) {
        RunReport run = Runs.tune(target);
        var t = (TuneConclusion) run.conclusion().orElseThrow();
        var changed = new TuneConclusion(
                t.result(),
                t.headline(),
                t.baseline(),
                t.baseline().with(winner),
                t.ratio(),
                t.p99Ratio(),
                t.threshold(),
                t.pairs(),
                t.candidates(),
                t.baselineWhy(),
                t.winnerWhy(),
                t.notes());
        return new RunReport(
                run.runId(),
                run.kind(),
                run.plan(),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.of(changed),
                run.complete());
    }

    private static String text(RunReport run, ConfigPlace place, boolean all) {
        return new ConfigFiles(run, place, all)
                .files().stream().map(f -> f.path() + "\n" + f.text()).collect(Collectors.joining("\n"));
    }

    @Test
    void onlyWhatWasShownIsWrittenAndTheRestOnlyWhenAsked() {
        String shown = text(Runs.tune(), ConfigPlace.TOMCAT, false);
        assertThat(shown)
                .contains("conf/server.xml", "maxThreads=\"318\"", "Fettle run login-3: throughput +38.2 %")
                .doesNotContain("acceptCount=");
        assertThat(text(Runs.tune(), ConfigPlace.TOMCAT, true))
                .contains(
                        "maxThreads=\"318\"",
                        "acceptCount=\"1024\"",
                        "backlog = 1024, was 1024 (held: nothing was shown of it)");
    }

    @ParameterizedTest
    @CsvSource({
        "TOMCAT, 17, 'JAVA_HOME=/path/to/jdk-17'",
        "TOMCAT, /opt/my jdk, 'JAVA_HOME=''/opt/my jdk'''",
        "SYSTEMD, /opt/jdk, 'Environment=\"JAVA_HOME=/opt/jdk\"'",
        "SYSTEMD, 17, 'Environment=\"JAVA_HOME=/path/to/jdk-17\"'",
        "DOCKER, 17, 'FROM eclipse-temurin:17'",
        "KUBERNETES, /opt/jdk, '# an image with the JDK that is here: JAVA_HOME=/opt/jdk'"
    })
    void aJdkGoesWhereTheServerIsStarted(ConfigPlace place, String java, String line) {
        assertThat(text(won(Runs.tune().plan().target(), Setting.of("jvm.java", java)), place, false))
                .contains(line)
                .contains("jvm.java = " + java + ", was the default");
    }

    @Test
    void eachValueHasItsReasonAndTheWayBack() {
        assertThat(text(Runs.tune(), ConfigPlace.TOMCAT, false))
                .contains(
                        "threads.max = 318, was 200",
                        "Before: ",
                        "With it: ",
                        "Undo: put back threads.max = 200, and restart");
        assertThat(new ConfigFiles(Runs.tune(), ConfigPlace.TOMCAT, true).reasons())
                .containsExactlyInAnyOrder(
                        new ConfigReasons.Reason("threads.max", "318", "200", true),
                        new ConfigReasons.Reason("backlog", "1024", "1024", false));
    }

    @Test
    void nothingIsWrittenWhereNothingWasShown() {
        var config = new ConfigFiles(Runs.aa(), ConfigPlace.TOMCAT, false);
        assertThat(config.files()).isEmpty();
        assertThat(config.setting().isDefault()).isTrue();
        assertThat(text(Runs.aa(), ConfigPlace.TOMCAT, true))
                .contains(
                        "acceptCount=",
                        "no improvement shown; nothing here was shown to be better than the default",
                        "backlog = 1024, was 1024 (held: nothing was shown of it)",
                        "threads.max = 318, was 200 (tried: nothing was shown of it)")
                .doesNotContain("With it:", "throughput +");
    }

    @Test
    void aRunThatIsNoFinishedTuneIsNamedAsWhatItIs() {
        assertThatThrownBy(() -> new ConfigFiles(Runs.sweep1(), ConfigPlace.TOMCAT, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a sweep; a configuration comes from a finished tune");
        assertThatThrownBy(() -> new ConfigFiles(Runs.partial(), ConfigPlace.TOMCAT, false))
                .hasMessageContaining("fettle resume");
    }

    @Test
    void oneServersResultSaysNothingAboutAnother() {
        assertThatThrownBy(() -> new ConfigFiles(Runs.tune(), ConfigPlace.JETTY, false))
                .hasMessage("login-3 was measured on tomcat; that says nothing about jetty");
        assertThatThrownBy(() -> new ConfigFiles(Runs.tune(Fixtures.COMMAND), ConfigPlace.SPRING_BOOT, false))
                .hasMessageContaining("is not known");
        assertThatThrownBy(() -> new ConfigFiles(Runs.tune(), ConfigPlace.COMMAND_LINE, false))
                .hasMessageContaining("--for tomcat");
    }

    @Test
    void bootsOwnWords() throws Exception {
        Setting winner = Setting.of(Map.of("threads.max", "318", "keepalive.timeout", "60000", "jvm.heap", "512m"));
        assertThat(text(won(BOOT, winner), ConfigPlace.SPRING_BOOT, false))
                .contains("java -Xms512m -Xmx512m -jar app.jar", "application.properties");
        var properties = new Properties();
        properties.load(new StringReader(new ConfigFiles(won(BOOT, winner), ConfigPlace.SPRING_BOOT, false)
                .files()
                .getFirst()
                .text()));
        assertThat(properties)
                .containsOnly(
                        Map.entry("server.tomcat.threads.max", "318"),
                        Map.entry("server.tomcat.keep-alive-timeout", "60000ms"));
    }

    @Test
    void wildFlyHasCommandsTheWayBackAndWhatHasNoPlace() {
        Target undertow =
                new Target.Embedded(ServerKind.UNDERTOW, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        Setting winner = Setting.of(Map.of(
                "threads.max", "318",
                "connections.max", "-1",
                "keepalive.timeout", "-1",
                "admission.max", "300",
                "admission.queue", "20",
                "compression", "true",
                "queue.max", "50",
                "jvm.heap", "512m"));
        assertThat(text(won(undertow, winner), ConfigPlace.WILDFLY, false))
                .contains(
                        "# not verified: Fettle starts no WildFly",
                        "# queue.max=50 has no place in WildFly's management model",
                        "WildFly has other defaults, which this leaves alone: threads.min 2,",
                        "/subsystem=io/worker=default:read-attribute(name=task-max-threads)",
                        "/subsystem=io/worker=default:write-attribute(name=task-max-threads,value=318)",
                        // no limit is no value there
                        "/subsystem=undertow/server=default-server/http-listener=default:undefine-attribute(name=max-connections)",
                        "http-listener=default:write-attribute(name=no-request-timeout,value=-1)",
                        "/subsystem=undertow/configuration=filter/request-limit=fettle-limit:add(max-concurrent-requests=300,queue-size=20)",
                        "/subsystem=undertow/server=default-server/host=default-host/filter-ref=fettle-limit:add()",
                        "/subsystem=undertow/configuration=filter/gzip=fettle-gzip:add()",
                        "fettle-undo.cli",
                        "filter-ref=fettle-limit:remove()",
                        "JAVA_OPTS=\"$JAVA_OPTS -Xms512m -Xmx512m\"");
        assertThatThrownBy(() -> new ConfigFiles(Runs.tune(), ConfigPlace.WILDFLY, false))
                .hasMessage("login-3 was measured on tomcat; that says nothing about wildfly");
    }

    @Test
    void aCommandHasItsJvmsFlags() {
        Target command = new Target.Command(
                List.of(List.of("{java}"), List.of("{jvm}"), List.of("-jar", "a.jar")),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("jvm.flags", ""),
                new Target.Jvm(Optional.empty(), List.of("-ea")));
        assertThat(text(won(command, Setting.of("jvm.heap", "512m")), ConfigPlace.COMMAND_LINE, false))
                .contains("java \\\n  -ea -Xms512m -Xmx512m \\\n  -jar a.jar");
    }

    @Test
    void jvmFlagsGoWhereEachServerReadsThem() {
        Setting heap = Setting.of("jvm.heap", "512m");
        assertThat(text(won(Fixtures.TOMCAT, heap), ConfigPlace.TOMCAT, false))
                .contains("bin/setenv.sh", "CATALINA_OPTS=\"$CATALINA_OPTS -Xms512m -Xmx512m\"");
        Target jetty = new Target.Embedded(ServerKind.JETTY, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        assertThat(text(won(jetty, heap), ConfigPlace.JETTY, false))
                .contains("start.d/fettle-jvm.ini", "--exec\n-Xms512m\n-Xmx512m\n");
    }

    @Test
    void whatAShellWouldReadInTheFlagsIsQuoted() {
        Setting flags = Setting.of("jvm.flags", "-Da=$(x) -Db=`y` -Dc=\"z\" -Dd=\\");
        assertThat(text(won(Fixtures.TOMCAT, flags), ConfigPlace.TOMCAT, false))
                .contains("CATALINA_OPTS=\"$CATALINA_OPTS -Da=\\$(x) -Db=\\`y\\` -Dc=\\\"z\\\" -Dd=\\\\\"\n");
        assertThat(text(won(BOOT, flags), ConfigPlace.DOCKER, false))
                .contains("-e 'JAVA_TOOL_OPTIONS=-Da=$(x) -Db=`y` -Dc=\"z\" -Dd=\\'");
    }

    @Test
    void aUnitOfSystemd() {
        Setting winner = Setting.of(Map.of("process.nofile", "65536", "process.cpus", "4", "jvm.flags", "-Dp=10%"));
        assertThat(text(won(Fixtures.TOMCAT, winner), ConfigPlace.SYSTEMD, false))
                .contains(
                        "/etc/systemd/system/UNIT.service.d/fettle.conf",
                        "[Service]\nEnvironment=\"JAVA_TOOL_OPTIONS=-Dp=10%%\"\n",
                        "LimitNOFILE=65536\n",
                        "CPUAffinity=0-3\n");
        assertThat(text(won(Fixtures.TOMCAT, winner.with("threads.max", "300")), ConfigPlace.SYSTEMD, false))
                .contains("conf/server.xml", "maxThreads=\"300\"");
    }

    @Test
    @SuppressWarnings("unchecked")
    void aDeploymentOfKubernetesIsYamlWithTheValuesInPlace() throws Exception {
        Setting winner =
                Setting.of(Map.of("threads.max", "318", "process.cpus", "2", "jvm.gc", "z", "process.nofile", "65536"));
        ConfigFile file = new ConfigFiles(won(BOOT, winner), ConfigPlace.KUBERNETES, false)
                .files()
                .getFirst();
        assertThat(file.text()).contains("# process.nofile=65536 has no field in a pod");
        var read = (Map<String, Object>) new YAMLMapper().readValue(file.text(), Map.class);
        assertThat(new ObjectMapper()
                        .valueToTree(read)
                        .at("/spec/template/spec/containers/0")
                        .toString())
                .isEqualTo(
                        "{\"name\":\"CONTAINER\",\"env\":[{\"name\":\"JAVA_TOOL_OPTIONS\",\"value\":\"-XX:+UseZGC\"},"
                                + "{\"name\":\"SERVER_TOMCAT_THREADS_MAX\",\"value\":\"318\"}],"
                                + "\"resources\":{\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":\"2\"}}}");
    }

    @Test
    void optionsOfDocker() {
        Setting winner = Setting.of(Map.of("threads.max", "318", "process.cpus", "2", "process.nofile", "65536"));
        assertThat(text(won(BOOT, winner), ConfigPlace.DOCKER, false))
                .contains(
                        "docker run -e SERVER_TOMCAT_THREADS_MAX=318",
                        "--cpuset-cpus 0-1",
                        "--ulimit nofile=65536:65536",
                        "IMAGE");
    }

    @Test
    void aCommandsOwnLine() {
        assertThat(text(Runs.tune(Fixtures.COMMAND), ConfigPlace.of(Fixtures.COMMAND), false))
                .contains("--container-threads 318");
    }

    @ParameterizedTest
    @CsvSource({
        "server.tomcat.threads.max, SERVER_TOMCAT_THREADS_MAX",
        "server.tomcat.max-keep-alive-requests, SERVER_TOMCAT_MAXKEEPALIVEREQUESTS",
        "server.max-http-request-header-size, SERVER_MAXHTTPREQUESTHEADERSIZE"
    })
    void propertiesAsEnvironmentVariables(String property, String variable) {
        assertThat(ConfigDeployment.variable(property)).isEqualTo(variable);
    }

    @ParameterizedTest
    @EnumSource(ConfigPlace.class)
    void everyPlaceEitherWritesOrSaysWhyNot(ConfigPlace place) {
        for (Target target : List.of(Fixtures.TOMCAT, Fixtures.COMMAND, BOOT)) {
            try {
                var config = new ConfigFiles(Runs.tune(target), place, true);
                assertThat(config.files()).allSatisfy(f -> {
                    assertThat(f.path()).isNotBlank();
                    assertThat(f.text()).endsWith("\n").contains("login-3");
                });
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }
}
