package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files that trials are made of: the program's jar or WAR, the jars and class folders of its command, its server's own
 * configuration, the load's data and certificates. If one of them changes, later trials measure something else. What Fettle
 * fetches by version is not among them, nor is a server's home.
 */
public final class TrialFiles {
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    /** What of a server's own base makes its configuration; the rest, such as logs, changes while it runs. */
    private static final List<String> CONFIGURATION = List.of("conf", "bin", "start.ini", "start.d", "etc");

    private static final int PIECE = 1 << 16;

    private final Map<Path, Seen> seen = new HashMap<>();

    /** A file or folder as it was at the first launch. */
    private record Seen(String stamp, String digest) {}

    /** The files and folders of a target and its load. */
    public static Set<Path> of(Target target, Load load) {
        var files = new LinkedHashSet<Path>(ofTarget(target));
        load.scenario().ifPresent(s -> s.data().forEach(d -> files.add(Path.of(d.file()))));
        load.wire().tls().flatMap(Wire.Tls::authorities).map(Path::of).ifPresent(files::add);
        return files;
    }

    /**
     * The digests of files.
     *
     * @return SHA-256 by path; nothing for one that is not there
     */
    public static Map<String, String> digests(Collection<Path> files) {
        var digests = new TreeMap<String, String>();
        files.forEach(file -> digest(file).ifPresent(d -> digests.put(file.toString(), d)));
        return digests;
    }

    /**
     * Sees to it that a trial is made of the same files as the first one.
     *
     * @throws LabException if one of them has changed since
     */
    void check(Collection<Path> files) throws LabException {
        for (Path file : files) {
            String stamp = stamp(file);
            Seen first = seen.get(file);
            if (first == null) {
                seen.put(file, new Seen(stamp, digest(file).orElse("")));
            } else if (!stamp.equals(first.stamp())) {
                if (!digest(file).orElse("").equals(first.digest())) {
                    throw new LabException(
                            file + " has changed since the run began, so that its trials can't be compared."
                                    + " Start a new run once it stays as it is");
                }
                seen.put(file, new Seen(stamp, first.digest())); // written again, with the same content
            }
        }
    }

    private static List<Path> ofTarget(Target target) {
        return switch (target) {
            case Target.War war -> List.of(Path.of(war.war()));
            case Target.Boot boot -> List.of(Path.of(boot.jar()));
            case Target.Standalone s -> {
                var files = new ArrayList<Path>();
                s.war()
                        .filter(w -> !w.equals(Target.Standalone.EXAMPLES))
                        .map(Path::of)
                        .ifPresent(files::add);
                s.base().ifPresent(base -> CONFIGURATION.forEach(name -> files.add(Path.of(base, name))));
                yield files;
            }
            case Target.Command command -> ofCommand(command);
            case Target.Embedded _, Target.Running _, Target.Url _ -> List.of();
        };
    }

    private static List<Path> ofCommand(Target.Command command) {
        var files = new ArrayList<Path>();
        String before = "";
        for (String argument :
                command.arguments().stream().flatMap(List::stream).toList()) {
            boolean classPath = CLASS_PATH.contains(before);
            for (String piece : argument.split(":")) {
                path(piece).filter(p -> isProgram(p, classPath)).ifPresent(files::add);
            }
            before = argument;
        }
        return files;
    }

    private static Optional<Path> path(String text) {
        try {
            Path path = Path.of(text);
            return path.isAbsolute() ? Optional.of(path.normalize()) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static boolean isProgram(Path path, boolean classPath) {
        String name = path.toString();
        return name.endsWith(".jar") || name.endsWith(".war") || classPath && Files.isDirectory(path);
    }

    /** What changes if a file is written again: size and time of all that is in it. */
    private static String stamp(Path file) {
        var text = new StringBuilder();
        for (Path part : parts(file)) {
            try {
                text.append(part)
                        .append(' ')
                        .append(Files.size(part))
                        .append(' ')
                        .append(Files.getLastModifiedTime(part))
                        .append('\n');
            } catch (IOException e) {
                text.append(part).append(" unread\n");
            }
        }
        return text.toString();
    }

    /** The digest of a file, or of the names and contents of a folder; empty if there is none, or it can't be read. */
    private static Optional<String> digest(Path file) {
        List<Path> parts = parts(file);
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path part : parts) {
                String name = file.relativize(part) + "\n" + Files.size(part) + "\n";
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                add(part, digest);
            }
            return Optional.of(HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static void add(Path file, MessageDigest digest) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            var piece = ByteBuffer.allocate(PIECE);
            while (channel.read(piece) >= 0) {
                digest.update(piece.flip());
                piece.clear();
            }
        }
    }

    /** The regular files of a folder, in order; of a file, itself. */
    private static List<Path> parts(Path file) {
        try (Stream<Path> all = Files.walk(file)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
