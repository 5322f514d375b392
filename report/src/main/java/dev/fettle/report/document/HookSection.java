package dev.fettle.report.document;

import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.report.RunReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The section on the plan's hooks: how often they ran, how long they took and how they ended. */
record HookSection(RunReport run) {
    /** The section; none for a plan without hooks. */
    static List<Block> of(RunReport run) {
        return run
                .plan()
                .hooks()
                .filter(h -> !h.before().isEmpty() || !h.after().isEmpty())
                .stream()
                .map(new HookSection(run)::section)
                .toList();
    }

    private Block section(Hooks hooks) {
        var all = new ArrayList<Ran>();
        add(all, HookOutcome.Where.BEFORE, hooks.before());
        add(all, HookOutcome.Where.AFTER, hooks.after());
        Table table = Table.of(all)
                .words("when", r -> r.where().name().toLowerCase(Locale.ROOT))
                .cells("command", r -> Value.code(command(r.hook())))
                .words("for", r -> r.hook().scope() == Hook.Scope.RUN ? "the run" : "each trial")
                .figure("runs", r -> Value.count(r.runs().size()))
                .known("median", r -> r.took(Statistics::median))
                .known("longest", r -> r.took(t -> Arrays.stream(t).max().orElseThrow()))
                .cells("how it ended", r -> Value.words(r.ending(), r.failures().isEmpty() ? Tone.PLAIN : Tone.BAD))
                .tone(r -> r.failures().isEmpty() ? Tone.PLAIN : Tone.QUIET)
                .build();
        return new Block.Section(
                "hooks",
                "Hooks",
                new Block.Paragraph(
                        "The plan's own commands around the target. For one that stays up, the time is until it was ready."
                                + " Their output is in the folders of the run and of its trials."),
                new Block.Figures("", "Hooks", table));
    }

    private void add(List<Ran> to, HookOutcome.Where where, List<Hook> hooks) {
        for (int i = 0; i < hooks.size(); i++) {
            int number = i + 1;
            to.add(new Ran(
                    where,
                    hooks.get(i),
                    run.outcomes().stream()
                            .flatMap(o -> o.hooks().stream())
                            .filter(r -> r.where() == where && r.number() == number)
                            .toList()));
        }
    }

    /** A hook, and each time that it ran. */
    private record Ran(HookOutcome.Where where, Hook hook, List<HookOutcome> runs) {
        List<String> failures() {
            return runs.stream().flatMap(r -> r.failure().stream()).toList();
        }

        Value took(ToDoubleFunction<double[]> figure) {
            return runs.isEmpty()
                    ? Value.NONE
                    : Value.time(figure.applyAsDouble(
                            runs.stream().mapToDouble(r -> r.took().toNanos()).toArray()));
        }

        String ending() {
            if (!failures().isEmpty()) {
                return "failed in " + failures().size() + " of " + runs.size() + ": "
                        + failures().getFirst();
            }
            if (runs.isEmpty()) {
                return where == HookOutcome.Where.AFTER && hook.scope() == Hook.Scope.RUN
                        ? "runs at the end of the run, when this report is written already"
                        : "no run of it is recorded";
            }
            return hook.background()
                    ? "stayed up, and was ended with " + (hook.scope() == Hook.Scope.RUN ? "the run" : "the trial")
                    : "exited with " + hook.exit();
        }
    }

    private static String command(Hook hook) {
        return hook.run().stream().flatMap(List::stream).collect(Collectors.joining(" "));
    }
}
