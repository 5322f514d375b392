package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
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

    private final long me;
    private final Set<Path> fine = new HashSet<>();

    /** @param me the effective user, {@link Proc#user} of {@code self} */
    public OwnedFiles(long me) {
        this.me = me;
    }

    /**
     * Why somebody else may have written a file, or what it is a link to.
     *
     * @return empty if nobody else can have
     */
    public Optional<String> doubt(Path file) {
        try {
            for (Path p = reality(file); p != null && !fine.contains(p); p = p.getParent()) {
                if (!ownerIsFine(p)) {
                    return Optional.of(p + " belongs to another user");
                }
                int mode = (int) Files.getAttribute(p, "unix:mode", LinkOption.NOFOLLOW_LINKS);
                if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                    return Optional.of(p + " may be written by others");
                }
                fine.add(p);
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(file + " can't be looked at: " + e.getMessage());
        }
    }

    /** The file behind all links; of a link to nothing, the folder in which somebody could put that. */
    private static Path reality(Path file) throws IOException {
        Path there = file.toAbsolutePath();
        while (!Files.exists(there)) {
            Path above = Files.isSymbolicLink(there)
                    ? there.resolveSibling(Files.readSymbolicLink(there)).getParent()
                    : there.getParent();
            if (above == null) {
                break;
            }
            there = above;
        }
        return there.toRealPath();
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
