package dev.fettle.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.fettle.cli.kept.KeptRuns;
import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.run.RunMarks;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.history.TwoRuns;
import dev.fettle.lab.journal.KeptRun;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OneLine;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.json.KeptResult;
import dev.fettle.report.json.TwoRunsJson;
import dev.fettle.report.runs.ListedRun;
import dev.fettle.report.runs.TwoRunsDocument;
import dev.fettle.report.text.TextReport;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle runs}. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        header = "Lists the runs of this folder, newest first; holds two of them against each other.",
        description = {
            "Two runs are compared only if plan, load, JDK and machine are the same. They were made at different times, so what"
                    + " the machine did in between is part of each difference: a hint, no proof."
        },
        footer = {
            "",
            "Examples:",
            "  fettle runs",
            "  fettle runs --find tomcat,cache --json",
            "  fettle runs login-page-3 --tag before-cache --note \"main on the day of the release\"",
            "  fettle runs login-page-3 login-page-5",
            "",
            "Exit codes: 0 listed, also if there are none; marked; compared, 1 what was kept can't be read,",
            "            2 wrong arguments, no such run, 4 the two can't be compared."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class RunsCommand implements Callable<Integer> {
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN",
            arity = "0..2",
            description = "One to mark, or two to compare: an id, a number, or 'latest'.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--find",
            paramLabel = "WORD",
            split = ",",
            description = "Only runs with all of these words in id, kind, plan, answer, tags or note.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--tag", paramLabel = "TAG", split = ",", description = "Add these tags to the run.")
    private List<String> tags = new ArrayList<>();

    @Option(names = "--untag", paramLabel = "TAG", split = ",", description = "Take these tags off the run.")
    private List<String> untags = new ArrayList<>();

    @Option(
            names = "--note",
            paramLabel = "TEXT",
            description = "Write a note next to the run; an empty one removes it.")
    private @Nullable String note;

    @Override
    public Integer call() throws LabException, JsonProcessingException {
        boolean marks = !tags.isEmpty() || !untags.isEmpty() || note != null;
        if (marks != (names.size() == 1)) {
            throw Parse.usage(
                    marks
                            ? "--tag, --untag and --note are for one run: fettle runs RUN --tag TAG"
                            : "'" + names.getFirst() + "': name two runs to compare them, or add --tag or --note;"
                                    + " fettle show " + names.getFirst() + " says what came out");
        }
        if (names.size() > 2) {
            throw Parse.usage(names.size() + " runs are named: two are compared");
        }
        if (!names.isEmpty() && !words.isEmpty()) {
            throw Parse.usage("--find is for the list of runs, without RUN");
        }
        if (names.isEmpty()) {
            return list(common.screen());
        }
        RunStore.check(common.dir);
        try (var store = RunStore.existing(common.dir)) {
            return marks ? mark(store) : compare(store);
        }
    }

    private int list(Screen screen) throws LabException, JsonProcessingException {
        var listed = new ArrayList<ListedRun>();
        List<String> wanted =
                words.stream().map(w -> w.strip().toLowerCase(Locale.ROOT)).toList();
        boolean none = true;
        if (RunStore.isIn(common.dir)) {
            try (var store = RunStore.existing(common.dir)) {
                RunMarks marks = store.marks();
                for (KeptRun kept : store.journal().runs()) {
                    none = false;
                    ListedRun run =
                            KeptRuns.listed(store, kept, common.dir.toString()).withMarks(marks.of(kept.id()));
                    if (run.has(wanted)) {
                        listed.add(run);
                        if (!common.json) {
                            screen.result(OneLine.of(line(run)));
                        }
                    }
                }
            }
        }
        if (common.json) {
            screen.result(Json.mapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(listed.stream().map(RunsCommand::fields).toList()));
        } else if (none) {
            screen.say("no runs in " + common.dir.toAbsolutePath().normalize() + " yet; start with: fettle tune");
        } else if (listed.isEmpty()) {
            screen.say("no run has " + String.join(" and ", words) + " in it");
        }
        return ExitCodes.OK;
    }

    private static String line(ListedRun run) {
        if (run.state() == ListedRun.State.UNREADABLE) {
            return String.format(Locale.ROOT, "%-20s %s", run.id(), run.headline());
        }
        String tags = run.marks().tags().isEmpty()
                ? ""
                : "[" + String.join(" ", run.marks().tags()) + "] ";
        return String.format(
                Locale.ROOT,
                "%-20s %-8s %s %3d %s  %s%s%s",
                run.id(),
                run.kind(),
                run.started().map(WHEN::format).orElse(""),
                run.trials(),
                unit(run),
                tags,
                run.headline(),
                run.marks().note().isEmpty() ? "" : "  # " + run.marks().note());
    }

    private static String unit(ListedRun run) {
        return run.kind().equals("capacity") ? "probes" : "trials";
    }

    private static Map<String, Object> fields(ListedRun run) {
        var row = new LinkedHashMap<String, Object>();
        row.put("id", run.id());
        if (run.state() != ListedRun.State.UNREADABLE) {
            row.put("kind", run.kind());
            row.put("plan", run.plan());
            row.put("started", run.started().map(Object::toString).orElse(""));
            row.put(unit(run), run.trials());
        }
        row.put(
                "state",
                run.state() == ListedRun.State.RUNNING ? "open" : run.state().id());
        row.put("headline", run.headline());
        row.put("tags", run.marks().tags());
        row.put("note", run.marks().note());
        return row;
    }

    private ListedRun.Marks changed(ListedRun.Marks before) {
        var all = new LinkedHashSet<>(before.tags());
        all.addAll(tags);
        untags.forEach(all::remove);
        return new ListedRun.Marks(
                List.copyOf(all),
                note == null ? before.note() : OneLine.of(note).strip());
    }

    private int mark(RunStore store) throws LabException, JsonProcessingException {
        for (String tag : tags) {
            if (!RunMarks.isTag(tag)) {
                throw Parse.usage("--tag '" + OneLine.of(tag)
                        + "': a tag is one word of at most 40 letters, digits, and . _ : / + @ = -");
            }
        }
        RunRecord run = store.find(names.getFirst());
        ListedRun.Marks now;
        try {
            now = RunMarks.change(store.workspace().folder(), run.id(), this::changed);
        } catch (IllegalArgumentException e) {
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
        Screen screen = common.screen();
        ListedRun listed = listed(store, run, now);
        screen.result(common.json ? Json.mapper().writeValueAsString(fields(listed)) : OneLine.of(line(listed)));
        return ExitCodes.OK;
    }

    private ListedRun listed(RunStore store, RunRecord run, ListedRun.Marks marks) {
        return KeptRuns.listed(store, run, common.dir.toString()).withMarks(marks);
    }

    private int compare(RunStore store) throws LabException {
        RunRecord one = store.find(names.getFirst());
        RunRecord other = store.find(names.getLast());
        if (one.id().equals(other.id())) {
            throw Parse.usage("both are " + one.id() + ": name two runs");
        }
        var results = new KeptResult();
        var json = new JsonReport();
        TwoRuns two = TwoRuns.of(
                results.measured(json.run(store.report(one)), one.id()).orElseThrow(),
                results.measured(json.run(store.report(other)), other.id()).orElseThrow());
        Screen screen = common.screen();
        if (common.json) {
            screen.result(TwoRunsJson.of(two));
        } else {
            RunMarks marks = store.marks();
            screen.result(new TextReport(screen.width(), screen.colour())
                    .document(TwoRunsDocument.of(
                            two, listed(store, one, marks.of(one.id())), listed(store, other, marks.of(other.id())))));
        }
        return two.refused().isEmpty() ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }
}
