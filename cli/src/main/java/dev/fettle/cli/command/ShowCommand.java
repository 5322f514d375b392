package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.RunReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.text.TextReport;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fettle show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        header = "Prints what a run found.",
        footer = {
            "",
            "Examples:",
            "  fettle show",
            "  fettle show login-page-3 --details",
            "  fettle show login-page-3 --trials",
            "  fettle show 3 --json",
            "  fettle show latest --markdown",
            "",
            "Exit codes: 0 shown, 1 what was kept can't be read, 2 wrong arguments, or no such run."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ShowCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.WhichRun run;

    @Option(names = "--trials", description = "Also list each trial; void ones with the reason.")
    private boolean trials;

    @Option(
            names = "--details",
            description =
                    "Also all settings tried, every cell and check, and every note: without it the answer fits a screen of 40 lines.")
    private boolean details;

    @Option(names = "--markdown", description = "Print it as Markdown, for a pull request or an issue.")
    private boolean markdown;

    @Override
    public Integer call() throws LabException {
        var screen = common.screen();
        try (var store = RunStore.existing(common.dir)) {
            RunRecord record = store.find(run.name);
            RunReport report = store.report(record);
            if (common.json) {
                screen.result(new JsonReport().run(report));
                return ExitCodes.OK;
            }
            if (markdown) {
                screen.result(MarkdownReport.of(report));
                return ExitCodes.OK;
            }
            var text = new TextReport(
                    screen.width(), screen.colour(), details ? TextReport.Detail.ALL : TextReport.Detail.ANSWER);
            if (trials && CapacityReport.is(report)) {
                List<Judged> all = Judged.of(report.outcomes());
                for (int n = 0; n < all.size(); n++) {
                    screen.result(text.probeLine(all.get(n), n + 1));
                }
            } else if (trials && report.conclusion().isPresent()) {
                report.outcomes()
                        .forEach(o -> screen.result(
                                text.trialLine(o, o.ordinal(), report.plan().hold())));
                screen.result("");
            }
            screen.result(text.report(report));
            if (!report.complete()) {
                screen.say(
                        store.goesOn(record)
                                ? report.runId() + " is being measured now."
                                : "Go on with: fettle resume " + report.runId());
            }
            return ExitCodes.OK;
        }
    }
}
