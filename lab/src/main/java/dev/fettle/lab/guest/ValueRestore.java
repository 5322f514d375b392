package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import dev.fettle.watch.jfr.AsyncRecording;
import dev.fettle.watch.jvm.OwnRecordings;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Puts back what Fettle changed in processes that it did not start, and could not put back itself: it was killed, or not answered. */
public final class ValueRestore {
    /** For one call into a server: it may be stopped, or hang on its way to a safepoint. */
    static final Duration CALL_BOUND = Duration.ofSeconds(10);

    /** At whether values that were put back stay. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(150);

    /** For somebody else who puts something back: several calls. */
    private static final Duration TAKER_BOUND = Duration.ofSeconds(30);

    /** In a recording's debt: async-profiler's file, if it may have taken one. */
    static final String PROFILE = "profile";

    private ValueRestore() {}

    /**
     * Puts back what Fettles that are gone owe.
     *
     * @param pid to this process; empty: to all
     * @return what became of each debt; none of those to processes that have ended. One that somebody else is just putting back is
     *     waited for
     * @throws LabException if the debts can't be read
     */
    public static List<PutBack> putBack(Debts debts, OptionalLong pid) throws LabException, InterruptedException {
        var all = new ArrayList<PutBack>();
        for (Debts.Entry owed : pid.isPresent() ? debts.to(pid.getAsLong()) : debts.all()) {
            awaitTaker(debts, owed);
            putBack(debts, owed).ifPresent(all::add);
        }
        return all;
    }

    /** Whoever has taken a debt over is done with it soon. */
    private static void awaitTaker(Debts debts, Debts.Entry owed) throws InterruptedException {
        long end = System.nanoTime() + TAKER_BOUND.toNanos();
        while (owed.taken() && Files.exists(owed.file()) && debts.isInUse(owed) && System.nanoTime() < end) {
            Thread.sleep(20);
        }
    }

    /**
     * Puts back what is owed to one process, before a trial or a look at it.
     *
     * @param note receives what was put back
     * @throws LabException if a value can't be put back, or another Fettle has some set there: whatever is measured then is not what
     *     it is called
     */
    static void putBack(Debts debts, Guest guest, Consumer<String> note) throws LabException, InterruptedException {
        for (PutBack each : putBack(debts, OptionalLong.of(guest.pid()))) {
            boolean spoils = each.kind() == Debts.Kind.VALUES && each.isOwed();
            if (spoils) {
                throw new LabException(each.text());
            }
            if (each.state() != PutBack.State.IN_USE) {
                note.accept(each.text());
            }
        }
    }

    private static Optional<PutBack> putBack(Debts debts, Debts.Entry owed) throws LabException, InterruptedException {
        if (owed.elsewhere()) {
            return Optional.of(of(
                    owed,
                    PutBack.State.ELSEWHERE,
                    Map.of(),
                    "of another machine or container, or from before this one was started, has yet to be put back as it"
                            + " was: a Fettle there does that; if the process has ended, delete " + owed.file()));
        }
        if (!owed.guest().alive()) {
            if (!debts.isInUse(owed)) {
                owed.delete();
            }
            return Optional.empty();
        }
        if (debts.isInUse(owed)) {
            return Optional.of(of(owed, PutBack.State.IN_USE, Map.of(), Debts.inUse(owed)));
        }
        Optional<Debts.Entry> mine = debts.takeOver(owed);
        if (mine.isEmpty()) {
            return Optional.empty();
        }
        try {
            return owed.kind() == Debts.Kind.VALUES ? values(mine.get()) : recording(debts, mine.get());
        } finally {
            if (Files.exists(mine.get().file())) {
                debts.giveUp(mine.get());
            }
        }
    }

    private static PutBack of(Debts.Entry owed, PutBack.State state, Map<String, String> values, String detail) {
        return new PutBack(owed.guest().pid(), owed.kind(), state, values, detail);
    }

    private static Optional<PutBack> values(Debts.Entry owed) throws LabException, InterruptedException {
        OriginalValues.Kept kept = OriginalValues.Kept.of(owed);
        Map<String, String> values = new TreeMap<>(kept.values());
        String problem;
        try (var jvm = RunningJvm.attach(owed.guest().pid())) {
            Optional<LiveKnobs.Values> server = settable(jvm, kept.port(), CALL_BOUND);
            problem = server.isEmpty()
                    ? "its MBeans are gone"
                    : LiveKnobs.putBackForGood(server.get(), values, BETWEEN_LOOKS)
                            .orElse("");
        } catch (IOException e) {
            checkInterrupted();
            problem = String.valueOf(e.getMessage());
        }
        if (problem.isEmpty()) {
            owed.delete();
            return Optional.of(of(
                    owed,
                    PutBack.State.DONE,
                    values,
                    "still had values that an earlier trial set; put back: " + values));
        }
        return Optional.of(of(
                owed,
                PutBack.State.FAILED,
                values,
                "still has values that an earlier trial set, and " + values + " could not be put back: " + problem
                        + ". fettle put-back tries again; or set them by hand (jconsole "
                        + owed.guest().pid()
                        + "), or restart the process"));
    }

    private static Optional<PutBack> recording(Debts debts, Debts.Entry owed)
            throws LabException, InterruptedException {
        long pid = owed.guest().pid();
        String profile = owed.content().getOrDefault(PROFILE, "");
        int ended = 0;
        try {
            if (!profile.isEmpty() && isOnly(debts, owed) && AsyncRecording.stopLeft(pid, Path.of(profile))) {
                ended++;
            }
            try (var jvm = RunningJvm.attach(pid)) {
                ended += jvm.recordingsClosed();
                if (OwnRecordings.areLeft(jvm)) {
                    throw new IOException("a recording is still there");
                }
            }
        } catch (IOException e) {
            checkInterrupted();
            return Optional.of(of(
                    owed,
                    PutBack.State.FAILED,
                    Map.of(),
                    "may still have a recording of a Fettle that was killed, and it could not be ended: "
                            + e.getMessage() + ". fettle put-back tries again; it ends by itself after an hour"));
        }
        owed.delete();
        return ended(pid, ended);
    }

    private static Optional<PutBack> ended(long pid, int recordings) {
        return recordings == 0
                ? Optional.empty()
                : Optional.of(new PutBack(
                        pid,
                        Debts.Kind.RECORDING,
                        PutBack.State.DONE,
                        Map.of(),
                        "still had " + (recordings == 1 ? "a recording" : recordings + " recordings")
                                + " of a Fettle that was killed; ended"));
    }

    /**
     * Ends recordings of Fettles that are gone in a JVM, whether or not they were written down here.
     *
     * @return what was ended, or that the process can't be asked; empty if there was none
     */
    public static Optional<PutBack> endRecordings(long pid) throws InterruptedException {
        try (var jvm = RunningJvm.attach(pid)) {
            return ended(pid, jvm.recordingsClosed());
        } catch (IOException e) {
            checkInterrupted();
            return Optional.of(new PutBack(
                    pid,
                    Debts.Kind.RECORDING,
                    PutBack.State.FAILED,
                    Map.of(),
                    "was not asked for recordings: " + e.getMessage()));
        }
    }

    /** Of async-profiler only one recording runs in a process: if another Fettle has one there, the one that is owed is over. */
    private static boolean isOnly(Debts debts, Debts.Entry owed) throws LabException {
        for (Debts.Entry other : debts.to(owed.guest().pid())) {
            if (other.kind() == Debts.Kind.RECORDING
                    && !other.file().equals(owed.file())
                    && debts.isInUse(other)
                    && !other.content().getOrDefault(PROFILE, "").isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * The knobs that can be set through the MBeans of the server on a port; empty if it has registered none.
     *
     * @param atMost how long each call is waited for
     * @throws IOException if the JVM does not answer
     */
    static Optional<LiveKnobs.Values> settable(RunningJvm jvm, int port, Duration atMost) throws IOException {
        Optional<ServerBeans> found = jvm.ask(atMost, () -> ServerBeans.of(jvm, port));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ServerBeans beans = found.get();
        Set<String> names = jvm.ask(atMost, beans::settable);
        return Optional.of(new LiveKnobs.Values() {
            @Override
            public Map<String, String> read() throws IOException {
                var values = new TreeMap<>(jvm.ask(atMost, beans::read));
                values.keySet().retainAll(names);
                return values;
            }

            @Override
            public void set(String knob, String value) throws IOException {
                jvm.ask(atMost, () -> {
                    beans.set(knob, value);
                    return true;
                });
            }
        });
    }

    /** An interrupt shows as an {@link IOException} of a call into a JVM. */
    static void checkInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
