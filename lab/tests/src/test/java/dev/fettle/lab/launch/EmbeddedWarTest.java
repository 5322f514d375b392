package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A WAR on the servers that Fettle embeds. */
class EmbeddedWarTest {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    @TempDir
    static Path made;

    private static Path shop;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheWar() throws IOException {
        shop = ShopWar.in(made);
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
        assertThat(folder.resolve("webapp")).doesNotExist();
        assertThat(folder.resolve("server")).doesNotExist();
    }

    private static Target.War target(ServerKind server, Path war, String context, String... flags) {
        var quick = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        quick.addAll(List.of(flags));
        return new Target.War(server, war.toString(), context, new Target.Jvm(Optional.empty(), quick));
    }

    private RunningTarget launch(Target.War target, Setting setting) throws Exception {
        var launcher = new TargetLauncher(
                Fixtures.unloaded(folder.resolve("workspace")),
                new Artifacts(folder.resolve("a"), folder.resolve("m"), note -> {}),
                new Calibration(folder),
                List.of(),
                new TrialFiles(),
                note -> {});
        return launcher.launch(Fixtures.spec(target, setting, Fixtures.load(1, "")), folder, new Ports());
    }

    private static String get(RunningTarget running, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + running.address().getPort() + path))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void everyPartOfAWarIsServedUnderASetting(ServerKind server) throws Exception {
        Setting setting = Setting.of(
                Map.of("threads.max", "24", "backlog", "321", "connections.max", "500", "compression", "true"));
        try (RunningTarget running = launch(target(server, shop, "/a/shop"), setting)) {
            assertThat(get(running, "/a/shop/annotated")).isEqualTo("200 annotated marked opened [Base, Sale]");
            assertThat(get(running, "/a/shop/described/x")).isEqualTo("200 by web.xml at /a/shop/x");
            assertThat(get(running, "/a/shop/")).isEqualTo("200 welcome");
            assertThat(get(running, "/a/shop/hello.txt")).isEqualTo("200 a file");
            assertThat(get(running, "/a/shop/library.txt")).isEqualTo("200 of the library");
            assertThat(get(running, "/a/shop/page.jsp")).isEqualTo("200 sum 21 2 marked on /a/shop LOUD TOO!");
            assertThat(get(running, "/a/shop/WEB-INF/web.xml")).startsWith("404");
            assertThat(get(running, "/a/shop/none")).isEqualTo("404 nothing there");
            assertThat(get(running, "/annotated")).startsWith("404");

            assertThat(running.notes()).isEmpty();
            assertThat(running.effective())
                    .containsEntry("threads.max", "24")
                    .containsEntry("backlog", "321")
                    .containsEntry("connections.max", "500")
                    .containsEntry("compression", "true");
            assertThat(running.facts())
                    .containsEntry("deployed", "shop.war at /a/shop")
                    .containsKeys("server", "serverVersion");
            assertThat(Fixtures.sample(running.probe()).busy().optional()).isPresent();
            assertThat(folder.resolve("webapp/WEB-INF/web.xml")).exists();
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void aFolderAtTheRootOnVirtualThreadsIsUsedWhereItLies(ServerKind server) throws Exception {
        Path web = folder.resolve("mine");
        new Unzip().into(shop, Files.createDirectories(web));
        try (RunningTarget running = launch(target(server, web, "/"), Setting.of("threads.virtual", "true"))) {
            assertThat(get(running, "/annotated")).isEqualTo("200 annotated marked opened [Base, Sale]");
            assertThat(get(running, "/")).isEqualTo("200 welcome");
            assertThat(Fixtures.sample(running.probe()).busy().optional()).isPresent();
        }
        assertThat(web.resolve("WEB-INF/web.xml")).exists();
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void aWarThatThrowsAtItsStartEndsTheTrialWithTheException(ServerKind server) {
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(() -> launch(target(server, shop, "/shop", "-Dshop.shut=true"), Setting.DEFAULT))
                .withMessage("the web application did not deploy: java.lang.IllegalStateException: no database")
                .satisfies(e -> assertThat(e.asFailure().kind()).isEqualTo(Kind.DID_NOT_START));
    }

    @Test
    void aMissingClassIsNamed() throws Exception {
        Path web = Wars.folder(
                folder.resolve("mine"), "<listener><listener-class>no.such.Listener</listener-class></listener>");
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(() -> launch(target(ServerKind.UNDERTOW, web, "/shop"), Setting.DEFAULT))
                .withMessage("the web application did not deploy: java.lang.ClassNotFoundException: no.such.Listener");
    }

    @Tag("long")
    @Test
    void whatUndertowLeavesOutIsANote() throws Exception {
        Path web = Wars.folder(folder.resolve("mine"), "<login-config><auth-method>BASIC</auth-method></login-config>");
        try (RunningTarget running = launch(target(ServerKind.UNDERTOW, web, "/shop"), Setting.DEFAULT)) {
            assertThat(running.notes()).containsExactly("<login-config> of web.xml is left out on Undertow");
            assertThat(get(running, "/shop/")).isEqualTo("200 sum 21 on /shop!");
        }
    }

    @Test
    void aWarForTheOldNamespaceIsNamedBeforeAnythingIsLaunched() throws Exception {
        Path war = Wars.zip(
                folder.resolve("old.war"),
                Map.of("WEB-INF/classes/shop/Cart.class", Wars.classNaming("javax/servlet/http/HttpServlet")));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> launch(target(ServerKind.UNDERTOW, war, "/"), Setting.DEFAULT))
                .withMessageContaining(
                        "old.war is built for javax.servlet (WEB-INF/classes/shop/Cart.class), and embedded Undertow serves"
                                + " jakarta.servlet");
        assertThat(folder.resolve(ProgramLauncher.LOG)).doesNotExist();
    }

    @Test
    void whatIsNoWarIsNotUnpacked() throws Exception {
        Path slip = Wars.zip(folder.resolve("slip.war"), Map.of("../../evil.txt", Wars.bytes("evil")));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> launch(target(ServerKind.TOMCAT, slip, "/"), Setting.DEFAULT))
                .withMessageContaining(
                        "slip.war is not unpacked: its entry '../../evil.txt' would lie outside the folder");
        assertThat(folder.resolve("../evil.txt")).doesNotExist();

        Path text = Files.writeString(folder.resolve("text.war"), "hello");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> launch(target(ServerKind.TOMCAT, text, "/"), Setting.DEFAULT))
                .withMessageContaining("text.war is no WAR: ");
    }
}
