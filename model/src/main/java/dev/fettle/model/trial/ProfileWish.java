package dev.fettle.model.trial;

import java.util.Set;

/**
 * What to profile, and with what.
 *
 * @param kinds may be empty: nothing is profiled
 */
public record ProfileWish(Set<Profile.Kind> kinds, Engine engine) {
    /** Nothing is profiled. */
    public static final ProfileWish NONE = new ProfileWish(Set.of(), Engine.AUTO);

    /** Where the CPU time goes: what a diagnosis wishes. */
    public static final ProfileWish CPU_TIME = new ProfileWish(Set.of(Profile.Kind.CPU), Engine.AUTO);

    /** What requests cost and wait for: what a gate's explanation wishes. */
    public static final ProfileWish COSTS =
            new ProfileWish(Set.of(Profile.Kind.CPU, Profile.Kind.ALLOC, Profile.Kind.LOCK), Engine.AUTO);

    /** The profiler that takes the stacks. */
    public enum Engine {
        /** async-profiler in a process that Fettle launched, where it runs; otherwise the JVM's flight recorder. */
        AUTO,
        /**
         * async-profiler, even in a process that was already running: its library stays there until the process ends.
         */
        ASYNC,
        /** The JVM's own flight recorder. */
        JFR;
    }

    public ProfileWish {
        kinds = Set.copyOf(kinds);
    }

    /** Whether nothing is to be profiled. */
    public boolean isNone() {
        return kinds.isEmpty();
    }
}
