package dev.fettle.cli.assist;

import dev.fettle.cli.terminal.EndWithCaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Runs commands of Fettle, each in a process of its own with this one's Java, options and class path. */
public final class CommandRuns implements AutoCloseable {
    private static final int MOST_OUTPUT = 8 * 1024 * 1024;
    private static final int MOST_SAID = 4096;
    private static final int SECONDS_TO_END = 20;

    private final List<String> java;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

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

    Ended run(Tool.Call call) throws IOException, InterruptedException {
        var command = new ArrayList<>(java);
        command.addAll(call.arguments());
        Process process = new ProcessBuilder(command).start();
        running.add(process);
        try {
            var err = CompletableFuture.supplyAsync(() -> end(process.getErrorStream()), Thread::startVirtualThread);
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
            if (process.isAlive()) {
                process.destroy();
            }
        }
    }

    /** The last of what is said, however much that is. */
    private static String end(InputStream said) {
        try {
            var kept = new byte[MOST_SAID];
            int length = 0;
            var block = new byte[MOST_SAID];
            for (int n = said.read(block); n >= 0; n = said.read(block)) {
                int old = Math.min(length, MOST_SAID - n);
                System.arraycopy(kept, length - old, kept, 0, old);
                System.arraycopy(block, 0, kept, old, n);
                length = old + n;
            }
            return new String(kept, 0, length, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
