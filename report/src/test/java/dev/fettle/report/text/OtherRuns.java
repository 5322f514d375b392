package dev.fettle.report.text;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.CompareConclusion.SpikeResult;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.DiagnoseConclusion.Ramp;
import dev.fettle.insight.DiagnoseConclusion.RampStep;
import dev.fettle.insight.Finding;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateWhy;
import dev.fettle.insight.stats.Interval;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Environment;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Synthetic runs of the kinds that have another document: a diagnosis, layers, a spike. */
final class OtherRuns {
    private OtherRuns() {}

    /** A diagnosis with everything that one may say. */
    static RunReport diagnose() {
        var lock = new Finding(
                "lock",
                Finding.Severity.WARNING,
                "A lock is the limit",
                "40 of 48 busy workers wait for a lock.",
                List.of("lock: 40 workers on average", "threads.max: 48"),
                OptionalFigure.of(0.8),
                "hold it for a shorter time",
                Optional.of("threads.max"),
                "With more workers there is more throughput.",
                List.of("the accept queue overflows", "the p99 is high"),
                Optional.of(new Finding.Test(
                        Finding.Outcome.CONFIRMED, "with 96 clients instead of 48", "505/s instead of 500/s.")));
        var files = new Finding(
                "files",
                Finding.Severity.FAULT,
                "Too few files",
                "1,000 of 1,024 files are open.",
                List.of(),
                OptionalFigure.empty(),
                "",
                Optional.empty(),
                "With more files there is more throughput.",
                List.of(),
                Optional.empty());
        var steps = List.of(
                new RampStep(10, 100, Optional.empty()),
                new RampStep(20, 190, Optional.empty()),
                new RampStep(40, 210, Optional.of("it was disturbed")));
        var trial = Fixtures.valid(
                1,
                Fixtures.spec(Phase.DIAGNOSE, "", Map.of(), 0, Setting.DEFAULT),
                Fixtures.measurement(500, 20, 0.2, 3),
                Map.of("threads.max", "48"));
        return Fixtures.run(
                "diagnose",
                Fixtures.plan("shop", Fixtures.TOMCAT, List.of()),
                List.of(trial),
                Optional.of(new DiagnoseConclusion(
                        DiagnoseConclusion.Result.FOUND,
                        "A lock is the limit.",
                        Optional.of(lock),
                        List.of(files),
                        List.of(
                                new Looked("cpu", "CPUs that are full", "0.8 of 2 are used"),
                                new Looked("gc", "pauses", "0.8 of 2 are used")),
                        List.of(new Looked("swap", "swapping", "it is not known here")),
                        List.of("Little's law: 500/s × 80.0 ms = 40 busy workers."),
                        Optional.of(new Ramp(steps, Optional.empty(), "It fits no law.")),
                        List.of(new Looked("Contended Locks", "severity 80", "Threads wait for a lock.")),
                        List.of("One trial was repeated."))));
    }

    private static VariantResult variant(String name, double rate, Optional<SpikeResult> spike) {
        return new VariantResult(
                name,
                3,
                1,
                Runs.interval(rate, 0.02),
                Math.round(3e11 / rate),
                Math.round(4.4e11 / rate),
                0.001,
                1e6 / rate,
                List.of("disturbed: others used 40 %"),
                List.of("p99 was 61.0 ms (at most 50 ms)"),
                spike,
                OptionalFigure.of(rate),
                Optional.of("crashed in 1 of 4 blocks"));
    }

    private static RunReport compared(String name, CompareConclusion found) {
        return Fixtures.run("compare", Fixtures.plan(name, Fixtures.TOMCAT, List.of()), List.of(), Optional.of(found));
    }

    /** Three builds of one program: the last one also has other arguments and a larger pool. */
    static RunReport programs() {
        RunReport r = Runs.compare();
        var variants = new ArrayList<Variant>();
        var digests = new TreeMap<String, String>();
        for (String name : List.of("jetty", "tomcat", "undertow")) {
            boolean last = name.equals("undertow");
            String jar = "/srv/shop/shop-1." + variants.size() + ".jar";
            digests.put(jar, Integer.toString(variants.size() + 7).repeat(64));
            variants.add(new Variant(
                    name,
                    new Target.Boot(
                            jar,
                            ServerKind.TOMCAT,
                            "3.5.16",
                            last ? List.of("--debug=false") : List.of(),
                            Target.Jvm.SAME,
                            Setting.DEFAULT),
                    last ? Setting.of("threads.max", "300") : Setting.DEFAULT));
        }
        Environment e = r.environment();
        return new RunReport(
                r.runId(),
                r.kind(),
                r.plan()
                        .withCompare(Optional.of(
                                new Plan.Compare(variants, List.of(), 4, Optional.empty(), false, Optional.empty()))),
                r.started(),
                r.took(),
                new Environment(
                        e.kernel(),
                        e.cpuModel(),
                        e.cpus(),
                        e.serverCpus(),
                        e.generatorCpus(),
                        e.memory(),
                        e.fettleVersion(),
                        e.fettleJava(),
                        e.limits(),
                        digests),
                r.outcomes(),
                r.conclusion(),
                r.complete());
    }

    /** A gate with every answer that a metric may have, and a head that answers otherwise. */
    static RunReport gate() {
        var found = new GateConclusion(
                "Worse: head has +5.1 % CPU per request (+3.9 % to +6.3 %).",
                GateConclusion.Result.WORSE,
                false,
                List.of(
                        measured(GateMetric.THROUGHPUT, Answer.CANT_TELL, 0.96, 0.91, 1.01, 3880, 3725),
                        measured(GateMetric.ERRORS, Answer.NO_WORSE, 0, 0, 0, 0, 0),
                        measured(GateMetric.CPU, Answer.WORSE, 1.051, 1.039, 1.063, 231e-6, 243e-6),
                        new GateConclusion.Measured(
                                GateMetric.MEMORY,
                                false,
                                Answer.CANT_TELL,
                                0.1,
                                Interval.unbounded(1),
                                List.of(),
                                OptionalFigure.missing("there was no collection in the time watched"),
                                OptionalFigure.empty(),
                                0,
                                Optional.empty(),
                                List.of(),
                                OptionalFigure.missing("too few pairs"),
                                OptionalFigure.empty(),
                                Optional.empty())),
                Optional.of("12 % of its answers to GET / were 31 B instead of 2,048 B"),
                8,
                2,
                384,
                600,
                new GateConclusion.Side(12, 0),
                new GateConclusion.Side(8, 1),
                Optional.of("crashed in 1 of 8 starts"),
                List.of(new GateConclusion.Reach(10, GateMetric.CPU, 0.031)),
                Optional.of(why()),
                List.of("2 of 20 trials were void or failed; none of them was used."));
        return Fixtures.run("gate", Fixtures.plan("gate", Fixtures.TOMCAT, List.of()), List.of(), Optional.of(found));
    }

    private static GateWhy why() {
        var change = new Interval(9.8e-6, 6.9e-6, 12.7e-6, 0.95);
        return new GateWhy(
                2,
                List.of(
                        new GateWhy.Method(Profile.Kind.CPU, "shop.Page.price", "", 3.1e-6, 12.9e-6, change),
                        new GateWhy.Method(
                                Profile.Kind.ALLOC,
                                "com.example.Json.write",
                                "shop.Page.show",
                                0,
                                4096,
                                new Interval(4096, 3000, 5200, 0.95))),
                List.of(
                        new GateWhy.Compared(Profile.Kind.CPU, 41, 1.7e-6),
                        new GateWhy.Compared(Profile.Kind.ALLOC, 12, 220),
                        new GateWhy.Compared(Profile.Kind.LOCK, 3, 2e-7)),
                List.of(new GateWhy.Figure(
                        "waiting for locks", "s", 2e-6, 31e-6, new Interval(29e-6, 11e-6, 47e-6, 0.95))),
                List.of(new GateWhy.Found(
                        "lock-contention",
                        "Workers wait for a lock",
                        "9 of 20 workers wait for it.",
                        true,
                        6,
                        8,
                        0,
                        8)),
                List.of(new GateWhy.Warning("WARN # --- [main] shop.Pool : pool is small", 3)));
    }

    private static GateConclusion.Measured measured(
            GateMetric metric, Answer answer, double change, double low, double high, double base, double head) {
        return new GateConclusion.Measured(
                metric,
                true,
                answer,
                metric.allowed(),
                new Interval(change, low, high, 0.95),
                List.of(change, change),
                OptionalFigure.of(base),
                OptionalFigure.of(head),
                8,
                Optional.of(
                        metric == GateMetric.ERRORS
                                ? new Interval(0, 0, 0, 0.95)
                                : new Interval(1.002, 0.985, 1.019, 0.95)),
                metric == GateMetric.ERRORS ? List.of(0.0, 0.0) : List.of(1.0, 1.004),
                OptionalFigure.of(0.042),
                answer == Answer.CANT_TELL ? OptionalFigure.of(25) : OptionalFigure.empty(),
                Optional.empty());
    }

    /** What each of two layers adds to the one before it. */
    static RunReport layers() {
        var metric = Runs.compare().plan().objective().metric();
        var added = new Layer(
                "session",
                "bare",
                3,
                new Interval(0.9, 0.87, 0.93, 0.95),
                Optional.of(new Interval(12.3, 8.1, 16.5, 0.95)),
                Optional.of(Interval.unbounded(-3.2)),
                true,
                1e-3,
                9e-4);
        var unknown =
                new Layer("log", "session", 0, Interval.unbounded(1), Optional.empty(), Optional.empty(), false, 0, 0);
        return compared(
                "layers",
                new CompareConclusion(
                        "A session costs 10 %.",
                        metric,
                        List.of(new CompareConclusion.Condition(
                                Map.of(),
                                List.of(
                                        variant("bare", 1000, Optional.empty()),
                                        variant("session", 900, Optional.empty()),
                                        variant("log", 890, Optional.empty())),
                                List.of(),
                                List.of(added, unknown))),
                        List.of("The layers are one server's."),
                        Optional.empty(),
                        List.of()));
    }

    private static SpikeResult spike(double goodput, int recovered) {
        return new SpikeResult(
                Runs.interval(goodput, 0.05),
                0.4,
                new TreeMap<>(Map.of(ErrorKind.READ_TIMEOUT, 812L, ErrorKind.RESET, 7L)),
                2.1e9,
                new Interval(8.5, 7.2, 9.8, 0.95),
                recovered,
                3,
                0);
    }

    /** What a spike did to two variants. */
    static RunReport spike() {
        var later = new Contrast(
                "queue",
                "none",
                3,
                new Interval(1.4, 1.2, 1.6, 0.95),
                true,
                OptionalFigure.of(1.1),
                Optional.empty(),
                Optional.of(new Interval(8.3, 5.9, 10.8, 0.95)),
                List.of(1.3, 1.4, 1.5),
                Optional.empty());
        var withheld = new Contrast(
                "queue",
                "short",
                0,
                Interval.unbounded(1),
                false,
                OptionalFigure.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.of("short gave too few answers to compare it"));
        return compared(
                "overload",
                new CompareConclusion(
                        "A queue gives 40 % more good answers in the spike.",
                        Runs.compare().plan().objective().metric(),
                        List.of(new CompareConclusion.Condition(
                                Map.of("backlog", "100"),
                                List.of(
                                        variant("queue", 300, Optional.of(spike(280, 3))),
                                        variant("none", 200, Optional.of(spike(190, 1)))),
                                List.of(later, withheld),
                                List.of())),
                        List.of(),
                        Optional.of(new CompareConclusion.Spike(400, 2, 30, "p99<50ms")),
                        List.of()));
    }
}
