package dev.fettle.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Conclusion;
import dev.fettle.lab.journal.KeptRun;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OneLine;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fettle runs}. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        header = "Lists the runs of this folder, newest first.",
        footer = {
            "",
            "Examples:",
            "  fettle runs",
            "  fettle runs --json",
            "",
            "Exit codes: 0 listed, also if there are none, 1 what was kept can't be read, 2 wrong arguments."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class RunsCommand implements Callable<Integer> {
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws LabException, JsonProcessingException {
        var screen = common.screen();
        if (!RunStore.isIn(common.dir)) {
            end(screen, true, List.of());
            return ExitCodes.OK;
        }
        try (var store = RunStore.existing(common.dir)) {
            List<KeptRun> runs = store.journal().runs();
            var rows = new ArrayList<Map<String, Object>>();
            for (KeptRun kept : runs) {
                Line line = line(store, kept);
                if (common.json) {
                    rows.add(line.fields);
                } else {
                    screen.result(OneLine.of(line.text));
                }
            }
            end(screen, runs.isEmpty(), rows);
            return ExitCodes.OK;
        }
    }

    /** What follows the lines: the list as JSON, or that there are none. */
    private void end(Screen screen, boolean none, List<Map<String, Object>> rows) throws JsonProcessingException {
        if (common.json) {
            screen.result(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(rows));
        } else if (none) {
            screen.say("no runs in " + common.dir.toAbsolutePath().normalize() + " yet; start with: fettle tune");
        }
    }

    /** One run, for programs and for people. */
    private record Line(Map<String, Object> fields, String text) {}

    private static Line line(RunStore store, KeptRun kept) {
        if (kept.run().isEmpty()) {
            return unreadable(kept.id(), kept.why());
        }
        try {
            return line(store, kept.run().get());
        } catch (LabException | IllegalArgumentException e) {
            return unreadable(kept.id(), String.valueOf(e.getMessage()));
        }
    }

    private static Line unreadable(String id, String why) {
        String said = "can't be read: " + why;
        var row = new LinkedHashMap<String, Object>();
        row.put("id", id);
        row.put("state", "unreadable");
        row.put("headline", said);
        return new Line(row, String.format(Locale.ROOT, "%-20s %s", id, said));
    }

    private static Line line(RunStore store, RunRecord run) throws LabException {
        ExperimentKind kind = ExperimentKind.of(run.kind());
        int trials = kind.counted(store.journal().trials(run.id())).size();
        String found = headline(store, run)
                .orElseGet(
                        () -> store.goesOn(run) ? "is being measured now" : "not finished: fettle resume " + run.id());
        var row = new LinkedHashMap<String, Object>();
        row.put("id", run.id());
        row.put("kind", run.kind());
        row.put("started", run.started().toString());
        row.put(kind.said() + "s", trials);
        row.put("state", run.state().name().toLowerCase(Locale.ROOT));
        row.put("headline", found);
        return new Line(
                row,
                String.format(
                        Locale.ROOT,
                        "%-20s %-8s %s %3d %s  %s",
                        run.id(),
                        run.kind(),
                        WHEN.format(run.started()),
                        trials,
                        kind.said() + "s",
                        found));
    }

    private static Optional<String> headline(RunStore store, RunRecord run) throws LabException {
        if (run.state() == RunRecord.State.OPEN) {
            return Optional.empty();
        }
        return store.journal().conclusion(run.id()).map(Conclusion::headline);
    }
}
