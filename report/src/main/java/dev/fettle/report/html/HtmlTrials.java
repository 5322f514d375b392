package dev.fettle.report.html;

import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.MeasuredTables;
import dev.fettle.report.document.MeasuredTables.Course;
import dev.fettle.report.document.MeasuredTables.Latency;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.TrialTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The sections common to all runs: latency, throughput over time, the trials, and their validity. */
record HtmlTrials(RunReport run, TrialTables tables, JsonFields data, HtmlWatch watch) {
    private static final int MOST_WRONG = 6;

    void write(Html html) {
        if (data.has("latency")) {
            html.section("latency", "How latency is distributed", s -> {
                s.el(
                        "p",
                        "Valid trials of each setting merged. Towards the right, rarer and slower answers: one in ten, in a"
                                + " hundred, in a thousand.");
                s.plot("latency", "Latency by percentile", "Latency by percentile", percentiles());
            });
        }
        if (data.has("time")) {
            html.section("time", "Throughput over time", s -> {
                long left = Timelines.left(run);
                s.el(
                        "p",
                        "Time 0 is where measuring began; what comes before it is warm-up and does not count."
                                + (left == 0
                                        ? ""
                                        : " Of the trials, " + Timelines.MOST_KEPT
                                                + " can be shown; the figures of the "
                                                + (left == 1 ? "other one" : left + " others")
                                                + " are in the table below."));
                s.in(
                        "fieldset",
                        f -> f.el("legend", "Trials shown"),
                        "class",
                        "chips",
                        "data-chips",
                        "time",
                        "hidden",
                        "");
                s.plot("time", "Throughput over time", "Throughput over time, warm-up shaded", timeline());
            });
        }
        watch.write(html);
        trials(html);
        HtmlWrongAnswers.write(html, wrongAnswers());
        validity(html);
    }

    /** Each kind of wrong answer once, from the first trial that had it. */
    private List<WrongAnswerWords.Sample> wrongAnswers() {
        var looks = new LinkedHashMap<String, WrongAnswerWords.Sample>();
        run.outcomes().stream()
                .flatMap(o -> o.measurement().stream())
                .flatMap(m -> WrongAnswerWords.of(m).stream())
                .forEach(s -> looks.putIfAbsent(WrongAnswerWords.title(s), s));
        return looks.values().stream().limit(MOST_WRONG).toList();
    }

    private Table percentiles() {
        return MeasuredTables.percentiles(
                "trials",
                TrialGroups.of(run).stream()
                        .flatMap(g ->
                                Histograms.merge(g.trials().stream()
                                                .flatMap(t -> t.measurement().stream())
                                                .toList())
                                        .stream()
                                        .map(h -> new Latency(g.name(), h)))
                        .toList());
    }

    private Table timeline() {
        return MeasuredTables.overTime(
                "trial",
                run.outcomes().stream()
                        .flatMap(o -> o.measurement().filter(m -> !m.windows().isEmpty()).stream()
                                .map(m -> new Course(Timelines.name(run, o), Optional.of(o.warmUp()), m, o.valid())))
                        .toList());
    }

    private void trials(Html html) {
        html.section("trials", "Every trial", s -> {
            if (run.outcomes().isEmpty()) {
                s.el("p", "None has ended yet.", "class", "quiet");
                return;
            }
            s.table("Every trial in the order it ran", tables.all());
        });
    }

    private void validity(Html html) {
        html.section("validity", "Validity", s -> {
            int voids = run.voids().size();
            int early = run.early().size();
            s.el(
                    "p",
                    "A trial passes the gate before anything is concluded from it. "
                            + (voids == 0
                                    ? passed(run.outcomes().size() - early)
                                    : voids + " of " + run.outcomes().size()
                                            + " did not. Where a figure of theirs was used after all, the notes say so.")
                            + (early == 0
                                    ? ""
                                    : " Besides, " + Wording.plural(early, "trial")
                                            + (early == 1 ? " was" : " were")
                                            + " ended early, because the setting was surely worse than the best so far: what it"
                                            + " gives at best is an upper bound, and is in no mean and no interval."));
            if (voids > 0) {
                s.table("Why trials are void", tables.voids());
                s.in(
                        "ul",
                        "voids",
                        ul -> run.voids()
                                .forEach(o -> ul.in("li", li -> {
                                    li.el(
                                            "span",
                                            "#" + o.ordinal() + " "
                                                    + Wording.trial(
                                                            o.spec(), run.plan().hold()),
                                            "class",
                                            "mono");
                                    li.text(" – " + String.join("; ", Wording.reasons(o)));
                                })));
            }
            if (run.valid().stream().anyMatch(o -> !o.verdict().advisories().isEmpty())) {
                s.table("What to know of valid trials", tables.advisories());
            }
        });
    }

    private String passed(int trials) {
        return switch (trials) {
            case 0 -> run.outcomes().isEmpty() ? "None has ended yet." : "None ran to its end.";
            case 1 -> "One passed.";
            default -> "All " + trials + " passed.";
        };
    }
}
