package dev.fettle.lab;

import dev.fettle.model.Hook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hooks in force: those in the background are up, and those for afterwards wait for {@link #close}. */
final class RunningHooks implements AutoCloseable {
    private final HookContext context;
    private final List<Numbered> after;
    private final List<HookProcess> up = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean closed;

    /**
     * A hook of a plan.
     *
     * @param where {@code before} or {@code after}
     * @param number its place in that list, from 1
     */
    record Numbered(String where, int number, Hook hook) {
        /** {@code hook before[2] (redis-cli)}. */
        String label() {
            return "hook " + where + "[" + number + "] (" + hook.program() + ")";
        }

        /** What the files of its output begin with. */
        String file() {
            return "hook-" + where + "-" + number;
        }
    }

    private RunningHooks(HookContext context, List<Numbered> after) {
        this.context = context;
        this.after = after;
    }

    /**
     * Runs the hooks for before. If one fails, those for afterwards are run, and nothing is left.
     *
     * @throws TrialFailure of the kind HOOK: which failed and how
     */
    static RunningHooks begin(List<Numbered> before, List<Numbered> after, HookContext context)
            throws TrialFailure, LabException, InterruptedException {
        var running = new RunningHooks(context, after);
        boolean begun = false;
        try {
            for (Numbered hook : before) {
                running.run(hook);
            }
            begun = true;
            return running;
        } finally {
            if (!begun) {
                running.close();
            }
        }
    }

    private void run(Numbered numbered) throws TrialFailure, LabException, InterruptedException {
        Hook hook = numbered.hook();
        long deadline = System.nanoTime() + hook.within().toNanos();
        Optional<HookProcess> started =
                HookProcess.start(numbered.label(), numbered.file() + ".log", hook.run(), hook.environment(), context);
        if (started.isEmpty()) {
            return;
        }
        HookProcess process = started.get();
        boolean stays = false;
        try {
            if (!hook.background()) {
                process.awaitExit(hook.within(), hook.exit());
            }
            if (hook.ready().isPresent()) {
                new HookReadiness(hook, process, numbered.label(), numbered.file(), context)
                        .await(hook.ready().get(), deadline);
            }
            stays = hook.background();
        } finally {
            if (stays) {
                up.add(process);
            } else {
                process.close();
            }
        }
    }

    /**
     * Looks after those in the background.
     *
     * @param when for the message: "under load"
     * @throws TrialFailure if one has ended
     */
    void check(String when) throws TrialFailure {
        for (HookProcess process : up) {
            if (!process.alive()) {
                throw process.ended(when);
            }
        }
    }

    /** The processes of those in the background. */
    List<Long> pids() {
        return up.stream().flatMap(p -> p.pids().stream()).toList();
    }

    /** What went wrong with those for afterwards; complete once this is closed. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Runs the hooks for afterwards, each for its time at most, and then ends those in the background, the last one first. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean interrupted =
                Thread.interrupted(); // putting things back in order matters most when something was cut off
        for (Numbered hook : after) {
            try {
                run(hook);
            } catch (TrialFailure | LabException e) {
                problems.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                problems.add("the " + hook.label() + " was interrupted");
                interrupted = true;
            }
        }
        up.reversed().forEach(HookProcess::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
