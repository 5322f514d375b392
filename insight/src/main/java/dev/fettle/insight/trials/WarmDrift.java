package dev.fettle.insight.trials;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;

/**
 * How the JVM in which a search sets its knobs moves while it does, as seen by the default, which is measured in it now and
 * then: a JVM that gets warmer, or whose heap fills up, must not make the settings of its late trials look better or worse. A trial
 * of the default that is void shows what voided it, and is left out.
 *
 * @param anchors the default's valid trials in such JVMs, in order, the tune's first trial included
 */
public record WarmDrift(List<TrialOutcome> anchors) {
    /** Nothing is known, or every trial has a JVM of its own. */
    public static final WarmDrift NONE = new WarmDrift(List.of());

    public WarmDrift {
        anchors = anchors.stream().filter(TrialOutcome::valid).toList();
    }

    /**
     * How much the default's score at the time of a trial, on its JVM, lay above its first. Between two of the default's trials it is
     * read off the straight line, before the first and after the last it stays. 0 for a trial on a fresh JVM.
     */
    public double of(TrialOutcome t, ObjectiveFigure figure) {
        // loops, not streams: a search ranks its settings by these figures many times
        OptionalFigure reference = OptionalFigure.empty();
        if (anchors.isEmpty() || WarmJvm.of(t).isEmpty()) {
            return 0;
        }
        double before = Double.NaN;
        double after = Double.NaN;
        int from = 0;
        int to = 0;
        for (TrialOutcome a : anchors) {
            OptionalFigure score = figure.score(a);
            if (score.isEmpty()) {
                continue;
            }
            reference = reference.isPresent() ? reference : score;
            if (!WarmJvm.of(a).equals(WarmJvm.of(t))) {
                continue;
            }
            if (a.ordinal() <= t.ordinal()) {
                before = score.getAsDouble();
                from = a.ordinal();
            } else if (Double.isNaN(after)) {
                after = score.getAsDouble();
                to = a.ordinal();
            }
        }
        double now = Double.isNaN(before)
                ? after
                : Double.isNaN(after) ? before : before + (after - before) * (t.ordinal() - from) / (to - from);
        return Double.isNaN(now) ? 0 : now - reference.orElse(now);
    }
}
