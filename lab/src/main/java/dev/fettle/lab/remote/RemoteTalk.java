package dev.fettle.lab.remote;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A command of this Fettle on another machine with which this side talks over its standard input and output. */
public final class RemoteTalk implements AutoCloseable {
    /** The argument with which start.sh starts a JVM that sends load. */
    private static final String SENDS = "load";

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_END = Duration.ofSeconds(3);
    /** What the other side writes first on its standard output: before it may come what a login shell there prints. */
    public static final String MARK = "\0fettle-talks\n";

    private static final int MOST_SAID = 1 << 16;

    private final Ssh ssh;
    private final Process process;
    private final Lines lines;

    /** What its standard error says; the first line of ours is awaited. */
    private static final class Lines {
        final StringBuilder said = new StringBuilder();
        final CompletableFuture<Boolean> up = new CompletableFuture<>();

        void line(String line) {
            if (line.startsWith(RemoteRun.UP)) {
                up.complete(true);
            } else if (!line.equals(RemoteRun.DOWN)) {
                synchronized (said) {
                    if (said.length() < MOST_SAID) {
                        said.append(line).append('\n');
                    }
                }
            }
        }

        String said() {
            synchronized (said) {
                return said.toString();
            }
        }
    }

    private RemoteTalk(Ssh ssh, Process process, Lines lines) {
        this.ssh = ssh;
        this.process = process;
        this.lines = lines;
    }

    /**
     * Starts a command, and waits until it is up there. The pack is copied first if it is not there.
     *
     * @param note takes what is said of the way there
     * @throws LabException if the other machine can't be reached, or lacks something; the message says what
     */
    public static RemoteTalk open(Ssh ssh, HostPack pack, RemoteCommand command, Consumer<String> note)
            throws LabException, InterruptedException {
        RemoteTalk talk = start(ssh, pack, command);
        if (!talk.awaitUp() && talk.process.waitFor() == RemoteRun.NOT_THERE) {
            RemoteRun.copy(ssh, pack, note);
            talk = start(ssh, pack, command);
            talk.awaitUp();
        }
        if (!talk.lines.up.getNow(false)) {
            int code = talk.process.waitFor();
            throw code == Ssh.UNREACHED
                    ? ssh.unreached(talk.lines.said())
                    : new LabException(ssh.to() + ": "
                            + Ssh.last(talk.lines.said(), "Fettle did not start there, exit code " + code));
        }
        if (!marked(talk.in())) {
            talk.close();
            throw new LabException(ssh.to() + ": what it prints is not Fettle's; does its login shell print that?");
        }
        return talk;
    }

    /** Reads up to the mark, whose first byte comes only once in it. */
    static boolean marked(InputStream in) {
        try {
            int found = 0;
            for (int i = 0; i < MOST_SAID && found < MARK.length(); i++) {
                int b = in.read();
                if (b < 0) {
                    return false;
                }
                found = b == MARK.charAt(found) ? found + 1 : b == MARK.charAt(0) ? 1 : 0;
            }
            return found == MARK.length();
        } catch (IOException e) {
            return false;
        }
    }

    private static RemoteTalk start(Ssh ssh, HostPack pack, RemoteCommand command) throws LabException {
        var id = new byte[16];
        new SecureRandom().nextBytes(id);
        Process process = ssh.start(
                RemoteRun.START, List.of(pack.digest(), HexFormat.of().formatHex(id), "80", command.word(), SENDS));
        var lines = new Lines();
        Thread.startVirtualThread(() -> {
            RemoteRun.lines(process.getErrorStream(), lines::line);
            lines.up.complete(false); // unless it was up
        });
        return new RemoteTalk(ssh, process, lines);
    }

    /** Whether it came up; if not, it has ended, or is ended. */
    private boolean awaitUp() throws LabException, InterruptedException {
        try {
            boolean up = lines.up.get(TO_START.toMillis(), TimeUnit.MILLISECONDS);
            if (!up) {
                // another may hold its standard error open, but not for it
                process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS);
                process.destroy();
            }
            return up;
        } catch (TimeoutException e) {
            process.destroy();
            throw new LabException(ssh.to() + " has not started Fettle within " + TO_START.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            process.destroy();
            throw e;
        }
    }

    /** What it says on its standard output. */
    public InputStream in() {
        return process.getInputStream();
    }

    /** Its standard input. */
    public OutputStream out() {
        return process.getOutputStream();
    }

    /** What the other side, or ssh, has said last on its standard error; empty if nothing. */
    public String said() {
        return Ssh.last(lines.said(), "");
    }

    /** Ends the connection, and with it what runs there. Waits a moment for that. */
    @Override
    public void close() {
        boolean interrupted = false;
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended
        }
        try {
            process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        process.destroy();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
