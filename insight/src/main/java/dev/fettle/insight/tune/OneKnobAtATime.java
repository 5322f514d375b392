package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.SettingSearch.Proposal;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The plan's knobs other than the worker pool's size. Each is tried once before any is tried twice: a knob that was
 * never touched can't be found to help, and one trial shows most of what a knob has to give.
 */
final class OneKnobAtATime {
    private final List<KnobRange> knobs;
    private final List<SettingTrials> seen;
    private final KnobSpace space;

    /** @param pool whether the size of the worker pool is a knob that another part takes care of */
    OneKnobAtATime(Plan plan, boolean pool, List<SettingTrials> seen) {
        this.knobs = plan.knobs().stream()
                .filter(k -> !(pool && k.knob().equals(OperatingPoint.THREADS)))
                .toList();
        this.seen = seen;
        this.space = new KnobSpace(plan, seen.getFirst());
    }

    /**
     * How many knobs had the default's value in every trial and have another value that could be tried on this setting.
     */
    int untouched(Setting on, Predicate<Setting> fresh) {
        return (int) knobs.stream()
                .filter(k -> tried(k).isEmpty() && farthest(k).stream().anyMatch(v -> fresh.test(on.with(k.knob(), v))))
                .count();
    }

    /** The next value on top of a setting, of the knob that was tried least; then two knobs together. */
    Optional<Proposal> next(Setting on, Predicate<Setting> fresh) {
        int most = knobs.stream().mapToInt(k -> KnobAxis.values(k).size()).max().orElse(0);
        for (int round = 0; round < most; round++) {
            for (KnobRange knob : knobs) {
                if (tried(knob).size() != round) {
                    continue;
                }
                for (String value : farthest(knob)) {
                    Setting s = on.with(knob.knob(), value);
                    if (fresh.test(s)) {
                        return Optional.of(
                                new Proposal(s, Origin.ONE_KNOB, knob.knob() + "=" + value + " on the best so far"));
                    }
                }
            }
        }
        return together(on, fresh);
    }

    /** Two knobs at the values tried first: together they may give what neither gives alone. */
    private Optional<Proposal> together(Setting on, Predicate<Setting> fresh) {
        for (int i = 0; i < knobs.size(); i++) {
            for (int j = i + 1; j < knobs.size(); j++) {
                KnobRange one = knobs.get(i);
                KnobRange two = knobs.get(j);
                List<String> a = tried(one);
                List<String> b = tried(two);
                if (a.isEmpty() || b.isEmpty()) {
                    continue;
                }
                Setting s = on.with(one.knob(), a.getFirst()).with(two.knob(), b.getFirst());
                boolean known = seen.stream().anyMatch(o -> sets(o, s, one) && sets(o, s, two));
                if (!known && fresh.test(s)) {
                    return Optional.of(
                            new Proposal(s, Origin.TWO_KNOBS, one.knob() + " and " + two.knob() + " together"));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean sets(SettingTrials o, Setting s, KnobRange knob) {
        return o.setting().get(knob.knob()).equals(s.get(knob.knob()));
    }

    private Optional<String> byDefault(KnobRange knob) {
        return space.value(knob.knob(), seen.getFirst().setting());
    }

    /** Values of a knob that were in force in some trial, in order, without the default's. */
    private List<String> tried(KnobRange knob) {
        Optional<String> byDefault = byDefault(knob);
        var values = new ArrayList<String>();
        for (SettingTrials o : seen) {
            o.setting()
                    .get(knob.knob())
                    .filter(v -> byDefault.filter(d -> KnobValues.same(d, v)).isEmpty())
                    .filter(v -> values.stream().noneMatch(w -> KnobValues.same(w, v)))
                    .ifPresent(values::add);
        }
        return values;
    }

    /**
     * The values not tried yet, those farthest from the default first; in the plan's order where they are not numbers.
     */
    private List<String> farthest(KnobRange knob) {
        List<String> tried = tried(knob);
        Optional<String> byDefault = byDefault(knob);
        List<String> open = KnobAxis.values(knob).stream()
                .filter(v -> byDefault.filter(d -> KnobValues.same(d, v)).isEmpty())
                .filter(v -> tried.stream().noneMatch(t -> KnobValues.same(t, v)))
                .toList();
        OptionalLong from = byDefault.map(KnobValues::number).orElse(OptionalLong.empty());
        if (from.isEmpty() || open.stream().anyMatch(v -> KnobValues.number(v).isEmpty())) {
            return open;
        }
        return open.stream()
                .sorted(Comparator.comparingDouble(
                                (String v) -> distance(KnobValues.number(v).orElse(0), from.getAsLong()))
                        .reversed())
                .toList();
    }

    private static double distance(long a, long b) {
        return Math.abs(StrictMath.log(Math.max(a, 0.5) / Math.max(b, 0.5)));
    }
}
