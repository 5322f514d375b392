package dev.fettle.insight.tune;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for a better setting and proves it.
 *
 * <ol>
 *   <li>The default, until it is valid. Without it there is nothing to compare with.
 *   <li>A {@link SettingSearch}, by default {@link SettingSearch#of the one that suits the plan}, within the budget's trials.
 *   <li>A race: the best four once more, then the best two again. A third of the trials at most is kept for it with one knob, none or a
 *       sixth with several.
 *   <li>A recommendation on shrunken means (with several knobs, those of the model): the fewest knobs changed and the fewest threads
 *       within 1 % or one standard error of the best. If the default is among those, or the model is in doubt about all that look
 *       better, it goes no further but for the next step.
 *   <li>Before it gives up: the default and what is in doubt (or else the prediction, or the next best) side by side, up to two pairs
 *       of them, as long as the budget lasts. If that moves the recommendation, it goes on.
 *   <li>A duel of the winner against the default in pairs, loaded in turn where that is possible, ABBA or BAAB by the seed,
 *       judged on its own data only.
 * </ol>
 *
 * <p>Where all knobs can be set in a running server, default, search and race share one warm JVM ({@link WarmSlots}), and the
 * default is measured there again now and then. Pairs have fresh JVMs.
 *
 * <p>A machine that is never calm does not end the tune: trials during which others took CPU time still rank settings,
 * their pairs are judged with a wider interval, and the conclusion says so.
 *
 * <p>The budget's trials bound the attempts before the duel, void ones included. Its time bounds everything: the
 * duel's time is set aside first, then the search shrinks, then the pairs, to three at least; with less time there is no
 * duel and no improvement is claimed.
 */
public final class TuneExperiment implements Experiment {
    private final Plan plan;
    private final TuneScript script;
    private final TrialSlots.Replay replay;

    /** A tune with the standard search. */
    public TuneExperiment(Plan plan) {
        this(plan, SearchPart.ALL);
    }

    /** A tune with some parts of the standard search alone, to see what the others give. */
    public TuneExperiment(Plan plan, Set<SearchPart> parts) {
        this(plan, SettingSearch.of(plan, parts), parts);
    }

    /** A tune with another search. */
    public TuneExperiment(Plan plan, SettingSearch search) {
        this(plan, search, SearchPart.ALL);
    }

    private TuneExperiment(Plan plan, SettingSearch search, Set<SearchPart> parts) {
        this.plan = plan;
        this.script = new TuneScript(plan, search, parts);
        this.replay = new TrialSlots.Replay(script);
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        TrialSlots.Progress progress = replay.of(seen);
        return progress.pending()
                .map(slot -> TrialSlots.step(slot, script.leftAtMost(progress.filled())))
                .orElseGet(() -> new Step.Stop(conclusion(progress.filled())));
    }

    @Override
    public Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        return Optional.of(replay.of(seen).filled()).filter(f -> !f.isEmpty()).map(this::conclusion);
    }

    private Conclusion conclusion(List<TrialSlots.Filled> filled) {
        return new TuneReport(plan, script, filled).conclusion();
    }
}
