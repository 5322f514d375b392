package dev.fettle.report.html;

import dev.fettle.insight.capacity.Judged;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Chooses which trials the throughput plot shows first, and their names. */
final class Timelines {
    private static final int MOST_SHOWN = 4;

    private Timelines() {}

    /** Ordinals of the trials shown before the reader chooses: the first of each group, of one condition. */
    static Set<Integer> shown(RunReport run) {
        var shown = new HashSet<Integer>();
        var groups = TrialGroups.of(run);
        String condition = groups.isEmpty() || groups.getFirst().variant().isEmpty()
                ? ""
                : groups.getFirst().condition();
        groups.stream()
                .filter(g -> condition.isEmpty() || g.condition().equals(condition))
                .limit(MOST_SHOWN)
                .forEach(g -> shown.add(g.trials().getFirst().ordinal()));
        if (shown.isEmpty()) {
            run.outcomes().stream()
                    .filter(o -> o.measurement().isPresent())
                    .limit(2)
                    .forEach(o -> shown.add(o.ordinal()));
        }
        return shown;
    }

    static String name(RunReport run, TrialOutcome o) {
        String name = CapacityReport.is(run)
                ? searched(run, o)
                : "#" + o.ordinal() + " " + Wording.trial(o.spec(), run.plan().hold());
        return name + (o.valid() ? "" : " (void)");
    }

    /** In a search all have one setting: what tells them apart is the rate, and the number that the text gives a probe. */
    private static String searched(RunReport run, TrialOutcome o) {
        if (!Judged.isProbe(o.spec().phase())) {
            return "#" + o.ordinal() + " " + Wording.phase(o.spec());
        }
        long number = run.outcomes().stream()
                .filter(p -> Judged.isProbe(p.spec().phase()) && p.ordinal() <= o.ordinal())
                .count();
        return "probe " + number + ": "
                + NumberText.rate(Judged.of(List.of(o)).getFirst().probe().rate());
    }

    /** The colour of the group that the trial's setting belongs to, for tunes. */
    static String role(RunReport run, TrialOutcome o) {
        for (var group : TrialGroups.of(run)) {
            if (!group.role().isEmpty()
                    && group.trials()
                            .getFirst()
                            .spec()
                            .setting()
                            .equals(o.spec().setting())) {
                return group.role();
            }
        }
        return "";
    }

    /** Start of the measuring phase in seconds since the load began; the end of the load if there was none. */
    static double measuringFrom(Measurement m) {
        return m.windows().stream()
                .filter(Measurement.Window::measured)
                .mapToDouble(Measurement.Window::at)
                .min()
                .orElseGet(() -> m.windows().stream()
                        .mapToDouble(w -> w.at() + w.seconds())
                        .max()
                        .orElse(0));
    }
}
