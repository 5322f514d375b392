package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnKeyTest {
    private static final List<String> TEXTS = List.of("sweep", "/a/p.yaml", "{}");

    @TempDir
    Path folder;

    private OwnKey key() {
        return OwnKey.in(folder.resolve("state/fettle"));
    }

    private Path file() {
        return folder.resolve("state/fettle/key");
    }

    @Test
    void aSealIsOfTheseTextsAndOfThisKey() throws Exception {
        assertThat(key().isSeal("", TEXTS)).isFalse();
        String seal = key().seal(TEXTS);
        assertThat(key().isSeal(seal, TEXTS)).isTrue();
        assertThat(key().seal(TEXTS)).isEqualTo(seal);
        for (List<String> other : List.of(
                List.of("sweep", "/a/p.yaml", "{ }"),
                List.of("sweep/", "a/p.yaml", "{}"),
                List.of("sweep", "/a/p.yaml{}", ""),
                List.of("sweep", "/a/p.yaml{}"),
                List.<String>of())) {
            assertThat(key().isSeal(seal, other)).as("%s", other).isFalse();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(OwnKey.in(folder.resolve("another")).seal(TEXTS)).isNotEqualTo(seal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"readable", "link", "second name", "short", "folder"})
    void aKeyThatMayBeAnothersIsNotUsed(String how) throws Exception {
        String seal = key().seal(TEXTS);
        Path other = folder.resolve("other");
        switch (how) {
            case "readable" -> Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
            case "link" -> {
                Files.move(file(), other);
                Files.createSymbolicLink(file(), other);
            }
            case "second name" -> Files.createLink(other, file());
            case "short" -> Files.write(file(), new byte[31]);
            default -> Files.setPosixFilePermissions(file().getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        for (Callable<?> use : List.<Callable<?>>of(() -> key().isSeal(seal, TEXTS), () -> key().seal(TEXTS))) {
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(use::call)
                    .withMessageContaining(file().toString())
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        }
    }

    @Test
    void ofSeveralThatMakeOneAtTheSameTimeOneCounts() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            var seals = new HashSet<String>();
            for (var each : threads.invokeAll(Stream.generate(() -> (Callable<String>) () -> key().seal(TEXTS))
                    .limit(8)
                    .toList())) {
                seals.add(each.get());
            }
            assertThat(seals).hasSize(1);
        }
        try (Stream<Path> left = Files.list(file().getParent())) {
            assertThat(left).containsExactly(file());
        }
    }

    @Test
    void itIsKeptWhereTheUserSays() {
        assertThat(OwnKey.state(Map.of("XDG_STATE_HOME", "/s", "HOME", "/h"))).isEqualTo(Path.of("/s/fettle"));
        assertThat(OwnKey.state(Map.of("XDG_STATE_HOME", "s", "HOME", "/h")))
                .isEqualTo(Path.of("/h/.local/state/fettle"));
    }
}
