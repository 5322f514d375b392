package dev.fettle.lab.machine;

import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.Format;
import dev.fettle.watch.host.Disturbance;
import dev.fettle.watch.host.DisturbanceMeter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Waits before a trial, within bounds, until other processes and the hypervisor leave the CPUs alone: repeating a disturbed
 * trial takes longer than most disturbances last. At the bound the trial runs anyway, with a note. Not thread-safe.
 */
public final class Calm {
    /** Share of the CPUs that others may use: the validity gate's bound. */
    static final double FOREIGN = 0.1;
    /** Share of the time that may be stolen. */
    static final double STEAL = 0.03;
    /** Longest wait before one trial, unless the environment says otherwise. */
    static final Duration LONGEST = Duration.ofSeconds(20);
    /** Length of one observation: fifty ticks of each CPU's clock. */
    static final Duration LOOK = Duration.ofMillis(500);
    /** All waits but the first take at most 1/4 of the run. */
    private static final int PART = 4;

    private final Reader reader;
    private final Duration longest;
    private final Set<Integer> cpus;
    private final LongSupplier nanos;
    private final Consumer<String> tell;
    private final long began;
    private long waited;

    /** Observes what others do to the CPUs for a while. */
    @FunctionalInterface
    public interface Reader {
        Disturbance over(Duration time, List<Long> own) throws InterruptedException;
    }

    /**
     * Creates it for one run.
     *
     * @param longest wait before one trial; never longer than the trial measures
     * @param cpus the observed CPUs, for messages
     * @param nanos a monotonic clock
     * @param tell receives the line that says what it waits for
     */
    Calm(Reader reader, Duration longest, Set<Integer> cpus, LongSupplier nanos, Consumer<String> tell) {
        this.longest = longest;
        this.reader = reader;
        this.cpus = Set.copyOf(cpus);
        this.nanos = nanos;
        this.tell = tell;
        this.began = nanos.getAsLong();
    }

    /** Observes this machine's CPUs. */
    public static Reader thisMachine(LabEnvironment env) {
        return (time, own) ->
                new DisturbanceMeter(env.proc(), env.cpus().server(), env.cpus().generator(), own).over(time);
    }

    /** Creates it for the CPUs of an environment. */
    public static Calm of(LabEnvironment env, Reader reader, Consumer<String> tell) {
        var cpus = new HashSet<>(env.cpus().server());
        cpus.addAll(env.cpus().generator());
        return new Calm(reader, env.calm(), cpus, env.clock()::nanos, tell);
    }

    /**
     * Waits if the machine is not calm.
     *
     * @param measure the trial's measuring time
     * @param own processes whose work does not count as disturbance
     * @return why there was no calm within the bound; empty if there was
     */
    public Optional<String> await(Duration measure, List<Long> own) throws InterruptedException {
        if (longest.isZero()) {
            return Optional.empty();
        }
        Optional<String> reason = disturbed(reader.over(LOOK, own));
        long bound = bound(measure);
        if (reason.isEmpty() || bound < LOOK.toNanos()) {
            return reason.map(r -> "the trial began without calm: " + r);
        }
        tell.accept("waiting for calm: " + reason.get() + ": up to " + Format.time(bound));
        long begin = nanos.getAsLong();
        while (reason.isPresent() && nanos.getAsLong() - begin < bound) {
            reason = disturbed(reader.over(LOOK, own));
        }
        long took = nanos.getAsLong() - begin;
        waited += took;
        if (reason.isPresent()) {
            String went = "the trial began without calm after " + Format.time(took) + ": " + reason.get();
            tell.accept(went);
            return Optional.of(went);
        }
        return Optional.empty();
    }

    /** The remaining wait allowed, in nanoseconds. */
    private long bound(Duration measure) {
        long one = Math.min(longest.toNanos(), measure.toNanos());
        return Math.min(one, one + (nanos.getAsLong() - began) / PART - waited);
    }

    /** What disturbs, in words; empty if nothing does or nothing is known. */
    private Optional<String> disturbed(Disturbance seen) {
        String where = cpus.isEmpty() ? "the CPUs" : "CPU " + CpuList.text(cpus);
        if (seen.foreign().orElse(0) > FOREIGN) {
            return Optional.of(
                    "other processes use " + Format.share(seen.foreign().getAsDouble()) + " of " + where + ", at most "
                            + Format.exactShare(FOREIGN));
        }
        double steal = seen.stealOfEither().orElse(0);
        return steal > STEAL
                ? Optional.of("the hypervisor takes " + Format.share(steal) + " of the time of " + where + ", at most "
                        + Format.exactShare(STEAL))
                : Optional.empty();
    }
}
