package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.FromOption;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.LoadOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.option.SearchOptions;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.PlanFile;
import dev.fettle.cli.run.Session;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle capacity}. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        header = "Finds the highest rate that meets an SLO, and shows what happens beyond it.",
        description =
                "Sends an open load at one rate after another. A single probe near the limit passes or fails by chance, so"
                        + " the answer is a rate that fresh probes confirm, with an interval for the limit."
                        + " A plan's target is launched once, warmed up, and probed in that one process.",
        optionListHeading = "%nGeneral:%n",
        footer = {
            "",
            "Examples:",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms,errors<0.1%%'",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99.9<200ms' --at-least 2000/s --json",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms' --overload 2x --spike 10s",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms' --overload 3x --rate 1000/s",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms' --pid 12345",
            "  fettle capacity examples/login.yaml --slo 'p99<500ms' --budget 3m",
            "",
            "Exit codes: 0 found, or at least so much (then the generator was the limit),",
            "            1 the load could not be started, 2 wrong arguments or plan,",
            "            4 not started, since it can't be valid here; nothing found: even the lowest rate",
            "              breaks it, none was confirmed, or a spike without a search is void;",
            "              less than --at-least is confirmed, but more may be possible,",
            "            5 found, but less than --at-least or the SLO's throughput, 130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CapacityCommand implements Callable<Integer> {
    private static final Duration MEASURED_ELSEWHERE = Duration.ofSeconds(1);

    @Parameters(
            paramLabel = "URL|PLAN",
            description = "What to load: http[s]://HOST[:PORT]/PATH, ws[s]://…, or a plan's target.")
    private String what;

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description =
                    "Watch the process with this id, the one that listens at the URL: what was full in it is shown next to"
                            + " what broke first. Nothing is set in it.")
    private @Nullable Long pid;

    @Mixin
    private SearchOptions search;

    @Mixin
    private FromOption.Load from;

    @Mixin
    private DumpOptions dumps;

    @Mixin
    private LoadOptions loads;

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
        var session = new Session(common)
                .dumping(dumps.allowance())
                .into(files)
                .metrics(metrics.asked())
                .live(live);
        return Parse.isUrl(what) ? url(session) : plan(session);
    }

    private int url(Session session) throws LabException, InterruptedException {
        URI uri = Parse.url(what);
        CapacityOptions options = search.options(Optional.empty(), 42);
        if (options.launches() > 1) {
            throw Parse.usage("--launches is for a plan whose target Fettle starts: a URL is one process");
        }
        Load load = loads.load(
                new Machine().openConnections(),
                uri,
                Arrivals.Closed.BACK_TO_BACK,
                search.warmUp(),
                MEASURED_ELSEWHERE);
        loads.address(uri); // refuses hosts of others
        String label = Secrets.redact(uri) + (pid == null ? "" : " (process " + pid + ")");
        return start(session, plan(target(uri), load, options), Optional.empty(), label, options);
    }

    private int start(Session session, Plan plan, Optional<PlanFile> file, String label, CapacityOptions options)
            throws LabException, InterruptedException {
        search.checkRates(options, plan.load());
        var asked = new CapacityAsked(label, options, search.atLeast(), false);
        return session.start(
                ExperimentKind.CAPACITY, from.of(plan).withCapacity(Optional.of(asked)), file, loads.ownHosts());
    }

    private Target target(URI uri) {
        URI base = URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
        return pid == null
                ? new Target.Url(base)
                : new Target.Running(pid, Optional.of(base), false, false, Optional.empty());
    }

    /** The plan for a URL. */
    private static Plan plan(Target target, Load load, CapacityOptions options) {
        return Plan.of("capacity", target, load)
                .withSlo(Optional.of(options.slo()))
                .withSeed(options.seed());
    }

    private int plan(Session session) throws LabException, InterruptedException {
        if (pid != null) {
            throw Parse.usage("--pid is for a URL: a plan says it itself, target: {pid: " + pid + "}");
        }
        search.refuseWarmUp();
        Path file = UserFile.named(what)
                .orElseThrow(
                        () -> Parse.usage("'" + what + "' is neither a URL (http://…) nor a plan that can be read"));
        PlanFile.Read read = PlanFile.read(new Machine().planReader(), file);
        Plan plan = read.plan();
        LoadOptions.refuse(common.line(), "the plan says what the load is");
        CapacityOptions options = search.options(plan.effectiveSlo(), plan.seed());
        if (options.launches() > 1 && !RunNotes.fresh(plan)) {
            throw Parse.usage("--launches is for a plan whose target Fettle starts: "
                    + plan.target().label() + " is one process");
        }
        String label = plan.name() + " (" + plan.target().label() + ")";
        return start(session, Session.open(plan), Optional.of(read.file()), label, options);
    }
}
