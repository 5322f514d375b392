package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.ProcessOptions;
import dev.fettle.cli.option.ProfileOptions;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Session;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.plan.CompareAsked;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that runs a plan's experiment. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
abstract class PlanCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.Hosts hosts;

    @Mixin
    private ProcessOptions process;

    @Mixin
    private ProfileOptions profile;

    @Mixin
    private DumpOptions dumps;

    @Mixin
    private ResultFiles.WithVerdict files;

    @Mixin
    private MetricsOptions metrics;

    @Mixin
    private LivePageOptions live;

    private final ExperimentKind kind;

    PlanCommand(ExperimentKind kind) {
        this.kind = kind;
    }

    /** The plan's file. */
    abstract Path plan();

    /** Whether to ignore earlier runs. */
    boolean cold() {
        return false;
    }

    /** What is asked of a comparison. */
    Optional<CompareAsked> asked() {
        return Optional.empty();
    }

    /** Whether an already running process was named. */
    boolean ofAProcess() {
        return process.given();
    }

    @Override
    public final Integer call() throws LabException, InterruptedException {
        return new Session(common)
                .profiling(profile.wish())
                .dumping(dumps.allowance())
                .cold(cold())
                .into(files)
                .metrics(metrics.asked())
                .live(live)
                .asking(asked())
                .start(kind, plan(), process, hosts.own);
    }

    /** A command whose plan must be named. */
    abstract static class Required extends PlanCommand {
        @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.", arity = "1")
        private Path plan;

        Required(ExperimentKind kind) {
            super(kind);
        }

        @Override
        Path plan() {
            return plan;
        }
    }
}
