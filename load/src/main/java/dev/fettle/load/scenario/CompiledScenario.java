package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.Scenario;
import dev.fettle.load.Scenario.Feed;
import dev.fettle.load.Scenario.Flow;
import dev.fettle.load.Scenario.Order;
import dev.fettle.load.Scenario.Step;
import dev.fettle.load.api.Ranges;
import dev.fettle.load.script.HeadFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A scenario as users follow it: all names are resolved. Shared by all users of a load. */
public final class CompiledScenario {

    /**
     * A flow.
     *
     * @param firstStep its first step's number among the steps of all flows
     * @param feeds those from which an iteration takes a row
     */
    record CompiledFlow(CompiledStep[] steps, int firstStep, CompiledFeed[] feeds, boolean wantsUuid) {}

    /**
     * Rows of values.
     *
     * @param slots of the columns
     * @param next the next row of all users, not yet reduced to the number of rows
     */
    record CompiledFeed(int[] slots, byte[][][] rows, Order order, AtomicInteger next) {}

    private final HeadFormat format;
    private final CompiledFlow[] flows;
    /** Running sums of the flows' weights. */
    private final long[] weights;

    private final int[] demands;
    private final int stepCount;
    private final boolean keepCookies;
    private final long seed;

    private CompiledScenario(Scenario scenario, HeadFormat format, List<CompiledFlow> flows, int[] demands) {
        this.format = format;
        this.flows = flows.toArray(CompiledFlow[]::new);
        this.demands = demands;
        this.stepCount = scenario.stepCount();
        this.keepCookies = scenario.keepCookies();
        this.seed = scenario.seed();
        weights = new long[this.flows.length];
        long sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += scenario.flows().get(i).weight();
            weights[i] = sum;
        }
    }

    /**
     * Compiles a scenario.
     *
     * @param format of the heads of its requests
     * @throws IllegalArgumentException if something in it is wrong; the message says in which step, and what
     */
    public static CompiledScenario of(Scenario scenario, String hostHeader, boolean keepAlive, HeadFormat format) {
        if (scenario.flows().isEmpty()) {
            throw new IllegalArgumentException("a scenario needs at least one flow");
        }
        Variables slots = new Variables();
        scenario.variables().forEach(slots::fix);
        List<CompiledFeed> feeds =
                scenario.feeds().stream().map(f -> feed(f, slots)).toList();
        List<CompiledFlow> flows = new ArrayList<>();
        int first = 0;
        for (Flow flow : scenario.flows()) {
            Ranges.range("the weight of flow " + flow.name(), flow.weight(), 1, 1_000_000);
            flows.add(flow(
                    flow,
                    first,
                    slots,
                    feeds,
                    step -> new StepCompiler(step, slots, hostHeader, keepAlive, format).compile()));
            first += flow.steps().size();
        }
        int[] demands = new int[slots.count()];
        for (int i = 0; i < demands.length; i++) {
            demands[i] = slots.demand(i);
        }
        for (int i = 0; i < feeds.size(); i++) {
            check(scenario.feeds().get(i), feeds.get(i), demands);
        }
        return new CompiledScenario(scenario, format, flows, demands);
    }

    private static CompiledFlow flow(
            Flow flow, int first, Variables slots, List<CompiledFeed> feeds, Function<Step, CompiledStep> compiler) {
        if (flow.steps().isEmpty()) {
            throw new IllegalArgumentException("flow " + flow.name() + " needs at least one step");
        }
        slots.beginFlow();
        Set<String> names = new HashSet<>();
        List<CompiledStep> steps = new ArrayList<>();
        for (Step step : flow.steps()) {
            if (!names.add(step.name())) {
                throw new IllegalArgumentException("two steps of a flow are named '" + step.name() + "'");
            }
            try {
                steps.add(compiler.apply(step));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("step '" + step.name() + "': " + e.getMessage(), e);
            }
        }
        if (!flow.steps().getLast().think().equals(Scenario.Think.NONE)) {
            throw new IllegalArgumentException("step '" + flow.steps().getLast().name()
                    + "' is its flow's last, so there is nothing to think before");
        }
        CompiledFeed[] used = feeds.stream()
                .filter(f -> Arrays.stream(f.slots()).anyMatch(slots::isUsed))
                .toArray(CompiledFeed[]::new);
        return new CompiledFlow(steps.toArray(CompiledStep[]::new), first, used, slots.isUsed(Variables.UUID));
    }

    private static CompiledFeed feed(Feed feed, Variables slots) {
        if (feed.rows().isEmpty()) {
            throw new IllegalArgumentException(feed.name() + " has no rows");
        }
        int[] columns = feed.columns().stream().mapToInt(slots::define).toArray();
        byte[][][] rows = new byte[feed.rows().size()][][];
        for (int i = 0; i < rows.length; i++) {
            List<String> row = feed.rows().get(i);
            if (row.size() != columns.length) {
                throw new IllegalArgumentException(feed.name() + ", row " + (i + 1) + ": " + row.size() + " values for "
                        + columns.length + " columns");
            }
            rows[i] = row.stream().map(v -> v.getBytes(UTF_8)).toArray(byte[][]::new);
        }
        return new CompiledFeed(columns, rows, feed.order(), new AtomicInteger());
    }

    private static void check(Feed feed, CompiledFeed compiled, int[] demands) {
        for (int row = 0; row < compiled.rows().length; row++) {
            for (int column = 0; column < compiled.slots().length; column++) {
                byte[] value = compiled.rows()[row][column];
                String what = feed.name() + ", row " + (row + 1) + ": the value of "
                        + feed.columns().get(column);
                Variables.check(what, value, value.length, demands[compiled.slots()[column]]);
            }
        }
    }

    HeadFormat format() {
        return format;
    }

    int stepCount() {
        return stepCount;
    }

    boolean keepCookies() {
        return keepCookies;
    }

    long seed() {
        return seed;
    }

    /** The demands on the value of each variable, see {@link Variables}. */
    int[] demands() {
        return demands;
    }

    /** The flow chosen by a random number. */
    CompiledFlow flow(long random) {
        long at = Long.remainderUnsigned(random, weights[weights.length - 1]);
        int i = 0;
        while (weights[i] <= at) {
            i++;
        }
        return flows[i];
    }
}
