package dev.fettle.insight.tune;

import dev.fettle.insight.surface.Point;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.model.knob.Setting;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which settings may be tried: none that was seen already, and none that changes a knob without effect. */
final class NoveltyFilter {
    private final KnobSpace space;
    private final Set<Point> seen = new HashSet<>();
    private final Set<Setting> settings = new HashSet<>();
    private final Set<String> ignored = new HashSet<>();

    NoveltyFilter(KnobSpace space, List<SettingTrials> seen) {
        this.space = space;
        for (SettingTrials o : seen) {
            this.seen.add(space.at(o));
            settings.add(o.setting());
            ignored.addAll(o.ignored());
        }
    }

    boolean allows(Setting s) {
        return !settings.contains(s) && !seen.contains(space.at(s)) && works(s);
    }

    /** Whether no knob that it changes was without effect before. */
    boolean works(Setting s) {
        return space.changed(s).stream().allMatch(this::free);
    }

    boolean free(Dimension d) {
        return !ignored.contains(d.knob());
    }
}
