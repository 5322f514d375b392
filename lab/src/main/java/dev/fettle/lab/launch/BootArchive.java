package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Archive;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** An executable jar or WAR, read within limits: nothing is unpacked, and no entry is read beyond a maximum size. */
final class BootArchive implements AutoCloseable {
    /** The most that is read of an entry, packed or not. */
    private static final int MOST_BYTES = 1 << 20;

    private final ZipFile zip;
    private final Attributes manifest;

    private BootArchive(ZipFile zip, Attributes manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Opens a jar.
     *
     * @throws IllegalArgumentException with a message for the user, if it is not a jar
     * @throws IOException if it cannot be read
     */
    static BootArchive open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a folder, not a jar");
        }
        ZipFile zip;
        try {
            zip = Archive.zip(file);
        } catch (ZipException e) {
            throw new IllegalArgumentException(file + " is no jar: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) { // an entry's name is not valid text
            throw new IllegalArgumentException(file + " is no jar: its table of contents is broken", e);
        }
        try {
            return new BootArchive(zip, manifest(file, zip));
        } catch (IOException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    /** An attribute of the manifest. */
    Optional<String> attribute(String name) {
        return Optional.ofNullable(manifest.getValue(name));
    }

    /** The libraries: entries of the archive, and files on its manifest's class path. */
    Stream<String> libraries() {
        String classPath = attribute("Class-Path").orElse("");
        return Stream.concat(
                zip.stream().map(ZipEntry::getName).filter(n -> n.endsWith(".jar")),
                Arrays.stream(classPath.split(" ")).filter(n -> n.endsWith(".jar")));
    }

    /**
     * An entry's text.
     *
     * @throws IOException if it is broken or larger than 1 MiB
     */
    Optional<String> text(String entry) throws IOException {
        return bytes(zip, entry).map(b -> new String(b, StandardCharsets.UTF_8));
    }

    private static Optional<byte[]> bytes(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null || entry.isDirectory()) {
            return Optional.empty();
        }
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(name + " is larger than 1 MiB");
            }
            return Optional.of(bytes);
        }
    }

    private static Attributes manifest(Path file, ZipFile zip) throws IOException {
        Optional<byte[]> bytes = bytes(zip, "META-INF/MANIFEST.MF");
        if (bytes.isEmpty()) {
            return new Attributes();
        }
        try {
            return new Manifest(new ByteArrayInputStream(bytes.get())).getMainAttributes();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": its manifest is broken: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
