package dev.fettle.cli.option;

import dev.fettle.report.document.Document;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.table.JunitReport;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files that a command writes its result to, next to what it prints. */
public class ResultFiles {
    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write the result as Markdown, for a pull request, an issue or a wiki.")
    private @Nullable Path markdown;

    /** Those of a command whose result passes or fails. */
    public static final class WithVerdict extends ResultFiles {
        @Option(
                names = "--junit",
                paramLabel = "FILE",
                description = "Write what passed and failed as JUnit XML; what is void is an error.")
        private @Nullable Path junit;

        @Override
        public void check() {
            super.check();
            UserFile.checkWritable("--junit", junit);
            if (junit != null) {
                apartFrom(junit);
            }
        }

        /** Refuses a file that is written by another option, too. */
        public void checkApart(Path other) {
            apartFrom(other);
            if (junit != null) {
                UserFile.checkApart(junit, other);
            }
        }

        @Override
        public boolean any() {
            return super.any() || junit != null;
        }

        @Override
        public void write(Supplier<Document> result) {
            super.write(result);
            if (junit != null) {
                UserFile.write(junit, JunitReport.of(result.get()));
            }
        }
    }

    /** Checks before a run what would otherwise only fail after it: missing folders, two outputs in one file. */
    public void check() {
        UserFile.checkWritable("--markdown", markdown);
    }

    /** Whether any was asked for. */
    public boolean any() {
        return markdown != null;
    }

    /** Refuses a file that the result is written to already. */
    final void apartFrom(Path other) {
        if (markdown != null) {
            UserFile.checkApart(markdown, other);
        }
    }

    /** Writes the result into those that were asked for. */
    public void write(Supplier<Document> result) {
        if (markdown != null) {
            UserFile.write(markdown, MarkdownReport.of(result.get()));
        }
    }
}
