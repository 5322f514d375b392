package dev.fettle.cli.assist;

import dev.fettle.cli.terminal.EndWithCaller;
import dev.fettle.model.text.OneLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs commands of Fettle, each in a process of its own with this one's Java, options and class path. */
public final class CommandRuns implements AutoCloseable {
    private static final int MOST_OUTPUT = 8 * 1024 * 1024;
    private static final int MOST_SAID = 4096;
    private static final int SECONDS_TO_END = 20;
    private static final int SILENCE_SECONDS = 10;
    private static final int LONGEST_LINE = 500;
    private static final int MOST_EARLY = 100;

    private final List<String> java;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Map<String, Process> calls = new ConcurrentHashMap<>();

    /** Calls that were cancelled before they had a process. */
    private final Set<String> early = ConcurrentHashMap.newKeySet();

    private CommandRuns(List<String> java) {
        this.java = List.copyOf(java);
    }

    /**
     * Commands of this very Fettle.
     *
     * @param main its main class
     */
    public static CommandRuns own(String main) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(a -> !a.startsWith("-agentlib:") && !a.startsWith("-javaagent:"))
                .forEach(command::add);
        // not even a kill of this process leaves a load without anybody who waits for it
        command.add("-D" + EndWithCaller.CALLER + "=" + ProcessHandle.current().pid());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        return new CommandRuns(command);
    }

    /** How a command ended; of what it said on its way, the end. */
    record Ended(int code, String out, String err) {}

    /** Follows a command that runs. */
    interface Follower {
        /**
         * It goes on.
         *
         * @param seconds since it began
         * @param line what it said; empty if it has said nothing for a while
         */
        void goesOn(double seconds, String line);
    }

    /**
     * Ends the command of a call at once: it puts back what it has set, and ends what it has started. A call that has not begun ends when it
     * does; one that has been answered is over.
     */
    void cancel(String id) {
        if (early.size() >= MOST_EARLY) {
            early.clear(); // ids of calls that were over
        }
        early.add(id);
        Optional.ofNullable(calls.get(id)).ifPresent(process -> {
            early.remove(id);
            end(process);
            CompletableFuture.delayedExecutor(SECONDS_TO_END, TimeUnit.SECONDS, Thread::startVirtualThread)
                    .execute(process.toHandle()::destroyForcibly);
        });
    }

    /**
     * Runs it to its end.
     *
     * @param id of the call, for {@link #cancel}
     */
    Ended run(Tool.Call call, String id, Follower follower) throws IOException, InterruptedException {
        var command = new ArrayList<>(java);
        command.addAll(call.arguments());
        Process process = new ProcessBuilder(command).start();
        running.add(process);
        calls.put(id, process);
        if (early.remove(id)) {
            end(process);
        }
        long begun = System.nanoTime();
        try {
            var said = new Said(line -> follower.goesOn((System.nanoTime() - begun) / 1e9, line));
            var err = CompletableFuture.supplyAsync(
                    () -> said.read(process.getErrorStream()), Thread::startVirtualThread);
            Thread.startVirtualThread(() -> heartbeat(process, begun, follower));
            try (OutputStream in = process.getOutputStream()) {
                in.write(call.input().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // it ended without reading all, and says why
            }
            byte[] out = process.getInputStream().readNBytes(MOST_OUTPUT);
            if (out.length == MOST_OUTPUT) {
                process.destroy();
                throw new IOException("the answer is longer than " + MOST_OUTPUT + " bytes: fettle "
                        + String.join(" ", call.arguments()) + " shows it in a terminal");
            }
            return new Ended(process.waitFor(), new String(out, StandardCharsets.UTF_8), err.join());
        } finally {
            running.remove(process);
            calls.remove(id, process);
            if (process.isAlive()) {
                process.destroy();
            }
        }
    }

    /** Asks it to end. {@link Process#destroy} would close its streams as well, from which its last words are still read. */
    private static void end(Process process) {
        process.toHandle().destroy();
    }

    /** A client that hears nothing for long gives a call up. */
    private static void heartbeat(Process process, long begun, Follower follower) {
        try {
            while (!process.waitFor(SILENCE_SECONDS, TimeUnit.SECONDS)) {
                follower.goesOn((System.nanoTime() - begun) / 1e9, "");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a command says on its way: the last of it is kept, however much that is, and its lines are passed on. */
    private record Said(Consumer<String> lines) {
        String read(InputStream said) {
            try (var reader = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8))) {
                var kept = new StringBuilder();
                var line = new StringBuilder();
                for (int c = reader.read(); c >= 0; c = reader.read()) {
                    kept.append((char) c);
                    if (kept.length() >= 2 * MOST_SAID) {
                        kept.delete(0, kept.length() - MOST_SAID);
                    }
                    if (c == '\n' || line.length() >= LONGEST_LINE) {
                        String one = OneLine.of(line.toString()).strip();
                        if (!one.isEmpty()) {
                            lines.accept(one);
                        }
                        line.setLength(0);
                    } else {
                        line.append((char) c);
                    }
                }
                return kept.substring(Math.max(0, kept.length() - MOST_SAID));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends those that run: each puts back what it has set, and ends what it has started. */
    @Override
    public void close() {
        running.forEach(Process::destroy);
        boolean interrupted = Thread.interrupted();
        for (Process process : running) {
            try {
                if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
