package dev.fettle.cli.command;

import dev.fettle.cli.option.FigureOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.judge.Judge;
import dev.fettle.insight.judge.Judgement;
import dev.fettle.model.imports.ImportException;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.ResultImport;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.JudgeDocument;
import dev.fettle.report.json.JudgeJson;
import dev.fettle.report.text.TextReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle judge}. */
@Command(
        name = "judge",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Says whether load-test results that somebody published can be true.",
        description =
                "Reads what ab, wrk, siege, hey, oha, k6 or JMeter printed (its summary lines, aggregate report or JTL), or a table in"
                        + " Markdown, and holds the figures against the laws that Fettle's own trials have to obey: Little's law, think time,"
                        + " error pages, lost connects, sizes, arithmetic, percentiles. Says what would have to be known to believe them."
                        + " Options add figures that the text lacks, or give all of them. Nothing is run.",
        footer = {
            "",
            "Examples:",
            "  fettle judge result.txt",
            "  ab -n 50000 -c 100 http://127.0.0.1:8080/ | fettle judge -",
            "  fettle judge --clients 500 --mean 201ms --rate 6926/s",
            "  fettle judge hey.txt --clients 50 --json",
            "",
            "Exit codes: 0 nothing speaks against them, or too few figures, 2 wrong arguments or not readable,",
            "            4 at least one result is refused."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class JudgeCommand implements Callable<Integer> {
    private static final int MOST_MEBIBYTES = 64;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "What a tool printed; - is the standard input.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private FigureOptions figures;

    @Mixin
    private ResultFiles.WithVerdict outputs;

    @Option(names = "--json", description = "Print the judgement as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        outputs.check();
        Published typed = figures.over(Published.of("given", ""));
        var all = new ArrayList<Judgement>();
        for (Path file : files) {
            for (Published p : read(file)) {
                all.add(Judge.of(figures.over(p).named(p.tool(), p.label())));
            }
        }
        if (files.isEmpty()) {
            if (typed.figures().isEmpty() && typed.percentiles().isEmpty()) {
                throw Parse.usage(
                        "nothing to judge: name a file with results, - for the standard input, or figures: --clients 500 --mean"
                                + " 201ms --rate 6926/s");
            }
            all.add(Judge.of(typed));
        }
        var screen = new Screen(spec.commandLine(), json, true);
        Document document = JudgeDocument.of(all);
        screen.result(json ? JudgeJson.of(all) : new TextReport(screen.width(), screen.colour()).document(document));
        outputs.write(() -> document);
        return all.stream().anyMatch(j -> j.outcome() == Judgement.Outcome.REFUSED)
                ? ExitCodes.NO_VALID_RESULT
                : ExitCodes.OK;
    }

    private static List<Published> read(Path file) {
        String text = UserFile.read(file, MOST_MEBIBYTES);
        try {
            return ResultImport.read(text);
        } catch (ImportException e) {
            throw Parse.usage((UserFile.isStandardInput(file) ? "" : file + ": ") + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw Parse.usage(file + " can't be read: " + e.getMessage());
        }
    }
}
