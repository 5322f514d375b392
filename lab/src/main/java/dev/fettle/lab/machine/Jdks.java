package dev.fettle.lab.machine;

import dev.fettle.watch.host.OwnedFiles;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the JDKs of this machine in the usual places.
 *
 * @param environment variables, of which {@code JAVA_HOME}, {@code JAVA_HOME_*} and {@code PATH} are used
 * @param running home of the JDK that runs Fettle
 */
public record Jdks(Map<String, String> environment, Path userHome, Path running) {
    /** A JDK has some hundred files. */
    private static final int MOST_FILES = 50_000;

    public Jdks {
        environment = Map.copyOf(environment);
    }

    /** The JDKs of the process's own environment. */
    public static Jdks system() {
        return new Jdks(
                System.getenv(), Path.of(System.getProperty("user.home")), Path.of(System.getProperty("java.home")));
    }

    /**
     * The {@code java} program of a JDK.
     *
     * @param wanted a feature release ({@code 17}), a JDK's home folder, or empty for the one that runs Fettle
     * @throws LabException if there is none; the message lists those found
     */
    public Path java(Optional<String> wanted) throws LabException {
        if (wanted.isEmpty()) {
            return running.resolve("bin/java");
        }
        String w = wanted.get();
        if (w.isBlank()) {
            throw new LabException("no JDK is named: a release such as 21 or a JDK's folder is wanted");
        }
        if (!isRelease(w)) {
            Path java = Path.of(w).resolve("bin/java");
            if (Files.isExecutable(java)) {
                return java;
            }
            throw new LabException("no JDK at " + w + ": there is no executable bin/java below it");
        }
        var found = all();
        Path home = found.get(Integer.valueOf(w));
        if (home == null) {
            throw new LabException(
                    "no JDK " + w + " on this machine; found: " + (found.isEmpty() ? "none" : found.toString())
                            + ". Install it, or set JAVA_HOME_" + w + " to its home folder");
        }
        return home.resolve("bin/java");
    }

    /**
     * The {@code java} that a process runs, by what the kernel says and not by what the process does.
     *
     * @throws LabException if it is not a JDK's, or others than this user and root may have written a file of that JDK
     */
    public Path javaOf(long pid) throws LabException {
        var proc = new Proc();
        Path java = proc.program(pid)
                .orElseThrow(() -> new LabException("the program of process " + pid + " can't be found here"));
        Path home = java.resolve("../..").normalize();
        if (!java.endsWith(Path.of("bin", "java")) || !Files.isDirectory(home.resolve("lib"))) {
            throw new LabException("process " + pid + " runs " + java + ", which is not a JDK's java");
        }
        var owned = OwnedFiles.ofThisUser();
        try (Stream<Path> all = Files.walk(home)) {
            for (Path p : all.limit(MOST_FILES).toList()) {
                Optional<String> doubt = owned.doubt(p);
                if (doubt.isPresent()) {
                    throw new LabException("process " + pid + " runs " + java + ", but " + doubt.get());
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("process " + pid + " runs " + java + ", which can't be read: " + e.getMessage(), e);
        }
        return java;
    }

    /** Homes by feature release; the first place that has a release wins. */
    public Map<Integer, Path> all() {
        var homes = new TreeMap<Integer, Path>();
        for (Path home : candidates()) {
            release(home).ifPresent(r -> homes.putIfAbsent(r, home));
        }
        return homes;
    }

    private List<Path> candidates() {
        var homes = new ArrayList<Path>();
        homes.add(running);
        environment.forEach((name, value) -> {
            if ((name.equals("JAVA_HOME") || name.startsWith("JAVA_HOME_")) && !value.isBlank()) {
                homes.add(Path.of(value));
            }
        });
        onPath().ifPresent(homes::add);
        var owned = OwnedFiles.ofThisUser();
        for (Path folder : List.of(
                Path.of("/usr/lib/jvm"),
                Path.of("/usr/java"),
                Path.of("/opt"),
                userHome.resolve(".sdkman/candidates/java"),
                userHome.resolve(".jdks"))) {
            if (Files.isDirectory(folder)) {
                try (var children = Files.list(folder)) {
                    // in /opt there may be folders of other users, and whatever these put there
                    children.sorted().filter(owned::isMine).forEach(homes::add);
                } catch (IOException e) {
                    continue; // an unreadable folder has no JDK we could use
                }
            }
        }
        return homes;
    }

    /** The JDK of the {@code javac} on the {@code PATH}, behind its links. */
    private Optional<Path> onPath() {
        for (String folder : environment.getOrDefault("PATH", "").split(":")) {
            Path javac = Path.of(folder, "javac");
            if (!folder.isEmpty() && Files.isExecutable(javac)) {
                try {
                    return Optional.ofNullable(javac.toRealPath().getParent()).map(Path::getParent);
                } catch (IOException e) {
                    return Optional.empty(); // gone since
                }
            }
        }
        return Optional.empty();
    }

    /** The feature release of the JDK that a {@code java} program belongs to. */
    public static Optional<Integer> releaseOf(Path java) {
        return release(java.resolve("../..").normalize());
    }

    /** The feature release of a JDK home, from its {@code release} file; empty if it is not a JDK. */
    static Optional<Integer> release(Path home) {
        Path file = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(file)) {
            return Optional.empty();
        }
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
        String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
        String feature = version.startsWith("1.") ? version.substring(2) : version;
        String digits = feature.split("[^0-9]", 2)[0];
        return isRelease(digits) ? Optional.of(Integer.valueOf(digits)) : Optional.empty();
    }

    private static boolean isRelease(String text) {
        return text.matches("^[0-9]{1,4}$");
    }
}
