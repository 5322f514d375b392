package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.ConfigException;
import dev.fettle.config.audit.SettingsText;
import dev.fettle.lab.machine.Archive;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files to audit, as named by the user. */
public final class AuditFiles {
    private static final int MOST_FILES = 500;
    private static final int DEEPEST = 6;
    private static final int MOST_ENTRIES = 100_000;
    /** What can't be read in a folder is said of so many. */
    private static final int MOST_PASSED_OVER = 20;

    private static final String IN_ARCHIVE = "!/";

    private static final Pattern ARCHIVE = Pattern.compile(".*\\.(?i:jar|war)");

    /** Where an application has its own configuration. */
    private static final Pattern PLACE =
            Pattern.compile("(?:(?:BOOT-INF|WEB-INF)/(?:classes/)?|META-INF/)?+(?:config/)?+[^/]++");

    private AuditFiles() {}

    /**
     * Reads files, folders, and standard input for {@code -}.
     *
     * @param notes receives what can't be read in a folder
     */
    public static List<SettingsText> read(List<String> names, List<String> notes) {
        var out = new ArrayList<SettingsText>();
        for (String name : names) {
            if (name.equals("-")) {
                out.add(text("standard input", System.in));
                continue;
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                folder(path, out, notes);
            } else if (ARCHIVE.matcher(name).matches()) {
                archive(path, out, notes);
            } else {
                out.add(file(path));
            }
        }
        return out;
    }

    /** Whether a text lies in an archive, where no patch reaches it. */
    public static boolean isInArchive(SettingsText text) {
        return text.name().contains(IN_ARCHIVE);
    }

    /** The configuration in an application's archive, as text; libraries within it are not opened. */
    private static void archive(Path path, List<SettingsText> out, List<String> notes) {
        int before = out.size();
        try (Archive archive = Archive.open(path)) {
            List<String> names = archive.names(MOST_ENTRIES).stream()
                    .filter(n -> PLACE.matcher(n).matches() && SettingsText.isConfiguration(n))
                    .sorted()
                    .limit(MOST_FILES)
                    .toList();
            for (String name : names) {
                try (InputStream in = archive.entry(name).orElseGet(InputStream::nullInputStream)) {
                    out.add(text(path + IN_ARCHIVE + name, in));
                } catch (CliException e) {
                    notes.add(String.valueOf(e.getMessage()));
                }
            }
        } catch (IOException | IllegalArgumentException e) { // an entry's name may be no text
            throw unreadable(path, e instanceof IOException io ? io : new IOException(e.getMessage(), e));
        }
        if (out.size() == before) {
            throw Parse.usage("no configuration in " + path + (notes.isEmpty() ? "" : "; " + String.join("; ", notes)));
        }
    }

    private static SettingsText file(Path path) {
        if (!Files.exists(path)) {
            throw Parse.usage("no such file: " + path);
        }
        try (InputStream in = NamedFile.open(path)) {
            return text(path.toString(), in);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** The files in a folder that look like configuration; what can't be read becomes a note, since the user did not name it. */
    private static void folder(Path named, List<SettingsText> out, List<String> notes) {
        Configurations found;
        Path folder = named;
        try {
            folder = Files.isSymbolicLink(named) ? named.toRealPath() : named;
            found = new Configurations(folder, notes);
            Files.walkFileTree(folder, Set.of(), DEEPEST, found);
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
        if (found.files.isEmpty()) {
            throw Parse.usage(
                    "no configuration file in " + folder + (notes.isEmpty() ? "" : "; " + String.join("; ", notes)));
        }
        if (found.files.size() > MOST_FILES) {
            notes.add(folder + " has " + Format.whole(found.files.size()) + " configuration files: the first "
                    + MOST_FILES + " by name were read; name a folder within it for the rest");
        }
        for (Path f : found.files.stream().sorted().limit(MOST_FILES).toList()) {
            try {
                out.add(file(f));
            } catch (CliException e) {
                notes.add(String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Collects the configuration files below a folder. Only the folder itself must be readable. A link out of it would show what its
     * author could not read.
     */
    private static final class Configurations extends SimpleFileVisitor<Path> {
        private final List<Path> files = new ArrayList<>();
        private final Path folder;
        private final List<String> notes;
        private int entries;
        private int passedOver;

        Configurations(Path folder, List<String> notes) {
            this.folder = folder;
            this.notes = notes;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return !dir.equals(folder) && (dir.endsWith(".git") || dir.endsWith("target"))
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (++entries > MOST_ENTRIES) {
                notes.add(folder + " has more than " + Format.whole(MOST_ENTRIES)
                        + " entries: what comes after those was not read; name a folder within it");
                return FileVisitResult.TERMINATE;
            }
            if (Files.isRegularFile(file) && SettingsText.isConfiguration(file.toString())) {
                if (!attributes.isSymbolicLink() || file.toRealPath().startsWith(folder.toRealPath())) {
                    files.add(file);
                } else {
                    notes.add(file + " was not read: it is a link out of the folder; to read it, name it itself");
                }
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return passOver(file, e);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) throws IOException {
            return e == null ? FileVisitResult.CONTINUE : passOver(dir, e);
        }

        private FileVisitResult passOver(Path file, IOException e) throws IOException {
            if (file.equals(folder)) {
                throw e;
            }
            if (++passedOver <= MOST_PASSED_OVER) {
                notes.add(String.valueOf(unreadable(file, e).getMessage()));
            } else if (passedOver == MOST_PASSED_OVER + 1) {
                notes.add("more in " + folder + " could not be read");
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private static CliException unreadable(Path file, IOException e) {
        return new CliException(ExitCodes.FAILED, "cannot read " + file + ": " + UserFile.reason(file, e), e);
    }

    private static SettingsText text(String name, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(4 * SettingsText.MOST_CHARACTERS + 1);
            return SettingsText.read(name, new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + name + ": " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
