package dev.fettle.lab.guest;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What this user's Fettles owe to processes that they did not start: values to put back, recordings to end. Each debt is a file in one
 * folder a user, written before the process is changed and deleted when it is as before. Its name says to which process,
 * which Fettle owes it, and what. So any process that finds this Fettle gone can take the debt over, by renaming the file: one of
 * several who try succeeds.
 */
public final class Debts {
    /** What is owed. */
    public enum Kind {
        /** The original values of live knobs. */
        VALUES,
        /** The end of a recording. */
        RECORDING;

        /** Its name in files and in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern NAME = Pattern.compile(
            "([0-9]{1,18})-([0-9]{1,18})-([0-9a-f]{1,8})\\.([0-9]{1,18})-([0-9]{1,18})-(t?)[0-9]{1,19}\\.([a-z]+)");

    private static final String TAKEN = "t";

    private static final long ROOT = 0;

    private final Path folder;
    private final Proc proc;
    private final String kernel;
    private final long pid = ProcessHandle.current().pid();
    private final long started;

    /** @param folder see {@link dev.fettle.lab.machine.OwnKey#state}; made when something is first owed */
    public Debts(Path folder, Proc proc) {
        this(folder, proc, kernel());
    }

    /** @param kernel in hexadecimal digits */
    Debts(Path folder, Proc proc, String kernel) {
        this.folder = folder.toAbsolutePath().normalize();
        this.proc = proc;
        this.kernel = kernel;
        this.started = proc.startTicks(pid).orElse(0);
    }

    /** Within what a process's id means that process, shortened: this boot of this machine, and the namespace of its ids. */
    private static String kernel() {
        try {
            String here = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                            .strip() + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            return Integer.toHexString(here.hashCode());
        } catch (IOException e) {
            return "0";
        }
    }

    /**
     * One debt.
     *
     * @param guest the process that it is owed to
     * @param elsewhere whether that is another machine's or container's, or from before this one was started
     * @param owner who owes it
     * @param taken whether that is not the Fettle that changed the process, but one that is putting it back
     */
    record Entry(Path file, Guest guest, boolean elsewhere, Guest owner, boolean taken, Kind kind) {
        /** What was written down; a {@link LabException} if it can't be read. */
        Map<String, String> content() throws LabException {
            var properties = new Properties();
            try (Reader in = Files.newBufferedReader(file)) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
            }
            var values = new TreeMap<String, String>();
            properties.stringPropertyNames().forEach(n -> values.put(n, properties.getProperty(n)));
            return values;
        }

        void delete() throws LabException {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new LabException("cannot delete " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /** A debt of this Fettle, with the process that pays it if this Fettle is killed. */
    static final class Own {
        private final Entry entry;
        private final Watchdog watchdog;

        private Own(Entry entry, Watchdog watchdog) {
            this.entry = entry;
            this.watchdog = watchdog;
        }

        /** The process is as before. */
        void settle() throws LabException {
            entry.delete();
            watchdog.close();
        }

        @Override
        public String toString() {
            return entry.file().toString();
        }
    }

    /**
     * Writes down what will be owed, before anything is changed: it is on disk, and the watchdog is up, when this returns.
     *
     * @throws LabException if that can't be done, or another Fettle that is alive owes this process values, too
     */
    Own owe(Guest to, Kind kind, Map<String, String> content) throws LabException {
        checkOwner();
        Path file = folder.resolve(name(to, self(), "", kind));
        var text = new StringBuilder("# What Fettle owes to a running process; fettle put-back pays it.\n");
        content.forEach((name, value) -> text.append(name)
                .append('=')
                .append(value.replace("\\", "\\\\"))
                .append('\n'));
        try {
            Files.createDirectories(folder);
            Folders.keepPrivate(folder);
        } catch (IOException e) {
            throw notWritten(folder, e);
        }
        var entry = new Entry(file, to, false, self(), false, kind);
        // first who pays, then the debt: whenever this process ends, either there is none, or somebody pays it
        Watchdog watchdog = Watchdog.start(folder, to.pid());
        boolean owed = false;
        try {
            Folders.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
            // both have written before they look, so at least one of two sees the other
            if (kind == Kind.VALUES) {
                refuseASecond(to);
            }
            owed = true;
            return new Own(entry, watchdog);
        } catch (IOException e) {
            throw notWritten(file, e);
        } finally {
            if (!owed) {
                entry.delete();
                watchdog.close();
            }
        }
    }

    private static LabException notWritten(Path where, IOException e) {
        return new LabException(
                "cannot write down what is to be put back, so nothing is changed: " + where + ": " + e.getMessage()
                        + "; XDG_STATE_HOME names another folder",
                e);
    }

    /** What is written down there is set in processes of this user, so nobody else may write it. */
    private void checkOwner() throws LabException {
        Optional<String> doubt = Folders.doubt(folder, proc.user("self").orElse(-1) == ROOT);
        if (doubt.isPresent()) {
            throw new LabException("what is owed to processes is not kept in " + folder + ", and nothing is changed: "
                    + doubt.get() + "; XDG_STATE_HOME names another folder");
        }
    }

    private void refuseASecond(Guest to) throws LabException {
        for (Entry other : to(to.pid())) {
            if (other.kind() == Kind.VALUES
                    && !other.elsewhere()
                    && other.guest().equals(to)
                    && isInUse(other)) {
                throw new LabException(inUse(other));
            }
        }
    }

    /** That the Fettle which owes it is alive, in words. */
    static String inUse(Entry other) {
        String fettle = "Fettle (process " + other.owner().pid() + ") ";
        return other.kind() == Kind.RECORDING
                ? fettle + "is recording process " + other.guest().pid() + " now, and ends that itself"
                : "another " + fettle + "has values set in process "
                        + other.guest().pid() + " now, and puts them back itself: wait for it to end";
    }

    private Guest self() {
        return new Guest(proc, pid, started);
    }

    /** Another one each time: a process may be owed the ends of several recordings. */
    private String name(Guest to, Guest owner, String taken, Kind kind) {
        return to.pid() + "-" + to.started() + "-" + kernel + "." + owner.pid() + "-" + owner.started() + "-" + taken
                + Math.abs(System.nanoTime()) + "." + kind.id();
    }

    private boolean isOwn(Entry entry) {
        return entry.owner().equals(self());
    }

    /**
     * Whether the Fettle that owes it is alive, and pays it when it is done. What this Fettle itself owes of values when the next
     * trial begins, it could not put back.
     */
    boolean isInUse(Entry entry) {
        return entry.owner().alive() && !(isOwn(entry) && entry.kind() == Kind.VALUES);
    }

    /** All debts, of every Fettle; a file with another name is none. */
    List<Entry> all() throws LabException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        checkOwner();
        try (Stream<Path> found = Files.list(folder)) {
            return found.sorted().flatMap(f -> entry(f).stream()).toList();
        } catch (IOException e) {
            throw new LabException("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Those to one process. */
    List<Entry> to(long process) throws LabException {
        return all().stream().filter(e -> e.guest().pid() == process).toList();
    }

    private Optional<Entry> entry(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches()) {
            return Optional.empty();
        }
        return Stream.of(Kind.values())
                .filter(k -> k.id().equals(name.group(7)))
                .map(k -> new Entry(
                        file,
                        new Guest(proc, Long.parseLong(name.group(1)), Long.parseLong(name.group(2))),
                        !name.group(3).equals(kernel),
                        new Guest(proc, Long.parseLong(name.group(4)), Long.parseLong(name.group(5))),
                        !name.group(6).isEmpty(),
                        k))
                .findFirst();
    }

    /** Makes a debt of a Fettle that is gone this one's; empty if somebody else was quicker. */
    Optional<Entry> takeOver(Entry entry) throws LabException {
        if (isOwn(entry)) {
            return Optional.of(entry);
        }
        return renamed(entry, self());
    }

    /** Leaves a debt that could not be paid to the next that tries. */
    void giveUp(Entry entry) throws LabException {
        renamed(entry, new Guest(proc, 0, 0));
    }

    private Optional<Entry> renamed(Entry entry, Guest owner) throws LabException {
        Path file = folder.resolve(name(entry.guest(), owner, TAKEN, entry.kind()));
        try {
            Files.move(entry.file(), file, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(new Entry(file, entry.guest(), false, owner, true, entry.kind()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot rename " + entry.file() + ": " + e.getMessage(), e);
        }
    }

    /** The folder. */
    @Override
    public String toString() {
        return folder.toString();
    }
}
