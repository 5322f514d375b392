package dev.fettle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EscapesTest {
    @TempDir
    Path folder;

    /** As catalina.sh and standalone.sh do: the file is read, and the variable evaluated once more. */
    @Test
    void appendedFlagsComeOutOfAShellAsTheyWere() throws Exception {
        List<String> flags = List.of(
                "-Dhttp.nonProxyHosts=localhost|127.*",
                "-Dmode=first come",
                "-Dprice=$5",
                "-Dquote=it's \"here\"",
                "-Dback=a\\b`c`;d&e",
                "-Xmx256m");
        Path file = Files.writeString(folder.resolve("setenv.sh"), Escapes.appended("OPTS", flags));
        Process shell = new ProcessBuilder(
                        "sh", "-c", "OPTS=-Dfirst=1; . \"$1\"; eval \"printf '%s\\n' $OPTS\"", "sh", file.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "-Dfirst=1",
                        flags.get(0),
                        flags.get(1),
                        flags.get(2),
                        flags.get(3),
                        flags.get(4),
                        flags.get(5));
    }
}
