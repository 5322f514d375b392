package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Tls;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that trials are made of: the parts of the target, the load's data and certificates. If one of them changes,
 * later trials measure something else. Of a folder, only what programs are made of counts: an application may write into its
 * own.
 */
public final class TrialFiles {
    /** What programs are made of, by their names within a folder: code, pages and configuration; no data, logs and uploads. */
    private static final Pattern PROGRAM = Pattern.compile(
            "^(?:(?:.*/)?(?:META-INF|WEB-INF/(?:classes|lib))/.*|.*\\.(?i:class|jar|war|so|sh|groovy|sql"
                    + "|jspx?|jspf|tagx?|tld|x?html?|css|m?js|ftlh?|vm|mustache|hbs"
                    + "|xml|xsd|dtd|properties|ya?ml|toml|ini|mod|conf|config|cfg|policy"
                    + "|jks|keystore|p12|pfx|pem|crt|cer|key))");

    private final Map<Path, Seen> seen = new HashMap<>();

    /** A file or folder as it was when it was first read. */
    private record Seen(String stamp, String digest) {}

    /** The user's files and folders that make a target and its load. */
    public static Set<Path> of(Target target, Load load) {
        var files = new LinkedHashSet<>(TargetParts.ofUser(target));
        load.scenario().ifPresent(s -> s.data().forEach(d -> files.add(Path.of(d.file()))));
        load.wire().tls().flatMap(Tls::authorities).map(Path::of).ifPresent(files::add);
        return files;
    }

    /**
     * The digests of files when they were first seen; a large program is read once.
     *
     * @return SHA-256 by path; empty for one that is not there
     */
    public Map<String, String> digests(Collection<Path> files) {
        var digests = new TreeMap<String, String>();
        files.forEach(file -> digests.put(file.toString(), first(file).digest()));
        return digests;
    }

    private Seen first(Path file) {
        return seen.computeIfAbsent(file, f -> new Seen(stamp(f), digest(f)));
    }

    /**
     * Sees to it that a trial is made of files as they were first seen, for the run's record or by its first trial.
     *
     * @throws LabException if one of them has changed since
     */
    void check(Collection<Path> files) throws LabException {
        for (Path file : files) {
            Seen first = first(file);
            String stamp = stamp(file);
            if (!stamp.equals(first.stamp())) {
                if (!digest(file).equals(first.digest())) {
                    throw new LabException(
                            file + " has changed since the run began, so that its trials can't be compared."
                                    + " Start a new run once it stays as it is");
                }
                seen.put(file, new Seen(stamp, first.digest())); // written again, with the same content
            }
        }
    }

    /** What changes if a file is written again: size and time of all that is in it. */
    private static String stamp(Path file) {
        var text = new StringBuilder();
        for (Path part : parts(file).values()) {
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

    /** The digest of a file, or of the names and contents of a folder; empty if there is nothing. */
    private static String digest(Path file) {
        SortedMap<String, Path> parts = parts(file);
        if (parts.isEmpty()) {
            return "";
        }
        MessageDigest digest = Sha256.digester();
        parts.forEach((name, part) -> {
            // an interrupt does not end a stream, as it does a channel: what was cut short would look like a change
            try (InputStream in = NamedFile.open(part)) {
                digest.update((name + "\n" + Files.size(part) + "\n").getBytes(StandardCharsets.UTF_8));
                in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            } catch (IOException e) {
                digest.update((name + "\nunread\n").getBytes(StandardCharsets.UTF_8));
            }
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * The regular files that count, by name and in its order: of a folder, those of a program; of a file, itself. Links are
     * followed, as the servers follow them.
     */
    private static SortedMap<String, Path> parts(Path file) {
        var parts = new TreeMap<String, Path>();
        try {
            Path real = file.toRealPath();
            Files.walkFileTree(
                    real, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path part, BasicFileAttributes attributes) {
                            String name = real.relativize(part).toString();
                            if (attributes.isRegularFile()
                                    && (name.isEmpty() || PROGRAM.matcher(name).matches())) {
                                parts.put(name, part);
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        /** It can't be read, or it is a link to a folder it is in. */
                        @Override
                        public FileVisitResult visitFileFailed(Path part, IOException problem) {
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) {
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            return parts; // there is nothing
        }
        return parts;
    }
}
