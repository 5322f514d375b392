package dev.fettle.lab.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The {@code .fettle} folder: the journal, one folder per run with the trials' logs, and the reports. */
public final class Workspace {
    private static final int LONGEST_NAME = 4096;

    private static final int LOOKS = 10;

    private final Path folder;

    private Workspace(Path folder) {
        this.folder = folder;
    }

    /** Opens the workspace in a folder; creates the folder if missing. */
    public static Workspace open(Path folder) throws LabException {
        try {
            Files.createDirectories(folder.resolve("runs"));
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
        return new Workspace(folder.toAbsolutePath().normalize());
    }

    /** The workspace in a folder, to read what is there; creates nothing. */
    public static Workspace existing(Path folder) {
        return new Workspace(folder.toAbsolutePath().normalize());
    }

    public Path folder() {
        return folder;
    }

    /** The journal's database file. */
    public Path journalFile() {
        return folder.resolve("journal.db");
    }

    /** Where recordings of processes are kept that belong to no run. */
    public Path recordings() throws LabException {
        Path recordings = folder.resolve("recordings");
        try {
            return Files.createDirectories(recordings);
        } catch (IOException e) {
            throw new LabException("cannot write to " + recordings + ": " + e.getMessage(), e);
        }
    }

    /** Where a run's own folder is, if it has one. */
    public Path whereIs(String runId) {
        return folder.resolve("runs").resolve(runId);
    }

    /** A run's own folder, which is made if it has none. */
    public Path runFolder(String runId) throws LabException {
        Path run = whereIs(runId);
        try {
            return Files.createDirectories(run);
        } catch (IOException e) {
            throw new LabException("cannot write to " + run + ": " + e.getMessage(), e);
        }
    }

    /** A folder for a run that is not journalled: the name, with a number appended if taken. */
    public Path freshRunFolder(String name) throws LabException {
        return fresh(folder.resolve("runs"), name);
    }

    /** Creates a new folder of this name, or with -2, -3 … appended. */
    public static Path fresh(Path parent, String name) throws LabException {
        Path folder = parent.resolve(name);
        try {
            for (int again = 2; Files.exists(folder); again++) {
                folder = parent.resolve(name + "-" + again);
            }
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /**
     * The same for what a trial's programs are given, passwords among it: for this user only.
     *
     * @param open others may enter it, as a program that changes its user needs it
     */
    public static Path fresh(Path parent, String name, boolean open) throws LabException {
        Path folder = fresh(parent, name);
        if (!open) {
            try {
                Folders.keepPrivate(folder);
            } catch (IOException e) {
                throw new LabException("cannot make " + folder + " private: " + e.getMessage(), e);
            }
        }
        return folder;
    }

    /**
     * Locks the workspace for one run: two at once would measure each other.
     *
     * @throws LabException if another Fettle is measuring in this workspace
     */
    public Lock lock() throws LabException {
        for (int look = 1; ; look++) {
            Optional<Lock> lock = tryLock();
            if (lock.isPresent()) {
                return lock.get();
            }
            if (look == LOOKS) {
                throw new LabException("another fettle is measuring in " + folder
                        + ": two at once would measure each other; wait for it to end");
            }
            pause();
        }
    }

    /** Another may only have asked which run goes on, which takes a moment. */
    private static void pause() throws LabException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while waiting for the lock", e);
        }
    }

    private Optional<Lock> tryLock() throws LabException {
        Path file = lockFile();
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    String killed = text(channel).strip();
                    channel.truncate(0);
                    return Optional.of(new Lock(channel, Optional.of(killed).filter(id -> !id.isEmpty())));
                }
            } catch (OverlappingFileLockException e) {
                // held by this process
            }
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot lock " + file + ": " + e.getMessage(), e);
        }
    }

    /** Through the channel that holds the lock: the kernel takes it away when another descriptor of the file is closed. */
    private static String text(FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate((int) Math.min(channel.size(), LONGEST_NAME));
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
            // until it is full
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    private Path lockFile() {
        return folder.resolve("lock");
    }

    /**
     * The run for which another Fettle holds the {@linkplain #lock lock} now. Not to be asked by the process that holds it: the
     * kernel would take that lock away.
     */
    public Optional<String> running() {
        if (!Files.isRegularFile(lockFile())) {
            return Optional.empty();
        }
        try (var channel = FileChannel.open(lockFile(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                lock.release();
                return Optional.empty();
            }
            return Optional.of(Files.readString(lockFile())).filter(id -> !id.isEmpty());
        } catch (IOException | OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    /** A held lock, released on close or when the process ends. */
    public static final class Lock implements AutoCloseable {
        private final FileChannel channel;
        private final Optional<String> killed;

        private Lock(FileChannel channel, Optional<String> killed) {
            this.channel = channel;
            this.killed = killed;
        }

        /** The run that held it last, if that was killed. */
        public Optional<String> killed() {
            return killed;
        }

        /** Says in the file which run holds it. */
        public void by(String runId) throws LabException {
            try {
                channel.truncate(0);
                channel.write(StandardCharsets.UTF_8.encode(runId), 0);
            } catch (IOException e) {
                throw new LabException("cannot write the lock: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws LabException {
            try (channel) {
                channel.truncate(0);
            } catch (IOException e) {
                throw new LabException("cannot release the lock: " + e.getMessage(), e);
            }
        }
    }
}
