package dev.fettle.cli.run;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.lab.capacity.CapacityLab;
import dev.fettle.lab.journal.CapacityAsked;
import dev.fettle.lab.journal.CapacityFindings;
import dev.fettle.lab.journal.CapacityJournal;
import dev.fettle.lab.journal.CapacityOptions;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.load.JitCompilers;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.json.CapacityJson;
import dev.fettle.report.text.CapacityText;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Runs a capacity search, from its beginning or from where it stopped, and tells the user all along. */
public final class CapacitySession {
    /** Connections that an open load may open, unless the user says how many. */
    public static final int USUAL_CONNECTIONS = 1000;

    private final Screen screen;
    private final CommonOptions common;
    private final Set<String> ownHosts;
    private final Machine machine = new Machine();

    public CapacitySession(Screen screen, CommonOptions common, Set<String> ownHosts) {
        this.screen = screen;
        this.common = common;
        this.ownHosts = ownHosts;
    }

    /** The load that probes vary the rate of: a closed plan's clients say little of how many connections an open one needs. */
    public static Plan open(Plan plan) {
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        Load load = plan.load();
        return open ? plan : plan.with(load.withConnections(Math.max(load.connections(), USUAL_CONNECTIONS)));
    }

    /**
     * Starts a run.
     *
     * @param plan what is loaded and how: of a file, or what one of a URL would say
     * @param file the plan's, if there is one
     * @param label what is loaded, as the user sees it
     */
    public int start(Plan plan, Optional<Path> file, String label, CapacityOptions options, OptionalDouble atLeast)
            throws LabException, InterruptedException {
        checkHost(plan);
        try (var store = new RunStore(common.dir);
                Workspace.Lock _ = store.workspace().lock()) {
            Plan looked = look(plan, store);
            Plan redacted = Redaction.of(looked);
            RunRecord run = store.journal()
                    .begin(
                            CapacityJournal.KIND,
                            file.map(f -> f.toAbsolutePath().normalize()).orElse(Path.of("")),
                            file.map(PlanFile::hash).orElse(""),
                            redacted,
                            machine.facts(),
                            Instant.now());
            var asked = new CapacityAsked(Secrets.redact(label), options, atLeast, redacted.equals(looked));
            store.journal().capacity().begin(run.id(), asked);
            announce(run.id(), asked, plan.load());
            return go(store, run, looked, asked);
        }
    }

    /** Goes on with a run that was cut off. */
    int resume(RunStore store, RunRecord run) throws LabException, InterruptedException {
        CapacityAsked asked = store.journal().capacity().asked(run.id());
        Plan plan = again(run, asked);
        checkHost(plan);
        try (Workspace.Lock _ = store.workspace().lock()) {
            Plan looked = look(plan, store);
            int done = store.journal().capacity().probes(run.id()).size();
            screen.say("Resuming " + run.id() + " after " + done + (done == 1 ? " probe." : " probes."));
            return go(store, run, looked, asked);
        }
    }

    /** What was loaded: the plan's file, which has the secrets, or what the journal has if there were none. */
    private Plan again(RunRecord run, CapacityAsked asked) {
        if (run.planFile().toString().isEmpty()) {
            if (!asked.whole()) {
                throw new CliException(
                        ExitCodes.USAGE,
                        "the request of " + run.id()
                                + " has what may be secret (a body, a header, a query), which is not"
                                + " journalled: start a new run with fettle capacity, or put it into a plan");
            }
            return run.plan();
        }
        if (!PlanFile.unchanged(run)) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "the plan " + run.planFile() + " is gone or has changed since " + run.id()
                            + " began: probes of two plans can't be mixed. Start a new run with: fettle capacity "
                            + run.planFile());
        }
        Plan plan = open(machine.planReader().read(run.planFile()));
        return run.plan().target() instanceof Target.Running process ? plan.on(process) : plan;
    }

    private void checkHost(Plan plan) {
        if (plan.target() instanceof Target.Url(var base)) {
            try {
                HostGuard.check(base, ownHosts);
            } catch (LabException e) {
                throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private Plan look(Plan plan, RunStore store) throws LabException, InterruptedException {
        return ProcessPreparation.look(
                plan, machine.lab(store.workspace(), ownHosts), text -> screen.say("  note    " + text));
    }

    private void announce(String runId, CapacityAsked asked, Load load) {
        CapacityOptions options = asked.options();
        screen.say("Capacity of " + asked.label() + " for " + options.slo());
        screen.say("  " + (options.poisson() ? "independent (Poisson)" : "even") + " arrivals, at most "
                + load.connections() + " connections"
                + (options.search()
                        ? "; probes of " + Units.text(options.probe()) + ", at most " + Units.text(options.budget())
                                + " in all"
                        : "")
                + "; run " + runId);
    }

    private int go(RunStore store, RunRecord run, Plan plan, CapacityAsked asked)
            throws LabException, InterruptedException {
        JitCompilers.giveWay(); // every probe is an open load
        try (var _ = new StopOnSignal()) { // closed last: until then a signal waits for us
            try {
                CapacityFindings found = probe(store, run, plan, asked);
                CapacityReport report = store.capacity(run);
                Path html = store.write(report);
                show(report);
                screen.say("\nReport: " + html);
                return found.result().map(c -> code(c, asked.atLeast())).orElse(ExitCodes.OK);
            } catch (IllegalArgumentException e) {
                throw Parse.usage(String.valueOf(e.getMessage())); // what the engine can't send
            } catch (InterruptedException e) {
                int kept = store.journal().capacity().probes(run.id()).size();
                store.write(store.capacity(run));
                screen.say("\nStopped; " + kept + (kept == 1 ? " probe is" : " probes are")
                        + " kept. Go on with: fettle resume " + run.id());
                throw e;
            }
        }
    }

    private CapacityFindings probe(RunStore store, RunRecord run, Plan plan, CapacityAsked asked)
            throws LabException, InterruptedException {
        var lab = new CapacityLab(
                plan.load(), asked.options(), store.journal().capacity(), run.id(), new CapacityView(screen));
        if (plan.target() instanceof Target.Url(var base) && plan.hooks().isEmpty()) {
            return lab.on(HostGuard.check(base, ownHosts));
        }
        if (!(plan.target() instanceof Target.Running)) { // which keeps its CPUs, so that there are none of our own
            machine.pinSelf().ifPresent(screen::say);
        }
        LabEnvironment env = machine.lab(store.workspace(), ownHosts);
        return lab.on(plan, env, store.workspace().runFolder(run.id()));
    }

    private void show(CapacityReport report) {
        screen.result(
                common.json
                        ? new CapacityJson().text(report)
                        : new CapacityText(screen.width(), screen.colour()).report(report));
    }

    private int code(CapacityResult c, OptionalDouble atLeast) {
        if (!c.outcome().confirmed()) {
            return ExitCodes.NO_VALID_RESULT;
        }
        boolean missed = atLeast.isPresent() && c.rate() < atLeast.getAsDouble();
        if (missed) {
            screen.say("MISSED: at least " + NumberText.rate(atLeast.getAsDouble()) + " was asked for");
        }
        return missed || !c.atLeastMet() ? ExitCodes.CONDITION_MET : ExitCodes.OK;
    }
}
