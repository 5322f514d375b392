package dev.fettle.cli.run;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Earlier;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds earlier tunes of the same thing in a journal. */
final class EarlierRuns {
    /** Most settings to try first, one trial each; more would be a search of their own. */
    private static final int MOST = 2;

    private EarlierRuns() {}

    /**
     * The results of finished tunes of the same target, load, knobs and objective on the same machine with the same
     * versions. What can't be read is passed over.
     */
    static Earlier find(Journal journal, Plan plan, Map<String, String> machine) throws LabException {
        Plan asked = Redaction.of(plan);
        var runs = new ArrayList<String>();
        var settings = new LinkedHashSet<Setting>();
        Map<String, String> versions = Map.of();
        for (RunRecord run :
                journal.runs().stream().flatMap(r -> r.run().stream()).toList()) {
            if (settings.size() == MOST) {
                break;
            }
            if (run.state() != RunRecord.State.DONE
                    || !run.kind().equals(ExperimentKind.TUNE.id())
                    || !same(asked, run.plan())
                    || !RunFacts.ofMachine(machine).equals(RunFacts.ofMachine(run.environment()))) {
                continue;
            }
            Optional<Setting> found;
            Map<String, String> had;
            try {
                found = journal.conclusion(run.id()).flatMap(c -> found(c, plan));
                had = found.isPresent() ? Earlier.versions(journal.trials(run.id())) : Map.of();
            } catch (LabException e) {
                continue; // it can't be read: no help, and no harm
            }
            if (found.isEmpty()) {
                continue;
            }
            if (runs.isEmpty()) {
                versions = had;
            }
            if (had.equals(versions)) {
                runs.add(run.id());
                settings.add(found.get());
            }
        }
        return new Earlier(runs, List.copyOf(settings), versions);
    }

    /** Whether two plans ask for the same thing; their budgets, and where they start, may differ. */
    private static boolean same(Plan a, Plan b) {
        return a.target().equals(b.target())
                && a.load().equals(b.load())
                && a.hold().equals(b.hold())
                && a.knobs().equals(b.knobs())
                && a.own().equals(b.own())
                && a.hooks().equals(b.hooks())
                && a.objective().equals(b.objective());
    }

    /**
     * The setting that went into the duel, whether it won or not, if the plan allows it; not one that failed there, or answered
     * otherwise than the default.
     */
    private static Optional<Setting> found(Conclusion c, Plan plan) {
        return c instanceof TuneConclusion t
                        && !t.winner().equals(t.baseline())
                        && !t.pairs().isEmpty()
                        && t.shortfalls().stream()
                                .noneMatch(s -> s instanceof Shortfall.Failed || s instanceof Shortfall.Answers)
                ? Optional.of(t.winner()).filter(s -> allowed(s, plan))
                : Optional.empty();
    }

    /** Whether every value is one that a trial of the plan can have: it goes into commands, and a journal may be somebody else's. */
    private static boolean allowed(Setting s, Plan plan) {
        return KeptPlan.strange(List.of(s), plan).isEmpty()
                && s.values().keySet().stream()
                        .allMatch(name -> plan.hold().get(name).isPresent()
                                || plan.knobs().stream().anyMatch(k -> k.knob().equals(name)));
    }
}
