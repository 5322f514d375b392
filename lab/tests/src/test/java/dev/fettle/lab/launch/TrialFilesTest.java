package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Wire;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials of two programs are never one run's. */
class TrialFilesTest {
    private static final Load LOAD = new PlanReader(2, 4096)
            .read("p", "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 1}\n")
            .load();

    @TempDir
    Path folder;

    private static Target.Command command(String... arguments) {
        return new Target.Command(
                List.of(List.of(arguments)),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Target.Jvm.SAME);
    }

    private Target war(Path war) {
        return new Target.War(ServerKind.TOMCAT, war.toString(), "/", Target.Jvm.SAME);
    }

    private Path written(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void aCommandIsItsJarsAndClassFolders() throws Exception {
        Path jar = written("app.jar", "1");
        Path library = written("lib.jar", "1");
        Path classes = written("classes/A.class", "1").getParent();
        assertThat(TrialFiles.of(command("{java}", "-jar", jar.toString(), "--dir", folder.toString()), LOAD))
                .as("a folder that is no class path may change while the program runs")
                .containsExactly(jar);
        assertThat(TrialFiles.of(
                        command("{java}", "-cp", classes + ":" + library + ":{dir}", "Main", "8080", "a.jar"), LOAD))
                .containsExactlyInAnyOrder(classes, library);
        assertThat(TrialFiles.of(command("{java}", "-jar", "{artifact:wiremock}"), LOAD))
                .isEmpty();
    }

    @Test
    void ofAServersOwnFilesOnlyItsConfigurationCounts() throws Exception {
        Path base = written("base/conf/server.xml", "<Server/>").getParent().getParent();
        Target target = new Target.Standalone(
                ServerKind.TOMCAT,
                Optional.empty(),
                Optional.of("/opt/tomcat"),
                Optional.of(base.toString()),
                Optional.empty(),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
        var files = new TrialFiles();
        files.check(TrialFiles.of(target, LOAD));
        written("base/logs/catalina.out", "started");
        files.check(TrialFiles.of(target, LOAD));
        written("base/conf/server.xml", "<Server port='1'/>");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(TrialFiles.of(target, LOAD)))
                .withMessageContaining(base.resolve("conf") + " has changed since the run began");
    }

    @Test
    void aProgramThatIsBuiltAgainIsRefused() throws Exception {
        Path war = written("shop.war", "first");
        var files = new TrialFiles();
        files.check(TrialFiles.of(war(war), LOAD));
        files.check(TrialFiles.of(war(war), LOAD));
        Files.writeString(war, "other");
        Files.setLastModifiedTime(war, FileTime.from(Instant.ofEpochSecond(1)));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(TrialFiles.of(war(war), LOAD)))
                .withMessageContaining(war + " has changed");
        Files.delete(war);
        assertThatExceptionOfType(LabException.class).isThrownBy(() -> files.check(TrialFiles.of(war(war), LOAD)));
    }

    @Test
    void oneThatIsOnlyWrittenAgainIsTheSame() throws Exception {
        Path war = written("shop.war", "first");
        var files = new TrialFiles();
        files.check(TrialFiles.of(war(war), LOAD));
        Files.setLastModifiedTime(war, FileTime.from(Instant.ofEpochSecond(1)));
        assertThatCode(() -> files.check(TrialFiles.of(war(war), LOAD))).doesNotThrowAnyException();
    }

    /** Names count as well as contents, and where one file ends and the next begins. */
    @Test
    void aFoldersDigestIsOfAllThatIsInIt() throws Exception {
        Path app = written("app/a.txt", "ab").getParent();
        String first = digest(app);
        written("app/b.txt", "");
        String second = digest(app);
        written("app/a.txt", "a");
        written("app/b.txt", "b");
        String third = digest(app);
        Files.move(app.resolve("b.txt"), app.resolve("c.txt"));
        assertThat(List.of(first, second, third, digest(app))).doesNotHaveDuplicates();
        Files.move(app.resolve("c.txt"), app.resolve("b.txt"));
        assertThat(digest(app)).isEqualTo(third);
    }

    private String digest(Path file) {
        return TrialFiles.digests(List.of(file, file)).get(file.toString());
    }

    @Test
    void whatIsNotThereHasNoDigest() {
        assertThat(TrialFiles.digests(List.of(folder.resolve("none.war")))).isEmpty();
    }

    @Test
    void theLoadsDataAndCertificatesCountToo() throws Exception {
        Path users = written("users.csv", "account\nann\n");
        Path ca = written("ca.pem", "-----BEGIN CERTIFICATE-----");
        Load load = LOAD.withScenario(Optional.of(new Scenario(
                        List.of(),
                        List.of(new Scenario.Data(users.toString(), Scenario.Order.USER)),
                        Map.of(),
                        true,
                        1)))
                .withWire(LOAD.wire().with(new Wire.Tls(Optional.of(ca.toString()), false, true)));
        var files = new TrialFiles();
        Target url = new Target.Url(URI.create("http://127.0.0.1:1"));
        files.check(TrialFiles.of(url, load));
        written("users.csv", "account\nbob\n");
        Files.setLastModifiedTime(users, FileTime.from(Instant.ofEpochSecond(1)));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(TrialFiles.of(url, load)))
                .withMessageContaining(users + " has changed");
        assertThat(TrialFiles.of(url, load)).containsExactly(users, ca);
    }
}
