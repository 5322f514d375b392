package dev.fettle.cli.kept;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.OneLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds journals and JSON below folders. Links in them are not followed, nothing is written, and nothing that is found is run. */
public final class ResultFinder {
    private static final String JOURNAL = "journal.db";
    private static final int MOST_MEBIBYTES = 16;
    private static final int MOST_ENTRIES = 200_000;
    private static final int DEEPEST = 32;

    private final List<File> files = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();
    private int entries;

    /**
     * A journal, or a file that may be a result.
     *
     * @param name of it below the folder that was named
     */
    public record File(Path path, String name) {}

    /**
     * What is there.
     *
     * @param unread what could not be looked into, and why
     */
    public record Found(List<File> files, List<String> unread) {
        /** Copies the lists. */
        public Found {
            files = List.copyOf(files);
            unread = List.copyOf(unread);
        }
    }

    private ResultFinder() {}

    /** Looks into folders and files; one that is not there is the user's mistake. */
    public static Found find(List<Path> places) {
        check(places);
        var finder = new ResultFinder();
        places.forEach(finder::look);
        return new Found(finder.files, finder.unread);
    }

    /** Reports a folder or file that is not there as the user's mistake. */
    static void check(List<Path> places) {
        for (Path place : places) {
            if (!Files.exists(place)) {
                throw Parse.usage("there is no folder or file " + place);
            }
        }
    }

    /** Whether a file is called as a journal is. */
    public static boolean isJournal(Path file) {
        return file.endsWith(JOURNAL);
    }

    /** The text of a file, which may be no larger than a result is. */
    public static String text(Path file) throws IOException {
        String text = new String(NamedFile.bytes(file, MOST_MEBIBYTES << 20), StandardCharsets.UTF_8);
        return text.startsWith(UserFile.BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private void look(Path place) {
        var found = new ArrayList<Path>();
        Path root = place;
        try {
            root = Files.isSymbolicLink(place) ? place.toRealPath() : place;
            Files.walkFileTree(root, Set.of(), DEEPEST, new Finder(found));
        } catch (IOException e) {
            passOver(place, e);
        }
        if (found.isEmpty() && Files.isRegularFile(root)) {
            found.add(root); // it was named: then it is said what is wrong with it
        }
        for (Path file : found.stream().sorted().toList()) {
            Path name = file.equals(root) ? file.getFileName() : root.relativize(file);
            files.add(new File(file, String.valueOf(name)));
        }
    }

    /** Collects journals and JSON below a folder; links in it are not followed. */
    private final class Finder extends SimpleFileVisitor<Path> {
        private final List<Path> found;

        Finder(List<Path> found) {
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            Path parent = dir.getParent();
            // what is in a journal's folder of runs are the reports of what it holds
            boolean reports = dir.endsWith("runs") && parent != null && Files.isRegularFile(parent.resolve(JOURNAL));
            return reports || dir.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (++entries > MOST_ENTRIES) {
                unread.add("what comes after the first " + Format.whole(MOST_ENTRIES)
                        + " entries: name folders within it");
                return FileVisitResult.TERMINATE;
            }
            if (attributes.isRegularFile()
                    && (file.endsWith(JOURNAL) || file.toString().endsWith(".json"))) {
                found.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            passOver(file, e);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
            if (e != null) {
                passOver(dir, e);
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private void passOver(Path file, IOException e) {
        unread.add(OneLine.of(file + ": " + UserFile.reason(file, e)));
    }
}
