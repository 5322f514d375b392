package dev.fettle.report.history;

import dev.fettle.insight.history.Course;
import dev.fettle.insight.history.Course.Change;
import dev.fettle.insight.history.Course.Point;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.RunSeries;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Block.Fact;
import dev.fettle.report.document.Block.Figures;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Checks.Check;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Head.Big;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import dev.fettle.report.document.Where;
import dev.fettle.report.history.HistoryReport.Reported;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Many runs over time: what changed and with which commit, then each metric of each series, then the runs. */
public final class HistoryDocument {
    private static final int LEAST_P = 12;
    private static final int RUNS_SHOWN = 15;
    private static final int UNREAD_SHOWN = 10;
    private static final int CHANGES_NAMED = 3;

    private final HistoryReport report;

    private HistoryDocument(HistoryReport report) {
        this.report = report;
    }

    /** The whole document. */
    public static Document of(HistoryReport report) {
        var d = new HistoryDocument(report);
        return new Document(d.head(), d.blocks(), Checks.of("history", "history", d.checks()));
    }

    /** The id of a metric's plot. */
    public static String chart(int series, GateMetric metric) {
        return "history-" + series + "-" + metric.id();
    }

    private Head head() {
        return switch (report.standing()) {
            case WORSE -> head("Worse", "bad");
            case BETTER -> head("Better", "good");
            case NO_CHANGE -> head("No change shown", "calm");
            case TOO_FEW -> head("Too few runs", "warn");
            case NOTHING -> head("No runs", "warn");
        };
    }

    private Head head(String badge, String tone) {
        return new Head("history", brief(), badge, tone, headline(), bigs(), List.of(), notes());
    }

    private List<String> brief() {
        var brief = new ArrayList<String>();
        List<PastRun> runs = report.runs();
        brief.add("history of " + HistoryWords.runs(runs.size())
                + (runs.isEmpty()
                        ? ""
                        : " in " + report.history().series().size() + " series, "
                                + HistoryWords.when(runs.stream()
                                        .map(PastRun::started)
                                        .min(Comparator.naturalOrder())
                                        .orElseThrow())
                                + " to "
                                + HistoryWords.when(runs.stream()
                                        .map(PastRun::started)
                                        .max(Comparator.naturalOrder())
                                        .orElseThrow())
                                + " UTC"));
        brief.add(HistoryWords.levels(report.history()));
        report.since().ifPresent(s -> brief.add("shown from " + HistoryWords.when(s) + " UTC on; all runs count"));
        return brief;
    }

    private String headline() {
        List<Reported> losses = report.losses();
        int least = 2 * report.history().levels().least();
        return switch (report.standing()) {
            case WORSE -> named(losses) + ".";
            case BETTER ->
                "No loss that still lasts. "
                        + capital(named(report.changes().stream()
                                .filter(Reported::isNewest)
                                .toList()))
                        + ".";
            case NO_CHANGE -> "No change is shown.";
            case TOO_FEW -> "Too few runs to tell: it takes " + least + " valid ones of one series.";
            case NOTHING -> "There are no gates or benches.";
        };
    }

    private static String named(List<Reported> changes) {
        String first = String.join(
                "; ",
                changes.stream()
                        .limit(CHANGES_NAMED)
                        .map(HistoryWords::sentence)
                        .toList());
        int more = changes.size() - CHANGES_NAMED;
        return capital(first) + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        report.changes().stream().limit(2).forEach(t -> {
            GateMetric metric = t.course().metric();
            list.add(new Big(
                    capital(metric.label()),
                    HistoryWords.size(metric, t.change()),
                    "with " + HistoryWords.commits(t.course(), t.change()) + ", "
                            + HistoryWords.when(t.run().started()),
                    t.change().loss() ? "bad" : "good"));
        });
        List<PastRun> runs = report.runs();
        long unused = runs.stream().filter(r -> r.unused().isPresent()).count();
        list.add(new Big(
                "Runs", Format.whole(runs.size()), unused == 0 ? "all valid" : unused + " void, shown and not used"));
        return list;
    }

    private List<String> notes() {
        var notes = new ArrayList<String>();
        report.unread().stream().limit(UNREAD_SHOWN).forEach(u -> notes.add("Could not be read: " + u));
        if (report.unread().size() > UNREAD_SHOWN) {
            notes.add((report.unread().size() - UNREAD_SHOWN) + " more files or folders could not be read.");
        }
        if (report.history().series().size() > 1) {
            notes.add("Runs of another plan, load, JDK or machine are a series of their own: they are not compared.");
        }
        long unused = report.runs().stream().filter(r -> r.unused().isPresent()).count();
        if (unused > 0) {
            notes.add(HistoryWords.runs(unused) + (unused == 1 ? " is void: it is" : " are void: they are")
                    + " shown, and no figure is used.");
        }
        report.others()
                .forEach((what, n) ->
                        notes.add(HistoryWords.runs(n) + " left out: " + (n == 1 ? "" : "each ") + what + "."));
        if (report.twice() > 0) {
            notes.add(HistoryWords.runs(report.twice()) + " found twice, counted once.");
        }
        if (!report.history().series().isEmpty()
                && report.courses().stream().allMatch(c -> c.drift().isEmpty())) {
            notes.add(
                    "No program was measured in several runs next to the one that is followed, so what the machine did by"
                            + " itself is not known and still in the figures: gates with one --base for all of them show it, or benches with"
                            + " --reference.");
        }
        for (RunSeries s : report.history().series()) {
            int without = s.courses().stream()
                    .filter(c -> c.drift().isPresent())
                    .mapToInt(c -> c.points().size() - c.drift().get().runs())
                    .max()
                    .orElse(0);
            if (without > 0) {
                notes.add(HistoryWords.runs(without) + " of "
                        + HistoryWords.name(s, report.history().series())
                        + (without == 1 ? " has" : " have")
                        + " no reference in common with another run: their figures are as they were measured.");
            }
        }
        return notes;
    }

    private List<Block> blocks() {
        var all = new ArrayList<Block>();
        List<Reported> changes = report.changes();
        if (!changes.isEmpty()) {
            all.add(new Section("changes", "Changes", new Figures("Changes", changes(changes))));
        }
        for (int i = 0; i < report.history().series().size(); i++) {
            all.add(series(i, report.history().series().get(i)));
        }
        return all;
    }

    private Table changes(List<Reported> all) {
        boolean several = report.history().series().size() > 1;
        var table = Table.<Reported>of(all)
                .words("metric", t -> t.course().metric().label())
                .figure("change", t -> {
                    GateMetric metric = t.course().metric();
                    return new Value(
                            HistoryWords.size(metric, t.change()),
                            t.change().size(metric),
                            t.change().loss() ? Tone.BAD : Tone.GOOD,
                            "");
                })
                .words("commit", t -> HistoryWords.range(t.course(), t.change()))
                .words("when", t -> HistoryWords.when(t.run().started()))
                .figure("before", t -> value(t.course().metric(), t.change().before()))
                .figure("after", t -> value(t.course().metric(), t.change().after()))
                .known(
                        "seen after",
                        t -> new Value(
                                HistoryWords.runs(t.change().seen() - t.change().at()),
                                t.change().seen() - t.change().at()))
                .known("p", t -> new Value(p(t.change().p()), t.change().p()))
                .remarks(
                        "also new",
                        Where.EVERYWHERE,
                        t -> String.join("; ", t.change().besides()));
        if (several) {
            table.words(
                    "series",
                    Where.NOT_IN_TERMINALS,
                    t -> HistoryWords.name(t.series(), report.history().series()));
        }
        return table.sortable();
    }

    /** The power of ten that it lies below. */
    private static String p(double p) {
        int below = p > 0 ? (int) Math.floor(-Math.log10(p)) : LEAST_P;
        return "< 1e-" + Math.min(LEAST_P, below);
    }

    private static Value value(GateMetric metric, double figure) {
        return new Value(HistoryWords.figure(metric, figure), figure);
    }

    private Section series(int number, RunSeries series) {
        var blocks = new ArrayList<Block>();
        String name = HistoryWords.name(series, report.history().series());
        blocks.add(new Block.Facts(facts(series)));
        blocks.add(new Figures("Metrics", metrics(series)));
        var plots = new ArrayList<Block>();
        for (Course c : series.courses()) {
            String title = capital(c.metric().label()) + ", run by run";
            plots.add(new Block.Plot(
                    chart(number, c.metric()),
                    title,
                    title + (c.changes().isEmpty() ? "; no change is shown" : "; changes are marked"),
                    "",
                    points(c)));
        }
        blocks.add(Block.on(Where.ON_PAGE, plots.toArray(Block[]::new)));
        List<PastRun> shown = series.runs().stream().filter(report::isShown).toList();
        List<PastRun> last = shown.subList(Math.max(0, shown.size() - RUNS_SHOWN), shown.size());
        String title = last.size() < shown.size() ? "The last " + last.size() + " runs" : "Runs";
        if (!shown.isEmpty()) {
            blocks.add(Block.on(Where.IN_TERMINALS, new Figures(title, runs(series, last))));
            blocks.add(Block.on(
                    Where.NOT_IN_TERMINALS,
                    new Block.Folded(
                            "All " + HistoryWords.runs(shown.size()),
                            List.of(new Figures("Runs", runs(series, shown))))));
        }
        return new Section("series-" + number, name, blocks);
    }

    private List<Fact> facts(RunSeries series) {
        var facts = new ArrayList<Fact>();
        long valid = series.runs().stream().filter(r -> r.unused().isEmpty()).count();
        facts.add(new Fact(
                "runs", series.runs().size() + (valid == series.runs().size() ? "" : ", " + valid + " of them valid")));
        String machine = String.join(
                ", ",
                series.conditions().entrySet().stream()
                        .filter(e -> !List.of("what", "plan", "target", "load", "plan, exactly", "load, exactly")
                                .contains(e.getKey()))
                        .map(e -> e.getKey() + " " + e.getValue())
                        .toList());
        facts.add(new Fact("the same in all", machine.isEmpty() ? "the machine is not known" : machine));
        List<String> references = series.runs().stream()
                .map(PastRun::reference)
                .filter(r -> !r.isEmpty())
                .distinct()
                .toList();
        if (!references.isEmpty()) {
            facts.add(new Fact(
                    "reference",
                    references.size() == 1
                            ? (references.getFirst().startsWith("bench of ") ? "" : "the base, ")
                                    + references.getFirst()
                            : references.size()
                                    + " bases: what the machine did is known where several runs share one"));
        }
        return facts;
    }

    private Table metrics(RunSeries series) {
        return Table.<Course>of(series.courses())
                .words("metric", c -> c.metric().label())
                .figure("runs", c -> Value.count(c.points().size()))
                .figure("now", c -> value(c.metric(), c.now()))
                .cells("newest change", this::newest)
                .figure(
                        "the machine itself",
                        c -> c.drift()
                                .filter(d -> d.least() != d.most())
                                .map(d -> new Value(HistoryWords.drift(c.metric(), d), d.most()))
                                .orElse(Value.NONE))
                .build();
    }

    private Value newest(Course c) {
        Optional<Change> newest =
                c.newest().filter(x -> report.isShown(c.points().get(x.at()).run()));
        if (newest.isPresent()) {
            return Value.words(
                    HistoryWords.size(c.metric(), newest.get()) + " with " + HistoryWords.commits(c, newest.get()),
                    newest.get().loss() ? Tone.BAD : Tone.GOOD);
        }
        return c.enough(report.history().levels())
                ? Value.words("none shown")
                : Value.words("too few runs", Tone.CAUTION);
    }

    private record Row(Point point, Optional<Change> change) {}

    private Table points(Course c) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < c.points().size(); i++) {
            int at = i;
            if (report.isShown(c.points().get(i).run())) {
                rows.add(new Row(
                        c.points().get(i),
                        c.changes().stream().filter(x -> x.at() == at).findFirst()));
            }
        }
        boolean taken = c.drift().isPresent();
        return Table.<Row>of(rows)
                .words("run", r -> r.point().run().name())
                .words("when", r -> HistoryWords.when(r.point().run().started()))
                .figure(
                        taken ? "without the machine's drift" : "figure",
                        r -> value(c.metric(), r.point().figure()))
                .known("as measured", r -> taken ? value(c.metric(), r.point().measured()) : Value.EMPTY)
                .remarks(
                        "change",
                        Where.EVERYWHERE,
                        r -> r.change()
                                .map(x -> HistoryWords.size(c.metric(), x))
                                .orElse(""))
                .sortable();
    }

    private Table runs(RunSeries series, List<PastRun> shown) {
        var table = Table.<PastRun>of(shown)
                .words("when", r -> HistoryWords.when(r.started()))
                .words("run", PastRun::name)
                .remarks("gate", Where.EVERYWHERE, HistoryWords::verdict);
        for (Course c : series.courses()) {
            var figures = new IdentityHashMap<PastRun, Value>();
            c.points().forEach(p -> figures.put(p.run(), value(c.metric(), p.figure())));
            table.known(c.metric().label(), r -> figures.getOrDefault(r, Value.NONE));
        }
        return table.remarks(
                        "change",
                        Where.EVERYWHERE,
                        r -> String.join(
                                "; ",
                                series.courses().stream()
                                        .flatMap(c -> c.changes().stream()
                                                .filter(x -> c.points()
                                                        .get(x.at())
                                                        .run()
                                                        .equals(r))
                                                .map(x -> c.metric().label() + " " + HistoryWords.size(c.metric(), x)))
                                        .toList()))
                .remarks("why void", Where.EVERYWHERE, r -> r.unused().orElse(""))
                .tone(r -> r.unused().isPresent() ? Tone.QUIET : Tone.PLAIN)
                .build();
    }

    private List<Check> checks() {
        var all = new ArrayList<Check>();
        List<Reported> losses = report.losses();
        for (RunSeries s : report.history().series()) {
            String name = HistoryWords.name(s, report.history().series());
            for (Course c : s.courses()) {
                String check = name + ": " + c.metric().label();
                Optional<Reported> loss = losses.stream()
                        .filter(t -> t.course().equals(c) && t.series().equals(s))
                        .findFirst();
                all.add(
                        loss.isPresent()
                                ? new Check(check, Checks.Outcome.FAILED, "worse", HistoryWords.sentence(loss.get()))
                                : c.enough(report.history().levels())
                                        ? Check.passed(check)
                                        : new Check(
                                                check,
                                                Checks.Outcome.SKIPPED,
                                                "too-few",
                                                "too few runs: "
                                                        + Wording.plural(
                                                                c.points().size(), "valid run")));
            }
        }
        return all;
    }
}
