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
import dev.fettle.watch.accesslog.AccessLog;
import dev.fettle.watch.crash.CrashReport;
import dev.fettle.watch.heap.HeapHistogram;
import dev.fettle.watch.heap.HeapHolders;
import dev.fettle.watch.host.PrintedSockets;
import dev.fettle.watch.jvm.PrintedThreads.Dump;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.BufferedReader;
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

    /** More pieces of a recording than this are reported together. */
    private static final int FEW_PIECES = 3;

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
        CRASH("a report of the JVM's end", f -> TextLines.any(f, 50, CrashReport::isHead)),
        GC_LOG("a GC log", GcLogFile::is),
        DUMPS("thread dumps", ThreadDumpFile::is),
        HISTOGRAM("heap histograms", HistogramFile::is),
        HEAP_DUMP("a heap dump", HeapHolders::is),
        SOCKETS("sockets", f -> TextLines.any(f, 200, PrintedSockets::isHead)),
        ACCESS_LOG("an access log", Kind::isAccessLog);

        private final String words;
        private final Predicate<Path> is;

        Kind(String words, Predicate<Path> is) {
            this.words = words;
            this.is = is;
        }

        /** Other lines may be between those of requests. */
        private static boolean isAccessLog(Path file) {
            List<String> head = TextLines.head(file, 30);
            long requests = head.stream().filter(AccessLog::isOne).count();
            return requests > 0 && requests * 2 >= head.size();
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

    /** An access log. */
    private record Log(Path file, AccessLog log) {
        /** Whether most of the shorter one's time is in the other, too. */
        boolean isMeanwhile(Log o) {
            Instant from = log.from().isAfter(o.log.from()) ? log.from() : o.log.from();
            Instant to = log.to().isBefore(o.log.to()) ? log.to() : o.log.to();
            Duration shorter = Stream.of(this, o)
                    .map(l -> Duration.between(l.log.from(), l.log.to()))
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            return Duration.between(from, to).multipliedBy(2).compareTo(shorter) > 0;
        }
    }

    private record Printed(Instant changed, Path file, PrintedSockets sockets) {}

    /**
     * What of the files counts.
     *
     * @param named whether the user named each of them: then a link is followed, and else not
     * @param from of recordings and access logs, what was before is left out
     * @param to of recordings and access logs, what was later is left out
     * @param unit of times in access logs that are whole numbers ({@code s}, {@code ms}, {@code us}), if that is known
     */
    public record Asked(boolean named, Instant from, Instant to, Optional<String> unit) {
        /** All that is in them. */
        public static Asked all(boolean named) {
            return new Asked(named, Instant.MIN, Instant.MAX, Optional.empty());
        }

        boolean isPart() {
            return !from.equals(Instant.MIN) || !to.equals(Instant.MAX);
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
     * When the earliest of those begins of which a part can be asked for: recordings and access logs.
     *
     * @throws LabException if there is none
     */
    public static Instant started(List<Path> files) throws LabException {
        Optional<Instant> first = Optional.empty();
        for (Path f : files) {
            Optional<Kind> kind = Files.isRegularFile(f) ? Kind.of(f) : Optional.empty();
            Optional<Instant> at = kind.isEmpty()
                    ? Optional.empty()
                    : switch (kind.get()) {
                        case WATCH -> Optional.of(WatchRecording.started(f));
                        case FLIGHT -> Optional.of(FlightRecordingFile.started(f));
                        case ACCESS_LOG ->
                            TextLines.head(f, 30).stream()
                                    .flatMap(l -> AccessLog.at(l).stream())
                                    .findFirst();
                        default -> Optional.empty();
                    };
            first = Stream.concat(first.stream(), at.stream()).min(Comparator.naturalOrder());
        }
        return first.orElseThrow(
                () -> new LabException(
                        "--at and --for are for recordings and access logs, and none is among the files: of others all is judged"));
    }

    /**
     * Reads files.
     *
     * @param files of one process; what is no file is not opened
     * @param now for their age
     * @throws LabException if none of them can be read
     */
    public static OthersFiles read(List<Path> files, Asked asked, Instant now) throws LabException {
        var reading = new Reading(asked, now);
        files.forEach(reading::add);
        return reading.made();
    }

    /** What was read so far. */
    private static final class Reading {
        private final Asked asked;
        private final Instant now;
        private final List<String> read = new ArrayList<>();
        private final List<String> unread = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final List<Timed> timed = new ArrayList<>();
        private final List<Dump> dumps = new ArrayList<>();
        private final List<Heap> heaps = new ArrayList<>();
        private final List<Log> logs = new ArrayList<>();
        private final List<Printed> sockets = new ArrayList<>();
        private final List<Sighting> single = new ArrayList<>();
        private int outside;
        private int watches;

        Reading(Asked asked, Instant now) {
            this.asked = asked;
            this.now = now;
        }

        void add(Path file) {
            String name = String.valueOf(file.getFileName());
            if (!asked.named() && Files.isSymbolicLink(file)) {
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
                Optional<String> more = add(file, kind.get());
                more.ifPresentOrElse(
                        m -> read.add(name + ": " + kind.get().words + (m.isEmpty() ? "" : ", " + m)), () -> outside++);
                watches += more.isPresent() && kind.get() == Kind.WATCH ? 1 : 0;
            } catch (LabException e) {
                unread.add(name + ": " + kind.get().words + ", but " + e.getMessage());
            }
        }

        /** What it holds, in words; empty if it has nothing of the time that is asked for. */
        private Optional<String> add(Path file, Kind kind) throws LabException {
            return switch (kind) {
                case WATCH -> {
                    if (WatchRecording.started(file).isAfter(asked.to())
                            || changed(file).isBefore(asked.from())) {
                        yield Optional.empty();
                    }
                    WatchRecording.Recorded r = WatchRecording.read(file, asked.from(), asked.to(), _ -> {});
                    if (asked.isPart() && r.seconds() == 0) {
                        yield Optional.empty();
                    }
                    Instant from = r.started().isBefore(asked.from()) ? asked.from() : r.started();
                    timed.add(new Timed(kind, file, Optional.of(from), r.timeline(), List.of()));
                    yield Optional.of(since(from) + ", " + Format.time(Duration.ofSeconds(Math.max(1, r.seconds()))));
                }
                case FLIGHT -> {
                    FlightRecordingFile r = FlightRecordingFile.read(file, asked.from(), asked.to(), now);
                    timed.add(new Timed(kind, file, Optional.of(r.from()), r.timeline(), r.profiles()));
                    yield Optional.of(String.join("; ", r.meta()));
                }
                case GC_LOG -> {
                    GcLogFile log = GcLogFile.read(file);
                    Optional<Instant> from = GcLogFile.started(file);
                    timed.add(new Timed(kind, file, from, log.timeline(), List.of()));
                    yield Optional.of(log.about()
                                    .substring(log.about().lastIndexOf(file.toString())
                                            + file.toString().length()
                                            + 2)
                            + from.map(f -> ", " + since(f)).orElse(", without the time of day"));
                }
                case DUMPS -> {
                    List<Dump> all = ThreadDumpFile.dumps(file);
                    // one without a time counts as taken when its file was written
                    Instant changed = changed(file);
                    all.forEach(d -> dumps.add(all.size() == 1 && d.at().isEmpty() ? d.takenAt(changed) : d));
                    yield Optional.of(all.size()
                            + (all.size() == 1 ? " dump" : " dumps")
                            + all.getFirst().at().map(t -> ", " + since(t)).orElse(", without a time"));
                }
                case HISTOGRAM -> {
                    List<HeapHistogram> all = HistogramFile.read(file);
                    heaps.add(new Heap(changed(file), file, all));
                    yield Optional.of(Format.bytes(all.getLast().bytes()) + " in "
                            + all.getLast().classes().size() + " classes"
                            + (all.size() > 1 ? ", the last of " + all.size() : "")
                            + (all.getLast().whole() ? "" : ", without its end"));
                }
                case HEAP_DUMP -> {
                    Optional<HeapHolders.Held> held = HistogramFile.holder(file);
                    held.ifPresent(h -> single.addAll(h.sightings()));
                    yield held.map(h -> Format.bytes(h.bytes()) + " of objects");
                }
                case CRASH -> {
                    CrashReport report = text(file, CrashReport::read);
                    single.addAll(report.sightings());
                    yield Optional.of(report.facts().getOrDefault(CrashReport.Fact.WHAT, ""));
                }
                case SOCKETS -> {
                    PrintedSockets all = text(file, PrintedSockets::read);
                    sockets.add(new Printed(changed(file), file, all));
                    yield Optional.of(
                            all.about() + (all.unread() > 0 ? ", " + all.unread() + " lines could not be read" : ""));
                }
                case ACCESS_LOG -> {
                    AccessLog log = accessLog(file);
                    if (log.requests() == 0) {
                        yield Optional.empty();
                    }
                    logs.add(new Log(file, log));
                    yield Optional.of(log.about() + ", " + since(log.from()));
                }
            };
        }

        private AccessLog accessLog(Path file) throws LabException {
            try {
                return AccessLog.read(() -> TextLines.open(file), asked.from(), asked.to(), asked.unit());
            } catch (IOException e) {
                throw new LabException(file + ": " + e.getMessage(), e);
            }
        }

        /** Reads a text. */
        private interface Reader<T> {
            T read(BufferedReader in) throws IOException;
        }

        private static <T> T text(Path file, Reader<T> reader) throws LabException {
            try (BufferedReader in = TextLines.open(file)) {
                return reader.read(in);
            } catch (IOException e) {
                throw new LabException(file + ": " + e.getMessage(), e);
            }
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
                throw new LabException(
                        outside > 0
                                ? "nothing was recorded in that time: the files have other times"
                                : "nothing here can be read: "
                                        + (unread.isEmpty()
                                                ? "there is no file"
                                                : String.join(
                                                        "; ",
                                                        unread.stream().limit(5).toList())));
            }
            layers();
            sockets();
            if (watches > FEW_PIECES) {
                read.removeIf(x -> x.contains(": " + Kind.WATCH.words));
                read.addFirst(watches + " pieces of a recording of fettle watch"
                        + timed.stream()
                                .filter(t -> t.kind == Kind.WATCH)
                                .flatMap(t -> t.from.stream())
                                .min(Comparator.naturalOrder())
                                .map(f -> ", " + since(f))
                                .orElse(""));
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

        /** Gives each access log its place: that of the server, or of what is in front of it. */
        private void layers() {
            List<Log> front = new ArrayList<>(
                    logs.stream().filter(l -> l.log.knowsBehind()).toList());
            if (front.isEmpty()) {
                for (Log a : logs) {
                    for (Log b : logs) {
                        if (a != b && a.isMeanwhile(b) && isInFront(a, b)) {
                            front.add(a);
                            notes.add(a.file.getFileName() + " is taken for the log of what is in front of "
                                    + b.file.getFileName() + ": " + why(a, b) + ".");
                            break;
                        }
                    }
                }
            }
            for (Log l : logs) {
                timed.add(new Timed(
                        Kind.ACCESS_LOG,
                        l.file,
                        Optional.of(l.log.from()),
                        l.log.timeline(front.contains(l)),
                        List.of()));
                if (!l.log.noTimes().isEmpty()) {
                    notes.add(l.file.getFileName() + ": " + l.log.noTimes() + ".");
                }
            }
        }

        /** Behind a proxy all requests come from one address or a few; else what waits for the other takes longer. */
        private static boolean isInFront(Log a, Log b) {
            return manyClients(a, b) || !manyClients(b, a) && a.log.mean() > b.log.mean();
        }

        private static boolean manyClients(Log a, Log b) {
            return a.log.clients() > 3 * b.log.clients();
        }

        private static String why(Log a, Log b) {
            return manyClients(a, b)
                    ? "it has more clients"
                    : "its requests take longer, " + Format.seconds(a.log.mean()) + " and not "
                            + Format.seconds(b.log.mean());
        }

        /** Those of all files as one, in the order in which they were written. */
        private void sockets() {
            if (sockets.isEmpty()) {
                return;
            }
            sockets.sort(Comparator.comparing((Printed p) -> p.changed.truncatedTo(ChronoUnit.SECONDS))
                    .thenComparing(Printed::file));
            var all = new PrintedSockets(
                    sockets.stream().flatMap(p -> p.sockets.moments().stream()).toList(), 0);
            notes.add("Sockets are those of the whole machine or container, not of one process.");
            timed.add(new Timed(Kind.SOCKETS, sockets.getFirst().file, Optional.empty(), all.timeline(), List.of()));
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
            all.addAll(single);
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
