package dev.fettle.cli.run;

import dev.fettle.insight.builds.GateExperiment;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.trials.RunLength;
import dev.fettle.insight.tune.TimeNeeded;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.CapacityTiming;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.VariantDifference;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import dev.fettle.report.Wording;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Announces what is about to happen and how long it will take. */
public final class Announcement {
    /** How much blocks on fresh JVMs usually scatter (log ratio) on a quiet machine. */
    private static final double SCATTER = 0.05;

    /** If a comparison can show only larger differences, it says how many blocks it would take. */
    private static final double LITTLE = 1.5;

    private static final int MOST_BLOCKS = 12;

    private Announcement() {}

    public static String text(ExperimentKind kind, Plan plan, String runId, CpuLayout cpus) {
        if (kind == ExperimentKind.CAPACITY) {
            return capacity(plan.capacity().orElseThrow(), plan.load(), runId);
        }
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        var s = new StringBuilder();
        s.append("Run ")
                .append(runId)
                .append(": ")
                .append(kind.id())
                .append(' ')
                .append(plan.name())
                .append('\n');
        s.append("  target  ").append(target(plan.target())).append('\n');
        plan.hooks().ifPresent(h -> s.append("  hooks   ").append(hooks(h)).append('\n'));
        s.append("  load    ")
                .append(open ? "as many connections as it takes, up to " : "")
                .append(plan.load().connections())
                .append(open ? "" : " connections")
                .append(plan.load().keepAlive() ? ", keep-alive" : ", no keep-alive")
                .append(Wording.wire(plan.load().wire()))
                .append(", ")
                .append(plan.load().request().method())
                .append(' ')
                .append(Secrets.path(plan.load().request().path()))
                .append(", ")
                .append(pace(plan.load().arrivals()))
                .append('\n');
        boolean spiked = kind == ExperimentKind.COMPARE
                && plan.compare().flatMap(Plan.Compare::spike).isPresent();
        if (spiked) {
            s.append("  best    the most good answers while the spike lasts\n");
        } else {
            s.append(best(plan));
        }
        if (!plan.earlier().settings().isEmpty()) {
            s.append("  earlier ")
                    .append(String.join(", ", plan.earlier().runs()))
                    .append(" found ")
                    .append(plan.earlier().settings().stream()
                            .map(f -> Wording.setting(f, plan.hold()))
                            .collect(Collectors.joining(" and ")))
                    .append(": tried after the prediction, no figure of it is used (--cold: not at all)\n");
        }
        if (!plan.target().configured().isDefault()) {
            s.append("  its own ").append(plan.target().configured()).append('\n');
        }
        if (!plan.hold().isDefault()) {
            s.append("  held    ").append(plan.hold()).append('\n');
        }
        s.append(
                switch (kind) {
                    case TUNE ->
                        "  knobs   "
                                + plan.knobs().stream().map(Announcement::knob).collect(Collectors.joining(", "))
                                + "\n  plan    the default first, then usually up to "
                                + (plan.budget().trials() - 1)
                                + " trials of other settings, then "
                                + plan.budget().pairs()
                                + " interleaved pairs of the best against the default (more if they leave it open)\n"
                                + search(plan);
                    case SWEEP ->
                        plan.sweep()
                                .map(w -> "  grid    "
                                        + w.grid().stream()
                                                .map(Announcement::axis)
                                                .collect(Collectors.joining(" × ")) + ", " + w.repeats()
                                        + " times, in random order\n")
                                .orElse("");
                    case COMPARE ->
                        plan.compare()
                                .map(c -> "  compare "
                                        + c.variants().stream()
                                                .map(v -> v.name())
                                                .collect(Collectors.joining(", "))
                                        + (c.grid().isEmpty()
                                                ? ""
                                                : " for "
                                                        + c.grid().stream()
                                                                .map(Announcement::axis)
                                                                .collect(Collectors.joining(" × ")))
                                        + ", in " + c.pairs() + " blocks of random order\n"
                                        + differs(c)
                                        + shows(new CompareExperiment(plan), c.pairs())
                                        + c.spike().map(p -> spike(p, plan)).orElse(""))
                                .orElse("");
                    case GATE -> plan.gate().map(g -> gate(plan, g)).orElse("");
                    case CAPACITY -> "";
                    case DIAGNOSE ->
                        "  plan    as it is"
                                + (plan.budget().trials() == 1
                                        ? ""
                                        : ", and once more with one thing changed that could refute what was found")
                                + (plan.budget().trials() == DiagnoseExperiment.WITH_RAMP
                                        ? "; then a ramp of clients, two seconds each"
                                        : "")
                                + "\n";
                });
        s.append(where(kind, plan, cpus)).append('\n');
        s.append("  takes ").append(duration(kind, plan)).append('\n');
        return s.toString();
    }

    /** On which processes and CPUs. Of a server that is not Fettle's, only the generator's are known. */
    private static String where(ExperimentKind kind, Plan plan, CpuLayout cpus) {
        String generator = plan.from().isEmpty()
                ? ", generator on CPU " + CpuList.text(cpus.generator())
                : ", load from " + String.join(", ", plan.from());
        if (!plan.target().isLaunched()) {
            return (plan.target().hasProcess()
                            ? "  all trials in this one process, which keeps its CPUs"
                            : "  all trials on the server at that address, which Fettle does not start")
                    + generator;
        }
        return fresh(kind, plan) + "; server on CPU " + CpuList.text(cpus.server()) + generator
                + (cpus.separate() ? "" : " (the same: good for comparing, not as absolute figures)");
    }

    private static String pace(Arrivals arrivals) {
        return switch (arrivals) {
            case Arrivals.Open _ -> Wording.pace(arrivals) + ": sent whether or not the server keeps up";
            case Arrivals.Closed(var think) ->
                "each waits for its answer before the next request"
                        + (think.isZero() ? "" : ", and then pauses for " + Units.text(think));
        };
    }

    /** What a comparison could show; more blocks are suggested where that is little. */
    static String shows(CompareExperiment compare, int blocks) {
        double least = compare.couldShow(blocks, SCATTER);
        String more = least <= LITTLE
                ? ""
                : IntStream.rangeClosed(blocks + 1, MOST_BLOCKS)
                        .filter(n -> compare.couldShow(n, SCATTER) <= LITTLE)
                        .mapToObj(n -> "; pairs: " + n + " would show " + difference(compare.couldShow(n, SCATTER)))
                        .findFirst()
                        .orElse("");
        return "  shows   "
                + (least > 100
                        ? "at best differences of more than a factor of 100"
                        : "differences of " + difference(least) + " or more")
                + ", if blocks scatter by " + Format.share(SCATTER)
                + (compare.statements() == 1
                        ? ""
                        : " (" + compare.statements()
                                + (compare.statements() == compare.contrasts() ? " contrasts" : " statements")
                                + " are judged together)")
                + more + "\n";
    }

    private static String difference(double ratio) {
        return ratio < 2 ? Math.round(100 * (ratio - 1)) + " %" : "a factor of " + Format.ratio(ratio);
    }

    /** Where a tune's search runs; empty if on fresh processes. */
    private static String search(Plan plan) {
        return TimeNeeded.of(plan)
                .inWarmJvm()
                .map(each -> "  search  in one warm JVM: each setting is set there while it runs, " + words(each)
                        + " of measuring; the default again after every " + TimeNeeded.settingsBetweenDefaults()
                        + "\n          (budget: {live: false} starts a process for each setting)\n")
                .orElse("");
    }

    private static String fresh(ExperimentKind kind, Plan plan) {
        return kind == ExperimentKind.TUNE && TimeNeeded.of(plan).inWarmJvm().isPresent()
                ? "  every trial of a pair on a fresh process"
                : "  every trial on a fresh process";
    }

    private static String target(Target target) {
        return switch (target) {
            case Target.Embedded e ->
                e.server().id() + " with the app '" + e.app() + "'"
                        + e.backend()
                                .map(b -> ", whose backend is another process and takes "
                                        + b.delay().toMillis() + " ms")
                                .orElse("");
            case Target.War w -> w.server().id() + ", embedded, with " + w.war() + " at " + w.context();
            case Target.Standalone s ->
                "a standalone " + s.server().id()
                        + s.version().map(v -> " " + v).orElse("")
                        + s.home().map(h -> " of " + h).orElse("")
                        + s.base().map(b -> " with the configuration of " + b).orElse("")
                        + s.war().map(w -> " and " + w + " at " + s.context()).orElse("");
            case Target.Boot b ->
                b.jar() + " (Spring Boot " + b.version() + " on " + b.server().id() + ")";
            case Target.Command c ->
                "a command"
                        + (c.artifacts().isEmpty()
                                ? ""
                                : ": " + String.join(", ", c.artifacts().values()));
            case Target.Running r ->
                r.label()
                        + r.knownServer().map(k -> ", " + Wording.one(k.id())).orElse("")
                        + r.url().map(u -> ", at " + u).orElse("")
                        + (r.live() ? "; live knobs are set in it, and put back" : "; nothing is set in it");
            case Target.Url(var base) -> base.toString();
        };
    }

    private static String hooks(Hooks hooks) {
        return Stream.of(names("before", hooks.before()), names("after", hooks.after()))
                .filter(n -> !n.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String names(String where, List<Hook> hooks) {
        return hooks.isEmpty()
                ? ""
                : where + " "
                        + hooks.stream()
                                .map(h -> h.program()
                                        + (h.background() ? " (stays up)" : "")
                                        + (h.scope() == Hook.Scope.RUN ? " (once)" : ""))
                                .collect(Collectors.joining(", "));
    }

    /** The objective in words; empty if it is throughput without limits. */
    private static String best(Plan plan) {
        Objective o = plan.objective();
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        if (o.metric() == Objective.Metric.THROUGHPUT && !o.limitsLatency()) {
            return "";
        }
        if (o.metric() == Objective.Metric.CAPACITY) {
            return "  best    the highest rate at which "
                    + plan.effectiveSlo().map(s -> s.quality().toString()).orElse("the SLO")
                    + " is met (capacity): each trial"
                    + " searches for it\n          with about seven probes of "
                    + words(CapacityTiming.of(plan.load().measure()).probe()) + "\n";
        }
        return "  best    the " + (o.metric().low() ? "lowest " : "highest ")
                + o.metric().words()
                + o.p99AtMost()
                        .map(p -> ", with p99 at most " + Format.time(p.toNanos()))
                        .orElse("")
                + o.latencies().stream()
                        .map(c -> ", with " + c.metric().id() + " at most " + Format.time(c.bound()))
                        .collect(Collectors.joining())
                + (o.metric() == Objective.Metric.P99 && open
                        ? ": an open load's throughput is the rate that is offered\n"
                        : "\n");
    }

    private static String knob(KnobRange k) {
        return k.knob() + (k.isInterval() ? " " + k.from() + "…" + k.to() : " " + String.join(" | ", k.choices()));
    }

    private static String axis(Dimension d) {
        return d.name() + " " + String.join(", ", d.values());
    }

    /** How long it takes, by the parts of a trial: with the usual warm-ups, with each at its bound, and at most. */
    private static String duration(ExperimentKind kind, Plan plan) {
        return switch (kind) {
            case TUNE -> tune(plan);
            case SWEEP -> fixed(new SweepExperiment(plan).length(), plan.load(), plan.target());
            case COMPARE ->
                fixed(
                        new CompareExperiment(plan).length(),
                        plan.compare()
                                .flatMap(Plan.Compare::spike)
                                .map(p -> p.in(plan.load()))
                                .orElse(plan.load()),
                        plan.target());
            case GATE ->
                plan.gate()
                        .map(g -> "until it can tell, " + Units.text(g.time()) + " at most: up to "
                                + new GateExperiment(plan).usualPairs() + " pairs")
                        .orElse("");
            case DIAGNOSE -> {
                Load load = new DiagnoseExperiment(plan).load();
                yield "about " + words(RunLength.usual(load))
                        + (plan.budget().trials() == 1 ? "" : ", and as long again where what was found can be tested");
            }
            case CAPACITY -> throw new IllegalArgumentException("a capacity search has a text of its own");
        };
    }

    /** In what programs differ that are compared. */
    private static String differs(Plan.Compare compare) {
        return !compare.ofPrograms()
                ? ""
                : VariantDifference.among(compare.variants()).stream()
                        .map(d -> "  differs " + d.part() + ": "
                                + d.values().stream()
                                        .map(v -> v.isEmpty() ? "–" : v)
                                        .collect(Collectors.joining(" | "))
                                + "\n")
                        .collect(Collectors.joining());
    }

    private static String gate(Plan plan, GateAsked asked) {
        String programs = "  base    " + asked.base() + "\n" + (asked.aa() ? "" : "  head    " + asked.head() + "\n");
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        String metrics = Arrays.stream(GateMetric.values())
                .filter(m -> m.fits(open) && asked.decides(m))
                .map(m -> m.label() + " " + Format.exactShare(asked.allowed(m)))
                .collect(Collectors.joining(", "));
        return programs
                + (asked.aa()
                        ? "  pairs   of base and base, to see what this machine can show\n"
                        : "  allows  a loss of " + metrics
                                + "\n  pairs   both up and loaded in turn, on fresh processes; one in "
                                + GateExperiment.ONE_IN + " of base and base\n");
    }

    private static String capacity(CapacityAsked asked, Load load, String runId) {
        CapacityOptions options = asked.options();
        return "Capacity of " + asked.label() + " for " + options.slo() + "\n  "
                + (options.poisson() ? "independent (Poisson)" : "even")
                + " arrivals, as many connections as it takes, up to "
                + load.connections()
                + (options.search()
                        ? "; probes of " + Units.text(options.probe()) + ", the answer is held for "
                                + Units.text(options.hold())
                                + ", at most " + Units.text(options.budget())
                                + (options.launches() > 1
                                        ? " in each of " + options.launches() + " processes"
                                        : " in all")
                                + " (up to half as much again if some are disturbed)"
                        : "")
                + "; run " + runId;
    }

    private static String fixed(RunLength length, Load load, Target target) {
        return range(length.usual(), length.slow()) + " for " + Wording.plural(length.trials(), "trial")
                + (target.isLaunched() ? ", each with a launch, " : ", each with ")
                + phases(load) + "\n          at most " + words(length.bound())
                + ", repeats of disturbed trials and longer warm-ups included";
    }

    private static String tune(Plan plan) {
        Duration bound = plan.budget().time();
        TimeNeeded needed = TimeNeeded.of(plan);
        String text = range(shorter(needed.usual(), bound), bound) + ": " + phases(plan.load())
                + " a trial\n          at most " + words(bound.plus(bound.dividedBy(2)))
                + " if trials are disturbed and repeated";
        if (needed.fits(plan) && needed.leastSlow().compareTo(bound) <= 0) {
            return text;
        }
        String all = words(needed.least())
                + (needed.leastSlow().compareTo(needed.least()) > 0
                        ? ", up to " + words(needed.leastSlow()) + " if the warm-ups run to their bound"
                        : "");
        return text + "\n  note    "
                + (needed.fits(plan)
                        ? "the budget's time may be too short: "
                        : "the budget's time of " + words(bound) + " is too short: ")
                + "the default, one other setting and a duel of 3 pairs take about " + all
                + (needed.fits(plan) ? "" : "; what there is is used, and may end with nothing tried")
                + ". Set budget.time.";
    }

    private static String phases(Load load) {
        return "a warm-up until steady (at most " + words(load.warmUpAtMost()) + ") and " + words(load.measure())
                + " of measuring";
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** {@code 8 to 22 min}, {@code about 40 s}. */
    private static String range(Duration from, Duration to) {
        String low = words(from);
        String high = words(to);
        if (low.equals(high)) {
            return "about " + low;
        }
        String unit = high.substring(high.indexOf(' '));
        return (low.endsWith(unit) ? low.substring(0, low.length() - unit.length()) : low) + " to " + high;
    }

    /** {@code 40 s}, {@code 8 min}. */
    static String words(Duration d) {
        double s = d.toMillis() / 1e3;
        return s < 100 ? Format.count(s) + " s" : Math.round(s / 60) + " min";
    }

    private static String spike(Plan.Spike spike, Plan plan) {
        return "  spike   " + Format.rate(spike.rate()) + " for " + Units.text(spike.length())
                + " in each trial, then at most " + Units.text(spike.watch()) + " until it meets "
                + plan.effectiveSlo().map(slo -> slo + " again").orElse("its SLO") + "\n";
    }
}
