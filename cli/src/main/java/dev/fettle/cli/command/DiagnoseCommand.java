package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.HostOption;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.LoadOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.OnHost;
import dev.fettle.cli.run.PlanFile;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.run.Session;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.lab.capture.CaptureArchive;
import dev.fettle.lab.journal.OthersFiles;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.RuleDocs;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle diagnose}. */
@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        header = "Names what limits a server, or is broken in it, and tests it.",
        description =
                "Loads it once, observes its CPUs, workers, locks, heap, connections and kernel queues, and asks every rule"
                        + " about them. Where one change could refute the first finding (twice the pool, twice the clients, a"
                        + " mock in place of the backend), that is tried too: confirmed, refuted, or not tested. Of a run that"
                        + " was made before, a trial of it is judged, and nothing is loaded.",
        optionListHeading = "%nGeneral:%n",
        footer = {
            "",
            "Examples:",
            "  fettle diagnose examples/login.yaml",
            "  fettle diagnose http://127.0.0.1:8080/ --pid 12345 -c 100",
            "  fettle diagnose --pid 12345                     / at the port on which it listens",
            "  fettle diagnose http://127.0.0.1:8080/          from outside only: much is not observed",
            "  fettle diagnose login-page-3 --trial 2          a trial of a run that was made before",
            "  fettle diagnose --pid 12345 --no-load           under the traffic that it has: nothing is sent",
            "  fettle diagnose --pid 12345 --no-load --watch 10m --until-finding",
            "  fettle diagnose --on perf@app-1 --pid 4711 --no-load            on another machine",
            "  fettle diagnose night.jsonl --at 02:15 --for 5m  of a recording of fettle watch --record",
            "  fettle diagnose app.jfr                         of a flight recording, or one of async-profiler",
            "  fettle diagnose dumps.txt                       of thread dumps, a GC log, heap histograms",
            "  fettle diagnose heap.hprof                      of a heap dump: who holds most of it",
            "  fettle diagnose before.txt after.txt            of two histograms: what grew; of any files of one process",
            "  fettle diagnose incident/                       of all such files in a folder",
            "  fettle diagnose capture-12345.zip               of an archive of fettle capture",
            "  fettle diagnose examples/login.yaml --no-test --json",
            "  fettle diagnose examples/login.yaml --second-opinion",
            "  fettle diagnose examples/login.yaml --ramp      how it scales: where more clients are no use",
            "",
            "Exit codes: 0 an answer, also if nothing was found, 1 the load could not be started,",
            "            2 wrong arguments or plan, 4 not started, since it can't be valid here, or nothing is",
            "              concluded: the trial is not valid,",
            "            3 the machine of --on can't be reached or lacks something,",
            "            6 with --until-finding: none was found,",
            "            130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class DiagnoseCommand implements Callable<Integer> {
    private static final int CLIENTS = 50;
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    @Parameters(
            arity = "0..1",
            index = "0",
            paramLabel = "PLAN|URL|RUN|FILE",
            description =
                    "What to diagnose: a plan's target, http://HOST:PORT/PATH, a run by its id or number, or a file: a recording of"
                            + " fettle watch, a flight recording (.jfr), thread dumps, a GC log, heap histograms, a heap dump; or a folder of such"
                            + " files of one process.")
    private @Nullable String what;

    @Parameters(
            arity = "0..*",
            index = "1..*",
            paramLabel = "FILE",
            description = "More such files of the same process: all of them are put together on one clock.")
    private List<Path> more = List.of();

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description =
                    "Watch the process with this id, the one that listens at the URL. Without a URL: / at the port on"
                            + " which it listens. Nothing is set in it.")
    private @Nullable Long pid;

    @Option(names = "--no-test", description = "Measure once, and try nothing that could refute what was found.")
    private boolean untested;

    @Option(
            names = "--ramp",
            description =
                    "Afterwards also measure it with one client, a few, and so on up to as many as there are, for a second each"
                            + " and twice: for the universal scalability law. Takes half a minute.")
    private boolean ramp;

    @Option(
            names = "--second-opinion",
            description =
                    "Record the trial with its JVM's flight recorder, and ask the rules of JDK Mission Control about it,"
                            + " too. Costs some per cent of its speed, and some seconds afterwards.")
    private boolean secondOpinion;

    @Option(
            names = "--no-profile",
            description =
                    "Take no profile of the CPU time. Without this, async-profiler takes one of a target that Fettle launches (the"
                            + " JVM's flight recorder where that does not run), to name the method that costs most.")
    private boolean noProfile;

    @Option(names = "--trial", paramLabel = "N", description = "Which trial of a run. Default: the first valid one")
    private @Nullable Integer trial;

    @Option(names = "--rules", description = "Print all rules as the page docs/diagnosis-rules.md.")
    private boolean rules;

    @Mixin
    private Observation observation;

    @Mixin
    private LoadOptions loads;

    @Mixin
    private DumpOptions dumps;

    @Mixin
    private HostOption host;

    @Mixin
    private ResultFiles.WithVerdict files;

    @Mixin
    private MetricsOptions metrics;

    @Mixin
    private LivePageOptions live;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws LabException, InterruptedException {
        if (rules) {
            return page();
        }
        if (host.machine().isPresent()) {
            if (!observation.isAsked() || (what != null && !Parse.isUrl(what))) {
                throw Parse.usage("--on goes with --no-load, and --pid or a URL: the traffic that is there is observed."
                        + " Load from one machine on another is not possible yet");
            }
            refuseAbout("--no-load", "nothing is loaded"); // before a header of it is passed on
            return OnHost.run(host.machine().get(), common.line(), common.screen(), Map.of());
        }
        if (observation.isAsked()) {
            return observe();
        }
        Optional<Path> capture =
                Optional.ofNullable(what).flatMap(UserFile::named).filter(CaptureArchive::is);
        if (capture.isPresent()) {
            return captured(capture.get());
        }
        Optional<Path> folder = folder();
        if (folder.isPresent() || !more.isEmpty()) {
            return several(folder, folder.map(Path::toString));
        }
        Optional<Path> packed =
                Optional.ofNullable(what).flatMap(UserFile::named).filter(OthersFiles::isPacked);
        if (packed.isPresent()) {
            throw Parse.usage(
                    packed.get() + " is packed: unpack it first (gunzip, unzip, tar), and name the file or the folder");
        }
        Optional<Path> recording =
                Optional.ofNullable(what).flatMap(UserFile::named).filter(Observation::isRecorded);
        if (recording.isPresent()) {
            refuseAbout("a recording", "nothing is loaded");
            refusePid("this is a file");
            return observation.recorded(common.screen(), common.json, files, recording.get(), any());
        }
        observation.refuse();
        if (what == null && pid == null) {
            throw Parse.usage("name a plan, a URL or a run, or a process with --pid");
        }
        if (what == null) {
            refuseTrial();
            return load(Parse.url("http://127.0.0.1/"), Optional.empty());
        }
        if (Parse.isUrl(what)) {
            refuseTrial();
            URI uri = Parse.url(what);
            loads.address(uri); // refuses hosts of others
            return load(uri, Optional.of(URI.create(uri.getScheme() + "://" + uri.getRawAuthority())));
        }
        Optional<Path> file = UserFile.named(what);
        if (pid != null) {
            throw Parse.usage("--pid is for a URL: "
                    + (file.isPresent()
                            ? "a plan says it itself, target: {pid: " + pid + "}"
                            : "of a run, only what was measured then is judged"));
        }
        return file.isPresent() ? plan(file.get()) : run(what);
    }

    private Optional<Path> folder() {
        try {
            return Optional.ofNullable(what).map(Path::of).filter(Files::isDirectory);
        } catch (InvalidPathException e) {
            return Optional.empty(); // a URL
        }
    }

    private int captured(Path archive) throws LabException {
        if (!more.isEmpty()) {
            throw Parse.usage("name a capture alone: " + archive + " has all of its files");
        }
        try {
            Path folder = Files.createTempDirectory("fettle-captured");
            try {
                CaptureArchive.unpack(archive, folder);
                return several(Optional.of(folder), Optional.of(archive.toString()));
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw new LabException("cannot unpack " + archive + ": " + e.getMessage(), e);
        }
    }

    private int several(Optional<Path> folder, Optional<String> name) throws LabException {
        if (folder.isPresent() && !more.isEmpty()) {
            throw Parse.usage("name a folder or files: " + what + " is a folder");
        }
        List<Path> files = new ArrayList<>(more);
        if (folder.isEmpty()) {
            files.addFirst(Path.of(String.valueOf(what)));
        }
        for (Path f : files) {
            if (!Files.isReadable(f)) {
                throw Parse.usage("no such file, or it can't be read: " + f);
            }
        }
        refuseAbout("files", "nothing is loaded");
        refusePid("these are files");
        return observation.recorded(
                common.screen(),
                common.json,
                this.files,
                name.orElseGet(() -> files.getFirst() + " and others"),
                folder.isPresent() ? OthersFiles.in(folder.get()) : files,
                folder.isEmpty(),
                any());
    }

    private void refusePid(String what) {
        if (pid != null) {
            throw Parse.usage("--pid is for a running process, and " + what);
        }
    }

    private int observe() throws LabException {
        if (what == null && pid == null) {
            throw Parse.usage("name the process to observe with --pid, or the URL at which it listens");
        }
        if (what != null && !Parse.isUrl(what)) {
            throw Parse.usage("--no-load is for a running process: --pid PID, or the URL at which it listens");
        }
        refuseAbout("--no-load", "nothing is loaded");
        return observation.live(
                common.screen(),
                common.json,
                files,
                pid == null ? OptionalLong.empty() : OptionalLong.of(pid),
                Optional.ofNullable(what).map(Parse::url),
                dumps.allowance(),
                any());
    }

    /** A trial has a load, also one to which nothing is sent. */
    private Load any() {
        return loads.load(
                CLIENTS,
                Parse.url("http://127.0.0.1/"),
                Arrivals.Closed.BACK_TO_BACK,
                WARM_UP,
                DiagnoseExperiment.LEAST);
    }

    /** Refuses options of a load and of trials. */
    private void refuseAbout(String of, String why) {
        LoadOptions.refuse(common.line(), of + " has no load");
        if (metrics.any() || live.asked()) {
            throw Parse.usage("--serve-metrics, --otlp and --live-page are for a load, and " + of
                    + " has none: fettle watch has them for the traffic that is there");
        }
        if (untested || ramp || secondOpinion || noProfile || trial != null) {
            throw Parse.usage("--no-test, --ramp, --second-opinion, --no-profile and --trial say nothing with " + of
                    + ": " + why);
        }
    }

    private int page() {
        if (what != null || pid != null || common.json) {
            throw Parse.usage("--rules prints all rules as a page: leave out "
                    + (what != null ? "'" + what + "'" : pid != null ? "--pid" : "--json"));
        }
        common.screen().result(RuleDocs.diagnosis());
        return ExitCodes.OK;
    }

    private int plan(Path file) throws LabException, InterruptedException {
        LoadOptions.refuse(common.line(), "a plan says what the load is");
        refuseTrial();
        PlanFile.Read read = PlanFile.read(new Machine().planReader(), file);
        return session()
                .start(ExperimentKind.DIAGNOSE, budgeted(read.plan()), Optional.of(read.file()), loads.ownHosts());
    }

    private void refuseTrial() {
        if (trial != null) {
            throw Parse.usage("--trial is for a run: of a PLAN or a URL, a new one is measured");
        }
    }

    private Plan budgeted(Plan plan) {
        if (untested && ramp) {
            throw Parse.usage("--ramp and --no-test: one of the two");
        }
        int trials = untested ? 1 : ramp ? DiagnoseExperiment.WITH_RAMP : 2;
        return plan.withBudget(
                new Budget(trials, plan.budget().time(), plan.budget().pairs()));
    }

    private Session session() {
        return new Session(common)
                .into(files)
                .metrics(metrics.asked())
                .live(live)
                .dumping(dumps.allowance())
                .withSecondOpinion(secondOpinion)
                .profiling(noProfile ? ProfileWish.NONE : ProfileWish.CPU_TIME);
    }

    /** @param base empty: where the process listens */
    private int load(URI uri, Optional<URI> base) throws LabException, InterruptedException {
        Load load = loads.load(CLIENTS, uri, Arrivals.Closed.BACK_TO_BACK, WARM_UP, DiagnoseExperiment.LEAST);
        Target target = pid == null
                ? new Target.Url(base.orElseThrow())
                : new Target.Running(pid, base, false, false, Optional.empty());
        var plan = Plan.of("diagnose", target, load);
        return session().start(ExperimentKind.DIAGNOSE, budgeted(plan), Optional.empty(), loads.ownHosts());
    }

    private int run(String what) throws LabException {
        LoadOptions.refuse(common.line(), "a run has been made");
        if (metrics.any() || live.asked()) {
            throw Parse.usage(
                    "--serve-metrics, --otlp and --live-page are for a PLAN or a URL: of a run, nothing is measured");
        }
        if (untested) {
            throw Parse.usage("--no-test is for a PLAN or a URL: of a run, nothing is measured");
        }
        if (ramp) {
            throw Parse.usage(
                    "--ramp is for a PLAN or a URL: of a run, the trials with other numbers of clients are taken");
        }
        if (secondOpinion) {
            throw Parse.usage("--second-opinion is for a PLAN or a URL: of a run, no recording is kept");
        }
        if (noProfile) {
            throw Parse.usage("--no-profile is for a PLAN: of a run, nothing is measured");
        }
        String unknown = "'" + Secrets.redactUrl(what) + "' is neither a URL, nor a plan that can be read, nor a run";
        if (!RunStore.isIn(common.dir)) {
            throw Parse.usage(unknown + ": no run has been kept in " + common.dir);
        }
        Screen screen = common.screen();
        files.check();
        try (var store = RunStore.existing(common.dir)) {
            RunRecord record = store.find(what, unknown);
            RunReport report = store.report(record);
            DiagnoseConclusion found = report.conclusion()
                    .filter(c -> trial == null)
                    .flatMap(c ->
                            c instanceof DiagnoseConclusion d ? Optional.of(d) : Optional.<DiagnoseConclusion>empty())
                    .orElseGet(() -> DiagnoseExperiment.conclude(of(report), report.outcomes()));
            var shown = new RunReport(
                    report.runId(),
                    "diagnose",
                    report.plan().withCapacity(Optional.empty()), // else it is written as the search that it was
                    report.started(),
                    report.took(),
                    report.environment(),
                    report.outcomes(),
                    Optional.of(found),
                    report.complete());
            screen.result(
                    common.json
                            ? new JsonReport().run(shown)
                            : new TextReport(screen.width(), screen.colour()).report(shown));
            files.write(() -> RunDocument.of(shown));
            return found.result() == Result.NOT_VALID ? ExitCodes.NO_VALID_RESULT : ExitCodes.OK;
        }
    }

    private TrialOutcome of(RunReport report) {
        return report.outcomes().stream()
                .filter(o -> trial == null ? o.measurement().isPresent() && o.valid() : o.ordinal() == trial)
                .findFirst()
                .or(() -> trial == null ? report.outcomes().stream().findFirst() : Optional.empty())
                .orElseThrow(() -> Parse.usage(report.runId() + " has no "
                        + (trial == null
                                ? "trial that has ended"
                                : "trial " + trial + "; it has "
                                        + report.outcomes().size())));
    }
}
