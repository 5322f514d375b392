package dev.fettle.lab.measure;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.TrialStage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is done with a trial, or with two in turn: stages, in their order. Each is reported as it begins, and the first that fails
 * ends the session.
 *
 * @param <F> how a stage fails
 */
public final class Session<F extends Exception> {
    private final List<Follower> followers;
    private final List<Part<F>> parts = new ArrayList<>();

    /** What is done in a stage. */
    @FunctionalInterface
    public interface Action<F extends Exception> {
        void run() throws F, LabException, InterruptedException;
    }

    /** Learns which stage a trial is in. */
    @FunctionalInterface
    public interface Follower {
        /** @param atMost how long the stage will last at most */
        void stage(TrialStage stage, Duration atMost);
    }

    private record Part<F extends Exception>(TrialStage stage, Supplier<Duration> atMost, Action<F> action) {}

    /** One without stages yet. */
    public Session(Follower... followers) {
        this.followers = List.of(followers);
    }

    /** Adds a stage. */
    public Session<F> then(TrialStage stage, Duration atMost, Action<F> action) {
        return then(stage, () -> atMost, action);
    }

    /**
     * Adds a stage.
     *
     * @param atMost asked when it begins
     */
    public Session<F> then(TrialStage stage, Supplier<Duration> atMost, Action<F> action) {
        parts.add(new Part<>(stage, atMost, action));
        return this;
    }

    /** Goes through the stages. */
    public void run() throws F, LabException, InterruptedException {
        for (Part<F> part : parts) {
            Duration atMost = part.atMost().get();
            followers.forEach(f -> f.stage(part.stage(), atMost));
            part.action().run();
        }
    }
}
