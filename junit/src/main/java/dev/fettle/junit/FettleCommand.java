package dev.fettle.junit;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The {@code fettle} command of a distribution or a checkout.
 *
 * @param launcher the script
 */
record FettleCommand(Path launcher) {
    /** More than any result: one of a long tune has some MB. */
    private static final int MOST_OUTPUT_BYTES = 64 << 20;

    /** What is kept of the progress, for a message. */
    private static final int KEPT_CHARS = 8_192;

    private static final Duration TO_END = Duration.ofSeconds(20);

    /**
     * How the command ended.
     *
     * @param exit its exit code
     * @param output its standard output: with {@code --json} the result, or nothing
     * @param error the last of its standard error, some KB
     */
    record Ended(int exit, String output, String error) {
        /** The line that says why, without the command's name in front: what it reported last on standard error. */
        String why() {
            List<String> lines = error.lines().filter(l -> !l.isBlank()).toList();
            return lines.stream()
                    .filter(l -> l.startsWith("fettle: "))
                    .reduce((a, b) -> b)
                    .map(l -> l.substring("fettle: ".length()))
                    .or(() -> lines.isEmpty()
                            ? Optional.empty()
                            : Optional.of(lines.get(lines.size() - 1).strip()))
                    .orElse("it gave no reason");
        }
    }

    /** The command of this JVM's properties and environment. */
    static FettleCommand find() {
        return find(System::getProperty, System::getenv);
    }

    /**
     * The command in the folder that the property {@code fettle.home} names, else the variable {@code FETTLE_HOME}, else on the
     * {@code PATH}. One that is named and not there is an error: another might be another version.
     */
    static FettleCommand find(
            Function<String, @Nullable String> properties, Function<String, @Nullable String> environment) {
        return named("-Dfettle.home", properties.apply("fettle.home"))
                .or(() -> named("FETTLE_HOME", environment.apply("FETTLE_HOME")))
                .or(() -> onPath(environment.apply("PATH")))
                .map(FettleCommand::new)
                .orElseThrow(() ->
                        new FettleException("there is no fettle command: unpack a distribution of Fettle and name its"
                                + " folder with -Dfettle.home or FETTLE_HOME, or put it on the PATH"));
    }

    private static Optional<Path> named(String by, @Nullable String home) {
        if (home == null || home.isBlank()) {
            return Optional.empty();
        }
        Path launcher = Path.of(home).resolve("fettle").toAbsolutePath();
        if (!isProgram(launcher)) {
            throw new FettleException(
                    "%s is %s, and there is no program %s: name the folder of a distribution of Fettle"
                            .formatted(by, home, launcher));
        }
        return Optional.of(launcher);
    }

    private static Optional<Path> onPath(@Nullable String path) {
        return List.of((path == null ? "" : path).split(File.pathSeparator)).stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve("fettle").toAbsolutePath())
                .filter(FettleCommand::isProgram)
                .findFirst();
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /**
     * Runs it to its end. No shell is used: each argument reaches the command as it is.
     *
     * @param input what it gets on its standard input
     * @param longest how long it may take; then it is ended, and cleans up after itself
     * @throws FettleException if it could not be started, took too long, or the thread was interrupted
     */
    Ended run(List<String> arguments, String input, Duration longest) {
        var line = new ArrayList<String>();
        line.add(launcher.toString());
        line.addAll(arguments);
        Process process = start(line);
        var hook = new Thread(process::destroy, "fettle-ends");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean ended = false;
        try {
            var output = CompletableFuture.supplyAsync(() -> all(process.getInputStream()), FettleCommand::inThread);
            var error = CompletableFuture.supplyAsync(() -> last(process.getErrorStream()), FettleCommand::inThread);
            give(process.getOutputStream(), input);
            ended = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                throw new FettleException("fettle %s took longer than %d s and was ended: .within(...) allows more"
                        .formatted(arguments.get(0), longest.toSeconds()));
            }
            return new Ended(process.exitValue(), output.join(), error.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FettleException("the test was interrupted while fettle " + arguments.get(0) + " ran", e);
        } finally {
            if (!ended) {
                end(process);
            }
            removeHook(hook);
        }
    }

    private static Process start(List<String> line) {
        try {
            return new ProcessBuilder(line).start();
        } catch (IOException e) {
            throw new FettleException(line.get(0) + " can't be started: " + e.getMessage(), e);
        }
    }

    private static void inThread(Runnable reading) {
        var thread = new Thread(reading, "fettle-output");
        thread.setDaemon(true);
        thread.start();
    }

    private static String all(InputStream from) {
        try (from) {
            var all = new ByteArrayOutputStream();
            var buffer = new byte[8_192];
            int read = from.read(buffer);
            while (read >= 0) {
                if (all.size() <= MOST_OUTPUT_BYTES) {
                    all.write(buffer, 0, read);
                }
                read = from.read(buffer);
            }
            return all.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // the process was ended
        }
    }

    private static String last(InputStream from) {
        try (from) {
            var last = new StringBuilder();
            var buffer = new byte[4_096];
            int read = from.read(buffer);
            while (read >= 0) {
                last.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
                last.delete(0, Math.max(0, last.length() - KEPT_CHARS));
                read = from.read(buffer);
            }
            return last.toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static void give(OutputStream to, String input) {
        try (to) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // it ended without reading: its exit code says why
        }
    }

    private static void end(Process process) {
        process.destroy();
        boolean interrupted = Thread.interrupted();
        try {
            if (!process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook runs
        }
    }
}
