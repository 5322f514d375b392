package dev.fettle.report.document;

import dev.fettle.report.Histograms;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.MeasuredTables.Course;
import dev.fettle.report.document.MeasuredTables.Latency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The sections common to all runs: latency, throughput over time, the trials, and their validity. */
record TrialSections(RunReport run, TrialTables tables) {
    private static final int MOST_WRONG = 6;

    static List<Block> of(RunReport run, Watches watch) {
        var t = new TrialSections(run, new TrialTables(run));
        var all = new ArrayList<Block>();
        Table percentiles = t.percentiles();
        if (!percentiles.rows().isEmpty()) {
            all.add(new Section(
                    "latency",
                    "How latency is distributed",
                    new Paragraph(
                            "Valid trials of each setting merged. Towards the right, rarer and slower answers: one in ten,"
                                    + " in a hundred, in a thousand."),
                    new Block.Plot("latency", "Latency by percentile", "Latency by percentile", "", percentiles)));
        }
        Table timeline = t.timeline();
        if (!timeline.rows().isEmpty()) {
            all.add(t.overTime(timeline));
        }
        all.addAll(watch.section());
        all.add(t.trials());
        all.add(WrongAnswers.section(t.wrongAnswers()));
        all.add(t.validity());
        return all;
    }

    private Block overTime(Table timeline) {
        long left = Timelines.left(run);
        return new Section(
                "time",
                "Throughput over time",
                new Paragraph("Time 0 is where measuring began; what comes before it is warm-up and does not count."
                        + (left == 0
                                ? ""
                                : " Of the trials, " + Timelines.MOST_KEPT + " can be shown; the figures of the "
                                        + (left == 1 ? "other one" : left + " others")
                                        + " are in the table below.")),
                new Block.Choice("Trials shown", "time", List.of()),
                new Block.Plot("time", "Throughput over time", "Throughput over time, warm-up shaded", "", timeline));
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

    private Block trials() {
        return new Section(
                "trials",
                "Every trial",
                run.outcomes().isEmpty()
                        ? new Paragraph("None has ended yet.", Tone.QUIET)
                        : new Block.Figures("", "Every trial in the order it ran", tables.all()));
    }

    private Block validity() {
        int voids = run.voids().size();
        int early = run.early().size();
        var all = new ArrayList<Block>();
        all.add(new Paragraph("A trial passes the gate before anything is concluded from it. "
                + (voids == 0
                        ? passed(run.outcomes().size() - early)
                        : voids + " of " + run.outcomes().size()
                                + " did not. Where a figure of theirs was used after all, the notes say so.")
                + (early == 0
                        ? ""
                        : " Besides, " + Wording.plural(early, "trial")
                                + (early == 1 ? " was" : " were")
                                + " ended early, because the setting was surely worse than the best so far: what it"
                                + " gives at best is an upper bound, and is in no mean and no interval.")));
        if (voids > 0) {
            all.add(new Block.Figures("", "Why trials are void", tables.voids()));
            all.add(new Block.Points(
                    "",
                    run.voids().stream()
                            .map(o -> "#" + o.ordinal() + " "
                                    + Wording.trial(o.spec(), run.plan().hold()) + " – "
                                    + String.join("; ", Wording.reasons(o)))
                            .toList()));
        }
        if (run.valid().stream().anyMatch(o -> !o.verdict().advisories().isEmpty())) {
            all.add(new Block.Figures("", "What to know of valid trials", tables.advisories()));
        }
        return new Section("validity", "Validity", all);
    }

    private String passed(int trials) {
        return switch (trials) {
            case 0 -> run.outcomes().isEmpty() ? "None has ended yet." : "None ran to its end.";
            case 1 -> "One passed.";
            default -> "All " + trials + " passed.";
        };
    }
}
