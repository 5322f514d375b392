package dev.fettle.lab.machine;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Copies and deletes folders recursively. */
public final class Folders {
    private Folders() {}

    /** Copies a file or folder. A link to a file is copied as a file; links to folders are not followed. */
    public static void copy(Path from, Path to) throws IOException {
        copy(from, to, p -> true);
    }

    /**
     * Copies a file or a folder.
     *
     * @param wanted whether a file or folder of the original is copied
     */
    public static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        if (!Files.isDirectory(from)) {
            Files.createDirectories(to.getParent());
            Files.copy(from, to);
            return;
        }
        Path real = from.toRealPath();
        Files.walkFileTree(real, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (!wanted.test(from.resolve(real.relativize(folder)))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(real.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (Files.isRegularFile(file) && wanted.test(from.resolve(real.relativize(file)))) {
                    Files.copy(file, to.resolve(real.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Writes a file so that, whatever happens, it has its old content or the new one as a whole; it is on disk when this returns. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (var out = new FileOutputStream(unfinished.toFile())) { // an interrupt would close a channel
            out.write(content);
            out.getFD().sync();
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes a new file, in place of one that may be there, that was never readable but by its owner. */
    public static void writePrivate(Path file, byte[] content) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, content);
    }

    /** Creates a folder, or takes an existing file, and makes it readable by its owner only: configurations contain passwords. */
    public static void keepPrivate(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.createDirectories(path);
        }
        Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }

    /** Deletes a folder recursively; links are deleted, not what they point to. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException problem) throws IOException {
                Files.deleteIfExists(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
