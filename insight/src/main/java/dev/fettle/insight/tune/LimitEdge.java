package dev.fettle.insight.tune;

import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where along one knob a limit begins to break, or the server to fail. Where the objective rises up to there, the best value is the last one
 * that holds: between the best that holds and the nearest that doesn't it lies halfway, in logarithms, until what is left between them
 * is not worth a trial.
 *
 * @param clearance what lies nearer to a limit on latency than a duel can show to be within it counts as beyond the edge
 * @param line the settings seen that differ in this knob alone, by its value
 * @param sigma deviation between trials of one setting, on the log scale
 */
record LimitEdge(
        KnobAxis axis, Scoring scoring, Clearance clearance, NavigableMap<Long, SettingTrials> line, double sigma) {
    /** The origin of what is tried for it. */
    static final String ORIGIN = "edge";

    /** What lies between the values is worth a trial if it may give this much (logarithm). */
    private static final double WORTH = StrictMath.log(1.01);

    /** Values at least this factor apart tell how the objective goes. */
    private static final double APART = 1.5;

    /** A value that holds and its neighbour that doesn't. */
    private record Bracket(long holds, long breaks, double gain, double share) {
        Optional<Long> middle(KnobAxis axis) {
            long middle = axis.nearest(StrictMath.exp(
                    StrictMath.log(Math.max(1, holds)) + share * StrictMath.log((double) breaks / Math.max(1, holds))));
            return middle > Math.min(holds, breaks) && middle < Math.max(holds, breaks)
                    ? Optional.of(middle)
                    : Optional.empty();
        }
    }

    /**
     * The value to try next.
     *
     * @param best the best value that holds
     */
    Optional<Long> next(long best) {
        Optional<Bracket> up = bracket(best, true);
        Optional<Bracket> down = bracket(best, false);
        boolean upward = up.isPresent()
                && (down.isEmpty() || up.get().gain() >= down.get().gain());
        return (upward ? up : down).filter(b -> b.gain() >= WORTH).flatMap(b -> b.middle(axis));
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

    /** Whether a setting was seen to break a limit, to fail, or to answer otherwise: not one without figures for another reason. */
    static boolean breaks(Scoring scoring, SettingTrials o) {
        return !o.worse()
                && o.ignored().isEmpty()
                && (o.failure().isPresent() || scoring.observed(o) && !scoring.feasible(o));
    }

    /**
     * The settings seen, with what broke under a closer look marked as failed, and what differs from the default as it does in one number,
     * only more so: it lies beyond the edge, too.
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

    private static boolean beyond(Plan plan, List<SettingTrials> seen, Setting broken, Setting other) {
        List<KnobRange> differ = plan.knobs().stream()
                .filter(k -> !broken.get(k.knob()).equals(other.get(k.knob())))
                .toList();
        Optional<KnobAxis> axis = differ.size() == 1 ? KnobAxis.of(differ.getFirst()) : Optional.empty();
        if (axis.isEmpty()) {
            return false;
        }
        String knob = axis.get().knob();
        OptionalLong from = number(seen.getFirst().inForce(knob));
        OptionalLong at = number(broken.get(knob));
        OptionalLong to = number(other.get(knob));
        return from.isPresent()
                && at.isPresent()
                && to.isPresent()
                && Long.signum(at.getAsLong() - from.getAsLong()) * (to.getAsLong() - at.getAsLong()) > 0;
    }

    private static OptionalLong number(Optional<String> value) {
        return value.map(KnobValues::number).orElse(OptionalLong.empty());
    }

    private boolean ends(SettingTrials o) {
        return breaks(scoring, o) || scoring.feasible(o) && !clearance.has(o);
    }

    private Optional<Bracket> bracket(long best, boolean up) {
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
        double width = Math.abs(StrictMath.log((double) next.getAsLong() / Math.max(1, holds)));
        return Optional.of(
                new Bracket(holds, next.getAsLong(), slope(holds, up) * width, share(holds, next.getAsLong())));
    }

    /**
     * Where between the two the next value lies, as a share in logarithms: where the latency that breaks is expected at its limit, but
     * neither end's quarter; half-way where no latency tells.
     */
    private double share(long holds, long breaks) {
        SettingTrials in = at(holds);
        SettingTrials out = at(breaks);
        if (!scoring.measured(in) || !scoring.measured(out)) {
            return 0.5;
        }
        double room = clearance.room(in);
        double lacks = clearance.room(out);
        return Double.isFinite(room) && Double.isFinite(lacks) && room - lacks > 0
                ? Math.clamp(room / (room - lacks), 0.25, 0.75)
                : 0.5;
    }

    /** How the objective surely rises towards the edge, per unit of the value's logarithm, at most in proportion; that where it is unknown. */
    private double slope(long holds, boolean up) {
        NavigableMap<Long, SettingTrials> inner =
                up ? line.headMap(holds, false).descendingMap() : line.tailMap(holds, false);
        Optional<Map.Entry<Long, SettingTrials>> far = Optional.empty();
        for (var e : inner.entrySet()) {
            if (holds(e.getKey())) {
                far = Optional.of(e);
                if (apart(holds, e.getKey()) >= StrictMath.log(APART)) {
                    break;
                }
            }
        }
        double noise = Math.sqrt(2) * sigma;
        return far.map(e -> Math.clamp(
                        (scoring.rank(at(holds)) - scoring.rank(e.getValue()) - noise) / apart(holds, e.getKey()),
                        0,
                        1))
                .orElse(1.0);
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
