package dev.fettle.cli.option;

import dev.fettle.report.document.Document;
import dev.fettle.report.markdown.MarkdownReport;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files that a command writes its result to, next to what it prints. */
public final class ResultFiles {
    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write the result as Markdown, for a pull request, an issue or a wiki.")
    private @Nullable Path markdown;

    /** Checks before the run what would otherwise only fail after it. */
    public void check() {
        UserFile.checkWritable("--markdown", markdown);
    }

    /** Whether any is wanted. */
    public boolean any() {
        return markdown != null;
    }

    /** Writes the result. */
    public void write(Document result) {
        if (markdown != null) {
            UserFile.write(markdown, MarkdownReport.of(result));
        }
    }
}
