package dev.fettle.lab.agents;

import dev.fettle.lab.measure.WarmUp;
import dev.fettle.load.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a controller asks of an agent. Loads have numbers there. */
sealed interface Ask {
    /** Its monotonic clock: {@code Long}. */
    record Now() implements Ask {}

    /** To warm up on a server of its own: {@code Warmed}. */
    record Rehearse(Shipped load, WarmUp warmUp) implements Ask {}

    /** CPU time of its compilers so far, in nanoseconds: {@code Long}. */
    record Compiled() implements Ask {}

    /** To make its part of a load ready to begin: its number, an {@code Integer}. */
    record Prepare(Shipped load) implements Ask {}

    /** To begin at a time of its monotonic clock. */
    record Begin(int run, long nanos) implements Ask {}

    /** A window: {@link Taken}. */
    record Take(int run) implements Ask {}

    /** To wait for the end: whether it has ended, a {@code Boolean}. */
    record AwaitDone(int run, Duration max) implements Ask {}

    record EndIn(int run, Duration time) implements Ask {}

    record Pause(int run) implements Ask {}

    record Resume(int run) implements Ask {}

    /** To wait until nothing is in flight: {@code Boolean}. */
    record AwaitQuiet(int run, Duration max) implements Ask {}

    /** How a load is doing: {@link State}. */
    record HowIs(int run) implements Ask {}

    record Close(int run) implements Ask {}

    /**
     * A window.
     *
     * @param cpuShare of the host's CPUs that were busy since the load began; negative if unknown
     */
    record Taken(Window window, double cpuShare) {}

    /** How a load is doing, as {@code LoadRun} says it. */
    record State(int connections, Optional<String> failure, List<String> notes) {}
}
