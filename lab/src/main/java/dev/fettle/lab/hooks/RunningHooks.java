package dev.fettle.lab.hooks;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.target.Hook;
import dev.fettle.model.trial.HookOutcome.Where;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Started hooks: those in the background are up, and the cleanup hooks wait for {@link #close}. */
public final class RunningHooks implements AutoCloseable {
    private final HookContext context;
    private final List<Numbered> after;
    private final HookRuns runs;
    private final Map<Numbered, HookProcess> up = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private boolean closed;

    /**
     * A hook of a plan.
     *
     * @param number its position in that list, from 1
     */
    record Numbered(Where where, int number, Hook hook) {
        /** {@code hook before[2] (redis-cli)}. */
        String label() {
            return "hook " + list() + "[" + number + "] (" + hook.program() + ")";
        }

        /** Prefix of its output files. */
        String file() {
            return "hook-" + list() + "-" + number;
        }

        private String list() {
            return where.name().toLowerCase(Locale.ROOT);
        }
    }

    private RunningHooks(HookContext context, List<Numbered> after, HookRuns runs) {
        this.context = context;
        this.after = after;
        this.runs = runs;
    }

    /**
     * Runs the setup hooks. If one fails, the cleanup hooks are run and nothing is left running.
     *
     * @param runs collects the outcomes
     * @throws TrialFailure of kind HOOK, saying which failed and how
     */
    static RunningHooks begin(List<Numbered> before, List<Numbered> after, HookContext context, HookRuns runs)
            throws TrialFailure, LabException, InterruptedException {
        var running = new RunningHooks(context, after, runs);
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
        long begin = System.nanoTime();
        try {
            if (started(numbered, begin)) {
                runs.done(numbered, Duration.ofNanos(System.nanoTime() - begin));
            }
        } catch (TrialFailure e) {
            runs.failed(numbered, Duration.ofNanos(System.nanoTime() - begin), e);
            throw e;
        }
    }

    /** Whether there was anything to run: the whole command may be dropped because a knob it names has no value in the setting. */
    private boolean started(Numbered numbered, long begin) throws TrialFailure, LabException, InterruptedException {
        Hook hook = numbered.hook();
        long deadline = begin + hook.within().toNanos();
        Optional<HookProcess> started =
                HookProcess.start(numbered.label(), numbered.file() + ".log", hook.run(), hook.environment(), context);
        if (started.isEmpty()) {
            return false;
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
            return true;
        } finally {
            if (stays) {
                up.put(numbered, process);
            } else {
                process.close();
            }
        }
    }

    /**
     * Checks the background hooks.
     *
     * @param when for the message: "under load"
     * @throws TrialFailure if one has ended
     */
    public void check(String when) throws TrialFailure {
        for (var hook : up.entrySet()) {
            if (!hook.getValue().alive()) {
                TrialFailure ended = hook.getValue().ended(when);
                runs.failed(hook.getKey(), Duration.ZERO, ended);
                throw ended;
            }
        }
    }

    /** The processes of the background hooks. */
    public List<Long> pids() {
        return up.values().stream().flatMap(p -> p.pids().stream()).toList();
    }

    /** Failures of cleanup hooks; complete once this is closed. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /**
     * Runs the cleanup hooks, each within its time limit, and then ends the background hooks in reverse order. An interruption does
     * not cut it short: cleaning up matters most then.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        var cleaning = new FutureTask<Boolean>(this::cleanUp, true);
        Thread.ofPlatform().daemon().name("fettle-clean-up").start(cleaning);
        boolean interrupted = false;
        while (true) {
            try {
                cleaning.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** On a thread of its own, which nobody interrupts. */
    private void cleanUp() {
        for (Numbered hook : after) {
            try {
                run(hook);
            } catch (TrialFailure | LabException | InterruptedException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        List.copyOf(up.values()).reversed().forEach(HookProcess::close);
    }
}
