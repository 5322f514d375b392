package dev.fettle.report.text;

import static dev.fettle.report.Fixtures.HOLD;
import static dev.fettle.report.Fixtures.measurement;
import static dev.fettle.report.Fixtures.plan;
import static dev.fettle.report.Fixtures.run;
import static dev.fettle.report.Fixtures.spec;
import static dev.fettle.report.Fixtures.valid;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.Proof;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.HookOutcome.Where;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Synthetic runs of each kind. Those that many tests look at are made once: a run can't be changed. */
public final class Runs {
    private static final Map<String, String> DEFAULTS = Map.of("threads.max", "200", "keepalive.requests", "100");
    private static final RunReport TUNE = tune(Fixtures.TOMCAT);
    private static final Map<String, RunReport> ALL = make();

    private Runs() {}

    static Interval interval(double estimate, double halfShare) {
        return new Interval(estimate, estimate * (1 - halfShare), estimate * (1 + halfShare), 0.95);
    }

    static double rateOf(int threads) {
        return Math.min(threads / 0.0535, 5400 * (1 - threads / 9000.0));
    }

    public static RunReport tune() {
        return TUNE;
    }

    public static RunReport tune(Target target) {
        var outcomes = new ArrayList<TrialOutcome>();
        Plan plan = plan("login", target, List.of(KnobRange.interval("threads.max", 10, 800)));
        var winner = Setting.of("threads.max", "318");
        outcomes.add(valid(
                1,
                spec(Phase.BASELINE, "baseline", Map.of(), 0, Setting.DEFAULT),
                measurement(3740, 79, 0.12, 1),
                DEFAULTS));
        int n = 2;
        for (int threads : new int[] {25, 100, 318, 800}) {
            outcomes.add(valid(
                    n++,
                    spec(Phase.SEARCH, "candidate", Map.of(), 0, Setting.of("threads.max", "" + threads)),
                    measurement(rateOf(threads), 300_000 / rateOf(threads), 0.1, threads),
                    DEFAULTS));
        }
        outcomes.add(Fixtures.voided(
                n++,
                spec(Phase.SEARCH, "candidate", Map.of(), 0, Setting.of("threads.max", "50")),
                measurement(880, 320, 0.3, 9),
                "steal",
                "steal was 7.2 %, at most 3 % is allowed: another guest took the CPU"));
        outcomes.add(Fixtures.failed(
                n++,
                spec(Phase.SEARCH, "candidate", Map.of(), 0, Setting.of("threads.max", "10")),
                TrialOutcome.Kind.DID_NOT_START,
                "exited with 1 before it was ready; it said last: java.net.BindException"));
        var pairs = new ArrayList<TuneConclusion.Pair>();
        for (int block = 0; block < 5; block++) {
            double base = 3700 + 31 * block;
            double won = base * (1.36 + 0.012 * block);
            var b = measurement(base, 80, 0.12, 40 + block);
            var w = measurement(won, 57, 0.1, 60 + block);
            outcomes.add(valid(n++, spec(Phase.DUEL, "baseline", Map.of(), block, Setting.DEFAULT), b, DEFAULTS));
            outcomes.add(valid(n++, spec(Phase.DUEL, "winner", Map.of(), block, winner), w, DEFAULTS));
            pairs.add(new TuneConclusion.Pair(
                    block, base, won, b.latency().p99(), w.latency().p99(), 0, 0));
        }
        var candidates = List.of(
                candidate(winner, 3, 0, interval(5190, 0.013), 76, "prediction"),
                candidate(Setting.of("threads.max", "800"), 1, 0, Interval.unbounded(4920), 88, "log-spaced"),
                candidate(Setting.DEFAULT, 2, 0, interval(3742, 0.02), 118, "default"),
                candidate(Setting.of("threads.max", "100"), 1, 0, Interval.unbounded(1869), 210, "log-spaced"),
                candidate(Setting.of("threads.max", "25"), 1, 0, Interval.unbounded(467), 830, "log-spaced"),
                new TuneConclusion.Candidate(
                        HOLD.with(Setting.of("threads.max", "10")),
                        0,
                        1,
                        Interval.unbounded(0),
                        0,
                        0,
                        false,
                        "log-spaced",
                        Optional.of("did not start"),
                        Optional.empty(),
                        OptionalFigure.empty(),
                        OptionalFigure.empty()));
        var conclusion = new TuneConclusion(
                TuneConclusion.Result.IMPROVED,
                "With threads.max=318 Tomcat answers 38.2 % more requests per second than with its defaults, at a lower p99.",
                HOLD,
                HOLD.with(winner),
                Optional.of(new Interval(1.382, 1.351, 1.410, 0.95)),
                Optional.of(new Interval(0.712, 0.69, 0.73, 0.95)),
                1.01,
                pairs,
                candidates,
                Optional.of(why(200)),
                Optional.of(why(318)),
                List.of("2 of 17 trials were void and were not used.", "Server and generator shared a host."),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.of(new TradeOff(
                        Objective.Metric.THROUGHPUT,
                        Objective.Metric.MEMORY,
                        List.of(
                                new TradeOff.Point(HOLD.with(winner), 5190, 312e6, 3, true),
                                new TradeOff.Point(HOLD.with(Setting.of("threads.max", "800")), 4920, 355e6, 1, false),
                                new TradeOff.Point(HOLD, 3742, 280e6, 2, true),
                                new TradeOff.Point(HOLD.with(Setting.of("threads.max", "100")), 1869, 241e6, 1, true)),
                        1.09,
                        1.12)),
                List.of(),
                List.of());
        return run("tune", plan, outcomes, Optional.of(conclusion));
    }

    private static TuneConclusion.Candidate candidate(
            Setting s, int trials, int voids, Interval x, long p99, String origin) {
        return new TuneConclusion.Candidate(
                HOLD.with(s),
                trials,
                voids,
                x,
                p99 * 1_000_000,
                0,
                true,
                origin,
                Optional.empty(),
                Optional.empty(),
                OptionalFigure.of(x.estimate()),
                OptionalFigure.empty());
    }

    private static Explanation why(int threads) {
        boolean full = threads == 200;
        return new Explanation(
                full ? 3742 : 5190,
                OptionalFigure.of(0.0532),
                OptionalFigure.of(full ? 199.1 : 276),
                OptionalFigure.of(threads),
                OptionalFigure.of(0.000189),
                OptionalFigure.of(full ? 0.71 : 0.98),
                OptionalFigure.of(5291),
                OptionalFigure.of(threads / 0.0532),
                full ? Explanation.Limit.THREADS : Explanation.Limit.CPU,
                full
                        ? List.of(
                                "All 200 worker threads were busy (199.1 on average) while 29 % of the CPU was idle.",
                                "A request holds its thread for 53.2 ms, so 200 threads can answer at most 200 / 53.2 ms = 3,759/s;"
                                        + " 3,742/s were measured.",
                                "100 of the 300 connections waited for a thread.")
                        : List.of(
                                "The target's CPU was 98 % busy; at 189 µs of CPU per request its ceiling is 5,291/s.",
                                "42 of 318 threads were idle: more threads would add nothing."),
                full ? "a run with 210 threads that is not faster" : "a run with more CPU that is not faster",
                full ? Explanation.Support.SHOWN : Explanation.Support.CONSISTENT,
                new Explanation.Brief("", List.of(), "", Optional.empty()));
    }

    /** A tune for the highest rate with p99 at most 50 ms; the closed load beside it takes longer. */
    public static RunReport capacity() {
        var r = tune();
        var t = (TuneConclusion) r.conclusion().orElseThrow();
        Plan p = r.plan();
        var plan = p.withLoad(p.load().withMeasure(Duration.ofSeconds(30)))
                .withObjective(new Objective(Objective.Metric.CAPACITY, Optional.of(Duration.ofMillis(50)), 0.001));
        var pairs = t.pairs().stream()
                .map(x -> new TuneConclusion.Pair(
                        x.block(),
                        x.baseline(),
                        x.winner(),
                        x.baselineP99(),
                        x.winnerP99(),
                        2930 + x.block(),
                        4210 + x.block()))
                .toList();
        var outcomes = r.outcomes().stream()
                .map(o -> o.valid() ? searched(o, 4210) : o)
                .toList();
        return run(
                "tune",
                plan,
                outcomes,
                Optional.of(new TuneConclusion(
                        t.result(),
                        "threads.max=318 has 1.44 times the default's capacity (95 % interval 1.38 to 1.50, 5 pairs): 4,212/s at"
                                + " p99<=50ms,errors<=0.1% against 2,932/s.",
                        t.baseline(),
                        t.winner(),
                        Optional.of(new Interval(1.44, 1.38, 1.5, 0.95)),
                        t.p99Ratio(),
                        1.01,
                        pairs,
                        t.candidates(),
                        t.baselineWhy(),
                        t.winnerWhy(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        List.of())));
    }

    /** A trial that searched for its capacity, beside what it measured. */
    public static TrialOutcome searched(TrialOutcome o, double capacity) {
        var seen = new Observation(
                o.measurement().orElseThrow().withoutHistograms(), o.evidence().orElseThrow());
        var found = new CapacitySeen(
                CapacitySeen.End.FOUND,
                capacity,
                capacity - 120,
                capacity + 120,
                "",
                5150,
                5140,
                List.of(
                        new CapacitySeen.Probed(Phase.BRACKET, 4635, Duration.ofSeconds(2), seen),
                        new CapacitySeen.Probed(Phase.CONFIRM, 4100, Duration.ofSeconds(3), seen)));
        return o.withMeasurement(o.measurement().map(m -> m.with(found)));
    }

    /** A default so slow that the gain is a multiple, on a command. */
    static RunReport wiremock() {
        var r = tune(Fixtures.COMMAND);
        var t = (TuneConclusion) r.conclusion().orElseThrow();
        var pairs = t.pairs().stream()
                .map(p -> new TuneConclusion.Pair(
                        p.block(), 305 + 4 * p.block(), 4390 - 22 * p.block(), 4_900_000_000L, 74_000_000, 0, 0))
                .toList();
        return run(
                "tune",
                r.plan(),
                r.outcomes(),
                Optional.of(new TuneConclusion(
                        t.result(),
                        "With threads.max=318 the command answers 14.2 times as many requests as with its defaults.",
                        t.baseline(),
                        t.winner(),
                        Optional.of(new Interval(14.2, 13.6, 14.8, 0.95)),
                        Optional.of(new Interval(0.0151, 0.0148, 0.0154, 0.95)),
                        1.01,
                        pairs,
                        t.candidates(),
                        t.baselineWhy(),
                        t.winnerWhy(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        List.of())));
    }

    public static RunReport aa() {
        var r = tune();
        var t = (TuneConclusion) r.conclusion().orElseThrow();
        var same = new TuneConclusion(
                TuneConclusion.Result.NO_IMPROVEMENT_SHOWN,
                "No improvement shown: no setting that was tried is faster than the default beyond what chance explains.",
                t.baseline(),
                t.winner(),
                Optional.of(new Interval(1.004, 0.981, 1.027, 0.95)),
                Optional.empty(),
                1.01,
                t.pairs().stream()
                        .map(p -> new TuneConclusion.Pair(
                                p.block(),
                                p.baseline(),
                                p.baseline() * (0.985 + 0.0085 * p.block()),
                                p.baselineP99(),
                                p.baselineP99(),
                                0,
                                0))
                        .toList(),
                t.candidates(),
                t.baselineWhy(),
                t.winnerWhy(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        return run("tune", r.plan(), r.outcomes(), Optional.of(same));
    }

    /** A tune of which only two pairs have figures, so that no interval tells anything. */
    public static RunReport twoPairs() {
        var r = tune();
        var t = (TuneConclusion) r.conclusion().orElseThrow();
        var arm = new Proof.Arm(2, 0, 0);
        var wide = new Interval(1.172, 0.042, 32.85, 0.95);
        var found = new TuneConclusion(
                TuneConclusion.Result.NO_IMPROVEMENT_SHOWN,
                "No improvement shown: threads.max=318 gives 1.172 times the default's throughput (0.960 and 1.430 in the two"
                        + " pairs), but only 2 pairs have figures on both sides, and it takes 3.",
                t.baseline(),
                t.winner(),
                Optional.of(wide),
                Optional.of(new Interval(0.8, 0.01, 71, 0.95)),
                1.01,
                List.of(
                        new TuneConclusion.Pair(0, 3000, 2880, 100_000_000, 70_000_000, 3000, 2880),
                        new TuneConclusion.Pair(3, 3000, 4290, 100_000_000, 91_000_000, 3000, 4290)),
                t.candidates(),
                t.baselineWhy(),
                t.winnerWhy(),
                List.of(),
                List.of(new Shortfall.TooFewPairs(2, 3)),
                Optional.of(new Proof(2, false, wide, 0.3, 40, 0.78, 1, 1, Optional.empty(), arm, arm, 1)),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        return run("tune", r.plan(), r.outcomes(), Optional.of(found));
    }

    static RunReport sweep2() {
        var threads = new Dimension("threads.max", List.of("4", "6", "8", "16", "128", "256"));
        var keep = new Dimension("load.keep-alive", List.of("false", "true"));
        return sweep("jetty-threads", List.of(threads, keep));
    }

    public static RunReport sweep1() {
        return sweep(
                "threads", List.of(new Dimension("threads.max", List.of("8", "16", "32", "64", "128", "256", "512"))));
    }

    public static RunReport grid() {
        return sweep(
                "tomcat-grid",
                List.of(
                        new Dimension("load.connections", List.of("100", "500", "1000", "1500", "2000", "3000")),
                        new Dimension("threads.max", List.of("100", "200", "500", "1000", "5000"))));
    }

    public static RunReport cube() {
        return sweep(
                "cube",
                List.of(
                        new Dimension("threads.max", List.of("50", "100", "200")),
                        new Dimension("load.connections", List.of("100", "500")),
                        new Dimension("app.bytes", List.of("253", "1892"))));
    }

    private static RunReport sweep(String name, List<Dimension> grid) {
        Plan plan = plan(name, Fixtures.TOMCAT, List.of());
        var outcomes = new ArrayList<TrialOutcome>();
        var cells = new ArrayList<SweepConclusion.Cell>();
        int n = 1;
        for (Map<String, String> point : GridPoints.grid(grid)) {
            int threads = Integer.parseInt(point.get("threads.max"));
            boolean keep = !"false".equals(point.get("load.keep-alive"));
            int clients = Integer.parseInt(point.getOrDefault("load.connections", "300"));
            double rate = Math.min(Math.min(threads, clients) / 0.0102, keep ? 23_000 : 9_800) * (1 - threads / 7000.0);
            var spec = spec(Phase.SWEEP, "", point, 0, Setting.of("threads.max", "" + threads));
            boolean bad = threads == 5000 && clients == 1000;
            var m = measurement(rate / 10, clients * 1000.0 / rate, 0.2, n);
            if (bad) {
                outcomes.add(
                        Fixtures.failed(n++, spec, TrialOutcome.Kind.OUT_OF_MEMORY, "unable to create native thread"));
                cells.add(new SweepConclusion.Cell(
                        point,
                        0,
                        2,
                        Interval.unbounded(0),
                        0,
                        0,
                        0,
                        OptionalFigure.empty(),
                        OptionalFigure.empty(),
                        OptionalFigure.empty(),
                        List.of("out of memory: unable to create native thread"),
                        OptionalFigure.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty()));
                continue;
            }
            outcomes.add(valid(n++, spec, m, DEFAULTS));
            outcomes.add(
                    valid(n++, spec, measurement(rate / 10 * 1.01, clients * 1000.0 / rate, 0.2, n + 100), DEFAULTS));
            cells.add(new SweepConclusion.Cell(
                    point,
                    2,
                    0,
                    interval(rate, 0.03),
                    m.latency().p50(),
                    m.latency().p99(),
                    0,
                    OptionalFigure.of(0.8),
                    OptionalFigure.of(2.1),
                    OptionalFigure.of(0.998),
                    List.of(),
                    OptionalFigure.of(rate),
                    List.of(),
                    Optional.empty(),
                    Optional.empty()));
        }
        return run(
                "sweep",
                plan,
                outcomes,
                Optional.of(new SweepConclusion(
                        "Throughput grows with the threads until the CPU is full, then falls slowly.",
                        grid,
                        cells,
                        Optional.empty(),
                        List.of(),
                        List.of())));
    }

    public static RunReport compare() {
        Plan plan = plan("servers", Fixtures.TOMCAT, List.of());
        var outcomes = new ArrayList<TrialOutcome>();
        var conditions = new ArrayList<CompareConclusion.Condition>();
        int n = 1;
        for (String bytes : List.of("253", "1892")) {
            Map<String, String> point = new LinkedHashMap<>(Map.of("app.bytes", bytes));
            var variants = new ArrayList<CompareConclusion.VariantResult>();
            double rate = bytes.equals("253") ? 21_000 : 18_500;
            for (String server : List.of("tomcat", "jetty", "undertow")) {
                double x = rate * (server.equals("undertow") ? 1.11 : server.equals("jetty") ? 1.005 : 1);
                for (int block = 0; block < 2; block++) {
                    outcomes.add(valid(
                            n++,
                            spec(Phase.COMPARE, server, point, block, Setting.DEFAULT),
                            measurement(x / 10, 300_000 / x, 0.15, n),
                            DEFAULTS));
                }
                variants.add(new CompareConclusion.VariantResult(
                        server,
                        4,
                        0,
                        interval(x, 0.012),
                        Math.round(3e11 / x),
                        Math.round(4.4e11 / x),
                        0,
                        1e6 / x,
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        OptionalFigure.of(x),
                        Optional.empty()));
            }
            conditions.add(new CompareConclusion.Condition(
                    point,
                    variants,
                    List.of(
                            new CompareConclusion.Contrast(
                                    "jetty",
                                    "tomcat",
                                    4,
                                    new Interval(1.005, 0.985, 1.026, 0.95),
                                    false,
                                    OptionalFigure.of(1.03),
                                    Optional.empty(),
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty()),
                            new CompareConclusion.Contrast(
                                    "undertow",
                                    "tomcat",
                                    4,
                                    new Interval(1.11, 1.081, 1.139, 0.95),
                                    true,
                                    OptionalFigure.of(1.03),
                                    Optional.empty(),
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty()),
                            new CompareConclusion.Contrast(
                                    "undertow",
                                    "jetty",
                                    4,
                                    new Interval(1.104, 1.071, 1.138, 0.95),
                                    true,
                                    OptionalFigure.of(1.03),
                                    Optional.empty(),
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty())),
                    List.of()));
        }
        return run(
                "compare",
                plan,
                outcomes,
                Optional.of(new CompareConclusion(
                        "Undertow is about 11 % faster than Tomcat and Jetty at both sizes; between Tomcat and Jetty no difference is shown.",
                        Objective.Metric.THROUGHPUT, conditions, List.of(), Optional.empty(), List.of())));
    }

    /** A tune of two listed knobs: the candidates come in the order of their rank. */
    public static RunReport listed() {
        var r = tune();
        Plan plan = plan(
                "login",
                Fixtures.TOMCAT,
                List.of(
                        KnobRange.choices("threads.max", List.of("10", "50", "200", "800")),
                        KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1"))));
        var candidates = List.of(
                candidate(both("200", "g1"), 3, 0, interval(5190, 0.013), 76, "screening"),
                candidate(both("800", "serial"), 1, 0, Interval.unbounded(4920), 88, "screening"),
                candidate(both("50", "G1"), 1, 0, Interval.unbounded(935), 320, "screening"),
                candidate(both("200", "parallel"), 1, 0, Interval.unbounded(900), 330, "screening"),
                candidate(both("10", "serial"), 1, 0, Interval.unbounded(187), 1600, "screening"),
                candidate(both("800", "parallel"), 0, 2, Interval.unbounded(0), 0, "screening"));
        return run(
                "tune",
                plan,
                r.outcomes(),
                Optional.of(with((TuneConclusion) r.conclusion().orElseThrow(), candidates)));
    }

    private static Setting both(String threads, String collector) {
        return Setting.of("threads.max", threads).with(Setting.of("jvm.gc", collector));
    }

    /** Stopped in the middle of the search. */
    public static RunReport partial() {
        var r = tune();
        return run("tune", r.plan(), r.outcomes().subList(0, 6), Optional.empty());
    }

    /** Not one trial worked. */
    public static RunReport allFailed() {
        var spec = spec(Phase.BASELINE, "baseline", Map.of(), 0, Setting.DEFAULT);
        var outcomes = List.of(
                Fixtures.failed(1, spec, TrialOutcome.Kind.WRONG_ANSWER, "GET /login answered 404, 200 is expected"),
                Fixtures.failed(2, spec, TrialOutcome.Kind.WRONG_ANSWER, "GET /login answered 404, 200 is expected"));
        var conclusion = new TuneConclusion(
                TuneConclusion.Result.NO_BASELINE,
                "The default setting never gave a valid trial, so there is nothing to compare with.",
                HOLD,
                HOLD,
                Optional.empty(),
                Optional.empty(),
                1.01,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        return run("tune", tune().plan(), outcomes, Optional.of(conclusion));
    }

    /** With commands of the user's around its trials: one of them fails in the last trial, one is still to come. */
    public static RunReport hooked() {
        var r = partial();
        Plan p = r.plan();
        List<Hook> before = List.of(
                hook(Hook.Scope.RUN, true, "redis-server", "--port", "{port:redis}", "--save", ""),
                hook(Hook.Scope.TRIAL, false, "sh", "-c", "psql shop < before.sql"));
        List<Hook> after = List.of(
                hook(Hook.Scope.TRIAL, false, "sh", "-c", "rm -r {dir}/uploads"),
                hook(Hook.Scope.RUN, false, "notify", "finished"));
        var plan = p.with()
                .name("hooked")
                .hooks(Optional.of(new Hooks(before, after)))
                .capacity(Optional.empty())
                .own(List.of())
                .taken(Optional.empty())
                .build();
        var outcomes = new ArrayList<TrialOutcome>();
        for (TrialOutcome o : r.outcomes()) {
            boolean last = o.ordinal() == r.outcomes().size();
            var runs = new ArrayList<HookOutcome>();
            if (o.ordinal() == 1) {
                runs.add(new HookOutcome(Where.BEFORE, 1, Duration.ofMillis(212), Optional.empty()));
            }
            runs.add(new HookOutcome(Where.BEFORE, 2, Duration.ofMillis(1400 + 20L * o.ordinal()), Optional.empty()));
            runs.add(new HookOutcome(
                    Where.AFTER,
                    1,
                    Duration.ofMillis(9),
                    Optional.of("the hook after[1] (sh) exited with code 1: rm: no such folder")
                            .filter(m -> last)));
            outcomes.add(o.withHooks(runs));
        }
        return run("tune", plan, outcomes, Optional.empty());
    }

    private static Hook hook(Hook.Scope scope, boolean background, String... command) {
        return new Hook(List.of(List.of(command)), Map.of(), background, Optional.empty(), Hook.WITHIN, 0, scope);
    }

    /** A tune with one trial that was ended early. */
    public static RunReport early() {
        var r = tune();
        var t = (TuneConclusion) r.conclusion().orElseThrow();
        var setting = Setting.of("threads.max", "13");
        var outcomes = new ArrayList<>(r.outcomes());
        TrialOutcome whole = valid(
                outcomes.size() + 1,
                spec(Phase.SEARCH, "candidate", Map.of(), 0, setting),
                measurement(240, 1250, 0.1, 3),
                DEFAULTS);
        Evidence e = whole.evidence().orElseThrow();
        outcomes.add(whole.with()
                .evidence(Optional.of(e.withConditions(Conditions.ALONE.withAtBest(OptionalFigure.of(253.4)))))
                .failure(Optional.empty())
                .verdict(new Verdict(
                        List.of(EarlyStopping.reason(new GiveUp(Objective.Metric.THROUGHPUT, 3460, 5), 253.4, 8.5))))
                .build());
        var candidates = new ArrayList<>(t.candidates());
        candidates.add(new TuneConclusion.Candidate(
                HOLD.with(setting),
                0,
                0,
                Interval.unbounded(0),
                0,
                0,
                false,
                "log-spaced",
                Optional.of("surely-worse: ended early"),
                Optional.empty(),
                OptionalFigure.empty(),
                OptionalFigure.of(253.4)));
        return run("tune", r.plan(), outcomes, Optional.of(with(t, candidates)));
    }

    /** A tune's conclusion with other settings tried. */
    public static TuneConclusion with(TuneConclusion t, List<TuneConclusion.Candidate> candidates) {
        return t.withCandidates(candidates);
    }

    /** Just begun. */
    public static RunReport empty() {
        return run("tune", tune().plan(), List.of(), Optional.empty());
    }

    public static Map<String, RunReport> all() {
        return ALL;
    }

    private static Map<String, RunReport> make() {
        var all = new LinkedHashMap<String, RunReport>();
        all.put("tune", tune());
        all.put("aa", aa());
        all.put("wiremock", wiremock());
        all.put("sweep1", sweep1());
        all.put("sweep2", sweep2());
        all.put("grid", grid());
        all.put("cube", cube());
        all.put("compare", compare());
        all.put("programs", OtherRuns.programs());
        all.put("partial", partial());
        all.put("allFailed", allFailed());
        all.put("empty", empty());
        all.put("hooked", hooked());
        all.put("early", early());
        all.put("listed", listed());
        all.put("diagnose", OtherRuns.diagnose());
        all.put("gate", OtherRuns.gate());
        all.put("layers", OtherRuns.layers());
        all.put("spike", OtherRuns.spike());
        return Collections.unmodifiableMap(all);
    }

    /** A sweep's cell with another figure of the objective, and breaking these limits. */
    public static SweepConclusion.Cell cell(SweepConclusion.Cell c, OptionalFigure figure, List<String> broken) {
        return c.with()
                .figure(figure)
                .broken(broken)
                .otherAnswers(Optional.empty())
                .failed(Optional.empty())
                .build();
    }
}
