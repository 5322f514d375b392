package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.check.ConfigCheck;
import dev.fettle.lab.check.ConfigVerdict;
import dev.fettle.lab.check.ConfigVerdict.Outcome;
import dev.fettle.lab.check.ConfigVerdict.ReadBack;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Table;
import dev.fettle.report.recommend.RecommendedConfig;
import dev.fettle.report.text.TextReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A rendered configuration, checked on a real server that was started from it.
 *
 * @param verdict empty: it was not tried
 * @param whyNot why it was not tried; empty if it was
 */
public record ConfigVerification(Optional<ConfigVerdict> verdict, String whyNot) {
    /** Columns: a value is not cut, as it may be what differs. */
    private static final int NEVER_CUT = 10_000;

    private static ConfigVerification not(String why) {
        return new ConfigVerification(Optional.empty(), why);
    }

    /**
     * Tries it; the workspace is locked by the caller.
     *
     * @param insist whether to try it even if something has to be downloaded
     * @param kept whether what only the journal names may be run, see {@link KeptPlan}
     */
    public static ConfigVerification of(
            RunStore store,
            RunRecord run,
            ConfigPlace place,
            List<ConfigFile> files,
            Setting wanted,
            boolean insist,
            boolean kept,
            Screen screen)
            throws LabException, InterruptedException {
        if (place == ConfigPlace.WILDFLY) {
            return not("Fettle starts no WildFly");
        }
        var machine = new Machine();
        Optional<Target> target = target(run, machine).map(t -> t.under(wanted));
        if (target.isEmpty()) {
            return not("the plan " + run.planFile() + " is gone or has changed, and the journal keeps no secrets");
        }
        Optional<String> misfit = misfit(target.get(), place).or(() -> needs(run.plan(), target.get()));
        if (misfit.isPresent()) {
            return not(misfit.get());
        }
        if (files.isEmpty()) {
            return not("there is no file to start a server from");
        }
        Optional<String> refused =
                kept ? Optional.empty() : KeptPlan.refused(store.journal(), run, machine.planReader(), List.of(wanted));
        if (refused.isPresent()) {
            return not(refused.get());
        }
        var check = new ConfigCheck(
                machine.lab(store.workspace(), Set.of()), run.plan().own(), screen::say);
        Optional<String> fetch = check.wants(target.get());
        if (fetch.isPresent() && !insist) {
            return not(fetch.get() + " would have to be fetched for it: --verify does");
        }
        return new ConfigVerification(
                Optional.of(check.check(
                        target.get(),
                        files,
                        wanted.without(ServerKind.CHOICE),
                        store.workspace().runFolder(run.id()))),
                "");
    }

    /** The run's target. The journal's has no secrets, so the plan's is used where they matter. */
    private static Optional<Target> target(RunRecord run, Machine machine) {
        Target kept = run.plan().target();
        boolean complete = !kept.toString().contains(Secrets.MASK);
        return PlanFile.unchanged(run, machine.planReader())
                .map(Plan::target)
                .or(() -> complete ? Optional.of(kept) : Optional.empty());
    }

    /**
     * The run with its target as a configuration for it needs it: a command as the plan has it, with its secrets, and on the server of the
     * setting that is written. Unchanged if there is nothing to add, or if the plan is gone or has changed.
     *
     * @param all whether what nothing was shown about is written, too
     */
    public static RunReport complete(RunReport report, RunRecord run, boolean all) {
        return RecommendedConfig.moved(withSecrets(report, run), all);
    }

    private static RunReport withSecrets(RunReport report, RunRecord run) {
        Target kept = report.plan().target();
        boolean cut = kept instanceof Target.Command && kept.toString().contains(Secrets.MASK);
        Optional<Plan> whole = cut ? PlanFile.unchanged(run, new Machine().planReader()) : Optional.empty();
        if (whole.isEmpty()) {
            return report;
        }
        try {
            return report.withPlan(report.plan().on(whole.get().target()));
        } catch (IllegalArgumentException e) {
            return report; // its variants have targets of their own
        }
    }

    /** What a trial has around its target and the check has not: without it, the target may be called wrong for no fault of the texts. */
    private static Optional<String> needs(Plan plan, Target target) {
        if (plan.hooks().filter(h -> !h.equals(Hooks.NONE)).isPresent()) {
            return Optional.of("the target may need what the plan's hooks start, and they run only around trials");
        }
        return Ports.isPlace(target.toString())
                ? Optional.of("the target has a {port:NAME}, which only a trial fills in")
                : Optional.empty();
    }

    /** Why the run's target can't be started from the files of a place. */
    private static Optional<String> misfit(Target target, ConfigPlace place) {
        if (place == ConfigPlace.SPRING_BOOT && !target.takesProperties()) {
            return Optional.of("the run was on no app of Spring Boot");
        }
        if (place.ofServer() && target.takesProperties()) {
            return Optional.of("the run was on an app of Spring Boot: --for spring-boot is tried");
        }
        return !target.hasProcess() ? Optional.of("Fettle does not start what is behind a URL") : Optional.empty();
    }

    /** Whether it was tried and the result differs from what was written. */
    public boolean refuted() {
        return verdict.isPresent() && !verdict.get().holds();
    }

    public String text() {
        if (verdict.isEmpty()) {
            return "── not verified: " + whyNot + "\n";
        }
        ConfigVerdict v = verdict.get();
        var out = new StringBuilder("── ").append(headline(v)).append('\n');
        if (!v.knobs().isEmpty()) {
            Table table = Table.of(v.knobs())
                    .words("knob", ReadBack::knob)
                    .words("written", k -> shown(k.knob(), k.written()))
                    .words("in force", ConfigVerification::inForce)
                    .words("", ConfigVerification::words)
                    .build();
            out.append(new TextReport(NEVER_CUT, false).blocks(List.of(new Block.Figures("", table))));
        }
        v.notes().forEach(n -> out.append("  note: ").append(n).append('\n'));
        return out.append("  what was started, and its log: ")
                .append(v.folder())
                .append('\n')
                .toString();
    }

    private static String headline(ConfigVerdict v) {
        if (v.failure().isPresent()) {
            return "WRONG: no server starts from this: " + v.failure().get();
        }
        long differ = count(v, Outcome.DIFFERS);
        String started = v.started() + " was started from this";
        if (differ > 0) {
            return "WRONG: " + started + ", and " + differ + " of " + v.knobs().size() + " values are others in it";
        }
        if (v.knobs().isEmpty()) {
            return "verified: " + started;
        }
        long ok = count(v, Outcome.OK);
        return "verified: " + started
                + (ok == v.knobs().size()
                        ? ", and has these values"
                        : ok == 0
                                ? "; none of the values could be read back"
                                : ", and has those of these values that were written and can be read back");
    }

    private static long count(ConfigVerdict v, Outcome outcome) {
        return v.knobs().stream().filter(k -> k.outcome() == outcome).count();
    }

    private static String inForce(ReadBack k) {
        return k.effective().map(e -> shown(k.knob(), e)).orElse("?");
    }

    private static String words(ReadBack k) {
        String verdict = switch (k.outcome()) {
            case OK -> "ok";
            case DIFFERS -> "DIFFERS";
            case UNREADABLE -> "can't be read";
            case NOT_WRITTEN -> "not written";
        };
        return verdict + (k.why().isEmpty() ? "" : ": " + k.why());
    }

    private static String shown(String knob, String value) {
        try {
            return Knobs.find(knob).map(k -> k.shown(value)).orElse(value);
        } catch (IllegalArgumentException e) {
            return value; // out of the knob's range: shown unchanged
        }
    }

    /** The verification as JSON. */
    public JsonFields json() {
        var to = new JsonFields().put("tried", verdict.isPresent());
        return verdict.map(v -> to.put("holds", v.holds(), "started", v.started())
                        .put("folder", v.folder().toString(), "failure", v.failure())
                        .each("knobs", v.knobs(), ConfigVerification::json)
                        .put("notes", v.notes()))
                .orElseGet(() -> to.put("why", whyNot));
    }

    private static JsonFields json(ReadBack k) {
        return new JsonFields()
                .put("knob", k.knob(), "written", k.written())
                .orNull("effective", k.effective())
                .put("outcome", k.outcome())
                .unlessBlank("why", k.why());
    }

    /** One line for the end of a tune. */
    String line() {
        if (verdict.isEmpty()) {
            return "Configuration: not verified: " + whyNot;
        }
        ConfigVerdict v = verdict.get();
        return "Configuration: " + headline(v)
                + (v.knobs().isEmpty()
                        ? ""
                        : ": "
                                + v.knobs().stream()
                                        .map(k -> k.knob() + "=" + inForce(k) + " " + words(k))
                                        .collect(Collectors.joining(", ")));
    }
}
