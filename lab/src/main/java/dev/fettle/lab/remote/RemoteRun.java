package dev.fettle.lab.remote;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A command of Fettle that runs on another machine, with its output and its files here. It ends there when this side asks for it, is
 * gone, or has not been heard of for {@link #SILENCE}.
 */
public final class RemoteRun {
    /** What the other side prints first, on its standard error: then comes the folder of its files. */
    public static final String UP = "fettle-at-host: up ";

    /** Sent once a second. */
    public static final int BEAT = 'b';

    /** Asks for an orderly end, as Ctrl-C does. */
    public static final int STOP = 's';

    /** So long the other side goes on without having heard of this one. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    private static final String FOLDER = "${XDG_CACHE_HOME:-$HOME/.cache}/fettle/hosts";

    /** What the other side prints last, when the command has ended in whatever way but by a kill of all of it. */
    public static final String DOWN = "fettle-at-host: down";

    /** Starts the pack if it is there. Its folders have to be this user's, all the way: else somebody else could have put it there. */
    static final String START = "h=" + FOLDER
            + "; d=\"$h/$1\"; [ -f \"$d/complete\" ] && [ -O \"$d\" ] && [ -O \"$h\" ] && [ -O \"${h%/*}\" ] || exit 97; shift;"
            + " exec sh \"$d/start.sh\" \"$@\"";

    static final int NOT_THERE = 97;

    /** The exit code of a command that ended because it had not heard of this side: as the JVM ends after a TERM signal. */
    public static final int UNHEARD = 143;

    /**
     * Takes the pack: as a whole, or not at all. What was not used for a month, or was left by a broken connection, goes; a run that is still
     * written to is used.
     */
    private static final String TAKE = "umask 077; h=" + FOLDER + "; mkdir -p \"$h/runs\" || exit 98;"
            + " [ -O \"$h\" ] && [ -O \"${h%/*}\" ] && [ -O \"$h/runs\" ] || { echo \"$h belongs to another user\" >&2; exit 98; };"
            + " chmod 700 \"$h\" \"$h/runs\";"
            + " find \"$h\" -maxdepth 1 -name \"new.*\" -mmin +60 -exec rm -rf {} +;"
            + " for r in \"$h/runs\"/*; do [ -n \"$(find \"$r\" -mtime -31 2>/dev/null | head -n 1)\" ] || rm -rf \"$r\"; done;"
            + " find \"$h\" -mindepth 2 -maxdepth 2 -name complete -mtime +30 | while read -r f; do rm -f \"$f\"; rm -rf \"${f%/complete}\"; done;"
            + " n=$(mktemp -d \"$h/new.XXXXXXXX\") || exit 98;"
            + " if cd \"$n\" && tar -xf - && sha256sum SUMS | grep -q \"^$1 \" && sha256sum -c --status SUMS && : >complete; then"
            + " [ -f \"$h/$1/complete\" ] || rm -rf \"$h/$1\"; mv -T \"$n\" \"$h/$1\" 2>/dev/null; fi;"
            + " rm -rf \"$n\"; [ -f \"$h/$1/complete\" ] || exit 98";

    private static final int NOTHING_WRITTEN = 96;

    /** The one file in a folder; its name does not begin with a dot. */
    private static final String FETCH = "d=\"" + FOLDER
            + "/runs/$1/$2\"; for f in \"$d\"/*; do [ -f \"$f\" ] || exit 96; done;" + " exec cat -- \"$d\"/*";

    private static final String REMOVE = "rm -rf -- \"" + FOLDER + "/runs/$1\"";

    private static final Duration BEATS_EVERY = Duration.ofSeconds(1);
    private static final Duration TO_END = Duration.ofSeconds(45);
    private static final Duration TO_READ = Duration.ofSeconds(10);
    private static final long LEAST_FREE = 100L << 20;
    private static final int LONGEST_LINE = 1 << 20;
    private static final int MOST_SAID = 1 << 16;
    private static final int LONGEST_WORD = 100_000;

    private final Ssh ssh;
    private final Clock clock;
    private final int columns;

    /** @param columns of the terminal here */
    public RemoteRun(Ssh ssh, Clock clock, int columns) {
        this.ssh = ssh;
        this.clock = clock;
        this.columns = columns;
    }

    /**
     * Runs it to its end. If this thread is interrupted, the other side is asked to end, and what it says to that is still shown.
     *
     * @param out takes each line of its standard output
     * @param err takes each line of its standard error, and what is said of the way there
     * @return its exit code
     * @throws LabException if the other machine can't be reached, lacks something, or was lost on the way
     */
    public int run(HostPack pack, RemoteCommand command, Consumer<String> out, Consumer<String> err)
            throws LabException {
        String word = command.word();
        if (word.length() > LONGEST_WORD) {
            throw new LabException("these arguments are too long to be passed on");
        }
        var id = new byte[16];
        new SecureRandom().nextBytes(id);
        String run = HexFormat.of().formatHex(id);
        List<String> words = List.of(pack.digest(), run, String.valueOf(columns), word);
        var attempt = new Attempt(command, out, err);
        int code = attempt.run(ssh.start(START, words));
        if (code == NOT_THERE && !attempt.up) {
            if (attempt.stop) {
                throw new LabException("stopped before Fettle was copied to " + ssh.to());
            }
            copy(ssh, pack, err);
            attempt = new Attempt(command, out, err);
            code = attempt.run(ssh.start(START, words));
        }
        if (!attempt.up) {
            throw code == Ssh.UNREACHED
                    ? ssh.unreached(attempt.before())
                    : new LabException(ssh.to() + ": "
                            + Ssh.last(attempt.before(), "the command did not start there, exit code " + code));
        }
        if (!attempt.down) {
            throw new LabException("the connection to " + ssh.to()
                    + " was lost, or the command there was killed: it ends within "
                    + SILENCE.toSeconds() + " s"
                    + (command.files().isEmpty() ? "" : "; what it has written stays there, in " + attempt.folder));
        }
        if (code == UNHEARD && !attempt.stop) {
            err.accept(ssh.to() + " had not heard of this machine for " + SILENCE.toSeconds()
                    + " s, and ended the command");
        }
        if (attempt.stop && !command.files().isEmpty()) {
            err.accept(
                    "fetching what was written; until it is here it stays on " + ssh.to() + ", in " + attempt.folder);
        }
        fetch(command, run, attempt, err);
        return code;
    }

    /** Copies the pack. */
    static void copy(Ssh ssh, HostPack pack, Consumer<String> note) throws LabException {
        note.accept("copying Fettle to " + ssh.to() + " (once a version; " + pack.size() / (1 << 20) + " MiB)");
        Process process = ssh.start(TAKE, List.of(pack.digest()));
        var said = Ssh.said(process.getErrorStream(), MOST_SAID);
        Ssh.said(process.getInputStream(), 0);
        String failed = "";
        try (OutputStream to = process.getOutputStream()) {
            pack.write(to);
        } catch (IOException e) {
            failed = String.valueOf(e.getMessage()); // the other side says why, as a rule
        }
        int code = end(process);
        if (code == Ssh.UNREACHED) {
            throw ssh.unreached(said.join());
        }
        if (code != 0) {
            throw new LabException("Fettle can't be copied to " + ssh.to() + ": "
                    + Ssh.last(said.join(), failed.isEmpty() ? "exit code " + code : failed));
        }
    }

    private void fetch(RemoteCommand command, String run, Attempt attempt, Consumer<String> err) throws LabException {
        List<Path> files = command.files();
        for (int i = 0; i < files.size(); i++) {
            Path here = files.get(i);
            Optional<Path> made = Optional.empty();
            try {
                boolean device = Files.exists(here) && !Files.isRegularFile(here);
                Path part = device
                        ? Files.createTempFile("fettle", ".part")
                        : Files.createTempFile(here.toAbsolutePath().getParent(), "fettle", ".part");
                made = Optional.of(part);
                part.toFile().deleteOnExit(); // also if a signal leaves no time to the end
                Process process = ssh.start(FETCH, List.of(run, String.valueOf(i)));
                process.getOutputStream().close();
                var said = Ssh.said(process.getErrorStream(), MOST_SAID);
                boolean fits = copied(process.getInputStream(), part);
                if (!fits) {
                    process.destroy();
                }
                int code = end(process);
                if (!fits) {
                    throw new IOException("there is not enough disk for it");
                }
                if (code == 0) {
                    put(part, here, command.isNew(i), device);
                } else if (code == Ssh.UNREACHED) {
                    throw new LabException(ssh.unreached(said.join()).getMessage()
                            + "; what was written stays there, in " + attempt.folder);
                } else if (code != NOTHING_WRITTEN) {
                    throw new LabException(here + " can't be fetched from " + ssh.to() + ": "
                            + Ssh.last(said.join(), "exit code " + code) + "; it stays there, in " + attempt.folder);
                }
            } catch (IOException e) {
                throw new LabException(
                        here + " can't be written: " + e.getMessage() + "; it stays on " + ssh.to() + ", in "
                                + attempt.folder,
                        e);
            } finally {
                made.ifPresent(RemoteRun::delete);
            }
        }
        if (command.leaves()) {
            Process process = ssh.start(REMOVE, List.of(run));
            Ssh.said(process.getErrorStream(), 0);
            end(process);
        }
    }

    /** What has become the file itself is not there any more. */
    private static void delete(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            part.toFile().deleteOnExit();
        }
    }

    /** Copies as long as the disk has room: a sender may never end. */
    private static boolean copied(InputStream in, Path part) throws IOException {
        var buffer = new byte[1 << 20];
        try (OutputStream to = Files.newOutputStream(part)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (Files.getFileStore(part).getUsableSpace() < LEAST_FREE) {
                    return false;
                }
                to.write(buffer, 0, n);
            }
        }
        return true;
    }

    /** A device, or a pipe, is written to, and stays what it is; what has to be new takes the place of nothing; a link is followed. */
    private static void put(Path part, Path here, boolean isNew, boolean device) throws IOException {
        if (device) {
            try (OutputStream to = Files.newOutputStream(here, StandardOpenOption.WRITE)) {
                Files.copy(part, to);
            }
        } else if (isNew) {
            try {
                Files.createLink(here, part);
            } catch (FileAlreadyExistsException e) {
                throw new IOException("there is one by now", e);
            } catch (UnsupportedOperationException e) {
                Files.copy(part, here);
            }
        } else {
            Files.move(part, Files.exists(here) ? here.toRealPath() : here, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Waits for an ssh whose outputs are being read; an interrupt does not end what takes no time. */
    private static int end(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One connection over which the command runs. */
    private final class Attempt {
        private final RemoteCommand command;
        private final Consumer<String> out;
        private final Consumer<String> err;
        private final StringBuilder before = new StringBuilder();
        private volatile boolean up;
        private volatile boolean down;
        private volatile boolean stop;
        private volatile String folder = "";

        Attempt(RemoteCommand command, Consumer<String> out, Consumer<String> err) {
            this.command = command;
            this.out = out;
            this.err = err;
        }

        int run(Process process) throws LabException {
            var lines = List.of(
                    CompletableFuture.runAsync(
                            () -> lines(process.getErrorStream(), this::said), Thread::startVirtualThread),
                    CompletableFuture.runAsync(
                            () -> lines(process.getInputStream(), l -> out.accept(local(l))),
                            Thread::startVirtualThread));
            long asked = 0;
            while (process.isAlive()) {
                try {
                    if (process.waitFor(BEATS_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                        break;
                    }
                } catch (InterruptedException e) {
                    if (!stop) {
                        stop = true;
                        asked = clock.nanos();
                        send(process, STOP);
                    }
                }
                send(process, BEAT);
                if (stop && clock.since(asked).compareTo(TO_END) > 0) {
                    process.destroy();
                    throw new LabException(ssh.to() + " was asked to end the command and did not within "
                            + TO_END.toSeconds() + " s"
                            + (command.files().isEmpty() ? "" : "; what it has written stays there, in " + folder));
                }
            }
            try {
                // a connection that others share may keep the streams of its first user open
                CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new))
                        .orTimeout(TO_READ.toSeconds(), TimeUnit.SECONDS)
                        .join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof TimeoutException)) {
                    throw e;
                }
            }
            return process.exitValue();
        }

        private static void send(Process process, int what) {
            try {
                process.getOutputStream().write(what);
                process.getOutputStream().flush();
            } catch (IOException e) {
                // it has ended, and says why
            }
        }

        /** What the way there says is kept, in case that it leads nowhere. */
        private void said(String line) {
            if (up && line.equals(DOWN)) {
                down = true;
            } else if (up) {
                err.accept(local(line));
            } else if (line.startsWith(UP)) {
                folder = line.substring(UP.length());
                up = true;
            } else if (before.length() < MOST_SAID) {
                synchronized (before) {
                    before.append(line).append('\n');
                }
            }
        }

        String before() {
            synchronized (before) {
                return before.toString();
            }
        }

        /** Names files as they are called here. */
        private String local(String line) {
            if (folder.isEmpty()) {
                return line;
            }
            String named = line;
            List<Path> files = command.files();
            for (int i = 0; i < files.size(); i++) {
                named = named.replace(
                        folder + "/" + RemoteCommand.there(i, files.get(i)),
                        files.get(i).toString());
            }
            return named;
        }
    }

    /** Passes on line by line; one that is too long, in pieces. */
    static void lines(InputStream in, Consumer<String> to) {
        try (Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            var line = new StringBuilder();
            var buffer = new char[1 << 13];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    if (buffer[i] == '\n' || line.length() >= LONGEST_LINE) {
                        to.accept(line.toString());
                        line.setLength(0);
                    }
                    if (buffer[i] != '\n') {
                        line.append(buffer[i]);
                    }
                }
            }
            if (!line.isEmpty()) {
                to.accept(line.toString());
            }
        } catch (IOException e) {
            // the connection has ended; its exit code says how
        }
    }
}
