package dev.fettle.cli.run;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ProcessOptions;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.lab.Lab;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.launch.BootJar;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.load.JitCompilers;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CompareAsked;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.recommend.RecommendedConfig;
import dev.fettle.report.text.TextReport;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs an experiment from a plan, from its beginning or from where it stopped, and keeps the user informed. */
public final class Session {
    private final CommonOptions common;
    private final Screen screen;
    private final Machine machine = new Machine();
    private ProfileWish profile = ProfileWish.NONE;
    private boolean secondOpinion;
    private boolean cold;
    private Optional<CompareAsked> compared = Optional.empty();
    private DumpAllowance dumps = DumpAllowance.usual();
    private ResultFiles outputs = new ResultFiles();
    private MetricsOptions.Asked metrics = MetricsOptions.Asked.NOTHING;
    private LivePageOptions live = new LivePageOptions();

    public Session(CommonOptions common) {
        this.common = common;
        this.screen = common.screen();
    }

    /** Profiles the first pair of a duel or a comparison. */
    public Session profiling(ProfileWish wish) {
        profile = wish;
        return this;
    }

    /** Says which processes may be asked for a thread dump. */
    public Session dumping(DumpAllowance allowed) {
        dumps = allowed;
        return this;
    }

    /** Writes the result into files, too, which are checked now. */
    public Session into(ResultFiles wanted) {
        wanted.check();
        outputs = wanted;
        return this;
    }

    /** Lets others have the figures meanwhile. */
    public Session metrics(MetricsOptions.Asked asked) {
        metrics = asked;
        return this;
    }

    /** Shows it on a page while it goes on. */
    public Session live(LivePageOptions wanted) {
        wanted.port(); // reports what is wrong with it
        live = wanted;
        return this;
    }

    /** Asks more of a comparison than its plan does. */
    public Session asking(Optional<CompareAsked> asked) {
        compared = asked;
        return this;
    }

    /** Makes a tune ignore earlier runs. */
    public Session cold(boolean asked) {
        cold = asked;
        return this;
    }

    /** Asks JDK Mission Control about what a diagnosis measures. */
    public Session withSecondOpinion(boolean asked) {
        secondOpinion = asked;
        return this;
    }

    /** Starts a run. */
    public int start(ExperimentKind kind, Path planFile, ProcessOptions process, Set<String> ownHosts)
            throws LabException, InterruptedException {
        PlanFile.Read read = read(planFile, process::applyTo);
        return start(kind, compared(read.plan(), compared), Optional.of(read.file()), ownHosts);
    }

    /**
     * Starts a run.
     *
     * @param file the plan's, if there is one
     */
    public int start(ExperimentKind kind, Plan asked, Optional<PlanFile> file, Set<String> ownHosts)
            throws LabException, InterruptedException {
        kind.experiment(asked); // reports what the plan lacks for it
        checkRecordings(kind, asked);
        checkHost(asked, ownHosts);
        checkSenders(kind, asked);
        checkJdks(asked);
        try (var store = new RunStore(common.dir);
                Workspace.Lock lock = store.lock(screen::say)) {
            Plan plan = warm(kind, whole(look(asked, store, ownHosts)), store);
            preflight(plan);
            Experiment experiment = kind.experiment(plan);
            var files = new TrialFiles();
            RunRecord run = store.journal()
                    .begin(
                            kind.id(),
                            file.map(f -> f.path().toAbsolutePath().normalize()).orElse(Path.of("")),
                            file.map(PlanFile::hash).orElse(""),
                            Redaction.of(plan),
                            RunFacts.of(plan, machine.facts(), Machine.home(), files),
                            Instant.now());
            lock.by(run.id());
            screen.say(Announcement.text(kind, plan, run.id(), machine.cpus()));
            sayWhatIsAsked(kind, plan);
            notes(plan.target()).forEach(screen::note);
            return go(kind, store, run, plan, experiment, files, ownHosts);
        }
    }

    /** The plan with what is asked of its comparison. */
    private Plan compared(Plan plan, Optional<CompareAsked> wanted) {
        if (wanted.isEmpty()) {
            return plan;
        }
        CompareAsked asked = wanted.get();
        var programs = new LinkedHashMap<String, Path>();
        asked.programs().forEach((name, program) -> programs.put(name, Path.of(program)));
        try {
            Plan of = programs.isEmpty() ? plan : machine.planReader().comparing(plan, programs);
            if (asked.failIfSlower().isPresent()
                    && of.compare().filter(Plan.Compare::layered).isPresent()) {
                throw Parse.usage("--fail-if-slower: layers are meant to differ; compare variants");
            }
            return of.withCompare(of.compare().map(c -> c.withAsked(wanted)));
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--variant: " + e.getMessage());
        }
    }

    /**
     * Records in the plan of a capacity search whether the journal has all of it, so that the run can be resumed
     * without a file.
     */
    private static Plan whole(Plan plan) {
        return plan.capacity()
                .map(a -> new CapacityAsked(
                        Secrets.redact(a.label()),
                        a.options(),
                        a.atLeast(),
                        Redaction.of(plan).equals(plan)))
                .map(a -> plan.withCapacity(Optional.of(a)))
                .orElse(plan);
    }

    private Plan warm(ExperimentKind kind, Plan plan, RunStore store) throws LabException {
        return kind == ExperimentKind.TUNE && !cold
                ? plan.with(EarlierRuns.find(store.journal(), plan, machine.facts()))
                : plan;
    }

    private Plan look(Plan plan, RunStore store, Set<String> ownHosts) throws LabException, InterruptedException {
        return ProcessPreparation.look(plan, machine.lab(store.workspace(), ownHosts), screen::note);
    }

    /** Only a process can be recorded, and which one is behind a URL is not known. */
    private void checkRecordings(ExperimentKind kind, Plan plan) {
        List<Target> targets = targets(kind, plan);
        if (targets.stream().anyMatch(Target::hasProcess)) {
            return;
        }
        // a diagnosis takes a profile where it can, unasked
        String option = secondOpinion
                ? "--second-opinion"
                : kind != ExperimentKind.DIAGNOSE && !profile.isNone() ? "--profile" : "";
        if (!option.isEmpty()) {
            throw Parse.usage(
                    option + " records the server's process, and a URL does not say which that is: name it with --pid,"
                            + " or in the plan, target: {pid: 12345}");
        }
    }

    private static void checkSenders(ExperimentKind kind, Plan plan) {
        if (!plan.from().isEmpty() && targets(kind, plan).stream().anyMatch(Target::isLaunched)) {
            throw Parse.usage(
                    "other machines can't load a target that Fettle launches: it listens on this machine's loopback."
                            + " Start it yourself, and name its URL");
        }
    }

    private void preflight(Plan plan) throws InterruptedException {
        if (!plan.from().isEmpty()) {
            return; // the limits of this machine are not those of the load
        }
        Machine.allow(
                LimitCheck.run(machine.proc(), machine.cpus(), plan.target(), plan.load(), plan.hold()), screen::note);
    }

    /** What processes that Fettle did not start may be asked. */
    private void sayWhatIsAsked(ExperimentKind kind, Plan plan) {
        targets(kind, plan).stream()
                .flatMap(t -> t.running().stream())
                .map(Target::label)
                .distinct()
                .forEach(p -> screen.say("  " + dumps.words(p, true)));
    }

    private static List<Target> targets(ExperimentKind kind, Plan plan) {
        return kind == ExperimentKind.COMPARE || kind == ExperimentKind.GATE
                ? plan.compare().stream()
                        .flatMap(c -> c.variants().stream())
                        .map(Variant::target)
                        .toList()
                : List.of(plan.target());
    }

    /** Parts of a target's own configuration that could not be read. */
    private static List<String> notes(Target target) {
        return target instanceof Target.Boot b ? BootJar.configuration(b).notes() : List.of();
    }

    /**
     * Resumes a run that was interrupted.
     *
     * @param kept whether what only the journal names may be run, see {@link KeptPlan}
     */
    public int resume(String name, Set<String> ownHosts, boolean kept) throws LabException, InterruptedException {
        try (var store = new RunStore(common.dir)) {
            RunRecord run = store.find(name);
            if (run.state() == RunRecord.State.DONE) {
                screen.say(run.id() + " is finished; nothing to resume. See: fettle show " + run.id());
                return ExitCodes.OK;
            }
            ExperimentKind kind = ExperimentKind.of(run.kind());
            Plan asked = again(kind, store.journal(), run, kept);
            checkSettings(kind, asked, store.journal().trials(run.id()));
            checkHost(asked, ownHosts);
            var files = new TrialFiles();
            RunFacts.check(kind, run, asked, machine.facts(), Machine.home(), files);
            try (Workspace.Lock lock = store.lock(screen::say)) {
                lock.by(run.id());
                Plan plan = look(asked, store, ownHosts);
                preflight(plan);
                List<TrialOutcome> before = store.journal().trials(run.id());
                Experiment experiment = kind.experiment(plan, before);
                screen.say("Resuming " + run.id() + " after " + kind.count(before) + ".");
                sayWhatIsAsked(kind, plan);
                return go(kind, store, run, plan, experiment, files, ownHosts);
            }
        }
    }

    /** A tune's winner is chosen among its trials, and may be run again. */
    private static void checkSettings(ExperimentKind kind, Plan plan, List<TrialOutcome> before) {
        if (kind != ExperimentKind.TUNE) {
            return;
        }
        List<Setting> all = Stream.concat(
                        before.stream().map(o -> o.spec().setting()), plan.earlier().settings().stream())
                .toList();
        KeptPlan.strange(all, plan).ifPresent(why -> {
            throw Parse.usage(why + ": a run is resumed only with what its plan has");
        });
    }

    /** The plan of a run: from its file, which has the secrets, or from the journal if there were none. */
    private Plan again(ExperimentKind kind, Journal journal, RunRecord run, boolean kept) throws LabException {
        boolean capacity = kind == ExperimentKind.CAPACITY;
        Optional<CapacityAsked> asked = run.plan().capacity();
        if (capacity && asked.isEmpty()) {
            throw new LabException("the journal does not say what " + run.id() + " was asked");
        }
        Optional<Plan> unchanged = PlanFile.unchanged(run, machine.planReader());
        if (!kept) {
            KeptPlan.foreign(run.plan(), unchanged).ifPresent(why -> {
                throw Parse.usage(why);
            });
        }
        if (run.planFile().toString().isEmpty() || kept && unchanged.isEmpty()) {
            boolean whole = capacity
                    ? asked.orElseThrow().whole()
                    : !run.plan().toString().contains(Secrets.MASK);
            if (!whole) {
                throw Parse.usage("the request of " + run.id()
                        + " has what may be secret (a body, a header, a query), which is not"
                        + " journalled: start a new run with fettle " + run.kind() + ", or put it into a plan");
            }
            if (!kept && KeptPlan.runs(run.plan())) {
                throw Parse.usage("%s has no plan file, and what its journal names is run only when asked: %s"
                        .formatted(run.id(), KeptPlan.OPTION));
            }
            return run.plan();
        }
        Plan plan = unchanged.orElseThrow(() ->
                Parse.usage("the plan " + run.planFile() + " is gone or has changed since " + run.id() + " began: "
                        + kind.said() + "s of two plans can't be mixed. Start a new run with: fettle "
                        + run.kind()
                        + " " + run.planFile()));
        if (!kept && KeptPlan.runs(plan)) {
            KeptPlan.doubt(run.planFile()).ifPresent(why -> {
                throw Parse.usage(why + ": what it names is run only when asked: " + KeptPlan.OPTION);
            });
        }
        if (!kept) {
            Optional<String> elsewhere = KeptPlan.elsewhere(journal, run, plan);
            if (elsewhere.isPresent()) {
                throw Parse.usage(
                        "%s, so what it names is run only when asked: %s. Or start a new run with: fettle %s %s"
                                .formatted(elsewhere.get(), KeptPlan.OPTION, run.kind(), run.planFile()));
            }
        }
        if (capacity) {
            if (!kept && !plan.from().equals(run.plan().from())) {
                throw Parse.usage(
                        "which machines send the load of %s stands only in the journal, and counts only when asked: %s"
                                .formatted(run.id(), KeptPlan.OPTION));
            }
            Plan open = open(plan).withCapacity(asked).withFrom(run.plan().from());
            return run.plan().target().running().map(open::on).orElse(open);
        }
        if (kind == ExperimentKind.GATE && run.plan().compare().toString().contains(Secrets.MASK)) {
            throw Parse.usage("the programs of " + run.id()
                    + " are named with what may be secret, which is not journalled:" + " start a new gate");
        }
        if (kind
                == ExperimentKind
                        .GATE) { // its programs and what it was asked are of the command, not of the plan's file
            return plan.with()
                    .target(run.plan().target())
                    .compare(run.plan().compare())
                    .gate(run.plan().gate())
                    .knobs(List.of())
                    .build();
        }
        Plan same = compared(
                ProcessPreparation.again(plan, run.plan()).with(run.plan().earlier()),
                run.plan().compare().flatMap(Plan.Compare::asked));
        // whether it is to be tested, and with a ramp, is an option's, not the plan file's
        return kind == ExperimentKind.DIAGNOSE ? same.withBudget(run.plan().budget()) : same;
    }

    /**
     * The load whose rate the probes vary: the clients of a closed plan say little about how many connections an open
     * one needs.
     */
    public static Plan open(Plan plan) {
        Load load = plan.load();
        return load.arrivals() instanceof Arrivals.Open
                ? plan
                : plan.withLoad(load.withConnections(Math.max(load.connections(), new Machine().openConnections())));
    }

    private int go(
            ExperimentKind kind,
            RunStore store,
            RunRecord run,
            Plan plan,
            Experiment experiment,
            TrialFiles files,
            Set<String> ownHosts)
            throws LabException, InterruptedException {
        boolean capacity = kind == ExperimentKind.CAPACITY;
        if (!capacity || pins(plan)) {
            machine.pinSelf().ifPresent(screen::say);
        }
        if (capacity || plan.objective().metric() == Objective.Metric.CAPACITY) {
            JitCompilers.giveWay(); // every probe is an open load
        } else {
            Machine.favour(plan.load().arrivals());
        }
        LabEnvironment env = machine.lab(store.workspace(), ownHosts)
                .withProfile(profile)
                .withSecondOpinion(secondOpinion)
                .withDumps(dumps);
        LabListener view = capacity
                ? new CapacityView(
                        screen, kind.counted(store.journal().trials(run.id())).size())
                : new RunView(screen, plan);
        Path folder = store.workspace().runFolder(run.id());
        try (var _ = new StopOnSignal(); // closed last: until then, a signal waits
                OnHost.Senders senders = OnHost.Senders.of(plan, screen::note);
                MetricsOut out = MetricsOut.open(
                        metrics,
                        new MetricsOut.About(
                                kind.id(),
                                Optional.of(run.id()),
                                Redaction.of(plan).target().label()),
                        screen);
                var page = new RunPage(
                        live.or(plan.livePage()),
                        screen,
                        run,
                        plan,
                        store,
                        kind.experiment(plan),
                        store.journal().trials(run.id()))) {
            LabListener listener = following(view, out, page);
            try (var runner = new TrialRunner(
                    env,
                    folder,
                    plan.hooks().orElse(Hooks.NONE),
                    plan.own(),
                    plan.knobs().stream().map(KnobRange::knob).collect(Collectors.toSet()),
                    plan.effectiveSlo(),
                    plan.objective().metric(),
                    files,
                    senders.loads(),
                    listener)) {
                Conclusion conclusion = new Lab(runner, store.journal(), listener).run(run.id(), experiment);
                RunReport report = store.report(store.find(run.id()));
                show(report); // first: a page that can't be written must not cost the result
                Path html = store.write(report);
                outputs.write(() -> RunDocument.of(report));
                boolean stopped = stopped(() -> tried(store, run, report), screen);
                screen.say("\nReport: " + html);
                page.end(report);
                int status = ExitStatus.of(conclusion, plan, screen);
                return stopped ? ExitCodes.INTERRUPTED : status;
            } catch (IllegalArgumentException e) {
                throw capacity ? Parse.usage(String.valueOf(e.getMessage())) : e; // what the engine can't send
            } catch (InterruptedException e) {
                String kept = kind.count(store.journal().trials(run.id()));
                screen.say("\nStopped" + (capacity ? "; " : ". " + left(plan) + "; ") + kept
                        + (kept.endsWith("s") ? " are" : " is") + " kept. Go on with: fettle resume " + run.id());
                RunReport report = store.report(store.find(run.id()));
                store.write(report);
                outputs.write(() -> RunDocument.of(report));
                page.end(report);
                throw e;
            }
        }
    }

    /** All that follow how it goes. */
    private LabListener following(LabListener view, MetricsOut out, RunPage page) {
        LabListener with = metrics.any() ? LabListener.both(view, out) : view;
        return page.isOpen() ? LabListener.both(with, page) : with;
    }

    /**
     * Whether Fettle keeps off the target's CPUs: not with a running process, which keeps its own, nor with a URL,
     * whose process is unknown.
     */
    private static boolean pins(Plan plan) {
        return plan.target().isLaunched()
                || !plan.target().hasProcess() && plan.hooks().isPresent();
    }

    private static String left(Plan plan) {
        return plan.target()
                .running()
                .map(r -> "What was set in " + r.label() + " is put back, and it goes on")
                .orElse("Nothing is left running");
    }

    /** What is done once the run is: its configuration is tried. */
    @FunctionalInterface
    interface Afterwards {
        /** What came of it. */
        Optional<String> line() throws InterruptedException;
    }

    /** Whether the user stopped what comes after the run, which is finished and can't be resumed. */
    static boolean stopped(Afterwards what, Screen screen) {
        try {
            what.line().ifPresent(screen::say);
            return false;
        } catch (InterruptedException e) {
            screen.say("\nConfiguration: not verified: stopped");
            return true;
        }
    }

    /**
     * Starts a server once with the configuration that a tune found, as it would be written, and reads the values back.
     */
    private Optional<String> tried(RunStore store, RunRecord run, RunReport report) throws InterruptedException {
        if (!(report.conclusion().orElse(null) instanceof TuneConclusion t) || !t.shown()) {
            return Optional.empty();
        }
        RunReport whole = ConfigVerification.complete(report, run, false);
        Target target = whole.plan().target();
        try {
            var place = ConfigPlace.of(target);
            var config = new RecommendedConfig(whole, place, false);
            List<ConfigFile> files = ConfigPatch.patched(config.files(), target, config.setting(), config.about());
            return Optional.of("\n"
                    + ConfigVerification.of(store, run, place, files, config.setting(), false, true, screen)
                            .line());
        } catch (LabException | CliException | PlanException e) {
            return Optional.of("\nConfiguration: not verified: " + e.getMessage());
        }
    }

    private void show(RunReport report) {
        if (common.json) {
            screen.result(new JsonReport().run(report));
        } else {
            screen.result(
                    "\n" + new TextReport(screen.width(), screen.colour(), TextReport.Detail.ANSWER).report(report));
        }
    }

    private PlanFile.Read read(Path file, UnaryOperator<Plan> change) {
        if (!Files.isReadable(file)) {
            throw Parse.usage("there is no plan " + Secrets.redactUrl(file.toString()));
        }
        return PlanFile.read(machine.planReader(), file, change);
    }

    private static void checkHost(Plan plan, Set<String> ownHosts) throws LabException {
        Optional<URI> url = plan.target().url().filter(u -> !plan.target().hasProcess());
        if (url.isPresent()) {
            try {
                HostGuard.check(url.get(), ownHosts);
            } catch (LabException e) {
                throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** Reports a missing JDK before the first trial instead of before the one that needs it. */
    private static void checkJdks(Plan plan) throws LabException {
        for (String java : plan.values(Target.Jvm.JDK)) {
            Jdks.system().java(Optional.of(java));
        }
    }
}
