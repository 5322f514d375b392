package dev.fettle.lab.hooks;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CommandArguments;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A running hook command. Closing it ends its process group and masks its output. */
final class HookProcess implements AutoCloseable {
    private static final int LAST_LINES = 3;

    private final String label;
    private final Child child;
    private final Path file;

    private HookProcess(String label, Child child, Path file) {
        this.label = label;
        this.child = child;
        this.file = file;
    }

    /**
     * Starts the command.
     *
     * @param label its name in messages
     * @param file name of the output file
     * @return empty if the whole command is dropped because a knob it names has no value in the setting
     */
    static Optional<HookProcess> start(
            String label, String file, List<List<String>> run, Map<String, String> environment, HookContext context)
            throws LabException, InterruptedException {
        List<String> command = CommandArguments.fill(run, context::value);
        if (command.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> variables = CommandArguments.fill(environment, context::value);
        Path output = context.folder().resolve(file);
        Child child = Child.start(label, command, variables, context.folder(), output, context.cpus());
        return Optional.of(new HookProcess(label, child, output));
    }

    /** Waits for it to exit. */
    void awaitExit(Duration within, int exit) throws TrialFailure, InterruptedException {
        if (!child.awaitEnd(within)) {
            throw failed("did not end within " + seconds(within));
        }
        if (child.exitCode().orElse(-1) != exit) {
            throw failed("exited with code " + child.exitCode().orElse(-1) + (exit == 0 ? "" : " instead of " + exit));
        }
    }

    boolean alive() {
        return child.alive();
    }

    /** Whether it exited with 0. */
    boolean succeeded() {
        return child.exitCode().orElse(-1) == 0;
    }

    boolean awaitEnd(Duration max) throws InterruptedException {
        return child.awaitEnd(max);
    }

    boolean said(String text) {
        return child.said(text);
    }

    /** The process and its descendants. */
    List<Long> pids() {
        return ProcessHandle.of(child.pid()).stream()
                .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /** The failure of a process that ended unexpectedly, with exit code and last output. */
    TrialFailure ended(String when) {
        return failed("exited with code " + child.exitCode().orElse(-1) + " " + when);
    }

    /** A failure with the hook's name and last output. */
    TrialFailure failed(String how) {
        String words = child.tail(LAST_LINES);
        return new TrialFailure(Kind.HOOK, "the " + label + " " + how + (words.isBlank() ? "" : ": " + words));
    }

    static String seconds(Duration d) {
        return d.toMillis() % 1000 == 0 ? d.toSeconds() + " s" : d.toMillis() + " ms";
    }

    @Override
    public void close() {
        child.close();
        try {
            HookLog.mask(file, child.secrets());
        } catch (IOException e) {
            file.toFile().delete(); // it might contain a secret
        }
    }
}
