package dev.fettle.insight.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.Runs;
import dev.fettle.insight.builds.TwoBuilds.Head;
import dev.fettle.insight.builds.TwoBuilds.Machine;
import dev.fettle.model.plan.GateMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How often a gate says what is not so, and how often and when it tells, on builds and machines that drift, stall, crash and swing. A build
 * tries few runs of the cells that matter most; {@code bench/gate/simulated.sh} makes 200 of each, next to the habits of the field.
 */
class GateErrorRatesTest {
    private static final int USUAL = 40;
    private static final Duration TIME = Duration.ofMinutes(10);

    /**
     * What is asked of the gate on a truth: at most so many of the runs may say "no worse" and "worse", and at least so many must say either.
     */
    private record Cell(
            String name,
            Head head,
            Machine machine,
            boolean open,
            double mostPassed,
            double mostFailed,
            double leastPassed,
            double leastFailed) {}

    private static Cell same(String name, Machine machine, boolean open, double leastPassed) {
        return new Cell(name, Head.SAME, machine, open, 1, 0.05, leastPassed, 0);
    }

    private static Cell worse(String name, Head head, Machine machine, boolean open, double leastFailed) {
        return new Cell(name, head, machine, open, 0.05, 1, 0, leastFailed);
    }

    private static final List<Cell> CELLS = List.of(
            same("0 %, quiet", Machine.QUIET, false, 0.9),
            same("0 %, quiet, at a rate", Machine.QUIET, true, 0.7),
            same("0 %, neighbour", Machine.NEIGHBOUR, false, 0),
            same("0 %, swings", Machine.SWINGS, false, 0),
            same("0 %, modes", Machine.MODES, false, 0),
            same("0 %, hosted", Machine.HOSTED, false, 0),
            worse("3 %, what is allowed, quiet", Head.slower(0.031), Machine.QUIET, false, 0),
            worse("5 %, quiet", Head.slower(0.05), Machine.QUIET, false, 0.9),
            worse("5 %, neighbour", Head.slower(0.05), Machine.NEIGHBOUR, false, 0.3),
            worse("5 %, swings", Head.slower(0.05), Machine.SWINGS, false, 0.3),
            worse("5 %, modes", Head.slower(0.05), Machine.MODES, false, 0),
            worse("5 %, hosted", Head.slower(0.05), Machine.HOSTED, false, 0),
            worse("a lock of 10 %, quiet", new Head(0, 0.1, 0, 0, 2_000), Machine.QUIET, false, 0.9),
            new Cell("dies in 3 of 10", new Head(0, 0, 0.3, 0, 2_000), Machine.QUIET, false, 0.2, 1, 0, 0),
            worse("0.5 % fail, in bursts", new Head(0, 0, 0, 0.005, 2_000), Machine.QUIET, false, 0),
            worse("another page", new Head(0, 0, 0, 0, 200), Machine.QUIET, false, 0));

    @TestFactory
    Stream<DynamicTest> saysNoMoreThanIsSo() {
        return CELLS.stream().map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c)));
    }

    private static void check(Cell cell) {
        var runs = new Runs(USUAL);
        var passed = runs.atMost("no worse", (int) Math.ceil(cell.mostPassed() * USUAL + chance(cell.mostPassed())));
        var failed = runs.atMost("worse", (int) Math.ceil(cell.mostFailed() * USUAL + chance(cell.mostFailed())));
        var must = runs.atLeast("no worse", (int) Math.floor(cell.leastPassed() * USUAL - chance(cell.leastPassed())));
        var find = runs.atLeast("worse", (int) Math.floor(cell.leastFailed() * USUAL - chance(cell.leastFailed())));
        for (int seed : runs) {
            Result result = new TwoBuilds(cell.head(), cell.machine(), cell.open(), seed)
                    .gate(TIME)
                    .result();
            passed.count(result == Result.NO_WORSE);
            failed.count(result == Result.WORSE);
            must.count(result == Result.NO_WORSE);
            find.count(result == Result.WORSE);
        }
        runs.check();
    }

    /** Two standard deviations of a count. */
    private static double chance(double share) {
        return 2 * Math.sqrt(USUAL * share * (1 - share));
    }

    /** The figures for the page: what is said of each truth on each machine, and what the habits of the field say. */
    @Test
    @EnabledIfSystemProperty(named = "fettle.gate.grid", matches = ".+")
    void grid() {
        int runs = Integer.getInteger("fettle.gate.grid");
        print(
                "| machine | true loss | no worse | worse | can't tell | by CPU: no worse | by CPU: worse | minutes, half | minutes, nine of ten"
                        + " | two runs and 5 %: fails | one run and a stored baseline: fails |");
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        for (var machine : List.of(
                new Named("quiet", Machine.QUIET),
                new Named("neighbour", Machine.NEIGHBOUR),
                new Named("swings", Machine.SWINGS),
                new Named("hosted", Machine.HOSTED))) {
            for (double loss : new double[] {0, 0.01, 0.02, 0.03, 0.05, 0.1}) {
                print(row(machine, loss, runs));
            }
        }
        assertThat(runs).isPositive();
    }

    /** Losses that are no CPU time alone: which metric shows them. */
    private static final Map<String, Head> KINDS = kinds();

    private static Map<String, Head> kinds() {
        var all = new LinkedHashMap<String, Head>();
        all.put("a lock: 5 % of the throughput", new Head(0, 0.05, 0, 0, 2_000, 0, 0));
        all.put("20 % more allocation, 1 % more CPU time", new Head(0.01, 0, 0, 0, 2_000, 0.2, 0));
        all.put("one more statement: 4 % more CPU time, 3 % of waiting", new Head(0.04, 0.03, 0, 0, 2_000, 0, 0));
        all.put("a start that takes 30 % longer", new Head(0, 0, 0, 0, 2_000, 0, 0.3));
        return all;
    }

    /** The same of other losses. */
    @Test
    @EnabledIfSystemProperty(named = "fettle.gate.kinds", matches = ".+")
    void kindsOfLosses() {
        int runs = Integer.getInteger("fettle.gate.kinds");
        print("| machine | what was put in | no worse | worse | can't tell | shown by | minutes, half; nine of ten |");
        print("|---|---|--:|--:|--:|---|--:|");
        KINDS.forEach((what, head) -> {
            for (var machine : List.of(new Named("quiet", Machine.QUIET), new Named("neighbour", Machine.NEIGHBOUR))) {
                print(kind(machine, what, head, runs));
            }
        });
        assertThat(runs).isPositive();
    }

    private static String kind(Named machine, String what, Head head, int runs) {
        int passed = 0;
        int failed = 0;
        var shown = new TreeMap<String, Integer>();
        var minutes = new ArrayList<Double>();
        for (int seed = 1; seed <= runs; seed++) {
            GateConclusion c = new TwoBuilds(head, machine.machine(), false, seed).gate(TIME);
            passed += c.result() == Result.NO_WORSE ? 1 : 0;
            failed += c.result() == Result.WORSE ? 1 : 0;
            c.metrics().stream()
                    .filter(m -> m.answer() == Answer.WORSE)
                    .forEach(m -> shown.merge(m.metric().id(), 1, Integer::sum));
            minutes.add(c.result() == Result.CANT_TELL ? Double.POSITIVE_INFINITY : c.seconds() / 60);
        }
        Collections.sort(minutes);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %s | %s; %s |",
                machine.name(),
                what,
                share(passed, runs),
                share(failed, runs),
                share(runs - passed - failed, runs),
                shown.entrySet().stream()
                        .map(e -> e.getKey() + " " + share(e.getValue(), runs))
                        .collect(Collectors.joining(", ")),
                minutes(minutes.get(runs / 2)),
                minutes(minutes.get(runs * 9 / 10)));
    }

    private record Named(String name, Machine machine) {}

    private static String row(Named machine, double loss, int runs) {
        int passed = 0;
        int failed = 0;
        int cpuPassed = 0;
        int cpuFailed = 0;
        int twoRuns = 0;
        int stored = 0;
        var minutes = new ArrayList<Double>();
        for (int seed = 1; seed <= runs; seed++) {
            GateConclusion c = new TwoBuilds(Head.slower(loss), machine.machine(), false, seed).gate(TIME);
            passed += c.result() == Result.NO_WORSE ? 1 : 0;
            failed += c.result() == Result.WORSE ? 1 : 0;
            Answer cpu = TwoBuilds.of(c, GateMetric.CPU).answer();
            cpuPassed += cpu == Answer.NO_WORSE ? 1 : 0;
            cpuFailed += cpu == Answer.WORSE ? 1 : 0;
            minutes.add(c.result() == Result.CANT_TELL ? Double.POSITIVE_INFINITY : c.seconds() / 60);
            var habit = new TwoBuilds(Head.slower(loss), machine.machine(), false, seed);
            twoRuns += habit.throughput(true) < 0.95 * habit.throughput(false) ? 1 : 0;
            var yesterday = new TwoBuilds(Head.SAME, machine.machine(), false, seed + 100_000L);
            stored += habit.throughput(true) < 0.95 * yesterday.throughput(false) ? 1 : 0;
        }
        Collections.sort(minutes);
        return String.format(
                Locale.ROOT,
                "| %s | %.0f %% | %s | %s | %s | %s | %s | %s | %s | %s | %s |",
                machine.name(),
                100 * loss,
                share(passed, runs),
                share(failed, runs),
                share(runs - passed - failed, runs),
                share(cpuPassed, runs),
                share(cpuFailed, runs),
                minutes(minutes.get(runs / 2)),
                minutes(minutes.get(runs * 9 / 10)),
                share(twoRuns, runs),
                share(stored, runs));
    }

    private static String share(int of, int runs) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * of / runs);
    }

    private static String minutes(double m) {
        return Double.isInfinite(m) ? "–" : String.format(Locale.ROOT, "%.1f", m);
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
