package dev.fettle.lab.capture;

import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.guest.OwedRecording;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.LiveWatch;
import dev.fettle.model.trial.Profile;
import dev.fettle.watch.jfr.FlightRecording;
import dev.fettle.watch.jvm.DiagnosticCommand;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ThreadDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes, of a running process, all that Fettle and others read: a recording of the watch, thread dumps, a recording of the JVM's flight
 * recorder, and histograms of the heap. Sends nothing to it and sets nothing in it. What can't be had is a note, and the rest is taken. The
 * parts are files of one folder; {@link CaptureArchive} makes one of them.
 */
public final class Capture {
    private static final String WATCH = "watch.jsonl";
    private static final String RECORDING = "recording.jfr";

    /** Of the process's own settings of its flight recorder none: they hold its properties and environment. */
    private static final Set<Profile.Kind> KINDS = Set.of(Profile.Kind.CPU, Profile.Kind.LOCK, Profile.Kind.ALLOC);

    /**
     * What to take.
     *
     * @param time for how long it is watched and recorded
     * @param dumps how many thread dumps, evenly over that time; each stops all threads for some milliseconds
     * @param recording whether the flight recorder records meanwhile
     * @param histograms whether the heap's classes are counted at the beginning and the end; each time the JVM collects all of its garbage
     *     first, while all threads stand still
     */
    public record Wish(Duration time, int dumps, boolean recording, boolean histograms) {}

    /**
     * What was taken.
     *
     * @param files names within the folder, in the order in which they were begun
     * @param slowest the longest that one dump or histogram took, as seen from outside: at most so long the threads stood still for it
     * @param notes what could not be had, and why
     * @param ended whether the process ended before its time
     */
    public record Taken(List<String> files, Optional<Duration> slowest, List<String> notes, boolean ended) {
        public Taken {
            files = List.copyOf(files);
            notes = List.copyOf(notes);
        }
    }

    private final LiveWatch watch;
    private final long pid;
    private final Path folder;
    private final Consumer<String> progress;
    private final Clock clock;
    private final List<String> files = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<Duration> slowest = Optional.empty();

    private Capture(LiveWatch watch, Path folder, Consumer<String> progress, Clock clock) {
        this.watch = watch;
        this.pid = watch.target().pid();
        this.folder = folder;
        this.progress = progress;
        this.clock = clock;
    }

    /**
     * Takes it; returns when the time is over, the process has ended, or the thread was interrupted.
     *
     * @param folder empty, and private
     * @param debts where the end of the flight recorder's recording is written down as owed
     * @param progress receives what is being done
     * @throws LabException if a file can't be written
     */
    public static Taken take(LiveWatch watch, Wish wish, Path folder, Debts debts, Consumer<String> progress)
            throws LabException {
        return new Capture(watch, folder, progress, Clock.SYSTEM).take(wish, debts);
    }

    private Taken take(Wish wish, Debts debts) throws LabException {
        Optional<Recorder> recorder = wish.recording() ? begin(debts) : Optional.empty();
        boolean ended;
        try (var recording =
                new WatchRecording(folder.resolve(WATCH), watch.about(), Instant.ofEpochMilli(clock.millis()))) {
            files.add(WATCH);
            if (wish.histograms()) {
                histogram(1);
            }
            List<Double> due = moments(wish);
            long last = clock.nanos() + wish.time().minusSeconds(1).toNanos();
            ended = watch.run(wish.time(), point -> {
                recording.add(point);
                if (!due.isEmpty() && point.at() >= due.getFirst()) {
                    due.removeFirst();
                    dump();
                }
                return true;
            });
            // the machine stood still when they were due; after Ctrl-C, nothing more is taken
            while (!ended && !due.isEmpty() && clock.nanos() - last >= 0) {
                due.removeFirst();
                dump();
            }
            if (!ended && wish.histograms()) {
                histogram(2);
            }
        } finally {
            recorder.ifPresent(this::end);
        }
        notes.addAll(watch.notes());
        return new Taken(files, slowest, notes, ended);
    }

    /** When dumps are due, seconds since the beginning: in the middle of as many equal parts. */
    private static List<Double> moments(Wish wish) {
        var due = new ArrayList<Double>();
        for (int i = 0; i < wish.dumps(); i++) {
            due.add(wish.time().toMillis() / 1000.0 * (i + 0.5) / wish.dumps());
        }
        return due;
    }

    private void dump() throws LabException {
        String name = "threads-"
                + (1 + files.stream().filter(f -> f.startsWith("threads-")).count()) + ".txt";
        text(name, "a thread dump", jvm -> new ThreadDump(jvm).take(false));
    }

    private void histogram(int number) throws LabException {
        text("histogram-" + number + ".txt", "the classes of the heap", DiagnosticCommand::classHistogram);
    }

    /** Asks a JVM for a text. */
    private interface Question {
        String ask(RunningJvm jvm) throws IOException;
    }

    private void text(String name, String what, Question question) throws LabException {
        progress.accept("taking " + what);
        String text;
        try (RunningJvm jvm = RunningJvm.attach(pid)) {
            long begun = clock.nanos();
            text = question.ask(jvm);
            Duration took = Duration.ofNanos(clock.nanos() - begun);
            slowest = Optional.of(slowest.filter(s -> s.compareTo(took) > 0).orElse(took));
        } catch (IOException e) {
            notes.add("without " + what + ": " + e.getMessage());
            return;
        }
        try {
            Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LabException("cannot write " + folder.resolve(name) + ": " + e.getMessage(), e);
        }
        files.add(name);
    }

    /** The flight recorder's recording, and that its end is owed. */
    private record Recorder(RunningJvm jvm, FlightRecording recording, OwedRecording owed) {}

    private Optional<Recorder> begin(Debts debts) {
        Optional<OwedRecording> owed = Optional.empty();
        Optional<RunningJvm> jvm = Optional.empty();
        try {
            owed = Optional.of(OwedRecording.of(debts, pid, folder.resolve("none.async.jfr")));
            jvm = Optional.of(RunningJvm.attach(pid));
            return Optional.of(
                    new Recorder(jvm.get(), FlightRecording.start(jvm.get(), KINDS, Optional.empty()), owed.get()));
        } catch (IOException e) {
            notes.add("without a recording of the flight recorder: " + e.getMessage());
            jvm.ifPresent(RunningJvm::close);
            owed.ifPresent(OwedRecording::settle);
            return Optional.empty();
        }
    }

    private void end(Recorder recorder) {
        try {
            recorder.recording().stopTo(folder.resolve(RECORDING));
            files.add(RECORDING);
            if (!recorder.recording().others().isEmpty()) {
                notes.add("another recording ran in the process ("
                        + String.join(", ", recorder.recording().others())
                        + "): it was left alone, and has the events of"
                        + " this one, too");
            }
        } catch (IOException e) {
            notes.add("without a recording of the flight recorder: " + e.getMessage());
        } finally {
            recorder.recording().close();
            if (recorder.recording().isGone() || recorder.owed().isVoid()) {
                recorder.owed().settle();
            }
            recorder.jvm().close();
        }
    }
}
