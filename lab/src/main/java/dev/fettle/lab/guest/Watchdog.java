package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A shell that waits for the end of a pipe from this process, which comes however this process ends, {@code kill -9} and the kernel's
 * memory killer included. Then, and only then, it becomes a JVM that runs {@link PutBackProgram}. It is in a session of its own,
 * so that a signal to this process's group does not reach it, and while it waits it uses no CPU time.
 */
final class Watchdog implements AutoCloseable {
    private static final String DONE = "done";
    private static final String UP = "up";

    /** A shell is up in milliseconds; this long only where the machine is stuck. */
    private static final Duration UP_BOUND = Duration.ofSeconds(30);

    /** What it answers to by name in a list of processes. */
    private static final String NAME = "fettle-watchdog";

    private static final String NOT_STARTED =
            "cannot start what puts back if Fettle is killed, so nothing is changed: ";

    private static final String SCRIPT = "log=$1; shift; trap '' HUP INT QUIT TERM; echo " + UP
            + "; said=; read -r said; [ \"$said\" = " + DONE + " ] || exec \"$@\" </dev/null >\"$log\" 2>&1";

    /** Nothing else of this process's environment: a program that ends all that inherited a variable would end it, too. */
    private static final Set<String> KEPT =
            Set.of("PATH", "HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "LC_ALL", "LANG");

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    /**
     * Starts it, and waits until it is out of this process's group and reads the pipe: from then on it can't be missed, whatever ends
     * this process.
     *
     * @param state the folder of {@link Debts}, which also receives what it did
     * @param pid the process that is owed something
     */
    static Watchdog start(Path state, long pid) throws LabException {
        var command = new ArrayList<>(List.of("setsid", "sh", "-c", SCRIPT, NAME));
        command.add(state.resolve("watchdog.log").toString());
        command.addAll(java());
        command.addAll(List.of(PutBackProgram.class.getName(), state.toString(), Long.toString(pid)));
        var builder = new ProcessBuilder(command).directory(new File("/")).redirectErrorStream(true);
        builder.environment().keySet().retainAll(KEPT);
        try {
            Process shell = builder.start();
            String said = firstLine(shell);
            if (!said.equals(UP)) {
                shell.destroyForcibly();
                throw new LabException(NOT_STARTED + (said.isEmpty() ? "it ended, or did not come up" : said));
            }
            return new Watchdog(shell);
        } catch (IOException e) {
            throw new LabException(NOT_STARTED + e.getMessage(), e);
        }
    }

    /** Empty if it ends, or takes too long; an interruption stays set. */
    private static String firstLine(Process shell) {
        var line = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> {
            try {
                line.complete(shell.inputReader(StandardCharsets.UTF_8).readLine());
            } catch (IOException e) {
                line.complete(null);
            }
        });
        try {
            return Objects.requireNonNullElse(line.get(UP_BOUND.toSeconds(), TimeUnit.SECONDS), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (ExecutionException | TimeoutException e) {
            return "";
        }
    }

    /** This process's own JVM and class path, small. */
    private static List<String> java() {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(":")) // Linux's separator
                .map(p -> Path.of(p).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath);
    }

    /** Nothing is owed any more. */
    @Override
    public void close() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write((DONE + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return; // somebody has ended it
        }
        boolean interrupted = Thread.interrupted();
        try {
            shell.waitFor(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
