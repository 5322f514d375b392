package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The sections common to all runs: latency, throughput over time, the trials, and their validity. */
record HtmlTrials(RunReport run, JsonFields data, HtmlWatch watch) {
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

    private HtmlTable percentiles() {
        var table = HtmlTable.percentiles("trials");
        for (var group : TrialGroups.of(run)) {
            Histograms.merge(group.trials().stream()
                            .flatMap(t -> t.measurement().stream())
                            .toList())
                    .ifPresent(h -> table.percentiles(group.name(), h));
        }
        return table;
    }

    private HtmlTable timeline() {
        var table = HtmlTable.plain().words("trial").figures("warm-up").figures(HtmlTable.LEAST_MEAN_MOST);
        for (TrialOutcome o : run.outcomes()) {
            o.measurement()
                    .filter(m -> !m.windows().isEmpty())
                    .ifPresent(m -> table.row(
                            o.valid() ? "" : "void",
                            HtmlTable.leastMeanMost(
                                    m, words(Timelines.name(run, o)), figure(NumberText.duration(o.warmUp()), 0))));
        }
        return table;
    }

    private void trials(Html html) {
        html.section("trials", "Every trial", s -> {
            if (run.outcomes().isEmpty()) {
                s.el("p", "None has ended yet.", "class", "quiet");
                return;
            }
            var table = HtmlTable.sortable()
                    .figures("#")
                    .words("for", "what", "verdict")
                    .knownFigures("throughput /s", "p50", "p99", "max", "failed", "CPU time", "warm-up")
                    .remarks("why void, or what to know");
            run.outcomes().forEach(o -> table.row(o.valid() ? "" : "void", row(o)));
            s.table("Every trial in the order it ran", table);
        });
    }

    private List<HtmlTable.Cell> row(TrialOutcome o) {
        var row = new ArrayList<HtmlTable.Cell>();
        row.add(figure(Integer.toString(o.ordinal()), o.ordinal()));
        row.add(words(Wording.phase(o.spec())));
        row.add(words(Wording.trial(o.spec(), run.plan().hold())).styled("mono"));
        row.add(words(Wording.verdict(o)).styled(o.valid() ? "ok" : EarlyStopping.is(o) ? "quiet" : "no"));
        if (o.measurement().isPresent()) {
            Measurement m = o.measurement().get();
            row.add(figure(NumberText.number(m.throughput()), m.throughput()));
            row.add(millis(m.latency().known(LatencySummary::p50)));
            row.add(millis(m.latency().known(LatencySummary::p99)));
            row.add(millis(m.latency().known(LatencySummary::max)));
            String failed =
                    m.failed() == 0 ? "0" : NumberText.count(m.failed()) + " (" + Wording.errors(m.errors()) + ")";
            String lost = Wording.lost(m).map(l -> "; " + l).orElse("");
            row.add(figure(failed + lost, m.failed() + m.lost()));
        } else {
            for (int i = 0; i < 5; i++) {
                row.add(figure(NumberText.NONE, Double.NaN));
            }
        }
        double cpu = o.evidence()
                .map(e -> e.get(Aggregate.SERVER_CPU_SECONDS).orElse(Double.NaN))
                .orElse(Double.NaN);
        row.add(figure(NumberText.latency(cpu * 1e9), cpu));
        row.add(figure(NumberText.duration(o.warmUp()), o.warmUp().toNanos()));
        row.add(words(String.join(", ", o.valid() ? Wording.advisories(o) : Wording.rules(o))));
        return row;
    }

    private static HtmlTable.Cell millis(double nanos) {
        return figure(NumberText.latency(nanos), nanos);
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
                s.table("Why trials are void", rules());
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
                s.table("What to know of valid trials", advisories());
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

    private HtmlTable advisories() {
        var byRule = new LinkedHashMap<String, List<TrialOutcome>>();
        for (TrialOutcome o : run.valid()) {
            Wording.advisories(o)
                    .forEach(rule ->
                            byRule.computeIfAbsent(rule, _ -> new ArrayList<>()).add(o));
        }
        var table = HtmlTable.plain().words("rule").figures("trials").words("of the first");
        byRule.forEach((rule, which) -> table.row(
                "",
                words(rule).styled("mono"),
                figure(Integer.toString(which.size()), which.size()),
                words(which.getFirst().verdict().advisories().stream()
                        .filter(a -> a.rule().equals(rule))
                        .map(Verdict.Advisory::message)
                        .findFirst()
                        .orElse(""))));
        return table;
    }

    private HtmlTable rules() {
        var byRule = new TreeMap<String, List<Integer>>();
        var passing = new TreeSet<String>();
        for (TrialOutcome o : run.voids()) {
            Wording.rules(o)
                    .forEach(rule ->
                            byRule.computeIfAbsent(rule, k -> new ArrayList<>()).add(o.ordinal()));
            o.verdict().reasons().stream().filter(Verdict.Reason::passing).forEach(r -> passing.add(r.rule()));
        }
        var table = HtmlTable.plain().words("rule").figures("trials").words("may pass on a re-run", "which");
        byRule.entrySet().stream()
                .sorted(Comparator.comparing(e -> -e.getValue().size()))
                .forEach(e -> {
                    var which = e.getValue().stream().map(n -> "#" + n).toList();
                    table.row(
                            "",
                            words(e.getKey()).styled("mono"),
                            figure(Integer.toString(which.size()), which.size()),
                            words(passing.contains(e.getKey()) ? "yes" : "no"),
                            words(String.join(", ", which)));
                });
        return table;
    }
}
