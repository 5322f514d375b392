package dev.fettle.insight.explain;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Trials of the run that are like a given one, but with more of one thing (clients, the offered rate, CPUs, the backlog, a knob of the
 * application): the test of a limit that the run has made already. For a worker pool see {@link PoolContrast}.
 *
 * <p>Decided as for a pool: throughput has to rise by half as much as the amount did, on the log scale, a doubling at
 * most, and the two-sided 95 % interval of the rise has to lie on one side of that.
 *
 * @param what what there was more of: {@code load.connections}
 * @param own how much of it this trial had
 * @param more how much the other had
 */
public record RaisedInRun(String what, Group own, Group more, Decision decided) {
    private static final String CONNECTIONS = "load.connections";
    private static final String RATE = "load.rate";
    private static final String CPUS = "process.cpus";
    private static final String BACKLOG = "backlog";
    private static final String OWN_KNOB = "own.";

    /** An increase by less than this factor tests nothing. */
    private static final double APART = 1.35;

    /** What more of it gave. */
    public enum Decision {
        MORE,
        SAME,
        OPEN
    }

    /**
     * Trials with the same amount.
     *
     * @param throughput geometric mean, per second, as measured
     * @param score the logarithm of the same, without how far a warm JVM had moved
     * @param drops connections dropped at a full accept queue, mean
     * @param dropping how many trials the accept queue limited
     */
    public record Group(double amount, int trials, double throughput, double score, double drops, int dropping) {
        String figure() {
            return PoolContrast.figure(throughput, score);
        }
    }

    /**
     * The trials with more of one thing; empty if the run has none.
     *
     * @param what a condition of the load, the machine or a knob; {@code own.} is any knob of the application
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput
     */
    public static Optional<RaisedInRun> of(
            String what, TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        return what.equals(OWN_KNOB) ? ownKnobs(trial, run, moved) : find(what, trial, run, moved);
    }

    /** Of the application's knobs that were raised alone, the one that gained the most. */
    private static Optional<RaisedInRun> ownKnobs(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        var knobs = new TreeSet<String>();
        run.forEach(o -> knobs.addAll(o.spec().setting().values().keySet()));
        return knobs.stream()
                .filter(k -> k.startsWith(OWN_KNOB))
                .flatMap(k -> find(k, trial, run, moved).stream())
                .max(Comparator.comparingDouble(t -> t.more.score - t.own.score));
    }

    private static Optional<RaisedInRun> find(
            String what, TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        OptionalFigure own = amount(what, trial);
        if (own.isEmpty()) {
            return Optional.empty();
        }
        var byAmount = new TreeMap<Double, List<TrialOutcome>>();
        byAmount.put(own.getAsDouble(), new ArrayList<>(List.of(trial)));
        Object rest = rest(what, trial);
        for (TrialOutcome o : run) {
            OptionalFigure amount = o == trial || !o.valid() ? OptionalFigure.empty() : amount(what, o);
            if (amount.isPresent() && rest(what, o).equals(rest)) {
                byAmount.computeIfAbsent(amount.getAsDouble(), k -> new ArrayList<>())
                        .add(o);
            }
        }
        var noise = new Noise();
        byAmount.values().forEach(g -> noise.add(PoolContrast.logs(g, moved)));
        Group at = group(own.getAsDouble(), byAmount, moved);
        // only the next amount: farther away, something else may be the limit
        return byAmount.tailMap(APART * own.getAsDouble(), true).keySet().stream()
                .map(a -> group(a, byAmount, moved))
                .filter(g -> g.throughput > 0 && at.throughput > 0)
                .findFirst()
                .map(g -> new RaisedInRun(what, at, g, BACKLOG.equals(what) ? drops(at, g) : decide(at, g, noise)));
    }

    private static Group group(
            double amount, Map<Double, List<TrialOutcome>> byAmount, ToDoubleFunction<TrialOutcome> moved) {
        List<TrialOutcome> trials = byAmount.getOrDefault(amount, List.of());
        double[] logs = PoolContrast.logs(trials);
        List<AcceptQueue> queues = trials.stream().map(AcceptQueue::of).toList();
        return new Group(
                amount,
                logs.length,
                logs.length == 0 ? 0 : StrictMath.exp(Statistics.average(logs)),
                logs.length == 0 ? 0 : Statistics.average(PoolContrast.logs(trials, moved)),
                queues.stream().mapToDouble(AcceptQueue::drops).average().orElse(0),
                (int) queues.stream().filter(AcceptQueue::limits).count());
    }

    /** A backlog is about dropped connections, not about throughput. */
    private static Decision drops(Group own, Group more) {
        if (more.dropping == 0 && own.dropping == own.trials) {
            return Decision.MORE;
        }
        return more.dropping == more.trials && more.drops >= own.drops / 2 ? Decision.SAME : Decision.OPEN;
    }

    private static Decision decide(Group own, Group more, Noise noise) {
        double rise = more.score - own.score;
        double half = noise.half(own.trials, more.trials);
        double bound = PoolContrast.inProportion(more.amount, own.amount);
        if (rise - half >= bound) {
            return Decision.MORE;
        }
        // a single disturbed trial looks as if more gave no gain
        boolean backed = own.trials >= 2 && more.trials >= 2;
        return rise + half <= bound && backed ? Decision.SAME : Decision.OPEN;
    }

    /** The amount that a trial had, if it is known. */
    private static OptionalFigure amount(String what, TrialOutcome o) {
        Load load = o.spec().load();
        return switch (what) {
            case CONNECTIONS ->
                load.arrivals() instanceof Arrivals.Closed
                        ? OptionalFigure.of(load.connections())
                        : OptionalFigure.empty();
            case RATE ->
                load.arrivals() instanceof Arrivals.Open open && !load.hasStages()
                        ? OptionalFigure.of(open.stages().getFirst().from())
                        : OptionalFigure.empty();
            case CPUS ->
                o.evidence()
                        .map(Evidence::serverCpus)
                        .filter(n -> n > 0)
                        .map(OptionalFigure::of)
                        .orElse(OptionalFigure.empty());
            case BACKLOG ->
                o.evidence()
                        .filter(e -> e.acceptQueueLimit().isPresent())
                        .map(e -> OptionalFigure.of(e.acceptQueueLimit().getAsInt()))
                        .orElse(OptionalFigure.empty());
            default ->
                OperatingPoint.knob(o.spec(), o.evidence(), what)
                        .filter(v -> v.matches("\\d{1,15}"))
                        .map(v -> OptionalFigure.of(Double.parseDouble(v)))
                        .orElse(OptionalFigure.empty());
        };
    }

    /** Everything that has to be equal. A longer warm-up makes no difference, nor does a shorter time of measuring. */
    private static List<Object> rest(String what, TrialOutcome o) {
        Load load = ComparableTrials.load(o);
        Load same = switch (what) {
            case CONNECTIONS -> load.withConnections(1);
            case RATE -> load.withArrivals(Arrivals.Open.constant(1));
            default -> load;
        };
        return List.of(same, o.spec().target(), o.spec().setting().without(what));
    }

    /** What was tried, and the result. */
    public String sentence() {
        boolean rate = RATE.equals(what);
        String tried = "The run has tried more: with " + what + " " + said(more.amount) + " instead of "
                + said(own.amount) + ", all else alike, ";
        String trials = " (" + FigureText.count(more.trials, "trial") + " against " + own.trials + ")";
        if (BACKLOG.equals(what)) {
            return tried + AcceptQueue.were(more.drops) + " dropped instead of " + Format.whole(own.drops)
                    + trials
                    + switch (decided) {
                        case MORE -> ", so the accept queue was the limit.";
                        case SAME -> ": a longer queue does not help.";
                        case OPEN -> ", which leaves it open.";
                    };
        }
        String gave = tried + "it gave " + more.figure() + " instead of " + own.figure() + trials;
        return gave
                + switch (decided) {
                    case MORE -> rate ? ", so it can do more than this." : ", so " + subject() + " the limit.";
                    case SAME ->
                        rate
                                ? ": its limit lies between the two rates."
                                : ": " + subject() + " not the limit, or not the only one.";
                    case OPEN -> ", which leaves open whether that is a rise.";
                };
    }

    private String subject() {
        return CONNECTIONS.equals(what) ? "the clients were" : CPUS.equals(what) ? "the CPUs were" : what + " was";
    }

    private String said(double amount) {
        return RATE.equals(what) ? Format.number(amount) + "/s" : Format.whole(amount);
    }
}
