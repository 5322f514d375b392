package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedFileTest {
    @TempDir
    Path folder;

    @Test
    void whatIsNoFileIsNotOpened() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
        for (Path each : new Path[] {pipe, link}) {
            assertThatIOException()
                    .isThrownBy(() -> NamedFile.open(each))
                    .withMessage("it is a named pipe, not a file");
        }
        Path socket = folder.resolve("socket");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThatIOException().isThrownBy(() -> NamedFile.open(socket)).withMessage("it is a socket, not a file");
        }
        assertThatIOException().isThrownBy(() -> NamedFile.open(folder)).withMessage("it is a folder, not a file");
        assertThatIOException()
                .isThrownBy(() -> NamedFile.bytes(Path.of("/dev/zero"), 9))
                .withMessage("it is a device, not a file");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> NamedFile.open(folder.resolve("no such")));
    }

    @Test
    void aFileIsReadUpToItsBound() throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[1 << 20]);
        assertThat(NamedFile.bytes(file, 1 << 20)).hasSize(1 << 20);
        Files.write(file, new byte[(1 << 20) + 1]);
        assertThatIOException().isThrownBy(() -> NamedFile.bytes(file, 1 << 20)).withMessage("it is larger than 1 MiB");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(NamedFile.bytes(link, 2 << 20)).hasSize((1 << 20) + 1);
    }

    /** What a shell puts in the place of {@code <(command)}. */
    @Test
    void whatAShellHasOpenedIsRead() throws Exception {
        NamedFile.check(Path.of("/dev/fd/63"));
        NamedFile.check(Path.of("/dev/stdin"));
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> NamedFile.open(Path.of("/dev/fd/9999999")));
    }
}
