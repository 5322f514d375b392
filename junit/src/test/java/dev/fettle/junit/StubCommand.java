package dev.fettle.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;

/** A command that prints what a real one printed, and keeps what it was given. */
record StubCommand(Path home) {
    /**
     * Made in a folder.
     *
     * @param result a resource: the real command's standard output; empty: nothing
     */
    static StubCommand in(Path home, int exit, String result, String error) {
        try {
            Files.writeString(home.resolve("out"), result.isEmpty() ? "" : resource(result));
            Files.writeString(home.resolve("err"), error);
            return written(home, "cat \"$h/out\"; cat \"$h/err\" >&2; exit " + exit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that does not end by itself, for as long as a test may take. */
    static StubCommand endless(Path home) throws IOException {
        return written(home, "trap 'kill $!; exit 143' TERM\necho $$ > \"$h/pid\"\nsleep 60 & wait");
    }

    private static StubCommand written(Path home, String then) throws IOException {
        Path script = home.resolve("fettle");
        Files.writeString(script, """
                #!/bin/sh
                h=%s
                cat > "$h/in"
                for a in "$@"; do
                  printf '%%s\\n' "$a" >> "$h/args"
                  case $a in --body=@*) cp -p "${a#--body=@}" "$h/body" ;; esac
                done
                %s
                """.formatted(home, then));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return new StubCommand(home);
    }

    FettleCommand command() {
        return new FettleCommand(home.resolve("fettle"));
    }

    List<String> arguments() throws IOException {
        return Files.readAllLines(home.resolve("args"));
    }

    String input() throws IOException {
        return Files.readString(home.resolve("in"));
    }

    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(StubCommand.class.getResourceAsStream(name + ".json"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
