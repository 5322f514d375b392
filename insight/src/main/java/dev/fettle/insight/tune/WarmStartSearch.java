package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Earlier;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A search that tries, right after the prediction, what earlier tunes of the same target found. Only the settings are
 * taken over; they are measured anew. Their trials do not count against the budget's number, only its time. It stops
 * trying them after one that is no better than the default, so a changed machine or program costs time and nothing
 * else. A setting of a knob whose value did not take effect before is left out.
 */
final class WarmStartSearch implements SettingSearch {

    private final SettingSearch search;
    private final Plan plan;
    private final Earlier earlier;
    private final Scoring scoring;

    WarmStartSearch(SettingSearch search, Plan plan) {
        this.search = search;
        this.plan = plan;
        this.earlier = plan.earlier();
        this.scoring = new Scoring(plan.objective());
    }

    @Override
    public Optional<Proposal> ask(List<SettingTrials> seen) {
        if (seen.size() < 2 || !sameVersions(earlier, seen.getFirst())) {
            return search.ask(seen);
        }
        return next(seen)
                .map(s -> new Proposal(s, Origin.EARLIER, "found by an earlier run, checked anew"))
                .or(() -> search.ask(seen));
    }

    private Optional<Setting> next(List<SettingTrials> seen) {
        var fresh = new NoveltyFilter(new KnobSpace(plan, seen.getFirst()), seen);
        double base = scoring.rank(seen.getFirst());
        boolean disappointed = seen.stream().anyMatch(o -> o.origin() == Origin.EARLIER && scoring.rank(o) <= base);
        return earlier.settings().stream()
                .filter(s -> !disappointed)
                .filter(s -> seen.stream().noneMatch(o -> o.setting().equals(s)))
                .filter(fresh::works)
                .findFirst();
    }

    /** Whether the default's trial ran on the versions that the earlier runs saw. */
    static boolean sameVersions(Earlier earlier, SettingTrials base) {
        return Earlier.versions(base.valid()).equals(earlier.versions());
    }

    @Override
    public Posterior belief(Objective objective, List<SettingTrials> seen) {
        return search.belief(objective, seen);
    }

    @Override
    public List<KnobShare> shares(List<SettingTrials> seen, Setting winner) {
        return search.shares(seen, winner);
    }

    /** What became of the earlier runs' settings, in one sentence; empty if there were none. */
    static Optional<String> note(Earlier earlier, List<SettingTrials> seen) {
        if (earlier.settings().isEmpty()) {
            return Optional.empty();
        }
        String of = Format.list(earlier.runs(), "and");
        if (!sameVersions(earlier, seen.getFirst())) {
            return Optional.of("What " + of + " found was not tried first: it had " + said(earlier.versions())
                    + ", this run has " + said(Earlier.versions(seen.getFirst().valid())) + ".");
        }
        long tried = seen.stream()
                .limit(2L + earlier.settings().size()) // after the default and the prediction
                .filter(o ->
                        earlier.settings().contains(o.setting()) && o.first().isPresent())
                .count();
        return Optional.of("Of what " + of + " found for the same target, load and knobs on this machine, "
                + (tried == 0 ? "nothing" : tried == 1 ? "one setting" : tried + " settings")
                + (tried > 1 ? " were" : " was") + " measured anew among the first; none of its figures is used here."
                + (earlier.versions().isEmpty()
                        ? " The versions of server and JDK are not known, so that may have been another build."
                        : ""));
    }

    private static String said(Map<String, String> versions) {
        return versions.isEmpty() ? "no known version" : String.join(", ", versions.values());
    }
}
