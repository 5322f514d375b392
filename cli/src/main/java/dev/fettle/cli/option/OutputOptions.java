package dev.fettle.cli.option;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.machine.Folders;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.BenchReport;
import dev.fettle.report.HistogramValues;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.document.Document;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.table.JunitReport;
import dev.fettle.report.table.PrometheusReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where the result of a load goes besides the terminal, and when it counts as failed. */
public final class OutputOptions {
    @ArgGroup(validate = false, order = 8, heading = "%nOutput:%n")
    private Group group = new Group();

    static final class Group {
        @Option(
                names = "--fail-if",
                paramLabel = "CONDITIONS",
                description = "Exit with 5 if any of these is so: 'p99>50ms, errors>0.1%%, throughput<1000/s'."
                        + " Can be repeated.")
        private List<Conditions> failIf = new ArrayList<>();

        @Option(names = "--csv", paramLabel = "FILE", description = "Write one line of figures per second.")
        private @Nullable Path csv;

        @Option(
                names = "--hlog",
                paramLabel = "FILE",
                description = "Write an HdrHistogram log, one interval per second.")
        private @Nullable Path hlog;

        @Option(
                names = "--junit",
                paramLabel = "FILE",
                description =
                        "Write JUnit XML: one test case per condition, one for validity; what is void is an error.")
        private @Nullable Path junit;

        @Option(
                names = "--prometheus",
                paramLabel = "FILE",
                description = "Write the figures in the Prometheus text format.")
        private @Nullable Path prometheus;

        @Option(
                names = "--markdown",
                paramLabel = "FILE",
                description = "Write the result as Markdown, for a pull request, an issue or a wiki.")
        private @Nullable Path markdown;

        @Option(names = "--html", paramLabel = "FILE", description = "Write a self-contained page with plots.")
        private @Nullable Path html;

        @Option(
                names = {"-q", "--quiet"},
                description = "Print only the result, no progress.")
        private boolean quiet;
    }

    public boolean quiet() {
        return group.quiet;
    }

    public Optional<Path> hlog() {
        return Optional.ofNullable(group.hlog);
    }

    public Optional<Path> csv() {
        return Optional.ofNullable(group.csv);
    }

    /** Checks before the run what would otherwise only fail after it: missing folders, two outputs in one file. */
    public void check() {
        UserFile.checkWritable("--csv", group.csv);
        UserFile.checkWritable("--hlog", group.hlog);
        UserFile.checkWritable("--junit", group.junit);
        UserFile.checkWritable("--prometheus", group.prometheus);
        UserFile.checkWritable("--markdown", group.markdown);
        UserFile.checkWritable("--html", group.html);
        UserFile.checkApart(group.csv, group.hlog, group.junit, group.prometheus, group.markdown, group.html);
    }

    /** The conditions for failing, checked against the measurement. */
    public List<BenchReport.Check> judge(Measurement m) {
        var figures = new HistogramValues(m);
        return group.failIf.stream()
                .flatMap(c -> c.all().stream())
                .map(c -> new BenchReport.Check(c, c.metric().of(figures), c.holds(figures)))
                .toList();
    }

    /** Writes the files with the whole result. */
    public void write(BenchReport report) {
        Document document = BenchDocument.of(report);
        write(group.junit, JunitReport.of(document));
        write(group.prometheus, PrometheusReport.of(report));
        write(group.markdown, MarkdownReport.of(document));
        if (group.html != null) {
            write(group.html, new HtmlReport().render(report));
        }
    }

    /** Reports that the histogram log is not complete. */
    public void unlogged(String why) {
        throw new CliException(ExitCodes.FAILED, "cannot write " + group.hlog + ": " + why);
    }

    private static void write(@Nullable Path file, String text) {
        if (file == null) {
            return;
        }
        try {
            Folders.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
