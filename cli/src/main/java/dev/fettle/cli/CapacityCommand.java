package dev.fettle.cli;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacitySearch;
import dev.fettle.lab.CapacityFindings;
import dev.fettle.lab.CapacityLab;
import dev.fettle.lab.CapacityListener;
import dev.fettle.lab.CapacityOptions;
import dev.fettle.lab.HostGuard;
import dev.fettle.lab.LabEnvironment;
import dev.fettle.lab.LabException;
import dev.fettle.lab.Workspace;
import dev.fettle.load.CompilerNice;
import dev.fettle.model.Arrivals;
import dev.fettle.model.Load;
import dev.fettle.model.Plan;
import dev.fettle.model.Secrets;
import dev.fettle.model.Slo;
import dev.fettle.model.Target;
import dev.fettle.model.Units;
import dev.fettle.report.CapacityJson;
import dev.fettle.report.CapacityText;
import dev.fettle.report.Figures;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle capacity}. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        header = "Finds the highest rate that meets an SLO, and tries what happens beyond it.",
        description =
                "Offers an open load at one rate after the other. A probe near the limit is a coin toss, so none is taken"
                        + " at its word: the answer is a rate that fresh probes confirm, with an interval of the limit."
                        + " A plan's target is launched once, warmed up, and probed in that one process.",
        optionListHeading = "%nGeneral:%n",
        footer = {
            "",
            "Examples:",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms,errors<0.1%%'",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99.9<200ms' --at-least 2000/s --json",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms' --overload 2x --spike 10s",
            "  fettle capacity http://127.0.0.1:8080/ --slo 'p99<50ms' --overload 3x --rate 1000/s",
            "  fettle capacity examples/login.yaml --slo 'p99<500ms' --budget 3m",
            "",
            "Exit codes: 0 found, 1 the load could not be put on, 2 wrong arguments or plan,",
            "            4 nothing found: no rate meets it, none was confirmed, or the generator was too slow,",
            "            5 found, but less than --at-least or the SLO's throughput, 130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class CapacityCommand implements Callable<Integer> {
    private static final int USUAL_CONNECTIONS = 1000;
    private static final Duration MEASURED_ELSEWHERE = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "URL|PLAN",
            description = "What to load: http[s]://HOST[:PORT]/PATH, ws[s]://…, or a plan's target.")
    private String what;

    @Mixin
    private SearchOptions search;

    @Mixin
    private LoadOptions loads;

    @Mixin
    private Common common;

    @Override
    public Integer call() throws LabException, InterruptedException {
        boolean url = what.matches("(?i)(https?|wss?)://.*");
        var screen = new Screen(spec.commandLine(), common);
        CompilerNice.raise(); // every probe is an open load
        try (var _ = new StopOnSignal()) {
            return url ? url(screen) : plan(screen);
        }
    }

    private int url(Screen screen) throws LabException, InterruptedException {
        URI uri = Parse.url(what);
        CapacityOptions options = search.options(Optional.empty(), 42);
        Load load =
                loads.load(USUAL_CONNECTIONS, uri, Arrivals.Closed.BACK_TO_BACK, search.warmUp(), MEASURED_ELSEWHERE);
        var address = loads.address(uri);
        String label = String.valueOf(Secrets.redact(uri));
        begin(screen, label, options, load);
        CapacityFindings findings;
        try {
            findings = new CapacityLab(load, options, listener(screen)).on(address);
        } catch (IllegalArgumentException e) {
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
        return end(screen, label, options.slo(), findings);
    }

    private int plan(Screen screen) throws LabException, InterruptedException {
        var machine = new Machine();
        Plan plan = machine.planReader().read(file());
        spec.commandLine().getParseResult().matchedOptions().stream()
                .filter(LoadOptions::holds)
                .findFirst()
                .ifPresent(o -> {
                    throw Parse.usage(o.longestName() + " is for a URL: the plan says what the load is");
                });
        CapacityOptions options = search.options(plan.effectiveSlo(), plan.seed());
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        Load load = open
                ? plan.load()
                : plan.load().withConnections(Math.max(plan.load().connections(), USUAL_CONNECTIONS));
        String label = plan.name() + " (" + plan.target().label() + ")";
        begin(screen, label, options, load);
        var lab = new CapacityLab(load, options, listener(screen));
        if (plan.target() instanceof Target.Url(var base) && plan.hooks().isEmpty()) {
            try {
                return end(screen, label, options.slo(), lab.on(HostGuard.check(base, loads.ownHosts())));
            } catch (IllegalArgumentException e) {
                throw Parse.usage(String.valueOf(e.getMessage()));
            }
        }
        Workspace workspace = Workspace.open(common.dir);
        try (Workspace.Lock _ = workspace.lock()) {
            machine.pinSelf().ifPresent(screen::say);
            LabEnvironment env = machine.lab(workspace, loads.ownHosts());
            Plan looked = RunningProcess.look(plan, env, screen::say);
            Path folder = workspace.freshRunFolder("capacity-" + plan.name());
            return end(screen, label, options.slo(), lab.on(looked, env, folder));
        }
    }

    private Path file() {
        try {
            Path file = Path.of(what);
            if (Files.isReadable(file)) {
                return file;
            }
        } catch (InvalidPathException e) {
            // told below
        }
        throw Parse.usage("'" + what + "' is neither a URL (http://…) nor a plan that can be read");
    }

    private void begin(Screen screen, String label, CapacityOptions options, Load load) {
        screen.say("Capacity of " + label + " for " + options.slo());
        screen.say("  " + (options.poisson() ? "independent (Poisson)" : "even") + " arrivals, at most "
                + load.connections() + " connections"
                + (options.search()
                        ? "; probes of " + Units.text(options.probe()) + ", at most " + Units.text(options.budget())
                                + " in all"
                        : ""));
    }

    private CapacityListener listener(Screen screen) {
        var text = new CapacityText(screen.width(), screen.colour());
        return new CapacityListener() {
            @Override
            public void goesOn(String stage, double throughput, double p99Millis) {
                screen.live(String.format(Locale.ROOT, "%s · %,.0f/s · p99 %.2f ms", stage, throughput, p99Millis));
            }

            @Override
            public void probed(int ordinal, CapacitySearch.Step.Offer offer, CapacityResult.Judged judged) {
                screen.say(text.line(ordinal, judged));
            }

            @Override
            public void note(String message) {
                screen.say("  " + message);
            }
        };
    }

    private int end(Screen screen, String label, Slo slo, CapacityFindings f) {
        if (common.json) {
            screen.result(new CapacityJson()
                    .text(label, slo.toString(), f.idleMillis(), f.result(), f.overload(), f.notes()));
        } else {
            var text = new CapacityText(screen.width(), screen.colour());
            f.result().ifPresent(c -> screen.result(text.capacity(c)));
            f.overload().ifPresent(o -> screen.result(text.overload(o)));
            f.notes().forEach(screen::say);
        }
        return f.result().map(c -> code(screen, c)).orElse(ExitCodes.OK);
    }

    private int code(Screen screen, CapacityResult c) {
        if (!c.outcome().confirmed()) {
            return ExitCodes.NO_VALID_RESULT;
        }
        OptionalDouble least = search.atLeast();
        boolean missed = least.isPresent() && c.rate() < least.getAsDouble();
        if (missed) {
            screen.say("MISSED: at least " + Figures.rate(least.getAsDouble()) + " was asked for");
        }
        return missed || !c.atLeastMet() ? ExitCodes.CONDITION_MET : ExitCodes.OK;
    }
}
