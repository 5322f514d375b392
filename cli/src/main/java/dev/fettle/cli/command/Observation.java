package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.Finding;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.lab.journal.FlightRecordingFile;
import dev.fettle.lab.journal.GcLogFile;
import dev.fettle.lab.journal.HistogramFile;
import dev.fettle.lab.journal.OthersFiles;
import dev.fettle.lab.journal.OthersFiles.Asked;
import dev.fettle.lab.journal.OthersFiles.Kind;
import dev.fettle.lab.journal.ThreadDumpFile;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.LiveWatch;
import dev.fettle.lab.measure.RecordedEvidence;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.WatchReport;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import dev.fettle.report.text.TextReport.Detail;
import dev.fettle.watch.heap.HeapHolders;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** A diagnosis of a server under its own traffic, live or from a recording: nothing is sent to it, and nothing set in it. */
final class Observation {
    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final Duration LEAST = Duration.ofSeconds(5);

    /** An observation that ended earlier than this before its time was interrupted. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    @ArgGroup(validate = false, order = 7, heading = "%nWithout load:%n")
    private Group group = new Group();

    static final class Group {
        @Option(names = "--no-load", description = "Send nothing: observe the process under the traffic that it has.")
        private boolean noLoad;

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description =
                        "For how long it is observed for one answer, at least 5s. Default: 30s; of a recording all of it")
        private @Nullable Duration time;

        @Option(
                names = "--watch",
                paramLabel = "TIME",
                description = "Go on for this long, one answer after the other; what changes is printed with its time.")
        private @Nullable Duration watch;

        @Option(names = "--until-finding", description = "End with the first finding. Needs --watch.")
        private boolean untilFinding;

        @Option(
                names = "--at",
                paramLabel = "TIME",
                description = "Of a recording: from this time of its first day on, 02:15 or 02:15:30 (local time), or"
                        + " 2026-11-29T02:15:30Z.")
        private @Nullable String at;

        @Option(
                names = "--time-in",
                paramLabel = "UNIT",
                description =
                        "The unit of the times in an access log, where these are whole numbers: s, ms or us. Default: by"
                                + " the figures, where these allow it.")
        private @Nullable String timeIn;

        @Option(names = "--html", paramLabel = "FILE", description = "Write a page of what was observed.")
        private @Nullable Path html;
    }

    /** Whether nothing is to be sent. */
    boolean isAsked() {
        return group.noLoad;
    }

    /** Refuses options that say something only here. */
    void refuse() {
        if (group.time != null
                || group.watch != null
                || group.untilFinding
                || group.at != null
                || group.html != null
                || group.timeIn != null) {
            throw Parse.usage(
                    "--for, --watch, --until-finding, --at, --time-in and --html are for --no-load and for recordings");
        }
    }

    private void check(ResultFiles files) {
        if (group.time != null && group.time.compareTo(LEAST) < 0) {
            throw Parse.usage("--for " + Format.time(group.time) + " is too short: at least " + Format.time(LEAST));
        }
        if (group.timeIn != null && !List.of("s", "ms", "us").contains(group.timeIn)) {
            throw Parse.usage("--time-in " + group.timeIn + " is no unit: s, ms or us would be right");
        }
        UserFile.checkWritable("--html", group.html);
        files.check();
    }

    /**
     * Observes a running process.
     *
     * @param load any load: nothing of it is sent
     */
    int live(
            Screen screen,
            boolean json,
            ResultFiles files,
            OptionalLong pid,
            Optional<URI> url,
            DumpAllowance dumps,
            Load load)
            throws LabException {
        check(files);
        if (group.at != null) {
            throw Parse.usage("--at is for a recording: a running process is observed from now on");
        }
        if (group.untilFinding && group.watch == null) {
            throw Parse.usage("--until-finding needs --watch TIME, which says when to give up");
        }
        Duration time = group.time == null ? USUAL : group.time;
        long times = group.watch == null ? 1 : Math.max(1, group.watch.dividedBy(time));
        boolean found = false;
        String last = "";
        try (var _ = new StopOnSignal()) {
            for (long n = 0; n < times; n++) {
                Instant from = Instant.now();
                WatchReport seen;
                boolean ended;
                Instant to;
                try (LiveWatch watch = open(pid, url, dumps)) {
                    if (n == 0) {
                        screen.say("Observing " + watch.about() + " for " + Format.time(time)
                                + (times > 1 ? ", " + times + " times" : "") + ". Nothing is sent to it.");
                    }
                    watch.measure();
                    ended = watch.run(time, _ -> !screen.isGone());
                    to = Instant.now();
                    Duration took = Duration.between(from, to);
                    DiagnoseConclusion what = took.compareTo(LEAST) < 0
                            ? tooShort(watch, ended)
                            : DiagnoseExperiment.observed(watch.target(), load, watch.evidence(), from, took);
                    seen = report(watch.about(), from, took, watch, what);
                }
                DiagnoseConclusion what = seen.diagnosis().orElseThrow();
                boolean finding = what.result() == Result.FOUND;
                found |= finding;
                String now = what.bottleneck()
                        .map(Finding::rule)
                        .orElse(what.result().name());
                if (json) {
                    screen.result(JsonReport.observed(
                            seen.about(), to.truncatedTo(ChronoUnit.MILLIS), seconds(from, to), what));
                } else if (n == 0 || !now.equals(last)) {
                    screen.result((times > 1 ? local(from) + "\n" : "") + text(screen, seen));
                } else {
                    screen.result(local(from) + "  as before: " + what.headline());
                }
                last = now;
                write(screen, files, seen);
                if (ended) {
                    throw new CliException(ExitCodes.FAILED, seen.about() + " has ended");
                }
                boolean interrupted = Duration.between(from, to).compareTo(time.minus(SLACK)) < 0;
                if (interrupted || screen.isGone() || finding && group.untilFinding) {
                    break;
                }
            }
        }
        return group.untilFinding && !found ? ExitCodes.CANT_TELL : ExitCodes.OK;
    }

    private static DiagnoseConclusion tooShort(LiveWatch watch, boolean ended) {
        throw new CliException(
                ended ? ExitCodes.FAILED : ExitCodes.INTERRUPTED,
                watch.about() + (ended ? " has ended" : " was observed too briefly")
                        + ": nothing is concluded from less than " + Format.time(LEAST));
    }

    private static WatchReport report(
            String about, Instant from, Duration took, LiveWatch watch, DiagnoseConclusion what) {
        return new WatchReport(
                about,
                List.of(
                        "from " + from.truncatedTo(ChronoUnit.SECONDS),
                        Format.time(took.truncatedTo(ChronoUnit.SECONDS))),
                watch.timeline(),
                List.of(),
                Optional.of(what));
    }

    /**
     * Whether a file holds what somebody observed: a recording of {@code fettle watch} or of a flight recorder, a GC log, thread
     * dumps, heap histograms.
     */
    static boolean isRecorded(Path file) {
        return Kind.of(file).isPresent();
    }

    /** Judges what a file holds. */
    int recorded(Screen screen, boolean json, ResultFiles files, Path file, Load load) throws LabException {
        check(files);
        if (group.noLoad || group.watch != null || group.untilFinding) {
            throw Parse.usage("--no-load, --watch and --until-finding are for a running process: " + file
                    + " was recorded before");
        }
        WatchReport seen;
        Instant first;
        boolean cut = false;
        Kind kind = Kind.of(file).orElseThrow();
        if (EnumSet.of(Kind.ACCESS_LOG, Kind.SOCKETS, Kind.CRASH).contains(kind)) {
            return recorded(screen, json, files, file.toString(), List.of(file), true, load);
        }
        if (kind == Kind.WATCH) {
            Instant started = WatchRecording.started(file);
            first = group.at == null ? started : at(group.at, started);
            WatchRecording.Recorded recorded = WatchRecording.read(
                    file, first, group.time == null ? Instant.MAX : first.plus(group.time), _ -> {});
            if (recorded.seconds() < LEAST.toSeconds()) {
                throw Parse.usage(file + " has " + recorded.seconds() + " seconds of that time, and at least "
                        + LEAST.toSeconds() + " are needed: it begins at " + started.truncatedTo(ChronoUnit.SECONDS));
            }
            cut = recorded.cut();
            seen = judged(
                    recorded.about(),
                    List.of("recorded from " + first.truncatedTo(ChronoUnit.SECONDS), length(recorded.timeline())),
                    recorded.timeline(),
                    List.of(),
                    load);
        } else if (kind == Kind.FLIGHT) {
            Instant started = FlightRecordingFile.started(file);
            Instant begin = group.at == null ? started : at(group.at, started);
            FlightRecordingFile read = FlightRecordingFile.read(
                    file, begin, group.time == null ? Instant.MAX : begin.plus(group.time), Instant.now());
            first = read.from();
            seen = judged(read.about(), read.meta(), read.meta(), read.timeline(), read.profiles(), load);
        } else {
            if (group.at != null || group.time != null) {
                throw Parse.usage(
                        "--at and --for are for a recording of fettle watch or of a flight recorder: of another file all is judged");
            }
            first = Instant.EPOCH;
            seen = switch (kind) {
                case GC_LOG -> gcLog(file, load);
                case DUMPS -> dumps(file, load);
                case HEAP_DUMP -> heapDump(file, load);
                default -> histograms(file, load);
            };
        }
        Duration took =
                Duration.ofMillis(seen.timeline().points() * seen.timeline().stepMillis());
        screen.result(
                json
                        ? JsonReport.observed(
                                seen.about(),
                                first.plus(took),
                                took.toMillis() / 1e3,
                                seen.diagnosis().orElseThrow())
                        : text(screen, seen));
        if (cut) {
            screen.say("The recording ends in the middle of a line: it was cut off.");
        }
        write(screen, files, seen);
        return ExitCodes.OK;
    }

    /**
     * Judges what several files of one process hold together.
     *
     * @param name of the folder, or of the files
     * @param named whether the user named each of them
     */
    int recorded(
            Screen screen, boolean json, ResultFiles files, String name, List<Path> several, boolean named, Load load)
            throws LabException {
        check(files);
        if (group.noLoad || group.watch != null || group.untilFinding) {
            throw Parse.usage(
                    "--no-load, --watch and --until-finding are for a running process: files were recorded before");
        }
        OthersFiles read = OthersFiles.read(several, asked(several, named), Instant.now());
        var notes = new ArrayList<String>();
        read.read().forEach(r -> notes.add("Read " + r + "."));
        read.unread().forEach(r -> notes.add("Not read: " + r + "."));
        notes.addAll(read.notes());
        notes.forEach(screen::say);
        String about = name + ": " + read.read().size() + (read.read().size() == 1 ? " file" : " files")
                + (read.unread().isEmpty() ? "" : ", " + read.unread().size() + " not read");
        WatchReport seen = judged(
                about,
                read.from()
                        .map(f -> List.of("from " + f.truncatedTo(ChronoUnit.SECONDS), length(read.timeline())))
                        .orElse(List.of()),
                notes,
                read.timeline(),
                read.profiles(),
                load);
        Duration took =
                Duration.ofMillis(seen.timeline().points() * seen.timeline().stepMillis());
        screen.result(
                json
                        ? JsonReport.observed(
                                about,
                                read.from().orElse(Instant.EPOCH).plus(took),
                                took.toMillis() / 1e3,
                                seen.diagnosis().orElseThrow())
                        : text(screen, seen));
        write(screen, files, seen);
        return ExitCodes.OK;
    }

    /** All of the files, or the part that --at and --for name. */
    private Asked asked(List<Path> several, boolean named) throws LabException {
        Optional<String> unit = Optional.ofNullable(group.timeIn);
        if (group.at == null && group.time == null) {
            return new Asked(named, Instant.MIN, Instant.MAX, unit);
        }
        Instant started = OthersFiles.started(several);
        Instant from = group.at == null ? started : at(group.at, started);
        return new Asked(named, from, group.time == null ? Instant.MAX : from.plus(group.time), unit);
    }

    private static WatchReport gcLog(Path file, Load load) throws LabException {
        GcLogFile log = GcLogFile.read(file);
        return judged(log.about(), List.of("a GC log", length(log.timeline())), log.timeline(), List.of(), load);
    }

    private static WatchReport dumps(Path file, Load load) throws LabException {
        ThreadDumpFile read = ThreadDumpFile.read(file);
        return judged(
                read.about(),
                List.of(
                        read.dumps() == 1
                                ? "one moment: what lasts is not known; take three, some seconds apart"
                                : read.dumps() + " moments"),
                read.timeline(),
                List.of(),
                load);
    }

    private static WatchReport histograms(Path file, Load load) throws LabException {
        var all = HistogramFile.read(file);
        return judged(
                (all.size() == 1 ? "a heap histogram" : all.size() + " heap histograms") + ", " + file,
                List.of(
                        all.size() == 1
                                ? "one moment: what grows is not known; take two, some minutes apart"
                                : "the first is held against the last"),
                Timeline.NONE.withSightings(HistogramFile.sightings(all, OptionalDouble.empty())),
                List.of(),
                load);
    }

    private static WatchReport heapDump(Path file, Load load) throws LabException {
        List<Sighting> seen =
                HistogramFile.holder(file).map(HeapHolders.Held::sightings).orElse(List.of());
        return judged(
                "a heap dump, " + file,
                List.of("what holds half of it or more"),
                Timeline.NONE.withSightings(seen),
                List.of(),
                load);
    }

    private static String length(Timeline all) {
        return Format.time(Duration.ofMillis(all.points() * all.stepMillis()));
    }

    private static WatchReport judged(
            String about, List<String> meta, Timeline all, List<Profile> profiles, Load load) {
        return judged(about, meta, List.of(), all, profiles, load);
    }

    private static WatchReport judged(
            String about, List<String> meta, List<String> notes, Timeline all, List<Profile> profiles, Load load) {
        Duration took = Duration.ofMillis(all.points() * all.stepMillis());
        DiagnoseConclusion what = DiagnoseExperiment.observed(
                new Target.Url(URI.create("http://127.0.0.1/")),
                load,
                RecordedEvidence.of(all, profiles),
                Instant.EPOCH,
                took);
        return new WatchReport(about, meta, all, profiles, Optional.of(what.noted(notes)));
    }

    /** A time of day of the recording's first day, or of the next one where the recording begins later than that. */
    private static Instant at(String text, Instant started) {
        try {
            if (text.contains("T")) {
                return Instant.parse(text);
            }
            ZonedDateTime begun = started.atZone(ZoneId.systemDefault());
            ZonedDateTime asked = begun.with(LocalTime.parse(text));
            return (asked.isBefore(begun) ? asked.plusDays(1) : asked).toInstant();
        } catch (java.time.DateTimeException e) {
            throw Parse.usage("--at " + text + " is no time: 02:15, 02:15:30 or 2026-11-29T02:15:30Z would be right");
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }

    private static String local(Instant at) {
        return LocalTime.ofInstant(at, ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    private static String text(Screen screen, WatchReport seen) {
        return new TextReport(screen.width(), screen.colour(), Detail.ANSWER)
                .document(WatchDocument.of(seen), "--markdown FILE, --html FILE");
    }

    private void write(Screen screen, ResultFiles files, WatchReport seen) {
        files.write(() -> WatchDocument.of(seen));
        if (group.html != null) {
            UserFile.write(group.html, new HtmlReport().render(seen));
            screen.say("page  " + group.html);
        }
    }

    private static LiveWatch open(OptionalLong pid, Optional<URI> url, DumpAllowance dumps) {
        try {
            return LiveWatch.observe(pid, url, dumps);
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
