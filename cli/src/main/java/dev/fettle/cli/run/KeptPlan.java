package dev.fettle.cli.run;

import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.watch.host.OwnedFiles;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a journal says is to be run: a journal may be somebody else's, so its programs are run only if the user's own plan file says the
 * same, or if the user asks for it.
 */
final class KeptPlan {
    /** By which a user asks. */
    static final String OPTION = "--run-kept-plan";

    private KeptPlan() {}

    /**
     * Why what a run's plan names can't be run unasked; empty if it can, or if there is nothing to run.
     *
     * @param settings from the journal, with which it would be run
     */
    static Optional<String> refused(Journal journal, RunRecord run, PlanReader reader, Collection<Setting> settings)
            throws LabException {
        Optional<Plan> file = PlanFile.unchanged(run, reader);
        if (!runs(run.plan()) && file.filter(KeptPlan::runs).isEmpty()) {
            return Optional.empty();
        }
        Optional<String> problem = file.isEmpty()
                ? Optional.of(
                        run.planFile().toString().isEmpty()
                                ? "there is no plan file"
                                : "the plan " + run.planFile() + " is gone or has changed")
                : says(Redaction.of(file.get()), run.plan())
                        ? doubt(run.planFile()).or(() -> strange(settings, file.get()))
                        : Optional.of("the journal's plan is another one than " + run.planFile());
        if (problem.isEmpty()) {
            problem = elsewhere(journal, run, file.orElseThrow());
        }
        return problem.map(p -> p + ", and what stands only in the journal is run when asked: " + OPTION);
    }

    /**
     * That a run which would run something, or change a process, was not begun by this user's Fettle; empty if it was. A plan next to a
     * journal counts no more than the journal: anyone who wrote both knew where they would lie.
     *
     * @param plan with which it would go on
     * @throws LabException if this user's key may be another's
     */
    static Optional<String> elsewhere(Journal journal, RunRecord run, Plan plan) throws LabException {
        boolean harmless = Stream.of(plan, run.plan()).noneMatch(p -> runs(p) || changes(p));
        return harmless || journal.isOwn(run.id())
                ? Optional.empty()
                : Optional.of(run.id() + " was not begun by your own Fettle");
    }

    /** Whether values are set in a process that runs already, or an agent is loaded into it. */
    private static boolean changes(Plan plan) {
        return plan.target() instanceof Target.Running process && (process.live() || process.agent());
    }

    /**
     * Why a plan file that a journal names may not be this user's. A run's own one is named from the root on; a name that begins
     * elsewhere, as in a folder that was copied from somewhere, belongs to the author of the journal.
     */
    static Optional<String> doubt(Path planFile) {
        if (!planFile.isAbsolute()) {
            return Optional.of("the journal names its plan " + planFile + ", which no run of this user's does");
        }
        return OwnedFiles.ofThisUser().isMine(planFile)
                ? Optional.empty()
                : Optional.of("the plan " + planFile + " belongs to another user");
    }

    /** Whether a plan names anything to be run: a program, hooks, or a command that reads a knob. */
    static boolean runs(Plan plan) {
        return Stream.concat(
                                Stream.of(plan.target()),
                                plan.compare().stream()
                                        .flatMap(c -> c.variants().stream())
                                        .map(Variant::target))
                        .anyMatch(Target::isLaunched)
                || !plan.from().isEmpty() // ssh to them, and the programs of its configuration
                || plan.hooks().filter(h -> !h.equals(Hooks.NONE)).isPresent()
                || plan.own().stream()
                        .anyMatch(k -> k.read()
                                .filter(OwnKnob.Output.class::isInstance)
                                .isPresent());
    }

    /**
     * Why the process that a journal names is not touched unasked, where values are set in it or an agent is loaded: another is the user's
     * own, or the plan does not say so. Empty if it may be.
     *
     * @param file the plan's, if it is unchanged
     */
    static Optional<String> foreign(Plan kept, Optional<Plan> file) {
        if (!(kept.target() instanceof Target.Running process) || !changes(kept)) {
            return Optional.empty();
        }
        boolean same = file.map(Plan::target)
                .filter(t -> t instanceof Target.Running own
                        && own.pid() == process.pid()
                        && (own.live() || !process.live())
                        && (own.agent() || !process.agent()))
                .isPresent();
        return same
                ? Optional.empty()
                : Optional.of("that Fettle may change process " + process.pid()
                        + " stands only in the journal, and counts only when asked: " + OPTION);
    }

    /**
     * A value that no trial of a plan can have, in words: it would go into a command as it is. Empty if there is none.
     *
     * @param settings from a journal
     */
    static Optional<String> strange(Collection<Setting> settings, Plan plan) {
        return settings.stream()
                .flatMap(s -> s.values().entrySet().stream())
                .filter(e -> !plan.values(e.getKey()).contains(e.getValue()) && !isNumber(e, plan))
                .findFirst()
                .map(e -> "the journal's " + e.getKey() + "=" + e.getValue() + " is no value of the plan's");
    }

    private static boolean isNumber(Map.Entry<String, String> value, Plan plan) {
        Optional<Knob> knob = OwnKnob.is(value.getKey())
                ? plan.own().stream()
                        .filter(k -> k.name().equals(value.getKey()))
                        .map(OwnKnob::knob)
                        .findFirst()
                : Knobs.find(value.getKey());
        try {
            return knob.filter(Knob::hasInterval).isPresent()
                    && knob.get().canonical(value.getValue()).equals(value.getValue());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether two plans run the same; what the server's own files set may have changed since, perhaps by what a tune found. */
    private static boolean says(Plan file, Plan kept) {
        return bare(file.target()).equals(bare(kept.target()))
                && file.hold().equals(kept.hold())
                && file.own().equals(kept.own())
                && file.hooks().equals(kept.hooks())
                && variants(file).equals(variants(kept));
    }

    private static List<Map.Entry<Target, Setting>> variants(Plan plan) {
        return plan.compare().stream()
                .flatMap(c -> c.variants().stream())
                .map(v -> Map.entry(bare(v.target()), v.setting()))
                .toList();
    }

    private static Target bare(Target target) {
        return target.configured(Setting.DEFAULT);
    }
}
