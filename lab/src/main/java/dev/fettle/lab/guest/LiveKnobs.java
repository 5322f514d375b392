package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Guest;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.jvm.NoAnswerException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Live knobs of a process that Fettle did not start. Their original values are on disk before any is changed, and are restored
 * on close, or else by a shutdown hook.
 *
 * <p>All settable knobs are recorded, not only those that are set: setting one may change another (a pool's maximum its
 * minimum).
 */
public final class LiveKnobs implements AutoCloseable {
    /** Values may block each other: what one pass can't restore, the next one may. */
    private static final int PASSES = 3;

    /** Between two passes: what kept a value from being restored may pass. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Looks at which the values must be as they were. */
    private static final int QUIET_LOOKS = 3;

    /** How long the end of Fettle waits for a value that is being set. */
    private static final Duration AT_EXIT = Duration.ofSeconds(10);

    /** What can be set in a process. */
    interface Values {
        /** The settable knobs with their values in force, canonical. */
        Map<String, String> read() throws IOException;

        void set(String knob, String value) throws IOException;
    }

    private final Values values;
    private final OriginalValues originals;
    private final Guest guest;
    private final int port;
    private final Consumer<String> note;
    private final Thread hook = new Thread(() -> atExit(AT_EXIT), "fettle-put-back");
    private final ReentrantLock busy = new ReentrantLock();
    private Map<String, String> before = Map.of();
    private boolean set;
    private boolean closed;
    private volatile boolean ending;

    /**
     * Creates it; sets nothing yet. What an earlier trial could not put back must be back by now, see {@link ValueRestore}: it
     * would be taken for the original.
     *
     * @param port of the server, to find its MBeans again
     * @param note receives values that could not be put back
     */
    LiveKnobs(Values values, OriginalValues originals, Guest guest, int port, Consumer<String> note) {
        this.values = values;
        this.originals = originals;
        this.guest = guest;
        this.port = port;
        this.note = note;
    }

    /**
     * Sets values in an order the server accepts.
     *
     * @return what else had to change, in words
     * @throws TrialFailure of kind NOT_EFFECTIVE if the server refuses one, of kind LAB if it could not be asked; {@link #close}
     *     restores those already set
     */
    List<String> set(Setting wanted) throws TrialFailure, LabException {
        busy.lock();
        try {
            return closed ? List.of() : setAll(wanted); // closed: Fettle is ending
        } catch (IOException e) {
            boolean unasked = e instanceof NoAnswerException
                    || e instanceof RemoteException
                    || Thread.currentThread().isInterrupted();
            throw unasked && guest.alive()
                    ? new TrialFailure(Kind.LAB, "the setting could not be set: " + e.getMessage())
                    : new TrialFailure(
                            Kind.NOT_EFFECTIVE, guest.alive() ? String.valueOf(e.getMessage()) : guest.ended());
        } catch (IllegalStateException e) {
            throw stopping();
        } finally {
            busy.unlock();
        }
    }

    private List<String> setAll(Setting wanted) throws IOException, TrialFailure, LabException {
        Map<String, String> now = Map.copyOf(values.read());
        before = now;
        originals.keep(new OriginalValues.Kept(port, new TreeMap<>(now)));
        set = true;
        Runtime.getRuntime().addShutdownHook(hook);
        Map<String, String> all = withFollowers(now, wanted.values());
        for (var change : changes(now, all)) {
            if (ending) {
                throw stopping();
            }
            values.set(change.getKey(), change.getValue());
        }
        return all.entrySet().stream()
                .filter(e -> wanted.get(e.getKey()).isEmpty())
                .map(e -> e.getKey() + " went down to " + e.getValue() + " with "
                        + Knobs.find(e.getKey()).flatMap(Knob::atMost).orElse(""))
                .toList();
    }

    private static TrialFailure stopping() {
        return new TrialFailure(Kind.LAB, "Fettle is stopping: nothing more is set");
    }

    /** Also lowers a knob that the setting leaves alone but that must not exceed one that it sets. */
    static Map<String, String> withFollowers(Map<String, String> now, Map<String, String> wanted) {
        var all = new TreeMap<>(wanted);
        now.forEach((name, value) -> {
            Knob knob = Knobs.find(name).orElseThrow();
            Optional<String> bound = knob.atMost().map(wanted::get);
            if (bound.isPresent() && !wanted.containsKey(name) && knob.number(value) > knob.number(bound.get())) {
                all.put(name, bound.get());
            }
        });
        return all;
    }

    /**
     * The values that change, in an order in which a value that must not exceed another never does in between: it goes
     * down before the other, and up after it.
     */
    public static List<Map.Entry<String, String>> changes(Map<String, String> now, Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .filter(e -> !e.getValue().equals(now.get(e.getKey())))
                .sorted(Comparator.comparingInt(e -> rank(e.getKey(), now.get(e.getKey()), e.getValue())))
                .toList();
    }

    private static int rank(String name, @Nullable String from, String to) {
        Knob knob = Knobs.find(name).orElseThrow();
        if (knob.atMost().isEmpty()) {
            return 1;
        }
        return from == null || knob.number(to) >= knob.number(from) ? 2 : 0;
    }

    /**
     * Puts values back.
     *
     * @return those not restored, as {@code threads.max=50 instead of 200}; empty if all are
     * @throws IOException if the server does not answer
     */
    static Optional<String> putBack(Values values, Map<String, String> before) throws IOException {
        for (int pass = 1; ; pass++) {
            try {
                pass(values, before);
                String left = left(values, before);
                if (left.isEmpty() || pass == PASSES) {
                    return Optional.of(left).filter(l -> !l.isEmpty());
                }
            } catch (NoAnswerException e) {
                throw e; // each further call would be waited for, too
            } catch (IOException e) {
                if (pass == PASSES) {
                    throw e;
                }
            }
            pause(PAUSE);
        }
    }

    /**
     * The same after whoever set other values was killed: what that one had asked for last may only now be done, and is put back, too.
     * It returns when the values have stayed for a while.
     *
     * @param pause between two looks
     */
    static Optional<String> putBackForGood(Values values, Map<String, String> before, Duration pause)
            throws IOException {
        Optional<String> left = putBack(values, before);
        for (int quiet = 0; left.isEmpty() && quiet < QUIET_LOOKS; quiet++) {
            pause(pause);
            if (!left(values, before).isEmpty()) {
                left = putBack(values, before);
                quiet = 0;
            }
        }
        return left;
    }

    /** Tries each value once; one that is refused is seen by what is left. */
    private static void pass(Values values, Map<String, String> before) throws IOException {
        for (var change : changes(values.read(), before)) {
            try {
                values.set(change.getKey(), change.getValue());
            } catch (NoAnswerException e) {
                throw e;
            } catch (IOException e) {
                continue;
            }
        }
    }

    private static String left(Values values, Map<String, String> before) throws IOException {
        Map<String, String> now = values.read();
        return before.entrySet().stream()
                .filter(e -> !e.getValue().equals(now.get(e.getKey())))
                .map(e -> e.getKey() + "=" + now.get(e.getKey()) + " instead of " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    private static void pause(Duration pause) throws IOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Restores the values, unless a value that is being set holds it up for too long. */
    void atExit(Duration atMost) {
        ending = true;
        try {
            if (busy.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    restore();
                } finally {
                    busy.unlock();
                }
            } else {
                tellNotPutBack("the server does not answer");
            }
        } catch (InterruptedException e) {
            tellNotPutBack("interrupted");
        }
    }

    private void restore() {
        if (closed || !set) {
            closed = true;
            return;
        }
        boolean interrupted = Thread.interrupted(); // restoring the values must not be interrupted
        String left;
        try {
            left = putBack(values, before).orElse("");
        } catch (IOException | RuntimeException e) {
            left = guest.alive() ? "all of " + new TreeMap<>(before) + ": " + e.getMessage() : "";
        }
        closed = true;
        try {
            if (left.isEmpty()) {
                originals.delete();
            } else {
                tellNotPutBack(left);
            }
        } catch (LabException e) {
            note.accept(String.valueOf(e.getMessage()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tellNotPutBack(String left) {
        note.accept("NOT PUT BACK in process " + guest.pid() + ": " + left + ". The values are in " + originals
                + "; fettle put-back tries again, and so does Fettle's watchdog when Fettle ends");
    }

    @Override
    public void close() {
        busy.lock();
        try {
            restore();
        } finally {
            busy.unlock();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // Fettle is ending: the hook has run or finds nothing left to do
        }
    }
}
