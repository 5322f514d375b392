package dev.fettle.lab.process;

import dev.fettle.lab.machine.DiskSpace;
import dev.fettle.lab.machine.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Bounds what a process's logs take on disk while it runs. The process notices nothing: it writes on where it is, and what lies between
 * the beginning and the end of the log is given back to the disk, as a hole in the file. When the process has ended, the hole is closed.
 */
final class LogBound implements AutoCloseable {
    /** Bytes that the logs of a process may have on disk, each; fewer where a disk has little left. */
    static final long MOST = 256L << 20;

    private static final int PARTS = 4;
    private static final long INTERVAL_MILLIS = 250;
    private static final int FOLDERS_EVERY = 4;
    private static final int LEAST = 1 << 20;

    private final Path log;
    private final Path place;
    private final long most;
    private final DiskSpace disk;
    /** What has been cut out of a log. */
    private record Hole(long from, long to) {}

    private final Map<Path, Hole> holes = new HashMap<>();

    private volatile Optional<Path> folder = Optional.empty();
    private volatile Optional<String> full = Optional.empty();
    private final Thread thread = new Thread(this::run, "fettle-log-bound");
    private boolean closed;
    private long leftOut;

    private LogBound(Path log, long most, DiskSpace disk) {
        this.log = log;
        this.place = Objects.requireNonNull(log.getParent(), "a log lies in a folder");
        this.most = most;
        this.disk = disk;
    }

    static LogBound of(Path log, long most, DiskSpace disk) {
        var bound = new LogBound(log.toAbsolutePath(), most, disk);
        bound.thread.setDaemon(true);
        bound.thread.start();
        return bound;
    }

    /**
     * Bounds the logs that the process writes by itself, too: files in folders named {@code logs}, here or one below, and *.log. Not those
     * in a folder into which another user may write, who could put anything in their place while they are cut; nor a file with a second
     * name, which somebody else needs whole.
     */
    void within(Path trial) {
        folder = Optional.of(trial);
    }

    /** What to say if the disk has so little left that the process has to end. */
    Optional<String> full() {
        return full;
    }

    /** Bytes that are no longer in the logs; known once this is closed. */
    long leftOut() {
        return leftOut;
    }

    private void run() {
        try {
            for (int turn = 0; ; turn++) {
                Thread.sleep(INTERVAL_MILLIS);
                check(log);
                if (turn % FOLDERS_EVERY == 0) {
                    full = disk.full(place);
                    for (Path other : others()) {
                        check(other);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Path> others() {
        if (folder.isEmpty()) {
            return List.of();
        }
        try (Stream<Path> here = list(folder.get())) {
            return here.flatMap(f -> Files.isDirectory(f, LinkOption.NOFOLLOW_LINKS)
                            ? Stream.concat(logs(f), list(f.resolve("logs")))
                            : Stream.of(f).filter(l -> l.toString().endsWith(".log")))
                    .filter(f -> !f.equals(log) && Folders.isOneFile(f) && areMine(f, folder.get()))
                    .toList();
        }
    }

    /** Whether all folders from a trial's own one down to a file are this user's alone. */
    private static boolean areMine(Path file, Path trial) {
        for (Path at = file.getParent(); at != null && at.startsWith(trial); at = at.getParent()) {
            if (!Folders.isMine(at)) {
                return false;
            }
        }
        return true;
    }

    private static Stream<Path> logs(Path folder) {
        return folder.getFileName().toString().equals("logs") ? list(folder) : Stream.empty();
    }

    private static Stream<Path> list(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Stream.empty();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private long bound() {
        return Math.max(LEAST, Math.min(most, disk.usable().applyAsLong(place) / PARTS));
    }

    private void check(Path file) throws InterruptedException {
        try {
            long size = Files.size(file);
            if (size < LEAST) {
                return;
            }
            long bound = bound();
            long part = bound / PARTS;
            Hole hole = holes.getOrDefault(file, new Hole(part, part));
            if (hole.from() + size - hole.to() > bound) {
                holes.put(file, new Hole(hole.from(), cutOut(file, hole.to(), size - part)));
            }
        } catch (IOException e) {
            return; // gone, or renamed: the next time
        }
    }

    /** @return up to where */
    private static long cutOut(Path file, long from, long to) throws IOException, InterruptedException {
        int exit;
        try {
            exit = new ProcessBuilder(
                            "fallocate",
                            "--punch-hole",
                            "--offset",
                            Long.toString(from),
                            "--length",
                            Long.toString(to - from),
                            file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            exit = -1; // there is no such program
        }
        if (exit == 0) {
            return to;
        }
        // a file system without holes to punch: the process writes on at its place, and what is before that is a hole
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            channel.truncate(from);
            return size;
        }
    }

    /** Ends it; the process has ended. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean interrupted = Thread.interrupted();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        check(log, bound());
        others().forEach(f -> check(f, most));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes a log that is longer than it may be anew: its beginning, what is left out, its end. */
    private void check(Path file, long bound) {
        try {
            long size = Files.size(file);
            Hole hole = holes.get(file);
            if (hole == null && size <= bound) {
                return;
            }
            long part = Math.min(bound / PARTS, size);
            long end = Math.max(hole == null ? 0 : Math.min(hole.to(), size), size - part);
            long begin = Math.min(hole == null ? part : hole.from(), end);
            Path whole = file.resolveSibling(file.getFileName() + ".cut");
            try {
                anew(file, begin, end, size, whole);
            } finally {
                Files.deleteIfExists(whole);
            }
            leftOut += end - begin;
        } catch (IOException e) {
            return; // it stays as it is, with its hole
        }
    }

    private static void anew(Path file, long begin, long end, long size, Path whole) throws IOException {
        Folders.writePrivate(whole, new byte[0]);
        try (FileChannel from = FileChannel.open(file);
                FileChannel to = FileChannel.open(whole, StandardOpenOption.WRITE)) {
            transfer(from, 0, begin, to);
            to.write(StandardCharsets.UTF_8.encode("\n… (" + (end - begin)
                    + " bytes are left out here: of a log, Fettle keeps the beginning and the end)\n"));
            transfer(from, end, size, to);
        }
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void transfer(FileChannel from, long begin, long end, FileChannel to) throws IOException {
        for (long at = begin; at < end; ) {
            long n = from.transferTo(at, end - at, to);
            if (n <= 0) {
                return;
            }
            at += n;
        }
    }
}
