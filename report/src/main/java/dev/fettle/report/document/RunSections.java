package dev.fettle.report.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.Block.Fact;
import dev.fettle.report.document.Block.Facts;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What follows the answer of a run on a page: courses, profiles, trials, hooks, settings, the machine, and the plan. */
public final class RunSections {
    private static final ObjectWriter JSON = Json.mapper().writerWithDefaultPrettyPrinter();

    private RunSections() {}

    /** The sections in their order. */
    public static List<Block> of(RunReport run, Watches watch) {
        boolean diagnosis =
                run.conclusion().filter(DiagnoseConclusion.class::isInstance).isPresent();
        List<Block> profiles = FlameGraphs.of(run).section();
        List<Block> trials = TrialSections.of(run, watch);
        return Stream.of(
                        diagnosis ? profiles : trials, // where the CPU time went is part of a finding
                        diagnosis ? trials : profiles,
                        HookSection.of(run),
                        SetupSections.of(run),
                        List.of(plan(run)))
                .flatMap(List::stream)
                .toList();
    }

    /** Those of a capacity search, whose trials are in its document. */
    public static List<Block> of(CapacityReport r, Watches watch) {
        Load load = r.plan().load();
        var facts = new ArrayList<>(List.of(
                new Fact("target", r.target()),
                new Fact("SLO", r.slo().toString()),
                new Fact(
                        "request",
                        load.scenario().isPresent()
                                ? "a scenario"
                                : load.request().method() + " " + load.request().path()),
                new Fact("connections at most", Integer.toString(load.connections())),
                new Fact("time-out", Units.text(load.timeout()))));
        facts.addAll(SetupSections.machine(r.environment()));
        return Stream.concat(
                        watch.section().stream(),
                        Stream.of(new Section("setup", "What was loaded, and where", new Facts(facts))))
                .toList();
    }

    /** What was watched: the trials that the page shows first come first; for a diagnosis, the one that it is about. */
    public static Watches watched(RunReport run) {
        return watched(run, Optional.empty(), Optional.empty());
    }

    /** The same with one before or after them. */
    public static Watches watched(RunReport run, Optional<Watches.Watched> before, Optional<Watches.Watched> after) {
        var shown = Timelines.shown(run);
        boolean diagnosis = run.outcomes().stream().anyMatch(o -> o.spec().phase() == Phase.DIAGNOSE);
        Stream<Watches.Watched> all = Stream.of(true, false)
                .flatMap(first -> run.outcomes().stream()
                        .filter(o -> (diagnosis ? o.spec().phase() == Phase.DIAGNOSE : shown.contains(o.ordinal()))
                                == first))
                .flatMap(o ->
                        o.evidence().stream().map(e -> new Watches.Watched(Timelines.name(run, o), e.timeline())));
        return new Watches(
                Stream.of(before.stream(), all, after.stream()).flatMap(w -> w).toList());
    }

    private static Block plan(RunReport run) {
        var all = new ArrayList<Block>();
        if (!run.plan().about().isBlank()) {
            all.add(new Paragraph(run.plan().about()));
        }
        if (!run.plan().own().isEmpty()) {
            all.add(new Paragraph("Knobs of the application's own:"));
            all.add(new Facts(run.plan().own().stream()
                    .map(k -> new Fact(k.name(), k.described()))
                    .toList()));
        }
        all.add(new Block.Folded("Everything that was asked for, as JSON", List.of(new Block.Snippet("", json(run)))));
        return new Section("plan", "The plan", all);
    }

    private static String json(RunReport run) {
        try {
            return JSON.writeValueAsString(run.plan());
        } catch (JsonProcessingException e) {
            // every record of the model has a JSON form
            throw new IllegalStateException(e);
        }
    }
}
