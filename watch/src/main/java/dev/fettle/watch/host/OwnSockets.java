package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The sockets among a process's open files, which only the same user can read.
 *
 * @param inodes none if they can't be read
 * @param all false if the process has too many files to look at each
 */
record OwnSockets(Set<Long> inodes, boolean all) {
    /** Most open files looked at. */
    static final int MOST_FILES = 20_000;

    private static final String SOCKET = "socket:[";

    /** Those of a process now. */
    static OwnSockets of(Path proc, long pid) {
        var found = new HashSet<Long>();
        int looked = 0;
        try (var files = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
            for (Path file : files) {
                if (++looked > MOST_FILES) {
                    return new OwnSockets(found, false);
                }
                String target = ListenOwner.target(file);
                if (target.startsWith(SOCKET)) {
                    found.add(Long.parseLong(target, SOCKET.length(), target.length() - 1, 10));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            found.clear(); // gone, or another user's
        }
        return new OwnSockets(found, true);
    }
}
