package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootArgumentsTest {
    private static final Optional<BootArguments.Key> KEYLESS = Optional.empty();
    private static final Optional<String> NOWHERE = Optional.empty();
    private static final Set<String> NOTHING = Set.of();

    @Test
    void theUsersComeFirstAndKnobsAfterThem() {
        var setting = Setting.of(Map.of("threads.max", "50", "keepalive.timeout", "60000", "jvm.heap", "256m"));

        var arguments = BootArguments.of(
                List.of("--app.mode=demo", "plain"), ServerKind.TOMCAT, setting, 4711, KEYLESS, NOTHING, NOWHERE);

        assertThat(arguments.list())
                .containsExactly(
                        "--app.mode=demo",
                        "plain",
                        "--server.port=4711",
                        "--server.address=127.0.0.1",
                        "--server.tomcat.keep-alive-timeout=60000ms",
                        "--server.tomcat.threads.max=50");
        assertThat(arguments.notes()).isEmpty();
    }

    /** Spring Boot would take both as a list: {@code 100,50}. */
    @Test
    void whatAKnobOverridesIsLeftOutHoweverItIsSpelled() {
        var users = List.of(
                "--server.tomcat.threads.max=100",
                "--server.tomcat.threads.MAX=101",
                "--server.tomcat.accept-count=7",
                "--server.PORT=80");

        var arguments = BootArguments.of(
                users, ServerKind.TOMCAT, Setting.of("threads.max", "50"), 4711, KEYLESS, NOTHING, NOWHERE);

        assertThat(arguments.list())
                .containsExactly(
                        "--server.tomcat.accept-count=7",
                        "--server.port=4711",
                        "--server.address=127.0.0.1",
                        "--server.tomcat.threads.max=50");
        assertThat(arguments.notes())
                .containsExactly(
                        "the argument --server.tomcat.threads.max=100 is left out: the trial sets threads.max=50",
                        "the argument --server.tomcat.threads.MAX=101 is left out: the trial sets threads.max=50",
                        "the argument --server.PORT=80 is left out: each trial has its own");
    }

    /** An option of Undertow wins over the property, wherever the two stand. */
    @Test
    void undertowsOptionOfTheSameKnobIsLeftOutToo() {
        var arguments = BootArguments.of(
                List.of("--server.undertow.options.server.MAX_HEADERS=5"),
                ServerKind.UNDERTOW,
                Setting.of("request.headers.max", "77"),
                1,
                KEYLESS,
                NOTHING,
                NOWHERE);

        assertThat(arguments.list())
                .contains("--server.undertow.max-headers=77")
                .noneMatch(a -> a.endsWith("=5"));
    }

    @Test
    void filesBesideTheJarAreWeakerThanWhatTheUserAdds() {
        var beside = Optional.of("optional:file:/srv/");
        String ours = "--spring.config.additional-location=optional:file:/srv/";

        assertThat(BootArguments.of(List.of("--a=b"), ServerKind.JETTY, Setting.DEFAULT, 1, KEYLESS, NOTHING, beside)
                        .list())
                .startsWith(ours, "--a=b");
        assertThat(BootArguments.of(
                                List.of("--spring.config.additional-location=file:/etc/x/"),
                                ServerKind.JETTY,
                                Setting.DEFAULT,
                                1,
                                KEYLESS,
                                NOTHING,
                                beside)
                        .list())
                .startsWith(ours, "--spring.config.additional-location=file:/etc/x/");
        assertThat(BootArguments.of(
                                List.of("--spring.config.location=file:/etc/x/"),
                                ServerKind.JETTY,
                                Setting.DEFAULT,
                                1,
                                KEYLESS,
                                NOTHING,
                                beside)
                        .list())
                .as("then Spring Boot looks nowhere else")
                .doesNotContain(ours);
    }

    @Test
    void severalOfOneNameAreAList() {
        assertThat(BootArguments.options(List.of("--a=1", "x", "--b", "--a=2", "--", "-Dc=3")))
                .isEqualTo(Map.of("a", "1,2", "b", ""));
    }

    @Test
    void aKeyOfOursTakesTheOnesPlace() {
        var arguments = BootArguments.of(
                List.of("--server.ssl.key-store=mine.p12", "--server.ssl.bundle=mine", "--a=b"),
                ServerKind.TOMCAT,
                Setting.DEFAULT,
                4711,
                Optional.of(new BootArguments.Key.Pkcs12("/t/key.p12")),
                NOTHING,
                NOWHERE);
        assertThat(arguments.list())
                .contains("--a=b", "--server.ssl.enabled=true", "--server.ssl.key-store=file:/t/key.p12")
                .doesNotContain("--server.ssl.key-store=mine.p12", "--server.ssl.bundle=mine");
        assertThat(arguments.notes()).hasSize(2);
        assertThat(String.join(" ", arguments.list())).doesNotContain("password");
    }

    /** Spring Boot prefers PEM to a key store, so an app that has PEM would keep its own key. */
    @Test
    void aKeyOfOursTakesThePlaceOfPem() {
        var users = List.of(
                "--server.ssl.certificate=mine.pem",
                "--server.ssl.certificatePrivateKey=mine.key",
                "--server.ssl.key-password=hunter2");
        var own = BootConfiguration.of(NO_FILES, ServerKind.TOMCAT, users, List.of(), Map.of());
        assertThat(own.own()).containsExactly(BootConfiguration.CERTIFICATE);

        var arguments = BootArguments.of(
                users,
                ServerKind.TOMCAT,
                Setting.DEFAULT,
                4711,
                Optional.of(new BootArguments.Key.Pem("/t/certificate.pem", "/t/key.pem")),
                own.own(),
                NOWHERE);

        assertThat(arguments.list())
                .contains(
                        "--server.ssl.certificate=file:/t/certificate.pem",
                        "--server.ssl.certificate-private-key=file:/t/key.pem",
                        "--server.ssl.key-password=")
                .noneMatch(a -> a.contains("mine") || a.contains("hunter2") || a.contains("key-store="));
    }

    private static final BootConfiguration.Files NO_FILES = new BootConfiguration.Files() {
        @Override
        public String name() {
            return "app.jar";
        }

        @Override
        public void open(Consumer<List<List<BootConfiguration.Place>>> receiver) {
            // no files
        }
    };

    /** Spring Boot takes a certificate's text in place of its file. */
    @Test
    void aCertificateGivenAsTextIsOneOfTheAppsOwn() {
        var own = BootConfiguration.of(
                NO_FILES,
                ServerKind.TOMCAT,
                List.of(),
                List.of(),
                Map.of("SERVER_SSL_CERTIFICATE", "-----BEGIN CERTIFICATE-----\nMIIB"));
        assertThat(own.own()).contains(BootConfiguration.CERTIFICATE);
    }

    /** Two trials can be up at the same time; an app without a port of its own for management gets none. */
    @ParameterizedTest
    @CsvSource({
        "9001, '', true",
        "0, '', true",
        "-1, '', false",
        "{port:admin}, '', false",
        "'', '', false",
        "'', 9001, true",
    })
    void aPortForManagementIsOfTheTrial(String argument, String variable, boolean replaced) {
        List<String> users = argument.isEmpty() ? List.of("--a=b") : List.of("--management.server.port=" + argument);
        var own = BootConfiguration.of(
                NO_FILES, ServerKind.TOMCAT, users, List.of(), Map.of("MANAGEMENT_SERVER_PORT", variable));

        var arguments = BootArguments.of(users, ServerKind.TOMCAT, Setting.DEFAULT, 4711, KEYLESS, own.own(), NOWHERE);

        assertThat(arguments.list().contains("--management.server.port=0")).isEqualTo(replaced);
        assertThat(arguments.list()).filteredOn(a -> a.contains("management")).hasSizeLessThan(2);
    }
}
