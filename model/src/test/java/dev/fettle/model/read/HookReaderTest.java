package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookReaderTest {
    private static final String HEAD = """
            name: h
            target:
              command: ["{java}", --port, "{port}", --redis, "127.0.0.1:{port:redis}", --admin, "{port:admin}"]
              java: 17
            load: {connections: 1}
            """;

    @TempDir
    Path folder;

    private Plan read(String yaml) throws IOException {
        return new PlanReader(2, 4096).read(Files.writeString(folder.resolve("p.yaml"), yaml));
    }

    @Test
    void everyKeyArrives() throws IOException {
        Hooks hooks = read(HEAD + """
                hooks:
                  before:
                    - run: [redis-server, --port, '{port:redis}', [--threads, '{threads.max}']]
                      env: {SAVE: '{dir}/save'}
                      background: true
                      ready: {tcp: '127.0.0.1:{port:redis}'}
                      within: 1500ms
                      scope: run
                    - run: ['{plan}/reset.sh']
                  after:
                    - run: [sh, '{{plan}}']
                      exit: 3
                """.replace("[--threads, '{threads.max}']", "--quiet"))
                .hooks()
                .orElseThrow();

        assertThat(hooks.before())
                .containsExactly(
                        new Hook(
                                groups("redis-server", "--port", "{port:redis}", "--quiet"),
                                Map.of("SAVE", "{dir}/save"),
                                true,
                                Optional.of(new Ready.Tcp("127.0.0.1:{port:redis}")),
                                Duration.ofMillis(1500),
                                0,
                                Hook.Scope.RUN),
                        plain(0, folder + "/reset.sh"));
        assertThat(hooks.after()).containsExactly(plain(3, "sh", "{{plan}}"));
        assertThat(hooks.ports()).containsExactly("redis");
        assertThat(hooks.ports(Hook.Scope.TRIAL)).isEmpty();
        assertThat(hooks.before().getFirst().program()).isEqualTo("redis-server");
    }

    private static List<List<String>> groups(String... arguments) {
        return List.of(arguments).stream().map(List::of).toList();
    }

    private static Hook plain(int exit, String... arguments) {
        return new Hook(groups(arguments), Map.of(), false, Optional.empty(), Hook.WITHIN, exit, Hook.Scope.TRIAL);
    }

    @Test
    void everyWayToBeReadyArrives() throws IOException {
        List<Hook> before = read(HEAD + """
                hooks:
                  before:
                    - {run: [a], ready: {http: 'http://127.0.0.1:{port:web}/up', status: 204}}
                    - {run: [a], ready: {log: 'Ready to accept'}}
                    - {run: [a], ready: {run: [b, [-t, '{threads.max}']]}}
                """).hooks().orElseThrow().before();

        assertThat(before)
                .extracting(h -> h.ready().orElseThrow())
                .containsExactly(
                        new Ready.Http("http://127.0.0.1:{port:web}/up", 204),
                        new Ready.Log("Ready to accept"),
                        new Ready.Probe(List.of(List.of("b"), List.of("-t", "{threads.max}"))));
    }

    @Test
    void aPlanNeedsNone() throws IOException {
        assertThat(read(HEAD).hooks()).isEmpty();
    }

    @Test
    void aTemplateMayBeAFileBesideThePlan() throws IOException {
        Files.createDirectories(folder.resolve("conf"));
        Files.writeString(folder.resolve("conf/app.in"), "max={threads.max}\n%d{{HH:mm}}\n");
        var command = (Target.Command) read(HEAD.replace(
                        "  java: 17\n",
                        "  templates: {conf/app.ini: {from: conf/app.in}, b: 'x={backlog}'}\n  defaults: {backlog: 50}\n"))
                .target();

        assertThat(command.templates())
                .containsExactly(
                        Map.entry("conf/app.ini", "max={threads.max}\n%d{{HH:mm}}\n"), Map.entry("b", "x={backlog}"));
        assertThat(command.configures())
                .containsEntry("threads.max", "")
                .containsEntry("backlog", "50")
                .containsEntry("jvm.java", "");
    }
}
