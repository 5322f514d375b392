package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.run.Session;
import dev.fettle.lab.machine.LabException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle resume}. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        header = "Continues a run that was cut off.",
        description =
                "Finished trials are kept, whatever ended the run (Ctrl-C, kill -9, a power cut); an unfinished trial is run again. "
                        + "The plan file, if there was one, must still be there, unchanged: a program, a hook or another command that only"
                        + " the journal names, or of a run that another user's Fettle began, is not run, unless --run-kept-plan says so. No new recording is made: --profile and --second-opinion"
                        + " are not kept.",
        footer = {
            "",
            "Examples:",
            "  fettle resume latest",
            "  fettle resume login-page-3",
            "",
            "Exit codes: those of the command that began the run; also 0 it is finished already,",
            "            2 there is no such run, or its plan, program or machine is another one now."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ResumeCommand implements Callable<Integer> {
    @Mixin
    private ResultFiles.WithVerdict files;

    @Mixin
    private MetricsOptions metrics;

    @Mixin
    private LivePageOptions live;

    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.Hosts hosts;

    @Mixin
    private DumpOptions dumps;

    @Parameters(
            paramLabel = "RUN",
            description = "A run's id or number, or 'latest'. Default: ${DEFAULT-VALUE}",
            defaultValue = "latest",
            arity = "0..1")
    private String run;

    @Option(
            names = "--run-kept-plan",
            description =
                    "Run what the journal names, although there is no unchanged plan file that says the same. Only for a journal that is"
                            + " your own work.")
    private boolean kept;

    @Override
    public Integer call() throws LabException, InterruptedException {
        RunStore.check(common.dir);
        return new Session(common)
                .dumping(dumps.allowance())
                .into(files)
                .metrics(metrics.asked())
                .live(live)
                .resume(run, hosts.own, kept);
    }
}
