package dev.fettle.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.cli.option.HostOption;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.option.Range;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.OnHost;
import dev.fettle.cli.run.Version;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.audit.AuditLab;
import dev.fettle.lab.capture.Capture;
import dev.fettle.lab.capture.CaptureArchive;
import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.LiveWatch;
import dev.fettle.lab.remote.Destination;
import dev.fettle.model.text.Format;
import dev.fettle.report.audit.AuditJson;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fettle capture}. */
@Command(
        name = "capture",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Takes all that can be seen of a running process, in one archive, to be read elsewhere.",
        description =
                "A recording of fettle watch, three thread dumps, a recording of the JVM's flight recorder, and a judgement of"
                        + " its settings, over one minute. It sends nothing to the server and sets nothing in it. Properties,"
                        + " environment and command lines are not in it: of settings only those that an audit knows. What"
                        + " can't be had is said, and the rest is taken. The archive is for your eyes only (mode 600): names"
                        + " of classes, threads, peers and pools are in it.",
        footer = {
            "",
            "Examples:",
            "  fettle capture --pid 12345",
            "  fettle capture --pid 12345 --for 5m --out slow-evening.zip",
            "  fettle capture --on perf@app-1 --pid 4711       of another machine; the archive is written here",
            "  fettle capture --pid 12345 --histogram          also which classes fill the heap; stops the JVM twice",
            "",
            "Exit codes: 0 taken, also if parts could not be had, 130 stopped with Ctrl-C (what was taken by then is kept),",
            "            1 the process ended (the same), or the archive could not be written, 2 wrong arguments, or there",
            "            is no such process, 3 the machine of --on can't be reached or lacks something."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CaptureCommand implements Callable<Integer> {
    private static final int DUMPS = 3;
    private static final String SETTINGS = "settings.json";

    @Option(names = "--pid", paramLabel = "PID", description = "The process.")
    private @Nullable Long pid;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The process that listens there, on this machine; with --pid, which of its ports is meant.")
    private @Nullable String url;

    @Option(names = "--for", paramLabel = "TIME", description = "How long: 30s, 5m. Default: 60s")
    @Range(least = "5s", most = "1h", right = "from 5s to 1h")
    private Duration time = Duration.ofSeconds(60);

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The archive. An existing file is left alone, which is an error. Default:"
                    + " capture-PID-DATE-TIME.zip in this folder")
    private @Nullable Path out;

    @Option(
            names = "--no-dump",
            description = "Take no thread dump. Default: three; each stops all threads for some milliseconds.")
    private boolean noDump;

    @Option(
            names = "--no-recording",
            description =
                    "Leave the JVM's flight recorder alone. Default: it records meanwhile, at a cost of about 1 %%.")
    private boolean noRecording;

    @Option(
            names = "--histogram",
            description =
                    "Also count the heap's classes, at the beginning and at the end. Each time the JVM collects all"
                            + " garbage first, while all threads stand still: a second or more for each gigabyte in use.")
    private boolean histogram;

    @Mixin
    private HostOption host;

    @Mixin
    private PrintOptions common;

    @Override
    public Integer call() throws LabException, InterruptedException {
        if (pid == null && url == null) {
            throw Parse.usage("say of which process: --pid PID, or --url URL");
        }
        Screen screen = common.screen();
        if (host.machine().isPresent()) {
            Destination to = host.machine().get();
            return OnHost.run(
                    to,
                    common.line(),
                    screen,
                    out == null
                            ? Map.of("--out", Path.of("capture-" + to.name() + "-" + date(Instant.now()) + ".zip"))
                            : Map.of());
        }
        UserFile.checkNothing("--out", out);
        var wish = new Capture.Wish(time, noDump ? 0 : DUMPS, !noRecording, histogram);
        Optional<URI> at = Optional.ofNullable(url).map(u -> Parse.url(u, "leave them out"));
        Instant started = Instant.now();
        try (var _ = new StopOnSignal();
                LiveWatch watch = open(at)) {
            Path to = out == null ? usual(watch.target().pid(), started) : out;
            UserFile.checkNothing("--out", to);
            screen.say(consent(watch.about(), wish));
            Path folder = Files.createTempDirectory("fettle-capture");
            try {
                Capture.Taken taken =
                        Capture.take(watch, wish, folder, new Debts(Machine.state(), new Proc()), screen::say);
                var files = new ArrayList<>(taken.files());
                var notes = new ArrayList<>(taken.notes());
                settings(folder, watch.target().pid(), files, notes);
                ObjectNode about = about(watch.about(), started, taken, files, notes);
                write(folder, CaptureArchive.ABOUT, about.toPrettyString());
                files.addFirst(CaptureArchive.ABOUT);
                long bytes = CaptureArchive.write(to, folder, files);
                about.put("archive", to.toString()).put("bytes", bytes);
                notes.forEach(screen::note);
                screen.result(common.json ? about.toPrettyString() : summary(to, bytes, files, taken));
                if (taken.ended()) {
                    throw new CliException(ExitCodes.FAILED, watch.about() + " has ended");
                }
                return ExitCodes.OK;
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw new LabException("cannot write: " + e.getMessage(), e);
        }
    }

    private LiveWatch open(Optional<URI> at) {
        try {
            return LiveWatch.observe(
                    pid == null ? OptionalLong.empty() : OptionalLong.of(pid),
                    at,
                    noDump ? DumpAllowance.none() : DumpAllowance.usual());
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static Path usual(long pid, Instant now) {
        return Path.of("capture-" + pid + "-" + date(now) + ".zip");
    }

    private static String date(Instant now) {
        return DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
                .withZone(ZoneId.systemDefault())
                .format(now);
    }

    /** Before anything is done: what it costs the process. */
    private static String consent(String about, Capture.Wish wish) {
        var parts = new ArrayList<>(List.of("watched"));
        if (wish.recording()) {
            parts.add("recorded by its flight recorder (about 1 % of its speed)");
        }
        if (wish.dumps() > 0) {
            parts.add("asked for " + wish.dumps() + " thread dumps (each stops it for milliseconds)");
        }
        if (wish.histograms()) {
            parts.add("asked twice for the classes of its heap (each stops it while it collects all garbage)");
        }
        return about + " is " + Format.list(parts, "and") + ", for " + Format.time(wish.time());
    }

    private static void settings(Path folder, long pid, List<String> files, List<String> notes)
            throws IOException, InterruptedException {
        try {
            var audit = new AuditLab(Jdks.system(), new Proc())
                    .audit(new AuditLab.Asked(
                            List.of(),
                            false,
                            OptionalLong.of(pid),
                            Optional.empty(),
                            Optional.empty(),
                            Map.of(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            false));
            write(folder, SETTINGS, AuditJson.of(audit));
            files.add(SETTINGS);
        } catch (LabException e) {
            notes.add("without its settings: " + e.getMessage());
        }
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode about(
            String about, Instant started, Capture.Taken taken, List<String> files, List<String> notes) {
        ObjectNode all = new ObjectMapper().createObjectNode();
        all.put("schema", CaptureArchive.SCHEMA);
        all.put("about", about);
        all.put("started", started.toString());
        all.put("fettle", Version.text());
        taken.slowest().ifPresent(s -> all.put("slowestDumpMillis", s.toMillis()));
        all.put("ended", taken.ended());
        files.forEach(all.putArray("files")::add);
        notes.forEach(all.putArray("notes")::add);
        return all;
    }

    private static String summary(Path to, long bytes, List<String> files, Capture.Taken taken) {
        return "Taken: " + to + ", " + Format.bytes(bytes) + "\n  " + String.join(", ", files)
                + taken.slowest()
                        .map(s -> "\n  The slowest dump took " + Format.time(s)
                                + ": at most so long its threads stood still")
                        .orElse("")
                + "\n  Read it with: fettle diagnose " + to;
    }
}
