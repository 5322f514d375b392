package dev.fettle.maven;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.jspecify.annotations.Nullable;

/** Where the command is: in a folder that is named, in a distribution that is unpacked once, or on the {@code PATH}. */
final class Home {
    private Home() {}

    /**
     * The launcher: of {@code home}, else of the variable {@code FETTLE_HOME}, else on the {@code PATH}. One that is named and not there is an
     * error: another might be another version.
     */
    static Path launcher(@Nullable File home, Function<String, @Nullable String> environment)
            throws MojoExecutionException {
        if (home != null) {
            return named("fettle.home", home.toPath());
        }
        String variable = environment.apply("FETTLE_HOME");
        if (variable != null && !variable.isBlank()) {
            return named("FETTLE_HOME", Path.of(variable));
        }
        String path = environment.apply("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve("fettle").toAbsolutePath())
                .filter(Home::isProgram)
                .findFirst()
                .orElseThrow(() ->
                        new MojoExecutionException("there is no fettle command: unpack a distribution of Fettle and"
                                + " name its folder with <home>, -Dfettle.home or FETTLE_HOME, name its coordinates with <distribution>, or"
                                + " put it on the PATH"));
    }

    private static Path named(String by, Path home) throws MojoExecutionException {
        Path launcher = home.resolve("fettle").toAbsolutePath();
        if (!isProgram(launcher)) {
            throw new MojoExecutionException(
                    "%s is %s, and there is no program %s: name the folder of a distribution of Fettle"
                            .formatted(by, home, launcher));
        }
        return launcher;
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** Where distributions are unpacked: {@code fettle/distributions} in {@code XDG_CACHE_HOME} or {@code ~/.cache}. */
    static Path cache(Function<String, @Nullable String> environment) {
        String cache = environment.apply("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve("fettle").resolve("distributions");
    }

    /**
     * The folder of an archive's content, unpacked if no build did it before. Two builds at a time do it both; one result stays.
     *
     * @param archive a {@code tar.gz} with one folder in it
     * @param cache where it is unpacked, in a folder that is called as the archive's SHA-256
     */
    static Path unpacked(Path archive, Path cache) throws MojoExecutionException {
        if (!archive.toString().endsWith(".tar.gz") && !archive.toString().endsWith(".tgz")) {
            throw new MojoExecutionException(archive
                    + " is no distribution of Fettle: that is a tar.gz, GROUP:fettle-dist:tar.gz:linux-ARCH:VERSION");
        }
        try {
            Path home = cache.resolve(sum(archive));
            if (!Files.isDirectory(home)) {
                Files.createDirectories(cache);
                Path fresh = Files.createTempDirectory(cache, "new-");
                try {
                    unpack(archive, fresh);
                    move(fresh, home);
                } finally {
                    remove(fresh);
                }
            }
            return home;
        } catch (IOException e) {
            throw new MojoExecutionException(archive + " can't be unpacked: " + e.getMessage(), e);
        }
    }

    /** The tar of the machine keeps what is a program; Java's zip would not. */
    private static void unpack(Path archive, Path to) throws IOException, MojoExecutionException {
        int code = new Run(to, List.of("tar", "xzf", archive.toString(), "--strip-components=1", "--no-same-owner"))
                .code();
        if (code != 0 || !isProgram(to.resolve("fettle"))) {
            throw new MojoExecutionException(archive
                    + (code != 0
                            ? " can't be unpacked"
                            : " is no distribution of Fettle: there is no program 'fettle' in it"));
        }
    }

    private static void move(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(fresh, home);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            if (!isProgram(home.resolve("fettle"))) { // else another build was quicker, with the same content
                throw e;
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(p);
                }
            }
        }
    }

    private static String sum(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            int read = in.read(buffer);
            while (read >= 0) {
                digest.update(buffer, 0, read);
                read = in.read(buffer);
            }
            return "%064x".formatted(new BigInteger(1, digest.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
