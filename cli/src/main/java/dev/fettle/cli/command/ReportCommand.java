package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.journal.GcLogFile;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.WatchReport;
import dev.fettle.report.Wording;
import dev.fettle.report.html.HtmlReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle report}. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        header =
                "Writes the report of a run, of a recording of fettle watch, or of a GC log: one HTML file that needs nothing else.",
        footer = {
            "",
            "Examples:",
            "  fettle report",
            "  fettle report login-page-3 --out login.html",
            "  fettle report evening.watch",
            "  fettle report gc.log",
            "",
            "Exit codes: 0 written, 1 what was kept can't be read, 2 wrong arguments, no such run or file,",
            "            or the page can't be written."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ReportCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN|FILE",
            description =
                    "A run's id or number, 'latest', a recording of fettle watch, or a GC log. Default: ${DEFAULT-VALUE}",
            defaultValue = "latest",
            arity = "0..1")
    private String what;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the HTML there instead of into the run's folder.")
    private @Nullable Path out;

    @Override
    public Integer call() throws LabException {
        var screen = common.screen();
        Path recording = Path.of(what);
        if (WatchRecording.is(recording)) {
            return recording(screen, recording);
        }
        if (GcLogFile.is(recording)) {
            GcLogFile log = GcLogFile.read(recording);
            var meta = List.of(Format.time(Duration.ofMillis((long) (log.seconds() * 1000))));
            return write(
                    screen, recording, new HtmlReport().render(new WatchReport(log.about(), meta, log.timeline())));
        }
        boolean file = Files.isRegularFile(recording);
        String unknown = file
                ? "'" + what + "' is neither a recording of fettle watch, nor a GC log, nor a run"
                : "no run '" + what + "'";
        if (file && !RunStore.isIn(common.dir)) {
            throw Parse.usage(unknown + ": no run has been kept in " + common.dir);
        }
        try (var store = RunStore.existing(common.dir)) {
            RunReport report = store.report(store.find(what, unknown));
            if (out != null) {
                return write(screen, out, new HtmlReport().render(report));
            }
            return reported(screen, store.write(report));
        }
    }

    private int recording(Screen screen, Path file) throws LabException {
        WatchRecording.Recorded recorded = WatchRecording.read(file);
        var meta = new ArrayList<>(List.of(
                "from " + recorded.started().truncatedTo(ChronoUnit.SECONDS),
                Wording.plural(recorded.seconds(), "second")));
        if (recorded.cut()) {
            meta.add("cut off while it was written");
        }
        return write(
                screen, file, new HtmlReport().render(new WatchReport(recorded.about(), meta, recorded.timeline())));
    }

    private int write(Screen screen, Path file, String page) {
        if (out != null) {
            UserFile.write(out, page);
            return reported(screen, out);
        }
        Path html = Path.of(file + ".html");
        UserFile.writeBeside(html, page);
        return reported(screen, html);
    }

    private int reported(Screen screen, Path html) {
        screen.result(
                common.json ? new JsonFields().put("report", html.toString()).line() : html.toString());
        return ExitCodes.OK;
    }
}
