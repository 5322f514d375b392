package dev.fettle.lab.machine;

import dev.fettle.model.text.OneLine;
import dev.fettle.watch.host.OwnedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The {@code .fettle} folder: the journal, one folder per run with the trials' logs, and the reports. */
public final class Workspace {
    private static final int LONGEST_NAME = 4096;

    private static final int LOOKS = 10;

    /** It is written to, so no link is followed. */
    private static final Set<OpenOption> LOCK_OPTIONS = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path folder;

    private Workspace(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens the workspace in a folder; creates the folder if missing, for this user only.
     *
     * @throws LabException if it can't be made, or {@linkplain #existing may be another user's}
     */
    public static Workspace open(Path folder) throws LabException {
        Path whole = folder.toAbsolutePath().normalize();
        try {
            if (!Files.exists(whole)) {
                checkWay(whole);
                Path parent = whole.getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                Folders.make(whole);
            }
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
        Workspace workspace = existing(whole);
        workspace.made("runs");
        return workspace;
    }

    /**
     * The workspace in a folder, to read what is there; creates nothing.
     *
     * @throws LabException if the folder is another user's, or others may write to it: what it says would be theirs
     */
    public static Workspace existing(Path folder) throws LabException {
        var workspace = new Workspace(folder.toAbsolutePath().normalize());
        if (Files.isDirectory(folder)) {
            workspace.checkOwner();
            checkWay(workspace.folder);
        }
        return workspace;
    }

    /** A folder whose runs are only shown, whoever it belongs to: nothing that it says is trusted, and nothing is written. */
    public static Workspace shown(Path folder) {
        return new Workspace(folder.toAbsolutePath().normalize());
    }

    /** Below a folder of another user, that user can put another folder, or a link, in the place of root's at any time. */
    private static void checkWay(Path folder) throws LabException {
        Optional<String> doubt = Folders.amRoot() ? Folders.doubt(folder, true) : Optional.empty();
        if (doubt.isPresent()) {
            throw new LabException("as root, Fettle keeps nothing in " + folder
                    + ", where another user can put something else in its place: " + doubt.get()
                    + "; name a folder of root's with --dir, or work as that user");
        }
    }

    private void checkOwner() throws LabException {
        PosixFileAttributes of;
        try {
            of = Files.readAttributes(folder, PosixFileAttributes.class);
        } catch (IOException e) {
            throw new LabException("cannot read " + folder + ": " + e.getMessage(), e);
        }
        if (!OwnedFiles.ofThisUser().isMine(folder)) {
            throw new LabException(folder + " belongs to " + of.owner().getName()
                    + ", and what it says is not trusted: name a folder of your own with --dir, or work as that user");
        }
        if (Folders.othersMayWrite(of)) {
            throw new LabException("others may write to " + folder
                    + ", so what it says is not trusted: if it is yours alone, chmod go-w " + folder);
        }
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
        Path recordings = made("recordings");
        try {
            Folders.keepPrivate(recordings); // a profiler in the JVM makes its file as it likes
        } catch (IOException e) {
            throw new LabException("cannot make " + recordings + " private: " + e.getMessage(), e);
        }
        return recordings;
    }

    /**
     * Where a run's own folder is, if it has one.
     *
     * @throws LabException if it is a link, or lies in one, or the run's name leads elsewhere
     */
    public Path whereIs(String runId) throws LabException {
        if (!KeptName.fits(runId.replaceFirst("^-+", "x"))) {
            throw new LabException("'" + OneLine.of(runId) + "' is no name of a run");
        }
        return unlinked(part("runs").resolve(runId));
    }

    /** A run's own folder, which is made if it has none. */
    public Path runFolder(String runId) throws LabException {
        return made(whereIs(runId));
    }

    /**
     * Where a folder of the workspace is, if it is there.
     *
     * @throws LabException if it is a link
     */
    public Path part(String name) throws LabException {
        return unlinked(folder.resolve(name));
    }

    private Path made(String name) throws LabException {
        return made(part(name));
    }

    private static Path made(Path folder) throws LabException {
        try {
            return Folders.make(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** What is written into a link lands elsewhere. */
    private static Path unlinked(Path path) throws LabException {
        if (Files.isSymbolicLink(path)) {
            throw new LabException(
                    path + " is a link, and Fettle follows none here: put the folder itself in its place, or choose"
                            + " another place for all with --dir");
        }
        return path;
    }

    /** A folder for a run that is not journalled: the name, with a number appended if taken. */
    public Path freshRunFolder(String name) throws LabException {
        return fresh(made("runs"), name);
    }

    /** Creates a new folder of this name, or with -2, -3 … appended, for this user only. */
    public static Path fresh(Path parent, String name) throws LabException {
        Path folder = parent.resolve(name);
        try {
            for (int again = 2; Files.exists(folder, LinkOption.NOFOLLOW_LINKS); again++) {
                folder = parent.resolve(name + "-" + again);
            }
            return Folders.make(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /**
     * Lets other users pass through a trial's folder, as a program that changes its user needs it: not list it, and not read what is in
     * it and not theirs.
     *
     * @param trial below the workspace
     */
    public void letThrough(Path trial) throws LabException {
        try {
            for (Path at = trial.toAbsolutePath(); at != null && at.startsWith(folder); at = at.getParent()) {
                var permissions = new HashSet<>(Files.getPosixFilePermissions(at));
                if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
                    Files.setPosixFilePermissions(at, permissions);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot let other users into " + trial + ": " + e.getMessage(), e);
        }
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
            FileChannel channel = FileChannel.open(file, LOCK_OPTIONS, Folders.OWNER_FILE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    String killed = text(channel).strip();
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
        if (!Files.isRegularFile(lockFile(), LinkOption.NOFOLLOW_LINKS)) {
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

        /** The run that held it last, if that was killed. The file says so until another run {@linkplain #by takes over}. */
        public Optional<String> killed() {
            return killed;
        }

        /** Says in the file which run holds it. */
        public void by(String runId) throws LabException {
            quietly("write", () -> {
                channel.truncate(0);
                channel.write(StandardCharsets.UTF_8.encode(runId), 0);
            });
        }

        /** Gives it up, and leaves in the file which run was killed: what that run has left is not cleaned up yet. */
        public void leave() throws LabException {
            quietly("release", channel::close);
        }

        @Override
        public void close() throws LabException {
            quietly("release", () -> {
                try (channel) {
                    channel.truncate(0);
                }
            });
        }

        /** A thread that is interrupted, as after Ctrl-C, would close the channel at its first use, and the file would name a run that has ended. */
        private static void quietly(String what, Use use) throws LabException {
            boolean interrupted = Thread.interrupted();
            try {
                use.run();
            } catch (IOException e) {
                throw new LabException("cannot " + what + " the lock: " + e, e);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private interface Use {
            void run() throws IOException;
        }
    }
}
