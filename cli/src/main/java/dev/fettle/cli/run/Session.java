package dev.fettle.cli.run;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.ProcessOptions;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.lab.Lab;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.launch.BootJar;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.report.RunReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.recommend.RecommendedConfig;
import dev.fettle.report.text.TextReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine;

/** Runs an experiment from a plan, from its beginning or from where it stopped, and tells the user all along. */
public final class Session {
    private final CommonOptions common;
    private final Screen screen;
    private final Machine machine = new Machine();

    public Session(CommandLine line, CommonOptions common) {
        this.common = common;
        this.screen = common.screen(line);
    }

    /** Starts a run. */
    public int start(ExperimentKind kind, Path planFile, ProcessOptions process, Set<String> ownHosts)
            throws LabException, InterruptedException {
        Plan asked = process.applyTo(read(planFile));
        kind.experiment(asked); // says what the plan lacks for it
        checkHost(asked, ownHosts);
        checkJdks(asked);
        try (var store = new RunStore(common.dir);
                Workspace.Lock _ = store.workspace().lock()) {
            Plan plan = look(asked, store, ownHosts);
            Experiment experiment = kind.experiment(plan);
            RunRecord run = store.journal()
                    .begin(
                            kind.id(),
                            planFile.toAbsolutePath().normalize(),
                            PlanFile.hash(planFile),
                            Redaction.of(plan),
                            machine.facts(),
                            Instant.now());
            screen.say(Announcement.text(kind, plan, run.id(), machine.cpus()));
            notes(plan.target()).forEach(n -> screen.say("  note    " + n));
            return go(store, run, plan, experiment, ownHosts);
        }
    }

    private Plan look(Plan plan, RunStore store, Set<String> ownHosts) throws LabException, InterruptedException {
        return ProcessPreparation.look(
                plan, machine.lab(store.workspace(), ownHosts), text -> screen.say("  note    " + text));
    }

    /** The process that a run was begun with; which one that is, its plan file need not say. */
    private static Plan onItsProcess(Plan plan, RunRecord run) {
        if (!(run.plan().target() instanceof Target.Running process)) {
            return plan;
        }
        Plan same = plan.on(process);
        return same.load().scenario().isPresent()
                ? same
                : same.with(same.load().withPath(run.plan().load().request().path()));
    }

    /** What of a target's own configuration could not be read. */
    private static List<String> notes(Target target) {
        return target instanceof Target.Boot b ? BootJar.configuration(b).notes() : List.of();
    }

    /** Goes on with a run that was cut off. */
    public int resume(String name, Set<String> ownHosts) throws LabException, InterruptedException {
        try (var store = new RunStore(common.dir)) {
            RunRecord run = store.find(name);
            if (run.state() == RunRecord.State.DONE) {
                screen.say(run.id() + " is finished; nothing to resume. See: fettle show " + run.id());
                return ExitCodes.OK;
            }
            if (RunStore.isCapacity(run)) {
                return new CapacitySession(screen, common, ownHosts).resume(store, run);
            }
            if (!PlanFile.unchanged(run)) {
                throw new CliException(
                        ExitCodes.USAGE,
                        "the plan " + run.planFile() + " is gone or has changed since " + run.id()
                                + " began: trials of two plans can't be mixed. Start a new run with: fettle "
                                + run.kind()
                                + " " + run.planFile());
            }
            Plan asked = onItsProcess(read(run.planFile()), run);
            checkHost(asked, ownHosts);
            try (Workspace.Lock _ = store.workspace().lock()) {
                Plan plan = look(asked, store, ownHosts);
                int done = store.journal().trials(run.id()).size();
                screen.say("Resuming " + run.id() + " after " + done + (done == 1 ? " trial." : " trials."));
                return go(store, run, plan, ExperimentKind.of(run.kind()).experiment(plan), ownHosts);
            }
        }
    }

    private int go(RunStore store, RunRecord run, Plan plan, Experiment experiment, Set<String> ownHosts)
            throws LabException, InterruptedException {
        machine.pinSelf().ifPresent(screen::say);
        Machine.favour(plan.load().arrivals());
        LabEnvironment env = machine.lab(store.workspace(), ownHosts);
        var listener = new RunView(screen, plan);
        Path folder = store.workspace().runFolder(run.id());
        try (var _ = new StopOnSignal()) { // closed last: until then a signal waits for us
            try (var runner = new TrialRunner(env, folder, plan.hooks().orElse(Hooks.NONE), listener)) {
                Conclusion conclusion = new Lab(runner, store.journal(), listener).run(run.id(), experiment);
                RunReport report = store.report(store.find(run.id()));
                Path html = store.write(report);
                show(report);
                tried(store, run, report).ifPresent(screen::say);
                screen.say("\nReport: " + html);
                return exitCode(conclusion);
            } catch (InterruptedException e) {
                int kept = store.journal().trials(run.id()).size();
                store.write(store.report(store.find(run.id())));
                screen.say("\nStopped. " + left(plan) + "; " + kept + (kept == 1 ? " trial is" : " trials are")
                        + " kept. Go on with: fettle resume " + run.id());
                throw e;
            }
        }
    }

    private static String left(Plan plan) {
        return plan.target() instanceof Target.Running r
                ? "What was set in " + r.label() + " is put back, and it goes on"
                : "Nothing is left running";
    }

    /** The configuration that a tune found is started once as it would be written, and read back. */
    private Optional<String> tried(RunStore store, RunRecord run, RunReport report) throws InterruptedException {
        if (!(report.conclusion().orElse(null) instanceof TuneConclusion t)
                || t.result() != TuneConclusion.Result.IMPROVED) {
            return Optional.empty();
        }
        Target target = report.plan().target();
        try {
            var place = ConfigPlace.of(target);
            var config = new RecommendedConfig(report, place, false);
            List<ConfigFile> files = ConfigPatch.patched(config.files(), target, config.setting(), config.about());
            return Optional.of("\n"
                    + ConfigVerification.of(store, run, place, files, config.setting(), false, screen)
                            .line());
        } catch (LabException | CliException | PlanException e) {
            return Optional.of("\nConfiguration: not verified: " + e.getMessage());
        }
    }

    private void show(RunReport report) {
        if (common.json) {
            screen.result(new JsonReport().run(report));
        } else {
            screen.result("\n" + new TextReport(screen.width(), screen.colour()).report(report));
        }
    }

    private static int exitCode(Conclusion conclusion) {
        return switch (conclusion) {
            case TuneConclusion c ->
                switch (c.result()) {
                    case IMPROVED, NO_IMPROVEMENT_SHOWN -> ExitCodes.OK;
                    case NOT_TRIED -> ExitCodes.NOTHING_TRIED;
                    case NO_BASELINE -> ExitCodes.NO_VALID_RESULT;
                };
            case SweepConclusion c -> anything(c.cells().stream().mapToInt(SweepConclusion.Cell::trials));
            case CompareConclusion c ->
                anything(c.conditions().stream()
                        .flatMap(x -> x.variants().stream())
                        .mapToInt(CompareConclusion.VariantResult::trials));
        };
    }

    private static int anything(IntStream trials) {
        return trials.sum() > 0 ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }

    private Plan read(Path file) {
        if (!Files.isReadable(file)) {
            throw new CliException(ExitCodes.USAGE, "there is no plan " + file);
        }
        return machine.planReader().read(file);
    }

    private static void checkHost(Plan plan, Set<String> ownHosts) throws LabException {
        if (plan.target() instanceof Target.Url(var base)) {
            try {
                HostGuard.check(base, ownHosts);
            } catch (LabException e) {
                throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** A JDK that is missing is told before the first trial, and not before the one that needs it. */
    private static void checkJdks(Plan plan) throws LabException {
        for (String java : plan.values(Target.Jvm.JDK)) {
            Jdks.system().java(Optional.of(java));
        }
    }
}
