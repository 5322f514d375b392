package dev.fettle.lab.port;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A target that is up. */
public interface TargetHandle extends AutoCloseable {
    /** Where a target's process comes from. */
    enum Origin {
        /** It was launched, and ends with the trial. */
        LAUNCHED,
        /** It ran before, and stays. */
        VISITED,
        /** Only its URL is known. */
        URL
    }

    /**
     * What is known of a target.
     *
     * @param address where it listens
     * @param pid the process that is watched; the watching one if the target's is not known
     * @param startupMillis from launch to ready; 0 if it ran already
     * @param cpus those that it may use; empty if its process is not known
     */
    record About(InetSocketAddress address, long pid, Origin origin, double startupMillis, Set<Integer> cpus) {
        public About {
            cpus = Set.copyOf(cpus);
        }

        /** Whether the target's process is known. */
        public boolean isWatched() {
            return origin != Origin.URL;
        }

        /** Whether it is a URL of another machine: what is seen here of CPUs and sockets says nothing of it. */
        public boolean isElsewhere() {
            return !isWatched() && !address.getAddress().isLoopbackAddress();
        }
    }

    /** What is known of it by now. */
    About about();

    /** All processes of it and of Fettle; empty if not all are known. */
    List<Long> processes();

    /** The load as this target needs it: over TLS, trusting its certificate and no other, if it got one from Fettle. */
    Load over(Load load);

    /** Waits for the right answer. */
    void awaitReady(Load load) throws TrialFailure, InterruptedException;

    /**
     * Reads back the setting.
     *
     * @return its accept queue's limit, if it is known
     * @throws TrialFailure if a value is not the one that was set
     */
    OptionalInt readBack(TrialSpec spec) throws TrialFailure, InterruptedException;

    /** Begins what is read of its JVM over time, and to record it if its trial is to be recorded. */
    void observe(TrialSpec spec, Path folder);

    /** The warm-up is over: what was recorded before is left out. */
    void measuringBegins();

    /** Ends the recording, if there is one, and adds it to the evidence. */
    Evidence recorded(Evidence seen);

    /** Begins to watch it under a load. */
    WatchPort watch(WatchPort.Order order);

    /** Keeps its compiler threads on these CPUs, if Fettle launched it. */
    void keepCompilersOn(Set<Integer> cpus) throws InterruptedException;

    /** Whether it runs. */
    boolean alive();

    /** Why it does not, in one line with its last output. */
    String ended(String when);

    /** @throws TrialFailure if it has ended, or the disk is nearly full */
    void check() throws TrialFailure, InterruptedException;

    /** @throws TrialFailure if it printed what usually are last words; it may run on, with one thread less */
    void words() throws TrialFailure, InterruptedException;

    /** Knobs that it takes while it runs; empty: none. */
    Optional<LiveSettings> live();

    /**
     * Reads the live knobs again after they were set.
     *
     * @throws TrialFailure if one does not have the setting's value, or can't be read
     */
    void confirm(Setting setting) throws TrialFailure;

    /** Values read back from it so far. */
    Map<String, String> effective();

    /** Versions and names, as far as known. */
    Map<String, String> facts();

    /** Adds a fact to the evidence. */
    void fact(String name, String value);

    /** What is to be known with its figures. */
    List<String> notes();

    /** Adds a note. */
    void note(String text);

    /** Forgets all notes but the first ones. */
    void keepNotes(int first);

    /** The memory that it has needed at most, in bytes, while it is up; empty if it is not known. */
    OptionalLong peakMemory();

    /** Whether another process killed it, as the kernel does when memory runs out. */
    boolean killed();

    /** Bytes that are missing from its logs, as there were too many; known once it is closed. */
    long logsLeftOut();

    /** Ends it, if Fettle launched it, and all that belongs to it. */
    @Override
    void close();
}
