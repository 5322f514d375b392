package dev.fettle.insight.tune;

import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Where along one knob a limit begins to break, or the server to fail. Where the objective rises up to there, the best value is the last one
 * that holds; where it falls again before, one in between. So the next value lies in the gap next to the best that may give the most, until
 * none is worth a trial:
 *
 * <ul>
 *   <li>between the best that holds and the nearest that doesn't, by how the objective surely rises towards it;
 *   <li>between the best and its neighbours that hold, at most up to where the lines through the points on both sides meet: the objective is
 *       taken to rise ever less with the value's logarithm, and nowhere by more than in proportion.
 * </ul>
 *
 * @param clearance what lies nearer to a limit on latency than a duel can show to be within it counts as beyond the edge
 * @param line the settings seen that differ in this knob alone, by its value
 * @param nearer whether an edge is the likelier the nearer it lies to what holds: so it is where the default holds
 * @param sigma deviation between trials of one setting, on the log scale
 */
record LimitEdge(
        KnobAxis axis,
        Scoring scoring,
        LimitMargin clearance,
        NavigableMap<Long, SettingTrials> line,
        boolean nearer,
        double sigma) {
    /** The origin of what is tried for it. */

    /** What lies between the values is worth a trial if it may give this much (logarithm). */
    private static final double WORTH = StrictMath.log(1.01);

    /** Values closer together than this factor do not tell how the objective goes. */
    private static final double APART = StrictMath.log(1.1);

    /** An edge this much farther away (logarithm) from what holds is half as likely. */
    private static final double HALF_AS_LIKELY = StrictMath.log(4);

    /** How far (logarithm) from what broke under a closer look the next value lies. */
    private static final double STEP_BACK = StrictMath.log(1.15);

    /** What lies nearer to it than this may break as well. */
    private static final double TOO_NEAR = 0.75 * STEP_BACK;

    /** A value is tried no nearer to an end of a gap than this share of it. */
    private static final double OFF = 0.15;

    /**
     * A gap between two neighbouring values.
     *
     * @param gain what a value in it may give over the best at most (logarithm)
     * @param share where the next value lies in it, in logarithms
     */
    private record Gap(long from, long to, double gain, double share) {
        Optional<Long> value(KnobAxis axis) {
            double first = Math.max(1, from);
            long value = axis.nearest(first * StrictMath.pow(Math.max(1, to) / first, share));
            return value > Math.min(from, to) && value < Math.max(from, to) ? Optional.of(value) : Optional.empty();
        }
    }

    /**
     * The value to try next.
     *
     * @param best the best value that holds
     */
    Optional<Long> next(long best) {
        if (line.values().stream().noneMatch(this::ends)) {
            return Optional.empty();
        }
        return Stream.of(edge(best, true), edge(best, false), peak(best, true), peak(best, false))
                .flatMap(Optional::stream)
                .filter(g -> g.gain() >= WORTH && g.value(axis).isPresent())
                .max(Comparator.comparingDouble(Gap::gain))
                .flatMap(g -> g.value(axis));
    }

    /**
     * Where no value that was seen holds: a value beyond the end that is nearer to holding, halfway to that of the range; where that is not
     * known the lower end and the upper one in turn.
     */
    Optional<Long> outward() {
        long low = line.firstKey();
        long high = line.lastKey();
        double ofLow = scoring.rank(at(low));
        double ofHigh = scoring.rank(at(high));
        boolean downward = ofLow == ofHigh || Double.isNaN(ofLow - ofHigh) ? line.size() % 2 == 1 : ofLow > ofHigh;
        long below = axis.nearest(Math.sqrt(Math.max(1.0, axis.from()) * low));
        long above = axis.nearest(Math.sqrt((double) axis.to() * high));
        Optional<Long> down = below < low ? Optional.of(below) : Optional.empty();
        Optional<Long> up = above > high ? Optional.of(above) : Optional.empty();
        return downward ? down.or(() -> up) : up.or(() -> down);
    }

    /**
     * The next setting along one knob through the best that holds, or outward where nothing along it does.
     *
     * @param best by the objective, of those that are surely enough within the limits
     * @param sigma deviation between trials of one setting, on the log scale
     */
    static Optional<SettingSearch.Proposal> propose(
            Plan plan, KnobAxis axis, Scoring scoring, List<SettingTrials> seen, SettingTrials best, double sigma) {
        NavigableMap<Long, SettingTrials> line = axis.line(seen, best.setting());
        line.headMap(0L, true).clear();
        if (line.isEmpty()) {
            return Optional.empty();
        }
        var clearance = LimitMargin.of(scoring, seen, InterimAnalyses.of(plan).first());
        var edge = new LimitEdge(axis, scoring, clearance, line, !breaks(scoring, seen.getFirst()), sigma);
        Optional<Long> next = scoring.feasible(best)
                ? line.entrySet().stream()
                        .filter(e -> e.getValue() == best)
                        .findFirst()
                        .flatMap(e -> edge.next(e.getKey()))
                : line.values().stream().allMatch(o -> breaks(scoring, o)) ? edge.outward() : Optional.empty();
        return next.map(v -> new SettingSearch.Proposal(
                best.setting().with(axis.knob(), axis.text(v)),
                Origin.EDGE,
                scoring.feasible(best)
                        ? "between what holds and what breaks a limit, fails or gives less"
                        : "nothing holds yet: farther from what breaks a limit or fails"));
    }

    /** Whether the search over several knobs went along an edge: then what is left of its trials is for the other knobs. */
    static boolean decides(Plan plan, List<SettingTrials> seen) {
        return plan.knobs().size() > 1 && seen.stream().anyMatch(o -> o.origin() == Origin.EDGE);
    }

    /** Whether a setting was seen to break a limit, to fail, or to answer otherwise: not one without figures for another reason. */
    static boolean breaks(Scoring scoring, SettingTrials o) {
        return !o.worse()
                && o.ignored().isEmpty()
                && (o.failure().isPresent() || scoring.observed(o) && !scoring.feasible(o));
    }

    /**
     * The settings seen, with what broke under a closer look marked as failed, and what differs from it in one number and lies farther from
     * the default, or nearer to one that breaks itself: it lies beyond the edge, too. So may what is hardly nearer.
     *
     * @param broken settings that broke
     */
    static List<SettingTrials> without(Plan plan, List<SettingTrials> seen, List<Setting> broken) {
        if (broken.isEmpty()) {
            return seen;
        }
        return seen.stream()
                .map(o -> broken.stream().anyMatch(s -> s.equals(o.setting()) || beyond(plan, seen, s, o.setting()))
                        ? o.withFailure(o.failure().or(() -> Optional.of("broke")))
                        : o)
                .toList();
    }

    /**
     * A setting a step back from one that held in the search and broke under a closer look: where it breaks now and then, a little farther
     * from its edge it does not.
     *
     * @param broke changes one knob whose values are numbers, and maybe others
     * @param to the next that may be had
     * @return empty where that is hardly farther
     */
    static Optional<Setting> stepBack(Plan plan, SettingTrials broke, SettingTrials to) {
        List<KnobAxis> axes = plan.knobs().stream()
                .filter(k -> broke.setting().get(k.knob()).isPresent())
                .filter(k -> !broke.setting().get(k.knob()).equals(plan.hold().get(k.knob())))
                .flatMap(k -> KnobAxis.of(k).stream())
                .toList();
        if (axes.size() != 1) {
            return Optional.empty();
        }
        KnobAxis axis = axes.getFirst();
        OptionalLong from = number(broke.inForce(axis.knob()));
        OptionalLong next = number(to.inForce(axis.knob()));
        if (from.isEmpty() || next.isEmpty() || apart(from.getAsLong(), next.getAsLong()) <= 2 * STEP_BACK) {
            return Optional.empty();
        }
        double sign = Math.signum((double) next.getAsLong() - from.getAsLong());
        long value = axis.nearest(from.getAsLong() * StrictMath.exp(sign * STEP_BACK));
        return value == from.getAsLong() || value == next.getAsLong()
                ? Optional.empty()
                : Optional.of(broke.setting().with(axis.knob(), axis.text(value)));
    }

    /** The one knob in which two settings differ, if it is a number. */
    private static Optional<KnobAxis> only(Plan plan, Setting a, Setting b) {
        List<KnobRange> differ = plan.knobs().stream()
                .filter(k -> !a.get(k.knob()).equals(b.get(k.knob())))
                .toList();
        return differ.size() == 1 ? KnobAxis.of(differ.getFirst()) : Optional.empty();
    }

    private static boolean beyond(Plan plan, List<SettingTrials> seen, Setting broken, Setting other) {
        Optional<KnobAxis> axis = only(plan, broken, other);
        if (axis.isEmpty()) {
            return false;
        }
        String knob = axis.get().knob();
        OptionalLong from = number(seen.getFirst().inForce(knob));
        OptionalLong at = number(broken.get(knob));
        OptionalLong to = number(other.get(knob));
        int outward = breaks(new Scoring(plan.objective()), seen.getFirst()) ? -1 : 1;
        if (from.isEmpty() || at.isEmpty() || to.isEmpty()) {
            return false;
        }
        int farther =
                outward * Long.signum(at.getAsLong() - from.getAsLong()) * Long.signum(to.getAsLong() - at.getAsLong());
        return farther > 0 || farther < 0 && apart(at.getAsLong(), to.getAsLong()) < TOO_NEAR;
    }

    private static OptionalLong number(Optional<String> value) {
        return value.map(KnobValues::number).orElse(OptionalLong.empty());
    }

    private boolean ends(SettingTrials o) {
        return breaks(scoring, o) || scoring.feasible(o) && !clearance.has(o);
    }

    /** Between the farthest value that is as good as the best, and its neighbour, if that breaks. */
    private Optional<Gap> edge(long best, boolean up) {
        double least = scoring.rank(at(best)) - 2 * Math.sqrt(2) * sigma;
        long holds = best;
        OptionalLong next = beside(holds, up);
        while (next.isPresent() && holds(next.getAsLong()) && scoring.rank(at(next.getAsLong())) >= least) {
            holds = next.getAsLong();
            next = beside(holds, up);
        }
        if (next.isEmpty() || holds(next.getAsLong()) || !ends(at(next.getAsLong()))) {
            return Optional.empty();
        }
        long breaks = next.getAsLong();
        double rises = Math.max(0, slope(holds, !up, APART, Math.sqrt(2) * sigma));
        return Optional.of(new Gap(holds, breaks, rises * apart(holds, breaks), share(holds, breaks)));
    }

    /** Between the best and its neighbour, if that holds. */
    private Optional<Gap> peak(long best, boolean up) {
        OptionalLong beside = beside(best, up);
        if (beside.isEmpty() || !holds(beside.getAsLong())) {
            return Optional.empty();
        }
        long other = beside.getAsLong();
        double width = apart(best, other);
        double from = slope(best, !up, 0, 0);
        double back = slope(other, up, 0, 0);
        double to = (scoring.rank(at(other)) - scoring.rank(at(best)) + back * width) / (from + back);
        return from + back > 0 && to > 0
                ? Optional.of(
                        new Gap(best, other, from * Math.min(to, width) - sigma, Math.clamp(to / width, OFF, 1 - OFF)))
                : Optional.empty();
    }

    /**
     * Where between the two the next value lies, as a share in logarithms: where the latency that breaks is expected at its limit, but in
     * neither end's quarter; where no latency tells, where the edge lies with even chances.
     */
    private double share(long holds, long breaks) {
        SettingTrials in = at(holds);
        SettingTrials out = at(breaks);
        double width = apart(holds, breaks) / HALF_AS_LIKELY;
        double even = nearer ? (1 - StrictMath.log(1 + StrictMath.pow(2, -width)) / StrictMath.log(2)) / width : 0.5;
        if (!scoring.measured(in) || !scoring.measured(out)) {
            return even;
        }
        double room = clearance.room(in);
        double lacks = clearance.room(out);
        return Double.isFinite(room) && Double.isFinite(lacks) && room - lacks > 0
                ? Math.clamp(room / (room - lacks), 0.25, 0.75)
                : even;
    }

    /**
     * How the objective rises at most beyond a value, per unit of its logarithm: no more than from any value that holds on its other side, nor
     * than in proportion, which is taken where there is none.
     *
     * @param up whether the other side is that of higher values
     * @param least how far away the others have to lie at least; the farthest in any case counts
     * @param noise what the rise to the value has to exceed
     */
    private double slope(long value, boolean up, double least, double noise) {
        double most = 1;
        boolean known = false;
        NavigableMap<Long, SettingTrials> others =
                up ? line.tailMap(value, false).descendingMap() : line.headMap(value, false);
        for (var e : others.entrySet()) {
            if (holds(e.getKey()) && (!known || apart(value, e.getKey()) >= least)) {
                known = true;
                double rise = scoring.rank(at(value)) - scoring.rank(e.getValue()) - noise;
                most = Math.min(most, rise / apart(value, e.getKey()));
            }
        }
        return most;
    }

    private static double apart(long a, long b) {
        return Math.abs(StrictMath.log((double) Math.max(1, a) / Math.max(1, b)));
    }

    private SettingTrials at(long value) {
        return Objects.requireNonNull(line.get(value));
    }

    private boolean holds(long value) {
        return scoring.feasible(at(value)) && clearance.has(at(value));
    }

    private OptionalLong beside(long value, boolean up) {
        Long next = up ? line.higherKey(value) : line.lowerKey(value);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next);
    }
}
