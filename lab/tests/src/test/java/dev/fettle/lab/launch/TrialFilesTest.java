package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Tls;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials of two programs are never one run's. */
class TrialFilesTest {
    private static final Load LOAD = new PlanReader(2, 4096)
            .read("p", "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 1}\n")
            .load();

    @TempDir
    Path folder;

    private Target war(Path war) {
        return new Target.War(ServerKind.TOMCAT, war.toString(), "/", Target.Jvm.SAME);
    }

    private Path written(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Path appOfOneClass() throws Exception {
        written("app/WEB-INF/classes/A.class", "a");
        return folder.resolve("app");
    }

    @Test
    void twoProgramsOfOneRunAreEachWhatTheyWere() throws Exception {
        Path old = written("old.war", "1");
        Path head = written("new.war", "2");
        var files = new TrialFiles();
        for (Path program : List.of(old, head, old)) {
            files.check(TrialFiles.of(war(program), LOAD));
        }
        written("new.war", "built anew");
        files.check(TrialFiles.of(war(old), LOAD));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(TrialFiles.of(war(head), LOAD)))
                .withMessageContaining("new.war has changed");
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

    /** What was read for the run's record is not read again for its first trial, and a change between the two is noticed. */
    @Test
    void theRunsRecordAndItsTrialsAreOfOneReading() throws Exception {
        Path war = written("shop.war", "first");
        FileTime time = Files.getLastModifiedTime(war);
        var files = new TrialFiles();
        Map<String, String> noted = files.digests(List.of(war));
        Files.writeString(war, "FIRST");
        Files.setLastModifiedTime(war, time);
        files.check(List.of(war));
        assertThat(files.digests(List.of(war, war))).isEqualTo(noted);
        Files.setLastModifiedTime(war, FileTime.from(Instant.ofEpochSecond(1)));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(List.of(war)))
                .withMessageContaining(war + " has changed");
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
    void aFoldersDigestIsOfTheProgramInIt() throws Exception {
        Path app = written("app/a.xml", "ab").getParent();
        String first = digest(app);
        written("app/b.xml", "");
        String second = digest(app);
        written("app/a.xml", "a");
        written("app/b.xml", "b");
        String third = digest(app);
        Files.move(app.resolve("b.xml"), app.resolve("c.xml"));
        assertThat(List.of(first, second, third, digest(app))).doesNotHaveDuplicates();
        Files.move(app.resolve("c.xml"), app.resolve("b.xml"));
        assertThat(digest(app)).isEqualTo(third);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WEB-INF/data/shop.db",
                "WEB-INF/data/shop.mv.db",
                "logs/app.log",
                "logs/gc.log.0",
                "uploads/cat.png",
                "app.pid",
                "users.csv",
                "sessions.ser"
            })
    void whatAnApplicationWritesIntoItsFolderIsNoChange(String name) throws Exception {
        Path app = appOfOneClass();
        var files = new TrialFiles();
        files.check(TrialFiles.of(war(app), LOAD));
        written("app/" + name, "first");
        files.check(TrialFiles.of(war(app), LOAD));
        written("app/" + name, "and more");
        assertThatCode(() -> files.check(TrialFiles.of(war(app), LOAD))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WEB-INF/classes/B.class",
                "WEB-INF/classes/templates/page.txt",
                "WEB-INF/lib/b.jar",
                "WEB-INF/web.xml",
                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                "com/shop/B.class",
                "application.yml",
                "index.JSP",
                "shop.js",
                "setenv.sh",
                "start.d/http.ini"
            })
    void whatIsProgramInAFolderIs(String name) throws Exception {
        Path app = appOfOneClass();
        var files = new TrialFiles();
        files.check(TrialFiles.of(war(app), LOAD));
        written("app/" + name, "new");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(TrialFiles.of(war(app), LOAD)))
                .withMessageContaining(app + " has changed");
    }

    /** As with {@code ln -sfn releases/4 current}. */
    @Test
    void aLinkIsWhatItPointsTo() throws Exception {
        Path old = written("releases/3/shop.jsp", "old").getParent();
        Path current = Files.createSymbolicLink(folder.resolve("current"), old);
        String first = digest(current);
        assertThat(first).isEqualTo(digest(old)).isNotEmpty();
        var files = new TrialFiles();
        files.check(List.of(current));
        Path next = written("releases/4/shop.jsp", "new").getParent();
        Files.delete(current);
        Files.createSymbolicLink(current, next);
        assertThat(digest(current)).isNotEqualTo(first);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> files.check(List.of(current)))
                .withMessageContaining(current + " has changed");
    }

    @Test
    void aLinkWithinAFolderIsFollowedButNotInACircle() throws Exception {
        Path app = written("app/index.html", "a").getParent();
        Path pages = written("elsewhere/page.jsp", "1").getParent();
        Files.createSymbolicLink(app.resolve("pages"), pages);
        Files.createSymbolicLink(app.resolve("circle"), app);
        Files.createSymbolicLink(app.resolve("nowhere"), folder.resolve("none"));
        String first = digest(app);
        written("elsewhere/page.jsp", "2");
        assertThat(digest(app)).isNotEqualTo(first).isNotEmpty();
    }

    /** A signal interrupts the run while it looks: what it has read by then is no other program. */
    @Test
    void anInterruptIsNoChange() throws Exception {
        Path war = written("shop.war", "first");
        String whole = digest(war);
        Thread.currentThread().interrupt();
        try {
            assertThat(digest(war)).isEqualTo(whole);
        } finally {
            assertThat(Thread.interrupted()).as("and it is not lost").isTrue();
        }
    }

    private String digest(Path file) {
        return new TrialFiles().digests(List.of(file, file)).get(file.toString());
    }

    @Test
    void whatIsNotThereIsToldToo() {
        Path none = folder.resolve("none.war");
        assertThat(new TrialFiles().digests(List.of(none))).isEqualTo(Map.of(none.toString(), ""));
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
                .withWire(LOAD.wire().with(new Tls(Optional.of(ca.toString()), false, true)));
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
