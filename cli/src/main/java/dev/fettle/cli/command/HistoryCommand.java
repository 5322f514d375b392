package dev.fettle.cli.command;

import dev.fettle.cli.kept.HistoryFiles;
import dev.fettle.cli.option.Converters;
import dev.fettle.cli.option.KeptPlaces;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.history.BenchReference;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Units;
import dev.fettle.report.document.Document;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.history.HistoryReport.Standing;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.HistoryJson;
import dev.fettle.report.text.TextReport;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fettle history}. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        header = "Says when, and with which commit, a figure changed: gates and benches over time.",
        description = {
            "Finds the gates and benches that were kept in folders (journals, and what --json printed), sorts them by time, and"
                    + " searches each metric for changes. A change that was reported stays, whatever follows. Runs of another plan,"
                    + " load, JDK or machine are a series of their own. Nothing is run."
        },
        footer = {
            "",
            "Examples:",
            "  fettle history",
            "  fettle history ci-artifacts --html history.html",
            "  fettle history .fettle benches --metric cpu,p99 --since 30d --fail-if-worse",
            "  fettle history benches --reference http://127.0.0.1:9000",
            "",
            "Exit codes: 0 shown, also if nothing changed, or there are too few runs, 1 failed,",
            "            2 wrong arguments, no such folder, 4 there is no gate and no bench in it;",
            "            with --fail-if-worse 5 the newest change of a metric is a loss, 6 too few runs to tell.",
            "            What can't be read is reported, and changes no code while anything else is there."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class HistoryCommand implements Callable<Integer> {
    private static final int MOST_NAMED = 5;

    @Mixin
    private KeptPlaces places;

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            split = ",",
            description =
                    "Only these: throughput, p50, p99, errors, cpu, allocation, memory, start. Default: those that a gate of"
                            + " this load compares")
    private List<String> metrics = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description =
                    "Show and judge only from then on: 30d, 12h, 2026-03-01, 2026-03-01T12:00:00Z. All runs count.")
    private @Nullable String since;

    @Option(
            names = "--least",
            paramLabel = "SHARE",
            converter = Converters.Share.class,
            description = "The smallest change that is reported. Default: 1%%; of errors 0.1%% of the requests, always")
    private @Nullable Double least;

    @Option(
            names = "--reference",
            paramLabel = "URL",
            description =
                    "Benches of this server are of a program that stays the same: what changes in them is the machine's doing,"
                            + " and is taken out of the benches next to them in time, an hour at most.")
    private @Nullable URI reference;

    @Option(names = "--fail-if-worse", description = "Exit with 5 if the newest change of a metric is a loss.")
    private boolean failIfWorse;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a self-contained page with a plot per metric.")
    private @Nullable Path html;

    @Mixin
    private ResultFiles.WithVerdict files;

    @Mixin
    private PrintOptions print;

    @Override
    public Integer call() {
        files.check();
        UserFile.checkWritable("--html", html);
        if (html != null) {
            files.checkApart(html);
        }
        Set<GateMetric> wanted = wanted();
        Optional<Instant> from = Optional.ofNullable(since).map(s -> from(s, Instant.now()));
        HistoryFiles.Kept kept = HistoryFiles.read(places.all());
        var report = new HistoryReport(
                History.of(referred(kept.runs()), wanted, Levels.usual(), least == null ? History.usualLeast() : least),
                from,
                kept.others(),
                kept.twice(),
                kept.unread());
        Screen screen = print.screen();
        if (print.json) { // else they are among the notes
            kept.unread().forEach(u -> screen.error("  note    could not be read: " + u));
        }
        Document document = HistoryDocument.of(report);
        screen.result(
                print.json
                        ? HistoryJson.of(report)
                        : new TextReport(screen.width(), screen.colour()).document(document));
        files.write(() -> document);
        if (html != null) {
            UserFile.write(html, new HtmlReport().render(report));
        }
        return exitCode(report.standing());
    }

    private List<PastRun> referred(List<PastRun> runs) {
        if (reference == null) {
            return runs;
        }
        var of = BenchReference.of(reference.getScheme() + "://" + reference.getAuthority());
        if (runs.stream().noneMatch(of::isOf)) {
            throw Parse.usage("--reference " + reference + ": there is no bench of " + of.target()
                    + runs.stream()
                            .flatMap(r -> Optional.ofNullable(r.conditions().get("target")).stream())
                            .distinct()
                            .sorted()
                            .limit(MOST_NAMED)
                            .collect(Collectors.collectingAndThen(
                                    Collectors.joining(", "), t -> t.isEmpty() ? "" : ", but of " + t)));
        }
        return of.nextTo(runs);
    }

    private int exitCode(Standing standing) {
        return switch (standing) {
            case NOTHING -> ExitCodes.NO_VALID_RESULT;
            case WORSE -> failIfWorse ? ExitCodes.CONDITION_MET : ExitCodes.OK;
            case TOO_FEW -> failIfWorse ? ExitCodes.CANT_TELL : ExitCodes.OK;
            case BETTER, NO_CHANGE -> ExitCodes.OK;
        };
    }

    private Set<GateMetric> wanted() {
        var wanted = EnumSet.noneOf(GateMetric.class);
        for (String name : metrics) {
            wanted.add(GateMetric.named(name.strip())
                    .orElseThrow(() -> Parse.usage("--metric " + name + ": one of "
                            + Arrays.stream(GateMetric.values())
                                    .map(GateMetric::id)
                                    .collect(Collectors.joining(", "))
                            + " is wanted")));
        }
        return wanted;
    }

    /** A moment, a day here, or so long ago. */
    static Instant from(String text, Instant now) {
        String t = text.strip();
        try {
            if (t.endsWith("d") && t.length() > 1 && t.length() < 7) {
                return now.minus(Duration.ofDays(Integer.parseUnsignedInt(t.substring(0, t.length() - 1))));
            }
            if (!t.isEmpty() && Character.isLetter(t.charAt(t.length() - 1)) && !t.endsWith("Z")) {
                return now.minus(Units.duration(t));
            }
            return t.endsWith("Z")
                    ? Instant.parse(t)
                    : LocalDate.parse(t).atStartOfDay(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException | IllegalArgumentException e) {
            throw Parse.usage("--since '" + text + "': write 30d, 12h, 2026-03-01 or 2026-03-01T12:00:00Z");
        }
    }
}
