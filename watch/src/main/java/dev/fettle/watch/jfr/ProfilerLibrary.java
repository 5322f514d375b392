package dev.fettle.watch.jfr;

import dev.fettle.watch.host.OwnedFiles;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * async-profiler's native library, extracted from its jar into a folder that only this user may enter. The folder is
 * always the same: a process that loads the library again must not get a second copy.
 */
final class ProfilerLibrary {
    /** Its name in the memory map of a process that has loaded it, whoever did. */
    static final String NAME = "libasyncProfiler.so";

    private static final String FOLDER = "async-profiler-4.1";

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private ProfilerLibrary() {}

    /**
     * The library of this machine.
     *
     * @param system {@code os.name}
     * @param machine {@code os.arch}
     * @throws IOException if there is none
     */
    static byte[] bytes(String system, String machine) throws IOException {
        String architecture = switch (machine.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x64";
            case "aarch64", "arm64" -> "arm64";
            default -> "";
        };
        if (!system.equals("Linux") || architecture.isEmpty()) {
            throw new IOException("it has no library for " + system + " on " + machine);
        }
        String resource = "/linux-" + architecture + "/" + NAME;
        try (InputStream in = ProfilerLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("its jar is not there, or has no " + resource);
            }
            return in.readAllBytes();
        }
    }

    /**
     * Extracts the library into the user's cache folder, unless it is there.
     *
     * @param environment of this process
     * @return the file
     * @throws IOException if that is not possible, or others could change the file
     */
    static Path unpack(Map<String, String> environment) throws IOException {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isBlank()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache")
                : Path.of(cache);
        return unpack(
                base.resolve("fettle").toAbsolutePath(),
                bytes(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    /**
     * Extracts a library into a folder.
     *
     * @param base created if missing
     */
    static Path unpack(Path base, byte[] library) throws IOException {
        Files.createDirectories(base);
        Path folder = base.resolve(FOLDER);
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
        }
        check(folder);
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || !Arrays.equals(Files.readAllBytes(file), library)) {
            Path whole = Files.createTempFile(folder, "new", ".so", PosixFilePermissions.asFileAttribute(PRIVATE));
            Files.write(whole, library);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    /** Code is loaded from this folder, so nobody else may be able to write to it. */
    private static void check(Path folder) throws IOException {
        PosixFileAttributes seen = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!seen.isDirectory()
                || !seen.owner().equals(Files.getOwner(Path.of("/proc/self")))
                || seen.permissions().stream().anyMatch(OTHERS::contains)) {
            throw new IOException(folder + " is not a folder of this user alone ("
                    + seen.owner().getName() + ", " + PosixFilePermissions.toString(seen.permissions())
                    + "): remove it");
        }
        // root's folder in another's home can be renamed, and another put in its place
        long me = new Proc().user("self").orElse(-1);
        Optional<String> doubt = me == 0 ? new OwnedFiles(me).doubt(folder) : Optional.empty();
        if (doubt.isPresent()) {
            throw new IOException(
                    "no library is put into " + folder + ": " + doubt.get() + "; XDG_CACHE_HOME names another place");
        }
    }
}
