package dev.fettle.lab.machine;

import dev.fettle.watch.host.OwnedFiles;
import dev.fettle.watch.host.Proc;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes files, and copies and deletes folders recursively. */
public final class Folders {
    private static final String UNFINISHED = ".unfinished-";

    /** As many as the kernel follows. */
    private static final int MOST_LINKS = 40;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

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

    /**
     * Writes a file of a folder that Fettle keeps: for its owner only, and so that, whatever happens, it has its old content or the
     * new one as a whole; it is on disk when this returns. A link in its place is replaced, not followed.
     */
    public static void replace(Path file, byte[] content) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder");
        Path unfinished = Files.createTempFile(folder, UNFINISHED, "", OWNER_FILE);
        try {
            write(unfinished, content, true);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** Writes a new file, in place of one that may be there, that was never readable but by its owner. */
    public static void writePrivate(Path file, byte[] content) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, OWNER_FILE);
        write(file, content, false);
    }

    /** The same for a text. */
    public static Path writePrivate(Path file, String text) throws IOException {
        writePrivate(file, text.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    /**
     * Writes a file that the user named: as a whole, with the permissions of the one that it replaces or else the usual ones. A link is
     * the user's own, and followed; what is no file, such as a pipe, is written to.
     */
    public static void write(Path named, byte[] content) throws IOException {
        Path file = followed(named);
        if (Files.exists(file) && !(Files.isRegularFile(file) && mine(file))) {
            Files.write(file, content);
            return;
        }
        Path unfinished = file.resolveSibling(UNFINISHED + Long.toUnsignedString(new SecureRandom().nextLong(), 36));
        try {
            Files.createFile(unfinished);
        } catch (AccessDeniedException e) {
            if (!Files.exists(file)) {
                throw new AccessDeniedException(file.toString());
            }
            Files.write(file, content); // which may be possible where no file can be made next to it
            return;
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(file.toString());
        }
        try {
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(unfinished, Files.getPosixFilePermissions(file));
            }
            write(unfinished, content, false);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /**
     * Writes a new file that the user named, as a whole or not at all.
     *
     * @param permissions empty: the usual ones
     * @throws FileAlreadyExistsException if there is something of that name, be it a link that leads nowhere
     */
    public static void create(Path file, byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        if (permissions.isEmpty()) {
            Files.createFile(file);
        } else {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(permissions));
        }
        try {
            write(file, content, false);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Where a link leads, whether or not anything is there. */
    private static Path followed(Path named) throws IOException {
        Path file = named.toAbsolutePath();
        for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(file); links++) {
            file = file.resolveSibling(Files.readSymbolicLink(file));
        }
        return file;
    }

    /** Whether it is a folder, no link to one, that belongs to this user and that nobody else may write to. */
    public static boolean isMine(Path folder) {
        try {
            var of = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return of.isDirectory() && mine(folder) && !othersMayWrite(of);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it is a file, no link to one and of no other name, that belongs to this user and that nobody else may read or write. */
    static boolean isPrivate(Path file) {
        try {
            var of = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return isOneFile(file) && mine(file) && OWNER_ONLY.containsAll(of.permissions());
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether this process is root. */
    public static boolean amRoot() {
        return new Proc().user("self").orElse(-1) == 0;
    }

    /**
     * Why a folder that is to be this user's may be another's doing. For root that goes for the whole way there, as in another's home:
     * anyone who can put a link on it chooses what root reads and writes.
     *
     * @param folder need not be there yet
     * @return empty if nobody else can have put it there
     */
    public static Optional<String> doubt(Path folder, boolean root) {
        var owned = OwnedFiles.ofThisUser();
        if (root) {
            return owned.doubt(folder);
        }
        return Files.exists(folder) && !owned.isMine(folder)
                ? Optional.of(folder + " belongs to another user")
                : Optional.empty();
    }

    /** Whether its group or everybody may write to it; the group that a user has alone is the user. */
    static boolean othersMayWrite(PosixFileAttributes of) {
        boolean group = of.permissions().contains(PosixFilePermission.GROUP_WRITE)
                && !of.group().getName().equals(of.owner().getName());
        return group || of.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    }

    /** Whether it is a file, no link to one, and has no other name. */
    public static boolean isOneFile(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                            .equals(1);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean mine(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static void write(Path file, byte[] content, boolean durable) throws IOException {
        try (var out = new FileOutputStream(file.toFile())) { // an interrupt would close a channel
            out.write(content);
            if (durable) {
                out.getFD().sync();
            }
        }
    }

    /**
     * Creates a folder for its owner only, below others that may have to be made, too. One that exists stays as it is; a link is refused:
     * what is written there would land elsewhere.
     */
    public static Path make(Path folder) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new FileSystemException(folder.toString(), null, "it is a link");
        }
        return Files.createDirectories(folder, OWNER_FOLDER);
    }

    /** Creates the folder of a file, as {@link #make} does. */
    public static void makeFor(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder != null) {
            make(folder);
        }
    }

    /** Creates a folder, or takes an existing file, and makes it readable by its owner only: configurations contain passwords. */
    public static void keepPrivate(Path path) throws IOException {
        if (!Files.exists(path)) {
            make(path);
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
