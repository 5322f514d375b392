package dev.fettle.report.document;

import dev.fettle.insight.capacity.Judged;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses which trials the throughput plot shows first, and their names. */
public final class Timelines {
    private static final int MOST_SHOWN = 4;

    /** Most trials whose course is in the page: a point for each half second of each of hundreds would be megabytes. */
    static final int MOST_KEPT = 60;

    private Timelines() {}

    /** Ordinals of the trials shown before the reader chooses: the first of each group, of one condition. */
    public static Set<Integer> shown(RunReport run) {
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

    /** Ordinals of the trials whose course is in the page: those shown first, then the others in their order. */
    public static Set<Integer> kept(RunReport run) {
        var kept = new HashSet<>(shown(run));
        run.outcomes().stream()
                .filter(Timelines::hasCourse)
                .map(TrialOutcome::ordinal)
                .filter(n -> !kept.contains(n))
                .limit(MOST_KEPT - kept.size())
                .toList()
                .forEach(kept::add);
        return kept;
    }

    /** How many trials there are whose course is not in the page. */
    static long left(RunReport run) {
        var kept = kept(run);
        return run.outcomes().stream()
                .filter(o -> hasCourse(o) && !kept.contains(o.ordinal()))
                .count();
    }

    private static boolean hasCourse(TrialOutcome o) {
        return o.measurement().filter(m -> !m.windows().isEmpty()).isPresent();
    }

    /** The name of a trial in a plot and its table. */
    public static String name(RunReport run, TrialOutcome o) {
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
                + Format.rate(Judged.of(List.of(o)).getFirst().probe().rate());
    }

    /** The colours of settings: those of the groups that they belong to, for tunes. */
    public static Map<Setting, String> roles(RunReport run) {
        var roles = new HashMap<Setting, String>();
        for (var group : TrialGroups.of(run)) {
            if (!group.role().isEmpty()) {
                roles.putIfAbsent(group.trials().getFirst().spec().setting(), group.role());
            }
        }
        return roles;
    }

    /** Start of the measuring phase in seconds since the load began; the end of the load if there was none. */
    public static double measuringFrom(Measurement m) {
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
