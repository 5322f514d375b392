package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFilesTest {
    @TempDir
    Path folder;

    @BeforeEach
    void aBaseOfTomcat() throws Exception {
        Files.createDirectories(folder.resolve("conf"));
        Files.createDirectories(folder.resolve("bin"));
        Files.writeString(folder.resolve("conf/server.xml"), """
                <Server><Service>
                  <Executor name="pool" maxThreads="500"/>
                  <Connector executor="pool" port="8080" acceptCount="300"/>
                </Service></Server>
                """);
        Files.writeString(folder.resolve("bin/setenv.sh"), "CATALINA_OPTS='-Xms1g -Xmx1g'\n");
    }

    private Target read(String target, String knobs) throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), """
                name: p
                target: {standalone: %s, base: .}
                load: {connections: 4}
                knobs: {%s}
                """.formatted(target, knobs));
        return new PlanReader(2, 4096, OwnFiles.CONFIGURATION).read(plan).target();
    }

    @Test
    void whatTheBaseSetsIsKnownWhenThePlanIsRead() throws Exception {
        assertThat(read("tomcat, version: 11.0.24", "threads.min: {from: 10, to: 250}")
                        .configured())
                .isEqualTo(Setting.of(
                        Map.of("threads.max", "500", "threads.virtual", "false", "backlog", "300", "jvm.heap", "1g")));
        assertThatThrownBy(() -> read("tomcat, version: 11.0.24", "threads.min: {from: 10, to: 501}"))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("threads.min=501 is above threads.max=500");
        // which leaves the pool without effect, and the setting fine
        assertThat(read("tomcat, version: 11.0.24", "threads.virtual: [true, false]"))
                .isNotNull();
    }

    @Test
    void flagsOfThePlanWinOverThoseOfSetenv() throws Exception {
        assertThat(read("tomcat, version: 11.0.24, jvm: [-Xms2g, -Xmx2g]", "backlog: [1, 2]")
                        .configured()
                        .get("jvm.heap"))
                .contains("2g");
    }

    @Test
    void iniFilesOfJetty() throws Exception {
        Files.createDirectories(folder.resolve("start.d"));
        Files.writeString(folder.resolve("start.d/server.ini"), "--modules=http\njetty.threadPool.maxThreads=77\n");
        assertThat(read("jetty, version: 12.1.12", "backlog: [1, 2]").configured())
                .isEqualTo(Setting.of("threads.max", "77"));
    }

    @Test
    void aFileThatCannotBeReadIsAProblemOfThePlan() throws Exception {
        Files.writeString(folder.resolve("conf/server.xml"), "<Server>\n<Service>");
        assertThatThrownBy(() -> read("tomcat, version: 11.0.24", "backlog: [1, 2]"))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("plan.yaml:2")
                .hasMessageContaining("server.xml:2");
        Files.delete(folder.resolve("conf/server.xml"));
        assertThatThrownBy(() -> read("tomcat, version: 11.0.24", "backlog: [1, 2]"))
                .hasMessageContaining("is no CATALINA_BASE");
    }

    @Test
    void aVersionWithoutABaseHasNoFilesOfTheUsers() {
        var shipped = new Target.Standalone(
                ServerKind.TOMCAT,
                java.util.Optional.of("11.0.24"),
                java.util.Optional.empty(),
                java.util.Optional.empty(),
                java.util.Optional.of("examples"),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
        assertThat(OwnFiles.setting(shipped)).isEqualTo(Setting.DEFAULT);
    }

    /** Comments of old scripts are in the character set of their authors. */
    @Test
    void aScriptInLatin1IsRead() throws Exception {
        Files.writeString(
                folder.resolve("bin/setenv.sh"),
                "# gr\u00f6\u00dfer\nCATALINA_OPTS='-Xms2g -Xmx2g'\n",
                StandardCharsets.ISO_8859_1);

        assertThat(read("tomcat, version: 11.0.24", "backlog: [100, 200]")
                        .configured()
                        .get("jvm.heap"))
                .contains("2g");
    }
}
