package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Proposes settings. Ask and tell in one: every question hands over all that was seen. Implementations are pure, so
 * another one can stand next to {@link HoldingTimeSearch} and {@link SurfaceSearch} and be replayed against them.
 */
public interface SettingSearch {

    /**
     * The next setting to try.
     *
     * @param seen the default first, then what was tried, in order; settings without a valid trial included
     * @return empty when nothing else is worth a trial
     */
    Optional<Proposal> ask(List<SettingTrials> seen);

    /** What to believe of the settings seen, the race's trials included. */
    default Posterior belief(Objective objective, List<SettingTrials> seen) {
        return new Posterior(new Scoring(objective), seen);
    }

    /**
     * What each knob of a winner gives; empty where that can't be told apart.
     *
     * @param seen all trials, the duel's included
     */
    default List<KnobShare> shares(List<SettingTrials> seen, Setting winner) {
        return List.of();
    }

    /** The same with some of its parts alone. */
    static SettingSearch of(Plan plan, Set<SearchPart> parts) {
        SettingSearch cold =
                plan.knobs().size() > 1 || plan.objective().against().isPresent()
                        ? new SurfaceSearch(plan, parts)
                        : new HoldingTimeSearch(plan, parts);
        return plan.earlier().settings().isEmpty() ? cold : new WarmStartSearch(cold, plan);
    }

    /**
     * A setting to try.
     *
     * @param setting held knobs included
     * @param origin why it is asked for
     * @param why one phrase for a progress line
     */
    record Proposal(Setting setting, Origin origin, String why) {}
}
