package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BootArgumentsTest {
    private static final Optional<String> NOWHERE = Optional.empty();

    @Test
    void theUsersComeFirstAndKnobsAfterThem() {
        var setting = Setting.of(Map.of("threads.max", "50", "keepalive.timeout", "60000", "jvm.heap", "256m"));

        var arguments = BootArguments.of(
                List.of("--app.mode=demo", "plain"), ServerKind.TOMCAT, setting, 4711, NOWHERE, NOWHERE);

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

        var arguments =
                BootArguments.of(users, ServerKind.TOMCAT, Setting.of("threads.max", "50"), 4711, NOWHERE, NOWHERE);

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
                NOWHERE,
                NOWHERE);

        assertThat(arguments.list())
                .contains("--server.undertow.max-headers=77")
                .noneMatch(a -> a.endsWith("=5"));
    }

    @Test
    void filesBesideTheJarAreWeakerThanWhatTheUserAdds() {
        var beside = Optional.of("optional:file:/srv/");
        String ours = "--spring.config.additional-location=optional:file:/srv/";

        assertThat(BootArguments.of(List.of("--a=b"), ServerKind.JETTY, Setting.DEFAULT, 1, NOWHERE, beside)
                        .list())
                .startsWith(ours, "--a=b");
        assertThat(BootArguments.of(
                                List.of("--spring.config.additional-location=file:/etc/x/"),
                                ServerKind.JETTY,
                                Setting.DEFAULT,
                                1,
                                NOWHERE,
                                beside)
                        .list())
                .startsWith(ours, "--spring.config.additional-location=file:/etc/x/");
        assertThat(BootArguments.of(
                                List.of("--spring.config.location=file:/etc/x/"),
                                ServerKind.JETTY,
                                Setting.DEFAULT,
                                1,
                                NOWHERE,
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
                Optional.of("/t/key.p12"),
                Optional.empty());
        assertThat(arguments.list())
                .contains("--a=b", "--server.ssl.enabled=true", "--server.ssl.key-store=file:/t/key.p12")
                .doesNotContain("--server.ssl.key-store=mine.p12", "--server.ssl.bundle=mine");
        assertThat(arguments.notes()).hasSize(2);
        assertThat(String.join(" ", arguments.list())).doesNotContain("password");
    }
}
