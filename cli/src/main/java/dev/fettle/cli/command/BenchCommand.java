package dev.fettle.cli.command;

import dev.fettle.cli.option.ArrivalOptions;
import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.DumpOptions;
import dev.fettle.cli.option.FromOption;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.LoadOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.OutputOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.ProfileOptions;
import dev.fettle.cli.run.BenchProgress;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.MetricsOut;
import dev.fettle.cli.run.OnHost;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.insight.audit.Preflight.Found;
import dev.fettle.insight.gate.GateInput;
import dev.fettle.insight.gate.ServerLoss;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.lab.agents.Agents;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.measure.Bench;
import dev.fettle.lab.measure.WarmUp;
import dev.fettle.lab.measure.Watched;
import dev.fettle.load.HostPolicy;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.ErrorAdvice;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import dev.fettle.watch.host.Proc;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        header = "Load-tests a URL: closed model (like ab and wrk) or open model (like wrk2).",
        description = "Closed model: each connection waits for its answer before its next request. Open model (--rate,"
                + " --stages): requests are due on a schedule, and latency counts from then. Answers that are"
                + " not what is expected are counted as errors, not as throughput. Ctrl-C ends it early with"
                + " the figures so far.",
        optionListHeading = "%nGeneral:%n",
        footer = {
            "",
            "Examples:",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -d 10s",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -n 200000 --no-keep-alive",
            "  fettle bench http://127.0.0.1:8080/ -c 200 --rate 2000/s -d 30s --fail-if 'p99>50ms'",
            "  fettle bench http://127.0.0.1:8080/ -c 500 --stages '100/s:10s, 100/s..2000/s:1m'",
            "  fettle bench http://127.0.0.1:8080/ -c 100 --pid 12345",
            "  fettle bench http://127.0.0.1:8080/ -c 100 --pid 12345 --profile cpu,lock --html page.html",
            "  fettle bench http://127.0.0.1:8080/login -H 'Accept: text/html' --contains 'Log in' --json",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -d 5m --pid 12345 --live-page",
            "  fettle bench ws://127.0.0.1:8080/echo -c 100 --body 'hello' --expect-echo",
            "",
            "Exit codes: 0 done, 1 the load could not be started, or a file not be written at the end,",
            "            2 wrong arguments, 4 not started, since it can't be valid here, or it ran, but the",
            "              figures say nothing about the server (errors, the generator was the limit),",
            "            5 a condition of --fail-if is met, 130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class BenchCommand implements Callable<Integer> {
    /** Clients of a closed load if nobody says. */
    private static final int USUAL_CLIENTS = 10;
    /** Phases in which an attempt fails if no server of this kind is there, or this machine can't get to it. */
    private static final Set<String> BEFORE_A_SERVER = Set.of("connect", "TLS", "parse", "generator");

    private static final Duration LEAST_OF_A_STOPPED = Duration.ofSeconds(1);

    @Parameters(paramLabel = "URL", description = "What to load: http[s]://HOST[:PORT]/PATH or ws[s]://…")
    private URI url;

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description =
                    "Watch the process with this id, the one that listens at the URL: its CPU time, busy threads and"
                            + " garbage collection stand next to the figures.")
    private @Nullable Long pid;

    @Mixin
    private ProfileOptions profile;

    @Mixin
    private FromOption from;

    @Mixin
    private DumpOptions dumps;

    @Mixin
    private ArrivalOptions pace;

    @Mixin
    private LoadOptions options;

    @Mixin
    private OutputOptions output;

    @Mixin
    private MetricsOptions metrics;

    @Mixin
    private LivePageOptions page;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws LabException, InterruptedException {
        page.port();
        OptionalLong requests = pace.requests();
        Arrivals arrivals = pace.arrivals();
        int usual = arrivals instanceof Arrivals.Open ? new Machine().openConnections() : USUAL_CLIENTS;
        Load load = options.load(usual, url, arrivals, Duration.ZERO, pace.measure());
        output.check();
        if (pid != null
                && !from.machines().isEmpty()
                && HostPolicy.isLoopback(options.address(url).getAddress())) {
            throw Parse.usage("--pid " + pid + " with --from and " + url.getHost()
                    + ": each machine would load its own loopback address, and the process is this machine's");
        }
        if (load.connections() < from.machines().size()) {
            throw Parse.usage("fewer connections (" + load.connections() + ") than machines that send the load: -c");
        }
        MetricsOptions.Asked sending = metrics.asked();
        if (pid == null && !profile.kinds().isEmpty()) {
            throw Parse.usage("--profile goes with --pid: it is that process that is profiled");
        }
        InetSocketAddress address = options.address(url);
        String label = url.getScheme() + "://" + url.getAuthority();
        var screen = common.screen();
        if (!output.quiet()) {
            screen.say("Loading " + Secrets.redact(url) + " " + words(load, requests));
        }
        if (from.machines().isEmpty()) {
            Machine.allow(limits(url, load), note(screen));
        }
        var about = new MetricsOut.About("bench", Optional.empty(), label);
        try (var _ = new StopOnSignal(); // until closed, a signal waits for the result
                MetricsOut out = MetricsOut.open(sending, about, screen)) {
            if (pid == null) {
                return measure(url, label, load, address, requests, Optional.empty(), screen, out);
            }
            try (Watched process = watch(pid, url, screen)) {
                profile(process, screen);
                return measure(url, label, load, address, requests, Optional.of(process), screen, out);
            }
        }
    }

    /** Without --pid it is unknown which processes belong to the target, so the CPU use of others is not checked. */
    private Found limits(URI uri, Load load) throws InterruptedException {
        var proc = new Proc();
        return pid == null
                ? LimitCheck.trial(proc, new Target.Url(uri), load, Setting.DEFAULT)
                : LimitCheck.run(
                        proc,
                        CpuLayout.of(proc.allowedCpus("self")),
                        new Target.Running(pid, Optional.of(uri), false, false, Optional.empty()),
                        load,
                        Setting.DEFAULT);
    }

    private Consumer<String> note(Screen screen) {
        return output.quiet() ? text -> {} : screen::note;
    }

    private void profile(Watched process, Screen screen) throws LabException {
        if (!profile.kinds().isEmpty()) {
            note(screen).accept("starting a recording in process " + pid + " (" + profile.words() + ")");
            process.profile(profile.wish(), Workspace.open(common.dir).recordings());
        }
    }

    private Watched watch(long id, URI uri, Screen screen) throws LabException, InterruptedException {
        LabEnvironment env = new Machine()
                .lab(Workspace.open(common.dir), options.ownHosts())
                .withDumps(dumps.allowance());
        note(screen).accept(env.dumps().words("process " + id, true));
        try {
            return Watched.open(id, uri, env, note(screen));
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private int measure(
            URI uri,
            String label,
            Load load,
            InetSocketAddress address,
            OptionalLong requests,
            Optional<Watched> process,
            Screen screen,
            MetricsOut out)
            throws LabException, InterruptedException {
        Instant started = Instant.now();
        try (var view = BenchView.open(page, screen, uri, label, load, started)) {
            return measure(uri, label, load, address, requests, process, screen, out, started, view);
        }
    }

    private int measure(
            URI uri,
            String label,
            Load load,
            InetSocketAddress address,
            OptionalLong requests,
            Optional<Watched> process,
            Screen screen,
            MetricsOut out,
            Instant started,
            BenchView view)
            throws LabException, InterruptedException {
        var progress = new BenchProgress(screen, output.quiet(), output.csv());
        Bench.Result result;
        try (progress) {
            WarmUp warmUp = pace.warmUp(load.scenario().isPresent());
            var bench = new Bench(load, warmUp, address, requests, output.hlog(), process);
            Consumer<Bench.Second> live = second -> {
                progress.accept(second);
                out.loaded(Map.of("stage", second.window().measured() ? "measure" : "warm_up"), second.live());
                view.accept(second);
            };
            result = from.machines().isEmpty() ? here(bench, live) : fromOthers(bench, live, note(screen));
        }
        Measurement m = result.measurement();
        if (nothingThere(m) && !result.interrupted()) {
            throw new CliException(ExitCodes.FAILED, "cannot load " + label + ": " + why(m) + dump(result.evidence()));
        }
        var report = new BenchReport(
                label,
                load.withWarmUpAtMost(result.warmUp()),
                m,
                result.evidence(),
                verdict(uri, load, result),
                output.judge(m),
                started);
        out.concluded(report.valid() ? "valid" : "void");
        // first what was measured: a file that can't be written must not cost it
        screen.result(
                common.json
                        ? new JsonReport().bench(report, new Machine().environment())
                        : (output.quiet() ? "" : "\n")
                                + new TextReport(screen.width(), screen.colour()).document(BenchDocument.of(report)));
        output.write(report);
        progress.check();
        result.unlogged().ifPresent(output::unlogged);
        view.end(report);
        return exitCode(report, result.interrupted());
    }

    private static Bench.Result here(Bench bench, Consumer<Bench.Second> live) throws LabException {
        Machine.favour(bench.load().arrivals());
        return run(() -> bench.run(live));
    }

    /** What one that was lost should have sent is sent by nobody, so this is repeated, once, with all there. */
    private Bench.Result fromOthers(Bench bench, Consumer<Bench.Second> live, Consumer<String> note)
            throws LabException, InterruptedException {
        try (Agents agents = OnHost.agents(from.machines(), note)) {
            Bench.Result result;
            try {
                result = run(() -> bench.run(agents, live));
            } catch (LabException e) {
                if (!agents.isAnyLost()) {
                    throw e;
                }
                note.accept(e.getMessage() + "; once more, with all of them");
                return run(() -> bench.run(agents, live));
            }
            Optional<AgentFigures> lost = result.evidence().agents().stream()
                    .filter(a -> !a.lost().isEmpty())
                    .findFirst();
            if (lost.isEmpty() || result.interrupted()) {
                return result;
            }
            note.accept(lost.get().name() + " was lost: " + lost.get().lost() + "; once more, with all of them");
            try {
                return run(() -> bench.run(agents, live));
            } catch (LabException e) {
                note.accept(String.valueOf(e.getMessage()));
                return result; // void, but all there is
            }
        }
    }

    /** A bench that is about to run. */
    private interface Run {
        Bench.Result result() throws LabException;
    }

    private static Bench.Result run(Run bench) throws LabException {
        try {
            Bench.Result result = bench.result();
            Measurement m = result.measurement();
            if (result.failure().isPresent()
                    && m.responses() == 0
                    && m.statuses().isEmpty()) {
                throw new CliException(
                        ExitCodes.FAILED,
                        "the load generator failed: " + result.failure().get());
            }
            return result;
        } catch (IllegalArgumentException e) {
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
    }

    private static int exitCode(BenchReport report, boolean interrupted) {
        if (interrupted) {
            return ExitCodes.INTERRUPTED;
        }
        if (report.failed()) {
            return ExitCodes.CONDITION_MET;
        }
        return report.valid() ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }

    private static String words(Load load, OptionalLong requests) {
        String pace = load.arrivals() instanceof Arrivals.Open ? " on a schedule" : "";
        String end = requests.isPresent() ? requests.getAsLong() + " requests" : "for " + Units.text(load.measure());
        return pace.isEmpty()
                ? "with " + load.connections() + " connections, " + end
                : "with as many connections as it takes, up to " + load.connections() + "," + pace + ", " + end;
    }

    /** Where the thread dump is, if it hung. */
    private static String dump(Evidence seen) {
        return Stream.of(Sighting.DEADLOCK, Sighting.DUMP)
                .flatMap(kind -> seen.timeline().sightings(kind).stream())
                .findFirst()
                .map(s -> "; " + s.detail())
                .orElse("");
    }

    /**
     * Whether there was nothing to be loaded: no request got as far as a server that speaks the protocol. Else what was measured is a
     * result, even if no answer was right.
     */
    static boolean nothingThere(Measurement m) {
        return m.responses() == 0
                && m.statuses().isEmpty()
                && (m.errors().isEmpty()
                        ? m.connect().count() == 0
                        : m.errors().keySet().stream()
                                .allMatch(kind -> BEFORE_A_SERVER.contains(
                                        ErrorAdvice.of(kind).phase())));
    }

    private static String why(Measurement m) {
        return m.errorExamples().values().stream().findFirst().orElse("no answer within " + Format.time(m.elapsed()));
    }

    static Verdict verdict(URI uri, Load load, Bench.Result result) {
        Measurement m = result.measurement();
        Evidence evidence = result.evidence();
        var spec = new TrialSpec(TrialSpec.Phase.SWEEP, "", Map.of(), 0, new Target.Url(uri), Setting.DEFAULT, load);
        Verdict gate = soften(
                ValidityGate.judge(spec, m, Optional.of(evidence)), GateInput.of(spec, m, Optional.of(evidence)));
        return new Verdict(
                Stream.of(
                                result.interrupted() ? Stream.of(stopped(load, m)) : Stream.<Verdict.Reason>empty(),
                                failure(result).stream(),
                                ServerLoss.of(m).stream(),
                                gate.reasons().stream(),
                                result
                                        .cold()
                                        .map(why -> new Verdict.Reason(BenchReport.GENERATOR_COLD, why, true))
                                        .stream())
                        .flatMap(r -> r)
                        .toList(),
                gate.advisories());
    }

    private static Optional<Verdict.Reason> failure(Bench.Result result) {
        return result.failure()
                .map(what -> new Verdict.Reason(
                        BenchReport.GENERATOR_FAILED,
                        "the load generator failed, so this is not the load that was asked for: " + what,
                        false));
    }

    /** A few seconds of a stopped bench are still usable; a fraction of a second is not. */
    private static Verdict.Reason stopped(Load load, Measurement m) {
        boolean enough = m.elapsed().compareTo(LEAST_OF_A_STOPPED) >= 0;
        return new Verdict.Reason(
                BenchReport.INTERRUPTED,
                "stopped after " + Format.time(m.elapsed())
                        + (load.measure().compareTo(m.elapsed()) > 0
                                        && load.measure().compareTo(Duration.ofDays(1)) < 0
                                ? " of " + Units.text(load.measure())
                                : "")
                        + (enough ? ": the figures are those until then" : ": too short to say anything"),
                enough);
    }

    /**
     * A bench has neither launch nor warm-up: clients that are still connecting, or have no request left at the end,
     * are normal in a short one. For a bench that is an advisory, while in a trial it is a fault.
     */
    private static Verdict soften(Verdict verdict, GateInput judged) {
        boolean idle = judged.get(GateInput.Figure.OCCUPIED_SHARE).orElse(1) < 1;
        Predicate<Verdict.Reason> soft = r -> idle && r.rule().equals("littles-law");
        return new Verdict(
                verdict.reasons().stream().filter(soft.negate()).toList(),
                Stream.concat(
                                verdict.reasons().stream()
                                        .filter(soft)
                                        .map(r -> new Verdict.Advisory(r.rule(), r.message())),
                                verdict.advisories().stream())
                        .toList());
    }
}
