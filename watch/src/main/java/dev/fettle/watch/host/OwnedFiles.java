package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files that only this user or root can have written: each belongs to one of them, as all folders above it do, and no group and nobody
 * else may write there. A folder with the sticky bit, such as {@code /tmp}, may be written by all: they can't replace what is not theirs.
 */
public final class OwnedFiles {
    private static final long ROOT = 0;
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;

    /** As many as the kernel follows. */
    private static final int MOST_LINKS = 40;

    private final long me;
    private final Set<Path> fine = new HashSet<>();

    /** @param me the effective user, {@link Proc#user} of {@code self} */
    public OwnedFiles(long me) {
        this.me = me;
    }

    /** Those of the user that this process is. */
    public static OwnedFiles ofThisUser() {
        return new OwnedFiles(new Proc().user("self").orElse(-1));
    }

    /**
     * Why somebody else may have written a file, or may put another in its place: of a link, the folders on both ways count.
     *
     * @return empty if nobody else can have, or nothing of that name is there and nobody else can make it
     */
    public Optional<String> doubt(Path file) {
        var todo = new ArrayDeque<Path>();
        file.toAbsolutePath().forEach(todo::addLast);
        Path at = Path.of("/");
        try {
            for (int links = 0; !todo.isEmpty() && links <= MOST_LINKS; ) {
                Path name = todo.removeFirst();
                Path p = at.resolve(name).normalize(); // what it begins with is no link
                if (!Files.exists(p, LinkOption.NOFOLLOW_LINKS)) {
                    return Optional.empty();
                }
                Optional<String> why = doubtOfItself(p);
                if (why.isPresent()) {
                    return why;
                }
                if (Files.isSymbolicLink(p)) {
                    Path target = Files.readSymbolicLink(p);
                    at = target.isAbsolute() ? Path.of("/") : at;
                    names(target).reversed().forEach(todo::addFirst);
                    links++;
                } else {
                    at = p;
                }
            }
            return todo.isEmpty() ? Optional.empty() : Optional.of(file + " has too many links");
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(file + " can't be read: " + e.getMessage());
        }
    }

    private static List<Path> names(Path of) {
        var names = new ArrayList<Path>();
        of.forEach(names::add);
        return names;
    }

    private Optional<String> doubtOfItself(Path p) throws IOException {
        if (fine.contains(p)) {
            return Optional.empty();
        }
        if (!ownerIsFine(p)) {
            return Optional.of(p + " belongs to another user");
        }
        int mode = (int) Files.getAttribute(p, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if (!Files.isSymbolicLink(p) && (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            return Optional.of(p + " may be written by others");
        }
        fine.add(p);
        return Optional.empty();
    }

    /** Whether a file, or what it is a link to, belongs to this user or to root. */
    public boolean isMine(Path file) {
        try {
            return ownerIsFine(file.toRealPath());
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private boolean ownerIsFine(Path real) throws IOException {
        long owner = (int) Files.getAttribute(real, "unix:uid", LinkOption.NOFOLLOW_LINKS) & 0xffff_ffffL;
        return owner == me || owner == ROOT;
    }
}
