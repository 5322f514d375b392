package dev.fettle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserFileTest {
    private static final char MARK = '\uFEFF';

    /** Some programs put a byte order mark in front of JSON, which is none with it. */
    @ParameterizedTest
    @CsvSource({"^{}, {}", "{}, {}", "{^}, {^}", "'', ''"}) // ^ is the mark
    void aByteOrderMarkIsNoPartOfTheText(String written, String read, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.har"), written.replace('^', MARK));

        assertThat(UserFile.read(file, 1)).isEqualTo(read.replace('^', MARK));
    }
}
