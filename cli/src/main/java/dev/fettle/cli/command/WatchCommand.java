package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.HostOption;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ProfileOptions;
import dev.fettle.cli.option.Range;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.page.LivePage;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.MetricsOut;
import dev.fettle.cli.run.OnHost;
import dev.fettle.cli.run.StandingTarget;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.journal.GcLogFile;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.measure.LiveWatch;
import dev.fettle.lab.measure.Profiling;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.WatchReport;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.html.LiveState;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import dev.fettle.report.text.TextReport.Detail;
import dev.fettle.report.text.WatchText;
import dev.fettle.watch.host.Proc;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle watch}. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Shows what a running server does: threads, memory, connections, disk. Puts no load on it.",
        description =
                "It sets nothing. To ask a JVM, it has the JVM start its own management agent, as jconsole does; that stays"
                        + " until the JVM ends. It shows CPU by group of threads, connections by state and by peer, accept queue,"
                        + " memory, files, disk, pressure, and what the JVM reports of itself. On a terminal the screen is"
                        + " refreshed each second; otherwise there is a line a second, with --json an object a line. A figure"
                        + " that can't be read is not zero: the screen says why. A recording is shown again by its file, and"
                        + " fettle report makes a page of it.",
        footer = {
            "",
            "Examples:",
            "  fettle watch --pid 12345",
            "  fettle watch --url http://127.0.0.1:8080/ --record evening.watch",
            "  fettle watch --url http://127.0.0.1:8080/ --record DIR --keep 24h --max 1GB     as a service",
            "  fettle watch --pid 12345 --once            what can be seen of it, and what not, and why",
            "  fettle watch --pid 12345 --duration 1m --json | jq .values",
            "  fettle watch --pid 12345 --duration 30s --profile cpu,lock --html page.html",
            "  fettle watch --pid 12345 --serve-metrics 9404      Prometheus fetches them there",
            "  fettle watch --pid 12345 --otlp http://127.0.0.1:4318    or OpenTelemetry is sent them",
            "  fettle watch --pid 12345 --live-page       on a page, all of it from the first second",
            "  fettle watch --on perf@app-1 --pid 4711 --record evening.watch      on another machine",
            "  fettle watch evening.watch",
            "  fettle watch tune.yaml --duration 30s",
            "  fettle report evening.watch --out evening.html",
            "",
            "Exit codes: 0 done, 130 stopped with Ctrl-C (what was recorded is kept), 1 the process ended,",
            "            or the recording could not be written, 2 wrong arguments, or there is no such process,",
            "            3 the machine of --on can't be reached or lacks something."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class WatchCommand implements Callable<Integer> {
    private static final Duration FOR_EVER = Duration.ofDays(3650);

    /** Longest time for a single look; attaching to a busy JVM takes most of it. */
    private static final Duration ONE_LOOK = Duration.ofSeconds(30);

    private static final String OF_A_LOOK =
            "--pid, --url, --record, --keep, --max, --duration, --once, --serve-metrics, --otlp, --live-page, --html";

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description =
                    "A recording to show again, a plan whose target is launched without load for as long, or runs already,"
                            + " or a GC log (Java 8 or later).")
    private @Nullable Path file;

    @Option(names = "--pid", paramLabel = "PID", description = "The process to watch.")
    private @Nullable Long pid;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Watch the process that listens there, on this machine; with --pid, which of its ports is meant.")
    private @Nullable String url;

    @Option(
            names = {"--duration", "-d"},
            paramLabel = "TIME",
            description = "How long: 30s, 5m, 2h; a number alone is seconds. Default: until Ctrl-C")
    @Range(least = "1s", right = "at least 1s")
    private @Nullable Duration duration;

    @Option(
            names = "--once",
            description =
                    "Watch until each source has reported something, 30 s at most; then print it, and of each figure that"
                            + " could not be read the reason.")
    private boolean once;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "Keep it: a line of JSON a second, about 2 KiB. An existing file is left alone, which is an error. With"
                            + " --keep or --max a folder, into which it records for ever.")
    private @Nullable Path record;

    @Option(
            names = "--keep",
            paramLabel = "TIME",
            description =
                    "Record into a folder, in pieces, and delete those that ended longer ago: 24h. With a --url it goes on with"
                            + " the next process that listens there.")
    private @Nullable Duration keep;

    @Option(
            names = "--max",
            paramLabel = "SIZE",
            description =
                    "The same, and delete the oldest when they have more bytes together: 1GB. Default with --keep: 1GB")
    private @Nullable String most;

    @Mixin
    private MetricsOptions metrics;

    private Optional<WatchRing> ring = Optional.empty();

    private MetricsOptions.Asked sending = MetricsOptions.Asked.NOTHING;

    @Mixin
    private ProfileOptions profile;

    @Mixin
    private DumpOptions dumps;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page when it ends: the plots, and the flame graphs of --profile.")
    private @Nullable Path html;

    @Mixin
    private HostOption host;

    @Mixin
    private ResultFiles files;

    @Mixin
    private LivePageOptions live;

    @Mixin
    private CommonOptions common;

    /** Which process to watch. */
    private record Asked(OptionalLong pid, Optional<URI> url, boolean own) {}

    @Override
    public Integer call() throws LabException, InterruptedException {
        Screen screen = common.screen();
        if (host.machine().isPresent()) {
            if (file != null || metrics.any() || live.asked()) {
                throw Parse.usage("--on goes with --pid or --url: "
                        + (file == null
                                ? "metrics and pages are served and sent by the machine that is watched"
                                : file + " lies here"));
            }
            if (keep != null || most != null) {
                throw Parse.usage("--keep and --max record for ever on the machine that is watched: without --on");
            }
            return OnHost.run(host.machine().get(), common.line(), screen, Map.of());
        }
        if (file != null && WatchRecording.is(file)) {
            if (looks()) {
                throw Parse.usage("a recording is only shown again: " + OF_A_LOOK + " and --profile say nothing here");
            }
            files.check();
            pages(screen, new WatchedBefore(screen, common.json, text(screen)).show(file));
            return ExitCodes.OK;
        }
        if (file != null && GcLogFile.is(file)) {
            if (looks() || common.json) {
                throw Parse.usage("a GC log is only shown: " + OF_A_LOOK + ", --profile and --json say nothing here;"
                        + " fettle report makes a page of it");
            }
            GcLogFile log = GcLogFile.read(file);
            files.check();
            var found = new WatchReport(
                    log.about(),
                    List.of(Format.time(Duration.ofMillis((long) (log.seconds() * 1000)))),
                    log.timeline());
            screen.result(summary(screen, found, Detail.ALL));
            pages(screen, found);
            return ExitCodes.OK;
        }
        if (once
                && (duration != null
                        || record != null
                        || metrics.any()
                        || live.asked()
                        || !profile.kinds().isEmpty())) {
            throw Parse.usage(
                    "--once ends by itself and records nothing: without --duration, --record, --serve-metrics,"
                            + " --otlp, --live-page and --profile");
        }
        ProfileWish wish = profile.wish();
        sending = metrics.asked(); // before anything is started
        UserFile.checkWritable("--html", html);
        files.check();
        ring = WatchRing.of(record, keep, most);
        live.port();
        if (ring.isPresent() && (html != null || !profile.kinds().isEmpty() || common.json || live.asked())) {
            throw Parse.usage("--keep and --max record for ever: without --html, --profile, --json and --live-page");
        }
        if (ring.isEmpty()) {
            UserFile.checkNew("--record", record);
        }
        Duration time = duration == null ? FOR_EVER : duration;
        Optional<Plan> plan = Optional.ofNullable(file).map(this::plan);
        try (var _ = new StopOnSignal()) { // closed last: until then, a signal waits
            if (plan.isPresent() && plan.get().target().isLaunched()) {
                screen.say("Launching the target of " + file + "; no load is put on it");
                try (StandingTarget target = StandingTarget.launch(plan.get(), common.dir, screen)) {
                    screen.say("It listens on " + target.url() + " and ends with the watch");
                    return watched(
                            screen,
                            new Asked(OptionalLong.of(target.pid()), Optional.of(target.url()), true),
                            wish,
                            time);
                }
            }
            return watched(screen, asked(plan), wish, time);
        }
    }

    /** Whether an option says how to look at a process. */
    private boolean looks() {
        return pid != null
                || url != null
                || record != null
                || keep != null
                || most != null
                || duration != null
                || html != null
                || once
                || metrics.any()
                || live.asked()
                || !profile.kinds().isEmpty();
    }

    private int watched(Screen screen, Asked asked, ProfileWish wish, Duration time) throws LabException {
        DumpAllowance allowed = dumps.allowance();
        if (ring.isPresent()) {
            return ring.get()
                    .record(
                            screen,
                            () -> open(asked, allowed),
                            allowed,
                            asked.pid().isEmpty(),
                            time,
                            about -> metrics(screen, about));
        }
        try (LiveWatch watch = open(asked, allowed)) {
            if (!asked.own() && watch.isMine()) {
                screen.say(allowed.words(watch.about(), false));
            }
            if (once) {
                return once(screen, watch);
            }
            var begun = new WatchReport(watch.about(), List.of(), Timeline.NONE);
            Thread here = Thread.currentThread();
            Optional<LivePage> page = LivePage.open(live, screen, r -> r.soFar(begun), (button, note) -> {
                here.interrupt();
                return "Stopping.";
            });
            try (var _ = new Closed(page)) {
                return wish.isNone()
                        ? plain(screen, watch, time, page)
                        : profiled(screen, watch, asked.own(), wish, time, page);
            }
        }
    }

    /** Closes a page, if there is one. */
    private record Closed(Optional<LivePage> page) implements AutoCloseable {
        @Override
        public void close() {
            page.ifPresent(LivePage::close);
        }
    }

    private int plain(Screen screen, LiveWatch watch, Duration time, Optional<LivePage> page) throws LabException {
        boolean ended = watch(screen, watch, time, page);
        WatchReport found = report(watch, List.of());
        if (screen.terminal() && !common.json) {
            screen.result(summary(screen, found, Detail.ANSWER));
        }
        pages(screen, found);
        stay(page, found);
        return code(watch, ended);
    }

    /** The page becomes the report. */
    private static void stay(Optional<LivePage> page, WatchReport found) {
        page.ifPresent(p -> {
            p.end(r -> r.page(found));
            p.stay();
        });
    }

    private int once(Screen screen, LiveWatch watch) throws LabException {
        boolean ended = watch.once(ONE_LOOK);
        WatchReport found = report(watch, List.of());
        screen.result(
                common.json ? JsonReport.look(found.about(), found.timeline()) : summary(screen, found, Detail.ALL));
        watch.notes().forEach(screen::note);
        pages(screen, found);
        return code(watch, ended);
    }

    /** The last step: whatever was seen of a process that has ended is written by now. */
    private static int code(LiveWatch watch, boolean ended) {
        if (ended) {
            throw new CliException(ExitCodes.FAILED, watch.about() + " has ended");
        }
        return ExitCodes.OK;
    }

    private int profiled(
            Screen screen, LiveWatch watch, boolean own, ProfileWish wish, Duration time, Optional<LivePage> page)
            throws LabException {
        Optional<Debts> debts = own ? Optional.empty() : Optional.of(new Debts(Machine.state(), new Proc()));
        try (Profiling profiling =
                watch.profile(debts, wish, Workspace.open(common.dir).recordings())) {
            boolean ended = watch(screen, watch, time, page);
            Profiling.Outcome found = profiling.end();
            found.notes().forEach(n -> screen.say("note  " + n));
            WatchReport report = report(watch, found.profiles());
            screen.result(common.json ? JsonReport.profiles(found.profiles()) : summary(screen, report, Detail.ANSWER));
            pages(screen, report);
            stay(page, report);
            return code(watch, ended);
        }
    }

    private static WatchReport report(LiveWatch watch, List<Profile> profiles) {
        Timeline all = watch.timeline();
        return new WatchReport(
                watch.about(), List.of(Format.time(Duration.ofMillis(all.points() * all.stepMillis()))), all, profiles);
    }

    private static String summary(Screen screen, WatchReport found, Detail detail) {
        return new TextReport(screen.width(), screen.colour(), detail).document(WatchDocument.of(found));
    }

    private void pages(Screen screen, WatchReport found) {
        files.write(() -> WatchDocument.of(found));
        if (html != null) {
            UserFile.write(html, new HtmlReport().render(found));
            screen.say("page  " + html);
        }
    }

    private Plan plan(Path from) {
        if (pid != null || url != null) {
            throw Parse.usage("name one thing to watch: " + from + ", or --pid and --url");
        }
        if (!Files.exists(from)) {
            throw Parse.usage("no such file: " + Secrets.redactUrl(from.toString()));
        }
        if (!Files.isReadable(from)) {
            throw Parse.usage(from + " can't be read: permission denied");
        }
        try {
            return new Machine().planReader().read(from);
        } catch (PlanException e) {
            throw new CliException(ExitCodes.USAGE, from + " is no recording, and no plan: " + e.getMessage(), e);
        }
    }

    private Asked asked(Optional<Plan> plan) {
        if (plan.isPresent()) {
            Target target = plan.get().target();
            OptionalLong pid =
                    target.running().stream().mapToLong(Target.Running::pid).findFirst();
            return new Asked(pid, target.url(), false);
        }
        Optional<URI> at = Optional.ofNullable(url).map(u -> Parse.url(u, "leave them out"));
        if (pid == null && at.isEmpty()) {
            throw Parse.usage("say what to watch: --pid PID, --url URL, a plan or a recording");
        }
        return new Asked(pid == null ? OptionalLong.empty() : OptionalLong.of(pid), at, false);
    }

    private static LiveWatch open(Asked asked, DumpAllowance allowed) {
        try {
            return LiveWatch.open(asked.pid(), asked.url(), allowed);
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether the process has ended. */
    private boolean watch(Screen screen, LiveWatch watch, Duration time, Optional<LivePage> page) throws LabException {
        boolean full = screen.terminal() && !common.json && page.isEmpty(); // its link must stay in sight
        if (!full && !common.json) {
            screen.say("Watching " + watch.about());
        }
        boolean ended;
        try (Recorder recorder = new Recorder(record, watch.about());
                MetricsOut out = metrics(screen, watch.about());
                var _ = full ? screen.whole() : null) {
            ended = watch.run(time, point -> {
                recorder.add(point);
                out.add(point);
                page.ifPresent(p -> show(p, watch, point));
                if (common.json) {
                    screen.result(JsonReport.point(point));
                } else if (full) {
                    screen.frame(
                            text(screen).screen(watch.about(), point.at(), watch.lastMinute(), screen.height() - 1));
                } else {
                    screen.result(text(screen).line(point));
                }
                return recorder.isOn() || sending.any() || page.isPresent() || !screen.isGone();
            });
        }
        watch.notes().forEach(screen::note);
        return ended;
    }

    private static void show(LivePage page, LiveWatch watch, WatchPoint point) {
        String doing = "watching, " + Format.time(1e9 * point.at());
        if (page.isFollowed()) {
            WatchReport now = report(watch, List.of());
            page.show(doing, List.of(LiveState.Button.STOP), r -> r.soFar(now));
        } else {
            page.doing(doing);
        }
    }

    /** Where the figures go while it runs, as far as that is wanted. */
    private MetricsOut metrics(Screen screen, String about) throws LabException {
        return MetricsOut.open(sending, new MetricsOut.About("watch", Optional.empty(), about), screen);
    }

    /** For a terminal of the size that it has now. */
    private static WatchText text(Screen screen) {
        return new WatchText(screen.width(), screen.colour());
    }

    /** The recording, if one is wanted. */
    private static final class Recorder implements AutoCloseable {
        private final Optional<WatchRecording> recording;

        Recorder(@Nullable Path to, String about) throws LabException {
            recording = to == null ? Optional.empty() : Optional.of(new WatchRecording(to, about, Instant.now()));
        }

        boolean isOn() {
            return recording.isPresent();
        }

        void add(WatchPoint point) throws LabException {
            if (recording.isPresent()) {
                recording.get().add(point);
            }
        }

        @Override
        public void close() throws LabException {
            if (recording.isPresent()) {
                recording.get().close();
            }
        }
    }
}
