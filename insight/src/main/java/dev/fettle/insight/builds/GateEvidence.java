package dev.fettle.insight.builds;

import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Measured;
import dev.fettle.insight.GateConclusion.Reach;
import dev.fettle.insight.GateConclusion.Side;
import dev.fettle.insight.stats.GroupSequential;
import dev.fettle.insight.stats.GroupSequential.Look;
import dev.fettle.insight.stats.Imbalance;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Power;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AnswerCheck;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the pairs of a gate show so far.
 *
 * <p>"Worse" is claimed if any metric shows it, so the metrics share {@link #FALSE_ALARM} by Holm's procedure with weights (Holm 1979, Scand. J.
 * Statist. 6:65): those that decide have more weight ({@link GateMetric#weight}). "No worse" is claimed only if all that decide show it,
 * so each may use all of {@link #FALSE_PASS} (intersection–union test: Berger 1982, doi 10.1080/00401706.1982.10487790).
 */
final class GateEvidence {
    /** The probability to say "worse" of a head that is no slower by any metric. */
    static final double FALSE_ALARM = 0.05;

    /** The probability to say "no worse" of a head that loses as much as is allowed, or more. */
    static final double FALSE_PASS = 0.05;

    /** So many pairs have to have figures. */
    static final int LEAST_PAIRS = 3;

    /** Level of the test that base is like itself, and of one on the counts of failures; each look has it. */
    private static final double SANE = 0.99;

    private static final double FAILS = 0.025;

    /** Of all answers, those of so many trials of the base say what varies. */
    private static final int ENOUGH_ANSWERS = 2;

    private static final int MOST_PAIRS = 2000;

    private final GateAsked asked;
    private final boolean open;
    private final List<GatePair> all;
    private final boolean last;

    /** @param last whether no pair will follow */
    GateEvidence(Plan plan, GateAsked asked, List<GatePair> all, boolean last) {
        this.asked = asked;
        this.open = plan.load().arrivals() instanceof Arrivals.Open;
        this.all = List.copyOf(all);
        this.last = last;
    }

    double seconds() {
        return all.isEmpty() ? 0 : all.getLast().ended();
    }

    double asked() {
        return asked.time().toMillis() / 1e3;
    }

    /** Seconds that a pair takes. */
    double eachPair() {
        return all.isEmpty() ? 0 : seconds() / all.size();
    }

    List<GatePair> pairs() {
        return all.stream().filter(p -> !p.same()).toList();
    }

    List<GatePair> samePairs() {
        return all.stream().filter(GatePair::same).toList();
    }

    /** The pairs that the figures are of. */
    private List<GatePair> compared() {
        return asked.aa() ? samePairs() : pairs();
    }

    List<GatePair> all() {
        return all;
    }

    /** Pairs with figures in which others took more CPU time than a valid trial allows. */
    long disturbed() {
        return all.stream().filter(p -> p.counts() && p.disturbed()).count();
    }

    /** Pairs with figures, of any kind. */
    long counted() {
        return all.stream().filter(GatePair::counts).count();
    }

    Side base() {
        return new Side(telling(all) + telling(samePairs()), (int)
                (failed(all, GatePair::baseFailed) + failed(samePairs(), GatePair::otherFailed)));
    }

    Side head() {
        return new Side(telling(pairs()), (int) failed(pairs(), GatePair::otherFailed));
    }

    /** A side whose partner failed did not fail itself. */
    private static int telling(List<GatePair> of) {
        return (int) of.stream().filter(p -> !p.saysNothing()).count();
    }

    private static long failed(List<GatePair> of, Function<GatePair, Optional<String>> how) {
        return of.stream().filter(p -> how.apply(p).isPresent()).count();
    }

    /** How the head failed, in words; empty if it never did. */
    Optional<String> failure() {
        List<String> how = pairs().stream()
                .map(GatePair::otherFailed)
                .flatMap(Optional::stream)
                .toList();
        return how.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(" or ", how.stream().distinct().toList()) + " in " + how.size() + " of "
                        + head().started() + (head().started() == 1 ? " start" : " starts"));
    }

    /** What the first head that failed said; empty if none did. */
    Optional<String> firstFailure() {
        return pairs().stream()
                .filter(p -> p.otherFailed().isPresent())
                .findFirst()
                .flatMap(p -> p.other().failure().map(TrialOutcome.Failure::message));
    }

    /** Whether the head fails more often than the base, by the counts of both. */
    boolean headIsToBlame() {
        Side h = head();
        Side b = base();
        return h.failed() > 0 && Imbalance.more(h.failed(), h.started(), b.failed(), b.started()) <= FAILS;
    }

    /** How the head answers otherwise than the base, beyond what varies between processes of the base. */
    Optional<String> otherAnswers() {
        List<TrialOutcome> base = Stream.concat(
                        all.stream().map(GatePair::base), samePairs().stream().map(GatePair::other))
                .filter(GateEvidence::answered)
                .toList();
        List<TrialOutcome> head = pairs().stream()
                .map(GatePair::other)
                .filter(GateEvidence::answered)
                .toList();
        return base.size() < ENOUGH_ANSWERS || head.isEmpty()
                ? Optional.empty()
                : AnswerCheck.of(base, head).map(AnswerCheck.Difference::text);
    }

    private static boolean answered(TrialOutcome t) {
        return t.measurement().isPresent() && AttemptStatus.of(t) != AttemptStatus.OUTSIDE;
    }

    /** The answer by each metric that fits the load; those that decide first. */
    List<Measured> metrics() {
        List<Of> observed = Arrays.stream(GateMetric.values())
                .filter(m -> m.fits(open))
                .map(Of::new)
                .toList();
        Map<GateMetric, Double> levels = levels(observed);
        return observed.stream()
                .map(o -> o.measured(levels.getOrDefault(o.metric, 0.0)))
                .sorted(Comparator.comparing(m -> !m.decides()))
                .toList();
    }

    /** What these pairs, of base and base, say of gates of other lengths. */
    List<Reach> reach(double... minutes) {
        return Arrays.stream(minutes)
                .boxed()
                .flatMap(m -> Arrays.stream(GateMetric.values())
                        .filter(x -> x.fits(open) && asked.decides(x))
                        .map(Of::new)
                        .flatMap(o -> o.reach(m).stream()))
                .toList();
    }

    /** The share of {@link #FALSE_ALARM} that each metric has in the end. */
    private Map<GateMetric, Double> levels(Collection<Of> observed) {
        var open = new ArrayList<>(observed.stream().filter(Of::isObserved).toList());
        var levels = new EnumMap<GateMetric, Double>(GateMetric.class);
        boolean again = true;
        while (again && !open.isEmpty()) {
            double weights = open.stream().mapToDouble(Of::weight).sum();
            open.forEach(o -> levels.put(o.metric, FALSE_ALARM * o.weight() / weights));
            again = open.removeIf(o -> o.isWorse(levels.getOrDefault(o.metric, 0.0)));
        }
        return levels;
    }

    /** One metric's pairs. */
    private final class Of {
        private final GateMetric metric;
        private final GateFigure figure;
        private final double[] losses;
        private final double[] sameLosses;
        private final List<Look> looks;

        Of(GateMetric metric) {
            this.metric = metric;
            this.figure = new GateFigure(metric);
            this.losses = losses(compared());
            this.sameLosses = losses(samePairs());
            this.looks = looks();
        }

        private double[] losses(List<GatePair> of) {
            return of.stream()
                    .map(p -> p.loss(metric))
                    .flatMapToDouble(OptionalFigure::stream)
                    .toArray();
        }

        /** After each pair from the third on, at the share of the time that had passed. */
        private List<Look> looks() {
            var each = new ArrayList<Look>();
            int n = 0;
            for (GatePair p : all) {
                if (p.same() == asked.aa() && p.loss(metric).isPresent() && ++n >= LEAST_PAIRS) {
                    each.add(new Look(n, Math.min(1, p.ended() / asked())));
                }
            }
            if (last && !each.isEmpty()) {
                each.set(each.size() - 1, new Look(n, 1));
            }
            return each;
        }

        private boolean isObserved() {
            return losses.length > 0
                    && 2 * losses.length
                            >= pairs().stream().filter(GatePair::counts).count();
        }

        private double weight() {
            return metric.weight(asked.decides(metric));
        }

        private double allowed() {
            return figure.scale(asked.allowed(metric));
        }

        /** The distance of a bound from the mean, one-sided, such that all looks together err with this probability. */
        private double half(double alpha) {
            if (looks.isEmpty() || alpha <= 0) {
                return Double.POSITIVE_INFINITY;
            }
            double level = GroupSequential.level(alpha, looks);
            double scatter = scatter();
            return scatter == 0
                    ? 0
                    : Statistics.tQuantile(freedom(), 1 - 2 * level) * scatter / Math.sqrt(losses.length);
        }

        /**
         * The deviation of a pair. Pairs of base and base scatter around 0 as those of a head that is no slower do around theirs, so they
         * are counted in; they never make it smaller.
         */
        private double scatter() {
            double own = Statistics.deviation(losses);
            double sum = own * own * (losses.length - 1);
            for (double loss : counted()) {
                sum += loss * loss;
            }
            return Math.max(own, Math.sqrt(sum / freedom()));
        }

        private int freedom() {
            return losses.length - 1 + counted().length;
        }

        /** The pairs of base and base, unless it is they that are judged. */
        private double[] counted() {
            return asked.aa() ? new double[0] : sameLosses;
        }

        private double mean() {
            return Statistics.average(losses);
        }

        /** Whether a loss is shown that is as large as what is allowed, or larger. */
        boolean isWorse(double alpha) {
            double least = mean() - half(alpha);
            return least > 0 && mean() >= allowed() && strange().isEmpty();
        }

        boolean isNoWorse() {
            return mean() + half(FALSE_PASS) < allowed() && strange().isEmpty();
        }

        /** Why nothing is claimed: base differs from itself by this metric. */
        private Optional<String> strange() {
            if (asked.aa() || sameLosses.length < LEAST_PAIRS) {
                return Optional.empty();
            }
            Interval same = Statistics.mean(sameLosses, SANE);
            return Statistics.deviation(sameLosses) > 0 && !same.contains(0)
                    ? Optional.of("base differs from itself by it")
                    : Optional.empty();
        }

        Measured measured(double alpha) {
            Answer answer = asked.aa() || !isObserved()
                    ? Answer.CANT_TELL
                    : isNoWorse() ? Answer.NO_WORSE : isWorse(alpha) ? Answer.WORSE : Answer.CANT_TELL;
            boolean settled = answer != Answer.CANT_TELL;
            return new Measured(
                    metric,
                    asked.decides(metric),
                    answer,
                    asked.allowed(metric),
                    change(mean(), half(alpha), half(FALSE_PASS), alpha),
                    each(losses),
                    average(compared(), GatePair::base),
                    average(compared(), GatePair::other),
                    losses.length,
                    sameLosses.length == 0 ? Optional.empty() : Optional.of(same()),
                    each(sameLosses),
                    couldShow(losses.length, alpha),
                    settled || asked.aa() ? OptionalFigure.empty() : minutes(),
                    asked.aa() ? Optional.empty() : strange());
        }

        private Interval same() {
            Interval mean = Statistics.mean(sameLosses);
            double half = mean.bounded() ? mean.high() - mean.estimate() : Double.POSITIVE_INFINITY;
            return change(mean.estimate(), half, half, 1 - mean.level());
        }

        /** As head over base: a loss of throughput is a ratio below 1. */
        private Interval change(double mean, double least, double most, double alpha) {
            double low = figure.change(mean - least);
            double high = figure.change(mean + most);
            boolean bounded = Double.isFinite(least) && Double.isFinite(most);
            return bounded
                    ? new Interval(
                            figure.change(mean),
                            Math.min(low, high),
                            Math.max(low, high),
                            1 - Math.max(alpha, FALSE_PASS),
                            Interval.Method.STUDENT)
                    : Interval.unbounded(figure.change(mean));
        }

        private List<Double> each(double[] of) {
            return Arrays.stream(of).map(figure::change).boxed().toList();
        }

        private OptionalFigure average(List<GatePair> of, Function<GatePair, TrialOutcome> side) {
            double[] figures = of.stream()
                    .filter(p -> p.loss(metric).isPresent())
                    .map(side)
                    .map(figure::of)
                    .flatMapToDouble(OptionalFigure::stream)
                    .toArray();
            if (figures.length == 0) {
                return OptionalFigure.missing(of.stream()
                        .filter(GatePair::counts)
                        .map(side)
                        .map(t -> figure.of(t).why())
                        .filter(why -> !why.isEmpty())
                        .findFirst()
                        .orElse("no pair has it on both sides"));
            }
            return OptionalFigure.of(
                    metric == GateMetric.ERRORS
                            ? Statistics.average(figures)
                            : StrictMath.exp(Statistics.average(
                                    Arrays.stream(figures).map(StrictMath::log).toArray())));
        }

        /** The smallest loss that so many pairs call worse in four runs of five: no less than what is allowed. */
        OptionalFigure couldShow(int pairs, double alpha) {
            if (losses.length < LEAST_PAIRS || pairs < LEAST_PAIRS) {
                return OptionalFigure.missing("too few pairs");
            }
            double scatter = scatter();
            double level = 1 - 2 * (alpha > 0 ? alpha : FALSE_ALARM);
            double loss = StrictMath.log(Power.leastShown(scatter, pairs, level, 1));
            return OptionalFigure.of(Math.max(asked.allowed(metric), figure.share(loss)));
        }

        private Optional<Reach> reach(double minutes) {
            int begun = (int) Math.floor(minutes * 60 / Math.max(1e-3, eachPair()));
            int pairs = begun - (begun + GateExperiment.ONE_IN - 2) / GateExperiment.ONE_IN;
            OptionalFigure loss = couldShow(pairs, 0);
            return loss.isPresent() ? Optional.of(new Reach(minutes, metric, loss.getAsDouble())) : Optional.empty();
        }

        /** Minutes in all after which pairs that scatter like these would most likely tell. */
        private OptionalFigure minutes() {
            if (losses.length < LEAST_PAIRS || strange().isPresent()) {
                return OptionalFigure.missing("too few pairs");
            }
            double scatter = scatter();
            // towards "worse" or towards "no worse": whichever is farther from where the mean is
            double way = mean() >= allowed() ? mean() : allowed() - mean();
            int n = losses.length + 1;
            while (n < MOST_PAIRS && StrictMath.log(Power.leastShown(scatter, n, 1 - 2 * FALSE_PASS, 1)) > way) {
                n = n + Math.max(1, n / 10);
            }
            double share = Math.max(0.1, losses.length / (double) all.size());
            return n >= MOST_PAIRS
                    ? OptionalFigure.missing("more pairs than anybody would wait for")
                    : OptionalFigure.of(Math.ceil(n / share * eachPair() / 60));
        }
    }
}
