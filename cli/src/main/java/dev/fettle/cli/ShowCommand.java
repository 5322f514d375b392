package dev.fettle.cli;

import dev.fettle.lab.LabException;
import dev.fettle.report.JsonReport;
import dev.fettle.report.RunReport;
import dev.fettle.report.TextReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fettle show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        header = "Prints what a run found.",
        footer = {"", "Examples:", "  fettle show", "  fettle show login-page-3 --trials", "  fettle show 3 --json"})
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Mixin
    private Common.WhichRun run;

    @Option(names = "--trials", description = "Also each trial, void ones with the reason.")
    private boolean trials;

    @Override
    public Integer call() throws LabException {
        var screen = new Screen(spec.commandLine(), common);
        try (var store = new RunStore(common.dir)) {
            RunReport report = store.report(store.find(run.name));
            if (common.json) {
                screen.result(new JsonReport().run(report));
                return ExitCodes.OK;
            }
            var text = new TextReport(screen.width(), screen.colour());
            if (trials && report.conclusion().isPresent()) {
                report.outcomes()
                        .forEach(o -> screen.result(
                                text.trialLine(o, o.ordinal(), report.plan().hold())));
                screen.result("");
            }
            screen.result(text.report(report));
            if (!report.complete()) {
                screen.say("Go on with: fettle resume " + report.runId());
            }
            return ExitCodes.OK;
        }
    }
}
