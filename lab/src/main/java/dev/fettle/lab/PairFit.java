package dev.fettle.lab;

import dev.fettle.lab.launch.JvmArguments;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.AvailableMemory;
import dev.fettle.watch.host.Proc;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Decides whether two trials of a plan can be up at the same time. What one pair shows holds for the rest of the run.
 */
final class PairFit {
    /** Rough memory of a JVM beyond its heap, in bytes: thread stacks, classes, compiled code, buffers. */
    private static final long BESIDE_HEAP = 256L << 20;

    /** HotSpot's default maximum heap is this fraction of the memory, 1/4 ({@code MaxRAMPercentage}). */
    private static final int HEAP_PART = 4;

    /** Share of memory that must stay free: with less, the machine itself is disturbed. */
    private static final double SPARE = 0.1;

    private final Proc proc;
    private final Hooks hooks;
    private Optional<String> never = Optional.empty();
    private final AvailableMemory memory;
    private long peak;

    PairFit(Proc proc, Hooks hooks) {
        this.proc = proc;
        this.memory = new AvailableMemory(proc);
        this.hooks = hooks;
    }

    /** Records how much memory a closed trial's target needed. */
    void used(Trial trial) {
        peak = Math.max(peak, trial.peakMemory().orElse(0));
    }

    /** From now on pairs run one after the other. */
    void never(String why) {
        never = Optional.of(why);
    }

    /** Why two targets can't be up at the same time or loaded in turn; empty if they can. */
    Optional<String> whyNot(TrialSpec first, TrialSpec second) {
        return never.or(() ->
                        Stream.of(first, second).flatMap(s -> kind(s).stream()).findFirst())
                .or(this::hooksCollide)
                .or(() -> descriptors(first, second))
                .or(() -> memory(first, second));
    }

    private static Optional<String> kind(TrialSpec spec) {
        return spec.target().isLaunched()
                ? Optional.empty()
                : Optional.of(
                        spec.target().hasProcess()
                                ? "both sides are settings of one process that runs already"
                                : "both sides are one server that runs already");
    }

    /**
     * Hooks around each trial can run side by side if each uses its trial's own port or folder; one that does not may reset the
     * database that the other side uses.
     */
    private Optional<String> hooksCollide() {
        return Stream.concat(hooks.before().stream(), hooks.after().stream())
                .filter(h -> h.scope() == Scope.TRIAL && !keepsToItself(h))
                .findFirst()
                .map(h -> "the hook (" + h.program()
                        + ") around each trial names neither a {port:NAME} nor the {dir} of its trial, so two trials"
                        + " may share what it works on");
    }

    private static boolean keepsToItself(Hook hook) {
        return Stream.concat(hook.run().stream().flatMap(List::stream), hook.environment().values().stream())
                .anyMatch(t -> t.contains("{port:") || t.contains("{dir}"));
    }

    /** The generator holds the connections of both sides. */
    private Optional<String> descriptors(TrialSpec first, TrialSpec second) {
        OptionalLong limit = proc.softLimit("self", "Max open files");
        long wanted = (long) first.load().connections() + second.load().connections() + 500;
        return limit.isPresent() && wanted > limit.getAsLong()
                ? Optional.of("the connections of two need " + wanted + " open files, and the limit is "
                        + limit.getAsLong() + " (ulimit -n)")
                : Optional.empty();
    }

    private Optional<String> memory(TrialSpec first, TrialSpec second) {
        OptionalLong free = memory.available();
        if (free.isEmpty()) {
            return Optional.empty();
        }
        long wanted = needs(first) + needs(second);
        return wanted > free.getAsLong() * (1 - SPARE)
                ? Optional.of("two servers may need " + Format.bytes(wanted) + ", and " + Format.bytes(free.getAsLong())
                        + " of memory are free")
                : Optional.empty();
    }

    /**
     * Memory needed, bytes: the configured maximum heap plus overhead; without one, the most this run's servers used,
     * or HotSpot's default.
     */
    private long needs(TrialSpec spec) {
        OptionalLong heap = heap(spec);
        if (heap.isPresent()) {
            return heap.getAsLong() + BESIDE_HEAP;
        }
        return peak > 0 ? peak : memory.total().orElse(0) / HEAP_PART;
    }

    private static OptionalLong heap(TrialSpec spec) {
        return flags(spec).stream()
                .filter(f -> f.startsWith("-Xmx"))
                .map(f -> size(f.substring(4)))
                .flatMapToLong(OptionalLong::stream)
                .reduce((a, b) -> b);
    }

    private static List<String> flags(TrialSpec spec) {
        return JvmArguments.of(spec.target().jvm(), spec.setting());
    }

    /** What is no size, or none that there can be, is left to the JVM, which refuses it. */
    private static OptionalLong size(String text) {
        try {
            return OptionalLong.of(Units.size(text));
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }
}
