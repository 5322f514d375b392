package dev.fettle.lab.measure;

import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.guest.OwedRecording;
import dev.fettle.lab.machine.Clock;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.jfr.AsyncReader;
import dev.fettle.watch.jfr.AsyncRecording;
import dev.fettle.watch.jfr.FlightRecording;
import dev.fettle.watch.jfr.RecordingClock;
import dev.fettle.watch.jfr.RecordingReader;
import dev.fettle.watch.jfr.SecondOpinion;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.WorkerNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A recording of a target while it is measured, and what is read from it. It uses async-profiler where that runs, and
 * the target's flight recorder for the rest, or for everything. It begins before the load, because the first recording
 * in a JVM takes a second to start; what was recorded before measuring began is left out.
 */
public final class Profiling implements AutoCloseable {
    private final RunningJvm jvm;
    private final Optional<AsyncRecording> stacks;
    private final Optional<FlightRecording> recording;
    private final Optional<OwedRecording> owed;
    private final List<String> notes;
    private final Predicate<String> workers;
    private final Path folder;
    private final boolean secondOpinion;
    private final RecordingClock clock;
    private Instant from = Instant.MIN;

    private Profiling(
            RunningJvm jvm,
            Optional<AsyncRecording> stacks,
            Optional<FlightRecording> recording,
            Optional<OwedRecording> owed,
            List<String> notes,
            Predicate<String> workers,
            Path folder,
            boolean secondOpinion,
            RecordingClock clock) {
        this.jvm = jvm;
        this.stacks = stacks;
        this.recording = recording;
        this.owed = owed;
        this.notes = List.copyOf(notes);
        this.workers = workers;
        this.folder = folder;
        this.secondOpinion = secondOpinion;
        this.clock = clock;
    }

    /**
     * Begins to record.
     *
     * @param port where the target's server listens, to find its workers and their waits
     * @param debts if Fettle did not launch it, where the end of the recording is written down as owed; empty: what is loaded into
     *     it ends with the trial
     * @param folder where the recording is kept
     * @throws IOException if it can't be recorded; the message says why
     */
    public static Profiling begin(long pid, int port, Optional<Debts> debts, ProfileWish wish, Path folder)
            throws IOException {
        return begin(pid, port, debts, wish, folder, Purpose.PROFILE);
    }

    /**
     * Begins to take stacks only, of a target that Fettle launched, and nothing of what the flight recorder has besides: for a
     * diagnosis, which is to disturb as little as it can. The flight recorder takes them where async-profiler does not run.
     *
     * @throws IOException if it can't be recorded; the message says why
     */
    public static Profiling ofStacks(long pid, int port, ProfileWish wish, Path folder) throws IOException {
        return begin(pid, port, Optional.empty(), wish, folder, Purpose.STACKS_ONLY);
    }

    /**
     * Begins to record for a second opinion, with the settings that its rules are made for: the JDK's own {@code
     * profile}. It does not see native code, such as the compression of the JDK: the stacks are async-profiler's as without a second
     * opinion, if they were asked for and it runs.
     *
     * @param debts as for {@link #begin}
     * @throws IOException if it can't be recorded; the message says why
     */
    public static Profiling forSecondOpinion(long pid, int port, Optional<Debts> debts, ProfileWish wish, Path folder)
            throws IOException {
        return begin(pid, port, debts, wish, folder, Purpose.SECOND_OPINION);
    }

    /** What a recording is for. */
    private enum Purpose {
        PROFILE,
        STACKS_ONLY,
        SECOND_OPINION
    }

    private static Profiling begin(
            long pid, int port, Optional<Debts> debts, ProfileWish wish, Path folder, Purpose purpose)
            throws IOException {
        boolean own = debts.isEmpty();
        Path file = folder.resolve("fettle-" + pid + "-" + Clock.SYSTEM.millis() + ".async.jfr");
        Optional<OwedRecording> owed = own ? Optional.empty() : Optional.of(OwedRecording.of(debts.get(), pid, file));
        RunningJvm jvm;
        try {
            jvm = RunningJvm.attach(pid);
        } catch (IOException e) {
            owed.ifPresent(OwedRecording::settle);
            throw e;
        }
        Optional<AsyncRecording> stacks = Optional.empty();
        Optional<FlightRecording> events = Optional.empty();
        var notes = new ArrayList<String>();
        boolean begun = false;
        var clock = new RecordingClock();
        try {
            stacks = wish.isNone() ? Optional.empty() : stacks(pid, own, wish, file, notes);
            if (purpose == Purpose.SECOND_OPINION) {
                Set<Profile.Kind> kinds = stacks.isPresent() ? Set.of() : Set.of(Profile.Kind.CPU);
                events = Optional.of(FlightRecording.start(jvm, kinds, Optional.of("profile")));
            } else if (purpose != Purpose.STACKS_ONLY || stacks.isEmpty()) {
                events = events(jvm, stacks.isPresent() ? Set.of() : wish.kinds(), stacks, notes);
            }
            if (clock.wasSet()) {
                throw new IOException("the machine's clock was set while the recording began: its times are not known");
            }
            var all = new Profiling(
                    jvm,
                    stacks,
                    events,
                    owed,
                    notes,
                    workers(jvm, port),
                    folder,
                    purpose == Purpose.SECOND_OPINION,
                    clock);
            begun = true;
            return all;
        } finally {
            if (!begun) {
                close(stacks, events, owed);
                jvm.close();
            }
        }
    }

    /** What the process does not confirm as ended stays owed. */
    private static void close(
            Optional<AsyncRecording> stacks, Optional<FlightRecording> events, Optional<OwedRecording> owed) {
        stacks.ifPresent(AsyncRecording::close);
        events.ifPresent(FlightRecording::close);
        boolean ended = stacks.stream().allMatch(AsyncRecording::isGone)
                && events.stream().allMatch(FlightRecording::isGone);
        owed.filter(o -> ended || o.isVoid()).ifPresent(OwedRecording::settle);
    }

    private static Predicate<String> workers(RunningJvm jvm, int port) {
        return WorkerNames.of(jvm, port)
                .<Predicate<String>>map(n -> name -> name.startsWith(n.prefix()))
                .orElse(_ -> true);
    }

    private static Optional<AsyncRecording> stacks(
            long pid, boolean own, ProfileWish wish, Path file, List<String> notes) throws IOException {
        boolean wanted = switch (wish.engine()) {
            case AUTO -> own;
            case ASYNC -> true;
            case JFR -> false;
        };
        if (!wanted) {
            return Optional.empty();
        }
        try {
            return Optional.of(AsyncRecording.start(pid, wish.kinds(), file));
        } catch (IOException e) {
            if (wish.engine() == ProfileWish.Engine.ASYNC) {
                throw new IOException("async-profiler does not run there: " + e.getMessage(), e);
            }
            notes.add("profiled by the flight recorder, since async-profiler does not run there: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Starts the flight recorder. A JVM without one can still be profiled if async-profiler takes the stacks. */
    private static Optional<FlightRecording> events(
            RunningJvm jvm, Set<Profile.Kind> kinds, Optional<AsyncRecording> stacks, List<String> notes)
            throws IOException {
        try {
            return Optional.of(FlightRecording.start(jvm, kinds, Optional.empty()));
        } catch (IOException e) {
            if (stacks.isEmpty()) {
                throw e;
            }
            notes.add("collections, exceptions and peers were not recorded: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Measuring begins: drops what was recorded before. Later calls have no effect. */
    public void measuringBegins() {
        from = from.equals(Instant.MIN) ? clock.now() : from;
    }

    /**
     * The result of a recording.
     *
     * @param profiles none of them empty
     * @param notes what could not be read, and where the recording is
     */
    public record Outcome(List<Profile> profiles, List<Sighting> sightings, List<String> notes) {}

    /** Ends the recording and adds it to the evidence. What can't be read becomes a note. */
    public Evidence end(Evidence seen) {
        Outcome o = end();
        return seen.withTimeline(seen.timeline().withSightings(o.sightings()))
                .withProfiles(o.profiles())
                .noted(o.notes());
    }

    /** Ends the recording. What can't be read becomes a note. */
    public Outcome end() {
        Instant to = clock.now();
        Instant begin = from.equals(Instant.MIN) ? to : from;
        var told = new ArrayList<>(notes);
        var profiles = new ArrayList<Profile>();
        var sightings = new ArrayList<Sighting>();
        try {
            if (stacks.isPresent()) {
                Path file = stacks.get().stop();
                profiles.addAll(AsyncReader.read(file, stacks.get().kinds(), begin, to, workers));
                told.add("profiled by async-profiler, which costs it a little: " + file);
            }
            if (recording.isPresent()) {
                events(recording.get(), begin, to, profiles, sightings, told);
            }
        } catch (IOException | RuntimeException e) {
            told.add((profiles.isEmpty() ? "no profile: " : "not all was recorded: ") + e.getMessage());
        } finally {
            close();
        }
        if (stacks.map(AsyncRecording::endedItself).orElse(false)
                || recording.map(FlightRecording::endedItself).orElse(false)) {
            told.add("the recording ended by itself after an hour: what came later is not in it");
        }
        for (Profile p : profiles) {
            if (p.isEmpty()) {
                told.add("the recording has nothing for --profile " + p.kind().id());
            }
        }
        profiles.removeIf(Profile::isEmpty);
        return new Outcome(List.copyOf(profiles), List.copyOf(sightings), told);
    }

    private void events(
            FlightRecording of,
            Instant begin,
            Instant to,
            List<Profile> profiles,
            List<Sighting> sightings,
            List<String> told)
            throws IOException {
        if (!of.others().isEmpty()) {
            told.add("another recording ran in the process (" + String.join(", ", of.others())
                    + "): it was left alone, and has the events of Fettle's, too");
        }
        Path file = folder.resolve("fettle-" + to.toEpochMilli() + ".jfr");
        of.stopTo(file);
        RecordingReader.Recorded found = RecordingReader.read(file, of.kinds(), begin, to, workers);
        told.add("recorded by its flight recorder, which costs it a little: " + file);
        profiles.addAll(found.profiles());
        sightings.addAll(found.sightings());
        if (secondOpinion) {
            sightings.addAll(SecondOpinion.of(file));
        }
    }

    @Override
    public void close() {
        close(stacks, recording, owed);
        jvm.close();
    }
}
