package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.WrittenTime;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.heap.HeapHistogram;
import dev.fettle.watch.jvm.PrintedThreads.Dump;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Several files of one process, each of the kind that its content shows, put together on one clock. Of a figure that files of several kinds have,
 * the first kind counts in the order of {@link Kind}.
 *
 * @param read what each file was read as, in words
 * @param unread the files that were not read, each with the reason
 * @param notes what the files lack
 * @param from when the earliest of those that have a time begins; empty if none has one
 */
public record OthersFiles(
        List<String> read,
        List<String> unread,
        List<String> notes,
        Optional<Instant> from,
        Timeline timeline,
        List<Profile> profiles) {
    /** Files of a folder that are looked at. */
    private static final int MOST_FILES = 200;

    /** Apart by more than this the files are of different times. */
    private static final Duration FAR_APART = Duration.ofHours(6);

    /** How packed files begin. */
    private static final List<String> PACKED =
            List.of("\u001f\u008b", "PK\u0003\u0004", "\u00fd7zX", "BZh", "(\u00b5/\u00fd");

    private static final long SHORTEST_STEP = 500;
    private static final long NANOS_PER_MILLI = 1_000_000;

    public OthersFiles {
        read = List.copyOf(read);
        unread = List.copyOf(unread);
        notes = List.copyOf(notes);
        profiles = List.copyOf(profiles);
    }

    /** What a file is; in the order of how much each knows. */
    public enum Kind {
        WATCH("a recording of fettle watch", WatchRecording::is),
        FLIGHT("a flight recording", FlightRecordingFile::is),
        GC_LOG("a GC log", GcLogFile::is),
        DUMPS("thread dumps", ThreadDumpFile::is),
        HISTOGRAM("heap histograms", HistogramFile::is);

        private final String words;
        private final Predicate<Path> is;

        Kind(String words, Predicate<Path> is) {
            this.words = words;
            this.is = is;
        }

        /** The kind of a file, by what is in it; empty if it is none. */
        public static Optional<Kind> of(Path file) {
            return Stream.of(values()).filter(k -> k.is.test(file)).findFirst();
        }
    }

    /** A file with figures over time. */
    private record Timed(Kind kind, Path file, Optional<Instant> from, Timeline timeline, List<Profile> profiles) {
        long length() {
            return timeline.points() * timeline.stepMillis();
        }
    }

    private record Heap(Instant changed, Path file, List<HeapHistogram> all) {}

    /**
     * The files in a folder, not those in folders within it.
     *
     * @throws LabException if it can't be listed, or has too many
     */
    public static List<Path> in(Path folder) throws LabException {
        var all = new TreeSet<Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                all.add(entry);
                if (all.size() > MOST_FILES) {
                    throw new LabException(folder + " has more than " + MOST_FILES
                            + " files: name those that belong together, or move them to a folder of their own");
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot list " + folder + ": " + e.getMessage(), e);
        }
        return List.copyOf(all);
    }

    /** Whether a file is an archive, or compressed: by gzip, zip, xz, bzip2 or zstd. */
    public static boolean isPacked(Path file) {
        try (InputStream in = NamedFile.open(file)) {
            String head = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
            return PACKED.stream().anyMatch(head::startsWith);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads files.
     *
     * @param files of one process; what is no file is not opened
     * @param named whether the user named each of them: then a link is followed, and else not
     * @param now for their age
     * @throws LabException if none of them can be read
     */
    public static OthersFiles read(List<Path> files, boolean named, Instant now) throws LabException {
        var reading = new Reading(named, now);
        files.forEach(reading::add);
        return reading.made();
    }

    /** What was read so far. */
    private static final class Reading {
        private final boolean named;
        private final Instant now;
        private final List<String> read = new ArrayList<>();
        private final List<String> unread = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final List<Timed> timed = new ArrayList<>();
        private final List<Dump> dumps = new ArrayList<>();
        private final List<Heap> heaps = new ArrayList<>();

        Reading(boolean named, Instant now) {
            this.named = named;
            this.now = now;
        }

        void add(Path file) {
            String name = String.valueOf(file.getFileName());
            if (!named && Files.isSymbolicLink(file)) {
                unread.add(name + ": a link, which is not followed");
                return;
            }
            if (!Files.isRegularFile(file)) {
                unread.add(name + ": not a file");
                return;
            }
            Optional<Kind> kind = Kind.of(file);
            if (kind.isEmpty()) {
                unread.add(name + (isPacked(file) ? ": packed, unpack it first" : ": of no kind that is known"));
                return;
            }
            try {
                String more = add(file, kind.get());
                read.add(name + ": " + kind.get().words + (more.isEmpty() ? "" : ", " + more));
            } catch (LabException e) {
                unread.add(name + ": " + kind.get().words + ", but " + e.getMessage());
            }
        }

        private String add(Path file, Kind kind) throws LabException {
            return switch (kind) {
                case WATCH -> {
                    WatchRecording.Recorded r = WatchRecording.read(file);
                    timed.add(new Timed(kind, file, Optional.of(r.started()), r.timeline(), List.of()));
                    yield since(r.started()) + ", " + Format.time(Duration.ofSeconds(Math.max(1, r.seconds())));
                }
                case FLIGHT -> {
                    FlightRecordingFile r = FlightRecordingFile.read(file, Instant.MIN, Instant.MAX, now);
                    timed.add(new Timed(kind, file, Optional.of(r.from()), r.timeline(), r.profiles()));
                    yield String.join("; ", r.meta());
                }
                case GC_LOG -> {
                    GcLogFile log = GcLogFile.read(file);
                    Optional<Instant> from = GcLogFile.started(file);
                    timed.add(new Timed(kind, file, from, log.timeline(), List.of()));
                    yield log.about()
                                    .substring(log.about().lastIndexOf(file.toString())
                                            + file.toString().length()
                                            + 2)
                            + from.map(f -> ", " + since(f)).orElse(", without the time of day");
                }
                case DUMPS -> {
                    List<Dump> all = ThreadDumpFile.dumps(file);
                    // one without a time counts as taken when its file was written
                    Instant changed = changed(file);
                    all.forEach(d -> dumps.add(all.size() == 1 && d.at().isEmpty() ? d.takenAt(changed) : d));
                    yield all.size()
                            + (all.size() == 1 ? " dump" : " dumps")
                            + all.getFirst().at().map(t -> ", " + since(t)).orElse(", without a time");
                }
                case HISTOGRAM -> {
                    List<HeapHistogram> all = HistogramFile.read(file);
                    heaps.add(new Heap(changed(file), file, all));
                    yield Format.bytes(all.getLast().bytes()) + " in "
                            + all.getLast().classes().size() + " classes"
                            + (all.size() > 1 ? ", the last of " + all.size() : "")
                            + (all.getLast().whole() ? "" : ", without its end");
                }
            };
        }

        private String since(Instant from) {
            return "from " + from.truncatedTo(ChronoUnit.SECONDS) + ", "
                    + FlightRecordingFile.age(Duration.between(from, now));
        }

        private static Instant changed(Path file) throws LabException {
            try {
                return WrittenTime.in(Files.getLastModifiedTime(file).toInstant())
                        .orElse(Instant.EPOCH);
            } catch (IOException e) {
                throw new LabException("it can't be read: " + e.getMessage(), e);
            }
        }

        OthersFiles made() throws LabException {
            if (read.isEmpty()) {
                throw new LabException("nothing here can be read: "
                        + (unread.isEmpty()
                                ? "there is no file"
                                : String.join("; ", unread.stream().limit(5).toList())));
            }
            Optional<Instant> from = Stream.concat(
                            timed.stream().flatMap(t -> t.from.stream()),
                            dumps.stream().flatMap(d -> d.at().stream()))
                    .min(Comparator.naturalOrder());
            Timeline all = together(from);
            return new OthersFiles(
                    read,
                    unread,
                    notes,
                    from,
                    all,
                    timed.stream().flatMap(t -> t.profiles.stream()).toList());
        }

        /** All figures on one clock, which begins with the earliest file. */
        private Timeline together(Optional<Instant> from) {
            timed.sort(Comparator.comparing(Timed::kind).thenComparing(t -> t.from.orElse(Instant.MAX)));
            long length = timed.stream()
                    .mapToLong(t -> offset(t, from) + t.length())
                    .max()
                    .orElse(0);
            long longest = timed.stream().mapToLong(Timed::length).max().orElse(0);
            if (length - longest > FAR_APART.toMillis()) {
                notes.add("The files are of different times, up to " + Format.time(Duration.ofMinutes(length / 60_000))
                        + " apart: their figures are means over all of it.");
            }
            timed.stream()
                    .filter(t -> t.from.isEmpty() && (timed.size() > 1 || !dumps.isEmpty()))
                    .forEach(t -> notes.add(t.file.getFileName()
                            + " has no time of day: its times are not lined up with those of the others."));
            long step = Math.max(
                    length / Timeline.MOST_POINTS + 1,
                    timed.stream().mapToLong(t -> t.timeline.stepMillis()).max().orElse(SHORTEST_STEP));
            var out = new TimelineRecorder(Math.max(1, step), () -> 0);
            out.measuringBegins();
            var owners = new HashMap<String, Kind>();
            for (Timed t : timed) {
                long at = offset(t, from) + Math.max(0, t.timeline.startMillis());
                t.timeline.series().forEach((id, s) -> {
                    if (owners.computeIfAbsent(id, _ -> t.kind) == t.kind) {
                        put(out, id, s, at, t.timeline.stepMillis());
                    }
                });
            }
            timed.forEach(t -> t.timeline.notObserved().forEach(out::notObserved));
            return out.timeline().withSightings(sightings()).withThreads(threads(from));
        }

        private static long offset(Timed t, Optional<Instant> from) {
            return t.from.isEmpty() || from.isEmpty()
                    ? 0
                    : Duration.between(from.get(), t.from.get()).toMillis();
        }

        private static void put(TimelineRecorder out, String id, Series s, long at, long step) {
            boolean sum = Signal.of(id).thin() == Signal.Thin.SUM;
            for (int i = 0; i < s.size(); i++) {
                long begin = (at + i * step) * NANOS_PER_MILLI;
                long end = begin + step * NANOS_PER_MILLI;
                if (Double.isNaN(s.at(i))) {
                    continue;
                }
                if (sum) {
                    out.counted(id, (begin + end) / 2, s.at(i));
                } else {
                    out.span(id, begin, end, s.at(i));
                }
            }
        }

        private List<Sighting> sightings() {
            var all = new ArrayList<Sighting>();
            var owners = new HashMap<String, Timed>();
            for (Timed t : timed) {
                for (Sighting s : t.timeline.sightings()) {
                    if (owners.computeIfAbsent(s.kind(), _ -> t) == t) {
                        all.add(s);
                    }
                }
            }
            dumps.stream().flatMap(d -> d.deadlock().stream()).limit(1).forEach(all::add);
            if (!heaps.isEmpty()) {
                all.addAll(histograms());
            }
            return all;
        }

        /** In the order in which their files were written, or, where that is the same time, of their names. */
        private List<Sighting> histograms() {
            heaps.sort(Comparator.comparing((Heap h) -> h.changed.truncatedTo(ChronoUnit.SECONDS))
                    .thenComparing(Heap::file));
            List<HeapHistogram> all =
                    heaps.stream().flatMap(h -> h.all.stream()).toList();
            long seconds = Duration.between(heaps.getFirst().changed, heaps.getLast().changed)
                    .toSeconds();
            if (heaps.size() > 1) {
                notes.add(
                        seconds > 0
                                ? "The times of heap histograms are those at which their files were written: "
                                        + heaps.getFirst().file.getFileName() + " first."
                                : "Heap histograms are taken in the order of their files' names, as these were written at the same time.");
            }
            return HistogramFile.sightings(
                    all, heaps.size() > 1 && seconds > 0 ? OptionalDouble.of(seconds) : OptionalDouble.empty());
        }

        /** Of dumps, which have all threads; of the files with figures, if there is no dump. */
        private ThreadsSeen threads(Optional<Instant> from) {
            if (dumps.isEmpty()) {
                return timed.stream()
                        .filter(t -> !t.timeline.threads().isEmpty())
                        .findFirst()
                        .map(t -> later(t.timeline.threads(), offset(t, from)))
                        .orElse(ThreadsSeen.NONE);
            }
            dumps.sort(Comparator.comparing(d -> d.at().orElse(Instant.MAX)));
            long at = from.isPresent() && dumps.getFirst().at().isPresent()
                    ? Duration.between(from.get(), dumps.getFirst().at().get()).toMillis()
                    : 0;
            return later(ThreadDumpFile.of(dumps, "").timeline().threads(), at);
        }

        private static ThreadsSeen later(ThreadsSeen seen, long millis) {
            return new ThreadsSeen(
                    seen.frames(),
                    seen.moments().stream()
                            .map(m -> new ThreadsSeen.Moment(m.millis() + millis, m.groups()))
                            .toList(),
                    seen.partial());
        }
    }
}
