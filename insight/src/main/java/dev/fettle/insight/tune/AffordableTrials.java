package dev.fettle.insight.tune;

import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.WarmSearch;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * How many trials a tune's time is enough for, by how long those so far took. A search that planned by the budget's number alone would
 * have no time left for what comes after its spread.
 */
final class AffordableTrials {
    /** The default and the smallest spread: how many of these there is time for is seen as they go. */
    private static final int LEAST = 5;

    private AffordableTrials() {}

    /** The plan with no more trials than it has time for. */
    static Plan within(Plan plan, List<SettingTrials> seen) {
        Budget b = plan.budget();
        int trials = Math.min(b.trials(), Math.max(LEAST, of(plan, seen)));
        return trials == b.trials()
                ? plan
                : plan.withBudget(new Budget(trials, b.time(), b.pairs(), b.live(), b.wholeTrials()));
    }

    private static int of(Plan plan, List<SettingTrials> seen) {
        var whole = new ArrayList<TrialOutcome>();
        seen.forEach(o -> whole.addAll(o.valid()));
        if (seen.getFirst().valid().isEmpty()) {
            return plan.budget().trials();
        }
        double first = TuneTime.seconds(whole.subList(0, 1));
        List<TrialOutcome> later = whole.subList(1, whole.size());
        boolean warm = later.isEmpty() ? WarmSearch.of(plan) : later.stream().anyMatch(WarmJvm::kept);
        double usual = warm ? Math.min(first, WarmSlots.length(plan.load()).toNanos() / 1e9) : first;
        double each = later.isEmpty() ? usual : TuneTime.seconds(later) / later.size();
        // in a warm JVM the default is measured again between settings
        double next = warm ? each * (1 + 1.0 / WarmSlots.EVERY) : each;
        long earlier = seen.stream().filter(o -> o.origin() == Origin.EARLIER).count();
        double duel = 2.0 * Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS) * first;
        double left = plan.budget().time().toNanos() / 1e9 - duel - first - earlier * next;
        return next <= 0
                ? plan.budget().trials()
                : (int) Math.min(plan.budget().trials(), 1 + Math.floor(left / next + 1e-9));
    }
}
