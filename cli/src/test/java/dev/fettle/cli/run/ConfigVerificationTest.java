package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.check.ConfigVerdict;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.PlanReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ConfigVerificationTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OK | Configuration: verified: Tomcat 11 was started from this, and has these values: threads.max=8 ok",
                "DIFFERS | Configuration: WRONG: Tomcat 11 was started from this, and 1 of 1 values are others in it: threads.max=8 DIFFERS",
                " | Configuration: verified: Tomcat 11 was started from this",
            })
    void whatHasNoValuesHasNoneThatHold(ConfigVerdict.Outcome outcome, String line) {
        var verdict = new ConfigVerdict(
                "Tomcat 11",
                Optional.empty(),
                Optional.ofNullable(outcome)
                        .map(o -> new ConfigVerdict.ReadBack("threads.max", "8", Optional.of("8"), o, ""))
                        .stream()
                        .toList(),
                List.of(),
                folder);
        assertThat(new ConfigVerification(Optional.of(verdict), "").line()).isEqualTo(line);
    }

    /** It would call a configuration wrong that is right. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{command: [sleep, '{port:admin}', '{port}']} || the target has a {port:NAME}, which only a trial fills in",
                "{command: [sleep, '{port}'], env: {ADMIN: '{port:admin}'}} || the target has a {port:NAME}, which only a trial fills in",
                "{command: [sleep, '{port}', '{{port:text}}'], env: {ADMIN: '{port:admin}'}} || the target has a {port:NAME}, which only a trial fills in",
                "{command: [sleep, '{port}']} | hooks: {before: [{run: [redis-server]}]}"
                        + "| the target may need what the plan's hooks start, and they run only around trials",
                "{server: undertow, app: hello} || there is no file to start a server from",
                "{url: 'http://127.0.0.1:1/'} | hooks: {before: [{run: [redis-server]}]}"
                        + "| Fettle does not start what is behind a URL"
            })
    void whatOnlyATrialGivesToATargetIsWhyItIsNotTried(String target, String hooks, String why) throws Exception {
        var plan = new PlanReader(2, 4096)
                .read(
                        "p.yaml",
                        "name: p\ntarget: " + target + "\nload: {connections: 2, request: {path: /}}\n"
                                + (hooks == null ? "" : hooks + "\n"));
        var run = new RunRecord("p-1", "tune", Path.of(""), "", plan, Map.of(), Instant.EPOCH, RunRecord.State.DONE);
        var line = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(new StringWriter(), true));
        try (var store = new RunStore(folder)) {
            var done = ConfigVerification.of(
                    store,
                    run,
                    ConfigPlace.of(plan.target()),
                    List.of(),
                    Setting.DEFAULT,
                    true,
                    false,
                    new Screen(line, false, false));
            assertThat(done.verdict()).isEmpty();
            assertThat(done.whyNot()).isEqualTo(why);
        }
    }
}
