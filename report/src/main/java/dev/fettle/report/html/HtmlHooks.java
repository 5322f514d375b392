package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.HookOutcome.Where;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The section on the plan's hooks: how often they ran, how long they took and how they ended. */
record HtmlHooks(RunReport run) {
    /** Writes nothing for a plan without hooks. */
    void write(Html html) {
        run.plan()
                .hooks()
                .filter(h -> !h.before().isEmpty() || !h.after().isEmpty())
                .ifPresent(h -> write(html, h));
    }

    private void write(Html html, Hooks hooks) {
        var table = HtmlTable.plain()
                .words("when", "command", "for")
                .figures("runs")
                .knownFigures("median", "longest")
                .words("how it ended");
        rows(table, Where.BEFORE, hooks.before());
        rows(table, Where.AFTER, hooks.after());
        html.section("hooks", "Hooks", s -> {
            s.el(
                    "p",
                    "The plan's own commands around the target. For one that stays up, the time is until it was ready. Their"
                            + " output is in the folders of the run and of its trials.");
            s.table("Hooks", table);
        });
    }

    private void rows(HtmlTable table, Where where, List<Hook> hooks) {
        for (int i = 0; i < hooks.size(); i++) {
            Hook hook = hooks.get(i);
            int number = i + 1;
            List<HookOutcome> runs = run.outcomes().stream()
                    .flatMap(o -> o.hooks().stream())
                    .filter(r -> r.where() == where && r.number() == number)
                    .toList();
            double[] millis = runs.stream()
                    .map(HookOutcome::took)
                    .mapToDouble(HtmlHooks::millis)
                    .toArray();
            double median = millis.length == 0 ? Double.NaN : Statistics.median(millis);
            double longest = Arrays.stream(millis).max().orElse(Double.NaN);
            List<String> failures =
                    runs.stream().flatMap(r -> r.failure().stream()).toList();
            HtmlTable.Cell end = words(ending(where, hook, runs.size(), failures));
            table.row(
                    failures.isEmpty() ? "" : "void",
                    words(where.name().toLowerCase(Locale.ROOT)),
                    words(command(hook)).styled("mono"),
                    words(hook.scope() == Hook.Scope.RUN ? "the run" : "each trial"),
                    figure(Integer.toString(runs.size()), runs.size()),
                    figure(NumberText.latency(median * 1e6), median),
                    figure(NumberText.latency(longest * 1e6), longest),
                    failures.isEmpty() ? end : end.styled("no"));
        }
    }

    private static String ending(Where where, Hook hook, int runs, List<String> failures) {
        if (!failures.isEmpty()) {
            return "failed in " + failures.size() + " of " + runs + ": " + failures.getFirst();
        }
        if (runs == 0) {
            return where == Where.AFTER && hook.scope() == Hook.Scope.RUN
                    ? "runs at the end of the run, when this report is written already"
                    : "no run of it is recorded";
        }
        if (hook.background()) {
            return "stayed up, and was ended with " + (hook.scope() == Hook.Scope.RUN ? "the run" : "the trial");
        }
        return "exited with " + hook.exit();
    }

    private static String command(Hook hook) {
        return hook.run().stream().flatMap(List::stream).collect(Collectors.joining(" "));
    }

    private static double millis(Duration d) {
        return d.toNanos() / 1e6;
    }
}
