package dev.fettle.config.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JettyInisTest {
    private static JettyInis inis(String... lines) {
        return JettyInis.read(List.of(new IniFile("start.ini", String.join("\n", lines))));
    }

    private static String text(JettyInis inis, String path) {
        return inis.files().stream()
                .filter(f -> f.path().equals(path))
                .findFirst()
                .map(IniFile::text)
                .orElse("");
    }

    @Test
    void theLaterFileWinsAndSaysWhomItOverrides() {
        JettyInis inis = JettyInis.read(Samples.INIS);

        assertThat(inis.setting().asMap())
                .isEqualTo(Map.of(
                        "threads.max", "77",
                        "keepalive.timeout", "1000",
                        "compression", "true",
                        "http2", "true",
                        "http2.streams", "64"));
        assertThat(inis.modules()).contains("http", "https", "http2c", "compression-gzip");
        assertThat(inis.findings())
                .containsExactly(
                        "start.d/zz.ini:1: jetty.threadPool.maxThreads=77 takes the place of 50, which start.ini:7"
                                + " gave");
    }

    @Test
    void aPasswordGivenTwiceIsNotTold() {
        assertThat(inis("jetty.sslContext.keyStorePassword=old", "jetty.sslContext.keyStorePassword=Pr0d")
                        .findings())
                .containsExactly("start.ini:2: jetty.sslContext.keyStorePassword=*** takes the place of ***, which"
                        + " start.ini:1 gave");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jetty.qos.maxRequestCount=9|start.ini:1: jetty.qos.maxRequestCount has no effect unless the module qos is on",
                "jetty.http.idleTimeout=soon|start.ini:1: jetty.http.idleTimeout=soon is not read: duration needs",
                "jetty.http.idleTimeout=${t}|start.ini:1: jetty.http.idleTimeout=${t} is filled in by start.jar",
                "jetty.httpConfig.useInputDirectByteBuffers=false|buffers.direct is not read: its properties",
            })
    void whatDoesNothingOrIsNotReadIsAFinding(String line, String words) {
        JettyInis inis = inis(line);

        assertThat(inis.setting().isDefault()).isTrue();
        if (words.contains("soon")) {
            assertThat(inis.findings()).singleElement().asString().contains("jetty.http.idleTimeout=soon is not read");
        } else {
            assertThat(inis.findings()).singleElement().asString().startsWith(words);
        }
    }

    @Test
    void whatJettyDecidesByItselfIsNoSettingAndNoFinding() {
        JettyInis inis =
                inis("jetty.http.selectors=-1", "jetty.http.acceptQueueSize=0", "jetty.threadPool.reservedThreads=-1");

        assertThat(inis.setting().isDefault()).isTrue();
        assertThat(inis.findings()).isEmpty();
    }

    @Test
    void aSettingGoesIntoAFileOfItsOwnAndOverriddenLinesBecomeComments() throws Exception {
        JettyInis with =
                JettyInis.read(Samples.INIS).with(Setting.of(Map.of("threads.max", "30", "compression", "false")));

        assertThat(text(with, "start.d/zz-fettle.ini"))
                .isEqualTo("# what Fettle set for this trial\n--modules=server\njetty.threadPool.maxThreads=30\n");
        assertThat(text(with, "start.d/zz.ini"))
                .isEqualTo("#fettle# jetty.threadPool.maxThreads=77\njetty.http.idleTimeout=1000");
        assertThat(text(with, "start.ini"))
                .contains("#fettle# jetty.threadpool.maxthreads = 50\n")
                .contains("#fettle# --modules=http,https,compression-gzip\n--modules=http,https\n")
                .contains("--module=http2c\n");
        assertThat(with.modules()).doesNotContain("compression-gzip");
    }

    @Test
    void belowAModuleOfAnEnvironmentPropertiesAreNotTheServers() throws Exception {
        JettyInis inis = JettyInis.read(List.of(
                new IniFile("start.d/b.ini", "--module=http\njetty.http.idleTimeout=500"),
                new IniFile("start.d/a.ini", "jetty.threadPool.maxThreads=9"),
                new IniFile("start.ini", "--modules=http,ee10-deploy\njetty.deploy.extractWars=true")));

        assertThat(inis.setting()).isEqualTo(Setting.of("keepalive.timeout", "500"));
        assertThat(inis.findings())
                .containsExactly(
                        "start.d/a.ini:1: jetty.threadPool.maxThreads has no effect: it stands below a module of ee10"
                                + " and so is that environment's; put --modules=server in front of it");
        assertThat(inis.with(Setting.of("threads.max", "8")).setting().get("threads.max"))
                .contains("8");
    }

    @Test
    void aUsersOwnFettleIniIsKeptAndContinued() throws Exception {
        var own = new IniFile("start.d/zz-fettle.ini", "# pasted\njetty.threadPool.maxThreads=30");

        assertThat(text(JettyInis.read(List.of(own)).with(Setting.of("threads.max", "31")), "start.d/zz-fettle.ini"))
                .isEqualTo("# pasted\n#fettle# jetty.threadPool.maxThreads=30\n# what Fettle set for this trial\n"
                        + "--modules=server\njetty.threadPool.maxThreads=31\n");
    }

    /** Jetty 12.0 has only the first, 12.1 both. */
    @ParameterizedTest
    @CsvSource({
        "jetty.threadPool.maxThreads=50, '', 50",
        "jetty.threadPool.maxConcurrentTasks=60, '', 60",
        "jetty.threadPool.maxThreads=50, jetty.threadPool.maxConcurrentTasks=60, 60"
    })
    void eitherPropertyIsTheSizeOfThePoolOfVirtualThreads(String one, String other, String size) {
        assertThat(inis("--module=threadpool-all-virtual", one, other).setting().get("threads.max"))
                .contains(size);
    }

    /** -1 connections are none: the limit is taken out, and its module with it. */
    @Test
    void noLimitIsNoValue() throws Exception {
        JettyInis with = inis(
                        "--modules=http,network-connection-limit",
                        "jetty.networkConnectionLimit.maxNetworkConnectionCount=500")
                .with(Setting.of("connections.max", "-1"));
        assertThat(with.modules()).containsExactly("http");
        assertThat(text(with, "start.ini"))
                .contains("#fettle# jetty.networkConnectionLimit.maxNetworkConnectionCount=500");
        assertThat(text(with, "start.d/zz-fettle.ini")).isEmpty();
    }

    @Test
    void flagsOfTheJvmThatTheSettingTakesThePlaceOfBecomeComments() throws Exception {
        JettyInis with = JettyInis.read(List.of(new IniFile("start.d/jvm.ini", "--exec\n-Xmx512m\n-Da=b\n-Xss1m\n")))
                .with(Setting.of("jvm.heap", "2g"));
        assertThat(text(with, "start.d/jvm.ini")).isEqualTo("--exec\n#fettle# -Xmx512m\n-Da=b\n-Xss1m\n");
    }

    @Test
    void aModuleIsTurnedOnWithItsProperty() throws Exception {
        assertThat(text(inis().with(Setting.of("admission.max", "9")), "start.d/zz-fettle.ini"))
                .contains("--modules=qos\n")
                .contains("jetty.qos.maxRequestCount=9\n");
        assertThat(text(inis().with(Setting.of("threads.max", "9")), "start.d/zz-fettle.ini"))
                .doesNotContain("--modules=threadpool");
    }

    /** The module's monitor looks at nothing unless it is told to. */
    @Test
    void theIdleTimeoutWhenLowComesWithAMonitorOfThreads() throws Exception {
        var idle = Setting.of("lowresources.idle", "2345");
        String lines = "jetty.lowresources.idleTimeout=2345\njetty.lowresources.monitorThreads=true\n";
        JettyInis with = inis("jetty.lowresources.monitorThreads=false").with(idle);
        assertThat(text(with, "start.d/zz-fettle.ini")).endsWith("--modules=lowresources\n" + lines);
        assertThat(text(with, "start.ini")).isEqualTo("#fettle# jetty.lowresources.monitorThreads=false");
        assertThat(StartIni.of(idle, Setting.DEFAULT, idle).text())
                .isEqualTo("--modules=server\n--module=lowresources\n" + lines);
        assertThat(text(inis().with(Setting.of("lowresources.memory", "300m")), "start.d/zz-fettle.ini"))
                .doesNotContain("monitorThreads");
    }

    @Test
    void virtualThreadsHaveAPoolAndAPropertyOfTheirOwn() throws Exception {
        JettyInis with = inis("--modules=threadpool,http", "jetty.threadPool.maxThreads=50")
                .with(Setting.of(Map.of("threads.virtual", "true", "threads.max", "300")));

        assertThat(with.modules()).contains("threadpool-all-virtual", "http").doesNotContain("threadpool");
        assertThat(text(with, "start.d/zz-fettle.ini"))
                .contains("jetty.threadPool.maxConcurrentTasks=300") // of 12.1
                .contains("jetty.threadPool.maxThreads=300"); // of 12.0
        assertThat(with.setting().asMap()).isEqualTo(Map.of("threads.virtual", "true", "threads.max", "300"));

        JettyInis back = with.with(Setting.of(Map.of("threads.virtual", "false", "threads.max", "20")));
        assertThat(back.modules()).doesNotContain("threadpool-all-virtual");
        assertThat(back.setting().get("threads.max")).contains("20");
    }

    @Test
    void aPrivateCopyHasOnePortOfItsOwn() {
        JettyInis.PrivateInis own =
                JettyInis.read(Samples.INIS).privately(40001, Set.of("ee11-deploy", "http"), Optional.empty());

        assertThat(own.inis().modules())
                .contains("http", "ee11-deploy", "http2c")
                .doesNotContain("https");
        assertThat(own.notes()).containsExactly("left out of the private copy of jetty.base: the module https");
        assertThat(text(own.inis(), "start.ini"))
                .contains("#fettle# jetty.http.port=8080")
                .contains("#fettle# STOP.PORT");
        assertThat(text(own.inis(), "start.d/zz-fettle.ini")).isEqualTo("""
                        # what Fettle set for this trial
                        --modules=server
                        jetty.http.host=127.0.0.1
                        jetty.http.port=40001
                        --modules=ee11-deploy
                        --modules=server
                        """);
    }

    @Test
    void aKnobWithoutAPlaceIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> inis().with(Setting.of("queue.max", "9")))
                .withMessage("queue.max is not tunable here: it has no place in Jetty's ini files");
    }
}
