package dev.fettle.lab.measure;

import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.jfr.FlightRecording;
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
 * A recording of a target's flight recorder while it is measured, and what is read from it. It begins before the load, because the
 * first one in a JVM takes a second; what was recorded before measuring began is left out.
 */
public final class Profiling implements AutoCloseable {
    private final RunningJvm jvm;
    private final FlightRecording recording;
    private final Predicate<String> workers;
    private final Path folder;
    private final boolean secondOpinion;
    private Instant from = Instant.MIN;

    private Profiling(
            RunningJvm jvm, FlightRecording recording, Predicate<String> workers, Path folder, boolean secondOpinion) {
        this.jvm = jvm;
        this.recording = recording;
        this.workers = workers;
        this.folder = folder;
        this.secondOpinion = secondOpinion;
    }

    /**
     * Begins to record.
     *
     * @param port where the target's server listens: its workers' waits count
     * @param folder where the recording is kept
     * @throws IOException if it can't be recorded; the message says why
     */
    public static Profiling begin(long pid, int port, Set<Profile.Kind> kinds, Path folder) throws IOException {
        return begin(pid, port, kinds, folder, false);
    }

    /**
     * Begins to record for a second opinion, with the settings that whoever gives it knows: the JDK's own {@code profile}.
     *
     * @throws IOException if it can't be recorded; the message says why
     */
    public static Profiling forSecondOpinion(long pid, int port, Path folder) throws IOException {
        return begin(pid, port, Set.of(), folder, true);
    }

    private static Profiling begin(long pid, int port, Set<Profile.Kind> kinds, Path folder, boolean secondOpinion)
            throws IOException {
        RunningJvm jvm = RunningJvm.attach(pid);
        try {
            Predicate<String> workers = WorkerNames.of(jvm, port)
                    .<Predicate<String>>map(n -> name -> name.startsWith(n.prefix()))
                    .orElse(_ -> true);
            Optional<String> settings = secondOpinion ? Optional.of("profile") : Optional.empty();
            return new Profiling(jvm, FlightRecording.start(jvm, kinds, settings), workers, folder, secondOpinion);
        } catch (IOException | RuntimeException e) {
            jvm.close();
            throw e;
        }
    }

    /** From now on it counts, unless it was called before. */
    public void measuringBegins() {
        from = from.equals(Instant.MIN) ? Instant.now() : from;
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
                .withNotes(o.notes());
    }

    /** Ends the recording. What can't be read becomes a note. */
    public Outcome end() {
        Instant to = Instant.now();
        var notes = new ArrayList<String>();
        if (!recording.others().isEmpty()) {
            notes.add("another recording ran in the process (" + String.join(", ", recording.others())
                    + "): it was left alone, and has the events of Fettle's, too");
        }
        try {
            Path file = folder.resolve("fettle-" + to.toEpochMilli() + ".jfr");
            recording.stopTo(file);
            Instant begin = from.equals(Instant.MIN) ? to : from;
            RecordingReader.Recorded found = RecordingReader.read(file, recording.kinds(), begin, to, workers);
            notes.add("recorded by its flight recorder, which costs it a little: " + file);
            for (Profile p : found.profiles()) {
                if (p.isEmpty()) {
                    notes.add("the recording has nothing for --profile "
                            + p.kind().id());
                }
            }
            List<Profile> profiles =
                    found.profiles().stream().filter(p -> !p.isEmpty()).toList();
            return new Outcome(profiles, with(found.sightings(), file), notes);
        } catch (IOException | RuntimeException e) {
            notes.add("no profile: " + e.getMessage());
            return new Outcome(List.of(), List.of(), notes);
        } finally {
            close();
        }
    }

    private List<Sighting> with(List<Sighting> seen, Path file) throws IOException {
        var all = new ArrayList<>(seen);
        if (secondOpinion) {
            all.addAll(SecondOpinion.of(file));
        }
        return all;
    }

    @Override
    public void close() {
        recording.close();
        jvm.close();
    }
}
