package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.load.api.Tls;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What a run is resumed with, and how it ends. */
class SessionTest {
    private static final Tls TLS = new Tls(Optional.empty(), false, true);

    private static Plan plan(String path) {
        return new PlanReader(2, 4096).read("mine", """
                name: mine
                target: {server: tomcat, app: login}
                load: {connections: 50, request: {path: '%s'}}
                knobs: {threads.max: {from: 8, to: 100}}
                """.formatted(path));
    }

    /** A plan as {@code --pid 7 --url URL} changes it. */
    private static Plan on(Plan plan, String url, String path) {
        Plan on = plan.on(new Target.Running(7, Optional.of(URI.create(url)), false, false, Optional.empty()));
        Plan at = on.withLoad(on.load().withPath(path));
        return url.startsWith("https")
                ? at.withLoad(at.load().withWire(at.load().wire().with(TLS)))
                : at;
    }

    @Test
    void whatAnOptionOfTheUrlChangedIsRestored() {
        Plan file = plan("/login");
        Plan begun = on(file, "https://127.0.0.1:8443", "/other");
        assertThat(ProcessPreparation.again(file, Redaction.of(begun))).isEqualTo(begun);
        Plan clear = on(file, "http://127.0.0.1:8080", "/login");
        assertThat(ProcessPreparation.again(file, Redaction.of(clear))).isEqualTo(clear);
        assertThat(ProcessPreparation.again(file, file)).isEqualTo(file);
    }

    /** The journal has no secrets, and a masked path is no path. */
    @Test
    void aPathWithASecretIsThePlansOwnOrMissing() {
        Plan file = plan("/login?token=abc");
        Plan begun = on(file, "http://127.0.0.1:8080", "/login?token=abc");
        assertThat(ProcessPreparation.again(file, Redaction.of(begun))).isEqualTo(begun);
        Plan other = on(file, "http://127.0.0.1:8080", "/other?token=abc");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> ProcessPreparation.again(file, Redaction.of(other)))
                .withMessageContaining("the path of --url has what may be secret");
    }

    @Test
    void whatIsStoppedAfterTheRunDoesNotMakeTheRunAnUnfinishedOne() {
        var out = new StringWriter();
        var line = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(out, true));
        var screen = new Screen(line, false, false);
        assertThat(Session.stopped(
                        () -> {
                            throw new InterruptedException();
                        },
                        screen))
                .isTrue();
        assertThat(Session.stopped(() -> Optional.of("Configuration: verified"), screen))
                .isFalse();
        assertThat(out.toString()).isEqualTo("\nConfiguration: not verified: stopped\nConfiguration: verified\n");
    }
}
