package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.option.MetricsOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.Range;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.GatePrograms;
import dev.fettle.cli.run.GatePrograms.Named;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.OtherFettles;
import dev.fettle.cli.run.PlanDraft;
import dev.fettle.cli.run.PlanFile;
import dev.fettle.cli.run.Session;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.source.Repository;
import dev.fettle.lab.source.RevisionBuild;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.CommandWords;
import dev.fettle.model.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle gate}. */
@Command(
        name = "gate",
        mixinStandardHelpOptions = true,
        header = "Is a build slower than another? Both up at once, loaded in turn, until it can tell.",
        description = {
            "Runs pairs of fresh processes of the base and the head, and answers: no worse, worse, or can't tell. One pair in five is"
                    + " base against base. It stops as soon as it can tell, and at --time."
        },
        footer = {
            "",
            "Examples:",
            "  fettle gate old.jar new.jar --path /login -c 50",
            "  fettle gate old.jar new.jar --run \"{java} -jar {program} --port={port}\"",
            "  fettle gate shop.yaml --base old.jar --head target/shop.jar --time 15m",
            "  fettle gate shop.yaml --base-ref origin/main --build \"mvn -q -DskipTests package\" \\",
            "         --artifact target/shop.jar --markdown gate.md",
            "  fettle gate old.jar --aa --path /login",
            "",
            "Exit codes: 0 no worse (--aa: measured), 1 failed, 2 wrong arguments, plan, revision or build,",
            "            4 not started, since it can't be valid here, or nothing could be compared,",
            "            5 worse, 6 can't tell (see --cant-tell), 130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class GateCommand implements Callable<Integer> {
    private static final String DEFAULT_PATH = "/";
    private static final int DEFAULT_CLIENTS = 50;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "PLAN | OLD NEW",
            arity = "0..2",
            description =
                    "A plan, a YAML file, whose target says how the programs are run; or, without a plan, the base and the head.")
    private List<String> given = new ArrayList<>();

    @Option(
            names = "--base",
            paramLabel = "PROGRAM",
            description = "What the head is compared with: a jar, a WAR, a server's folder, or a command with {port}.")
    private @Nullable String base;

    @Option(names = "--head", paramLabel = "PROGRAM", description = "What may be slower.")
    private @Nullable String head;

    @Option(
            names = "--base-ref",
            paramLabel = "REF",
            description =
                    "Build the base from git: the commit where the head's history left this branch, such as origin/main.")
    private @Nullable String baseRef;

    @Option(
            names = "--head-ref",
            paramLabel = "REF",
            description = "Build the head from this commit. Default: the one that is checked out, HEAD")
    private @Nullable String headRef;

    @Option(
            names = "--build",
            paramLabel = "COMMAND",
            description =
                    "How each revision is built, in a folder of its own: \"mvn -q -DskipTests package\". No shell is used.")
    private @Nullable String build;

    @Option(
            names = "--artifact",
            paramLabel = "PATH",
            description =
                    "What the build makes, relative to the repository; * stands for anything in a name: target/shop-*.jar.")
    private @Nullable String artifact;

    @Option(
            names = "--build-time",
            paramLabel = "TIME",
            defaultValue = "30m",
            description = "How long a build may take. Default: ${DEFAULT-VALUE}")
    @Range(least = "1s", most = "12h")
    private Duration buildTime;

    @Option(
            names = "--run",
            paramLabel = "COMMAND",
            description =
                    "How a program is run that is no jar of Spring Boot, without a plan: \"{java} -jar {program} --port={port}\". No"
                            + " shell is used.")
    private @Nullable String run;

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "What is requested, without a plan. Default: " + DEFAULT_PATH)
    private @Nullable String path;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Clients that each wait for their answer, without a plan. Default: " + DEFAULT_CLIENTS)
    @Range(least = "1", most = "60000")
    private @Nullable Integer clients;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description =
                    "Requests at this rate (500/s) instead of clients that wait: then p50 and p99 are compared, and no"
                            + " throughput.")
    @Nullable
    private String rate;

    @Option(
            names = "--allow",
            paramLabel = "LOSS",
            split = ",",
            description =
                    "The loss that is allowed: '3%%' for throughput, CPU per request and p50, or of one metric 'p99=20%%,memory=5%%',"
                            + " which then has to be answered, too. Metrics: throughput, p50, p99, errors, cpu, allocation, memory, start."
                            + " Default: 3%%, p50 5%%, p99 10%%, errors 0.1%%")
    private List<String> allow = new ArrayList<>();

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10m",
            description =
                    "How long it may take: no pair is begun that would end later if it takes as long as those before. Default: ${DEFAULT-VALUE}")
    @Range(least = "10s", most = "24h")
    private Duration time;

    @Option(names = "--aa", description = "Compare base with base: what this machine can show in 5, 10 and 20 minutes.")
    private boolean aa;

    @Option(
            names = "--answers-may-differ",
            description = "The head's answers may be other ones: they are shown, and do not end the gate.")
    private boolean answersMayDiffer;

    @Option(
            names = {"--cant-tell", "--can't-tell"},
            paramLabel = "WHAT",
            description =
                    "What \"can't tell\" is to a script: says (exit 6), fails (5), passes (0), or warns (0, and a line on"
                            + " standard error). Default: says")
    private GateAsked.WhenUnsure unsure = GateAsked.WhenUnsure.SAYS;

    @Option(
            names = "--why",
            paramLabel = "PAIRS",
            defaultValue = "2",
            description =
                    "Pairs that are recorded once the answer is known, to say where the difference lies: methods, waits, diagnoses,"
                            + " warnings in the log. They decide nothing, and may take half as long as --time again; 0: none. Default: ${DEFAULT-VALUE}")
    @Range(least = "0", most = "20")
    private int why;

    @Mixin
    private ResultFiles.WithVerdict files;

    @Mixin
    private MetricsOptions metrics;

    @Mixin
    private LivePageOptions live;

    private final Machine machine = new Machine();
    private final GatePrograms programs = new GatePrograms(machine.planReader());

    /** What is compared, and where. */
    private record Sides(Optional<Path> plan, Named base, Named head, Optional<Path> built) {}

    @Override
    public Integer call() throws LabException, InterruptedException {
        files.check();
        Map<GateMetric, Double> allowed = allowed();
        Sides sides = sides();
        boolean interrupted = true;
        try {
            int status = run(sides, allowed);
            interrupted = false;
            return status;
        } catch (CliException e) {
            interrupted = false;
            throw e;
        } finally {
            if (!interrupted && sides.built().isPresent()) {
                forget(sides.built().get());
            }
        }
    }

    private int run(Sides sides, Map<GateMetric, Double> allowed) throws LabException, InterruptedException {
        Optional<PlanFile.Read> read = sides.plan().map(programs::read);
        Plan plan = atRate(
                read.isPresent()
                        ? read.get().plan().withTarget(programs.in(read.get().plan(), sides.base(), GateAsked.BASE))
                        : programs.plan(sides.base(), path(), clients(), Optional.ofNullable(run)));
        Target second = aa
                ? plan.target()
                : read.isPresent()
                        ? programs.in(read.get().plan(), sides.head(), GateAsked.HEAD)
                        : programs.plan(sides.head(), path(), clients(), Optional.ofNullable(run))
                                .target();
        if (!aa && GatePrograms.same(plan.target(), second, plan)) {
            throw Parse.usage(
                    "base and head are the same program: there is nothing to compare. What this machine can show of it, "
                            + "'fettle gate --aa' measures");
        }
        GatePrograms.checkJava(sides.base(), GateAsked.BASE, plan.target());
        GatePrograms.checkJava(sides.head(), GateAsked.HEAD, second);
        if (machine.hasOneCpu()) {
            common.screen()
                    .note(
                            "this machine has one CPU, which the programs share with the load: by CPU per request it can still"
                                    + " tell, by throughput and latency hardly");
        }
        OtherFettles.measuring()
                .forEach(other -> common.screen()
                        .note(other
                                + " may measure on this machine: next to it both are disturbed. Let one end first"));
        var asked = new GateAsked(
                time,
                allowed,
                aa,
                answersMayDiffer,
                unsure,
                why,
                GatePrograms.words(sides.base(), plan.target(), GatePrograms.digests(plan.target(), plan)),
                GatePrograms.words(sides.head(), second, GatePrograms.digests(second, plan)));
        return new Session(common)
                .into(files)
                .metrics(metrics.asked())
                .live(live)
                .start(
                        ExperimentKind.GATE,
                        GatePrograms.gate(plan, second, asked),
                        read.map(PlanFile.Read::file),
                        Set.of());
    }

    // -- what is compared

    private Sides sides() throws LabException, InterruptedException {
        boolean two = given.size() == 2;
        boolean planned = given.size() == 1 && isPlan(given.getFirst());
        Optional<Path> plan = planned ? Optional.of(Path.of(given.getFirst())) : Optional.empty();
        if (planned && (path != null || clients != null || run != null)) {
            throw Parse.usage((path != null ? "--path" : clients != null ? "-c" : "--run")
                    + " is the plan's: leave it out, or the plan");
        }
        if (baseRef != null || headRef != null || build != null || artifact != null) {
            return ofRevisions(plan);
        }
        if (two && (base != null || head != null)) {
            throw Parse.usage("the base and the head are named twice: with " + (base != null ? "--base" : "--head")
                    + " and as " + String.join(" ", given));
        }
        String one = two || !planned && given.size() == 1 ? given.getFirst() : base;
        String other = two ? given.getLast() : head;
        if (aa) {
            if (two) {
                throw Parse.usage("--aa compares one program with itself: name one");
            }
            other = other == null ? one : other;
            one = one == null ? other : one;
        }
        if (one == null || other == null) {
            throw Parse.usage(
                    planned || base != null || head != null
                            ? (one == null ? "--base" : "--head") + " is missing: the program "
                                    + (one == null ? "to compare with" : "that may be slower")
                            : given.size() == 1
                                    ? given.getFirst()
                                            + " is compared with what? Name two programs, or a plan with --base and --head"
                                    : "two programs are wanted, or a plan with --base and --head, or --base-ref: see --help");
        }
        return new Sides(plan, Named.of(one), Named.of(aa ? one : other), Optional.empty());
    }

    private static boolean isPlan(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private Sides ofRevisions(Optional<Path> plan) throws LabException, InterruptedException {
        if (baseRef == null || artifact == null) {
            throw Parse.usage((baseRef == null ? "--base-ref" : "--artifact") + " is missing: "
                    + (baseRef == null
                            ? "the branch that the head left, such as origin/main"
                            : "what the build makes, such as target/shop.jar"));
        }
        if (base != null || head != null || given.size() > (plan.isPresent() ? 1 : 0)) {
            throw Parse.usage("the programs are named twice: --base-ref builds both, leave "
                    + (base != null ? "--base" : head != null ? "--head" : given.getFirst()) + " out");
        }
        try {
            var repository = Repository.of(Path.of(""));
            String headCommit = repository.commit(headRef == null ? "HEAD" : headRef);
            String baseCommit = repository.mergeBase(repository.commit(baseRef), headCommit);
            List<String> changed = repository.changed();
            if (headRef == null && !changed.isEmpty()) {
                throw Parse.usage(
                        changed.size() + (changed.size() == 1 ? " file is" : " files are")
                                + " changed and not committed ("
                                + changed.getFirst().strip()
                                + (changed.size() > 1 ? ", …" : "")
                                + "), which a build of HEAD lacks: commit them, or say --head-ref HEAD to compare without them");
            }
            if (!aa && baseCommit.equals(headCommit)) {
                throw Parse.usage("the head is " + Repository.name(headCommit) + ", which is in " + baseRef
                        + " as it is: there is nothing to compare");
            }
            List<String> command = build == null ? List.of() : CommandWords.of(build);
            return built(plan, repository, new RevisionBuild(command, artifact, buildTime), baseCommit, headCommit);
        } catch (IllegalArgumentException e) {
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
    }

    private Sides built(
            Optional<Path> plan, Repository repository, RevisionBuild how, String baseCommit, String headCommit)
            throws LabException, InterruptedException {
        var workspace = Workspace.open(common.dir);
        Optional<String> other = workspace.running();
        if (other.isPresent()) {
            throw new LabException(other.get() + " is measuring in " + workspace.folder()
                    + ": a build next to it would disturb it. Wait for its end, or give another --dir");
        }
        Path folder = workspace.freshRunFolder("gate-build");
        try (var _ = new StopOnSignal()) { // until it is closed, a signal waits for what is cleared away
            boolean whole = false;
            try {
                Named first = built(repository, how, baseCommit, GateAsked.BASE, folder);
                Named second = aa ? first : built(repository, how, headCommit, GateAsked.HEAD, folder);
                whole = true;
                return new Sides(plan, first, second, Optional.of(folder));
            } finally {
                if (!whole) {
                    forget(folder);
                }
            }
        }
    }

    private Named built(Repository repository, RevisionBuild how, String commit, String side, Path folder)
            throws LabException, InterruptedException {
        if (!how.command().isEmpty()) {
            common.screen().say("Building the " + side + ", " + Repository.name(commit) + ": " + build);
        }
        Path program = how.of(repository, commit, side, Workspace.fresh(folder, side));
        return new Named(program.toString(), Optional.of(Repository.name(commit)));
    }

    /** What was built is of no use once the gate is over. */
    private static void forget(Path folder) {
        try {
            if (Files.exists(folder)) {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
        }
    }

    // -- how

    private String path() {
        String asked = path == null ? DEFAULT_PATH : path;
        if (!asked.matches(PlanDraft.PATH)) {
            throw Parse.usage("--path " + asked + ": a path begins with / and holds no blanks");
        }
        return asked;
    }

    private int clients() {
        return clients == null ? DEFAULT_CLIENTS : clients;
    }

    private Plan atRate(Plan plan) {
        if (rate == null) {
            return plan;
        }
        double perSecond;
        try {
            perSecond = Units.rate(rate);
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--rate " + rate + ": " + e.getMessage());
        }
        return Session.open(plan.withLoad(plan.load().withArrivals(Arrivals.Open.constant(perSecond))));
    }

    private Map<GateMetric, Double> allowed() {
        var allowed = new EnumMap<GateMetric, Double>(GateMetric.class);
        for (String one : allow) {
            String[] parts = one.strip().split("=", 2);
            double share = share(parts[parts.length - 1], one);
            if (parts.length == 2) {
                GateMetric metric = GateMetric.named(parts[0].strip().toLowerCase(Locale.ROOT))
                        .orElseThrow(() -> Parse.usage("--allow " + one + ": the metrics are "
                                + Arrays.stream(GateMetric.values())
                                        .map(GateMetric::id)
                                        .collect(Collectors.joining(", "))));
                allowed.put(metric, share);
            } else {
                Arrays.stream(GateMetric.values())
                        .filter(GateMetric::takesTheGeneral)
                        .forEach(m -> allowed.put(m, share));
            }
        }
        return allowed;
    }

    private static double share(String text, String option) {
        try {
            double share = Units.share(text.strip());
            if (share > 0 && share < 1) {
                return share;
            }
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--allow " + option + ": " + e.getMessage());
        }
        throw Parse.usage("--allow " + option + ": above 0 % and below 100 %");
    }
}
