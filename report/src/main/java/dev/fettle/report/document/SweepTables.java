package dev.fettle.report.document;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.SweepConclusion.Cell;
import dev.fettle.model.text.Format;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of a sweep. */
public final class SweepTables {
    private SweepTables() {}

    /** Every cell of the grid. */
    public static Table cells(RunReport run, SweepConclusion found) {
        ObjectiveColumn judged = ObjectiveColumn.of(run);
        double best = judged.best(found);
        var table = Table.of(found.cells());
        found.grid()
                .forEach(d -> table.figure(
                        Wording.dimension(d.name()), c -> Value.words(c.point().getOrDefault(d.name(), ""))));
        return table.figure(judged.heading(), of(c -> Value.of(judged, c.figure())))
                .figure(
                        "throughput /s",
                        c -> any(c) ? Value.number(c.throughput().estimate()) : Value.words("void"))
                .figure("95 % interval", of(c -> Value.bounds(Wording.rate(c.throughput(), c.trials()))))
                .figure("p50", of(c -> Value.time(c.p50())))
                .json("p50Millis")
                .figure("p99", of(c -> Value.time(c.p99())))
                .json("p99Millis")
                .known("errors", of(c -> Value.share(c.errorShare())))
                .json("errorShare")
                .known("CPU", c -> Value.share(c.cpuUtilisation()))
                .json("cpuUtilisationShare")
                .known("load", c -> Value.number(c.loadAverage()))
                .json("loadAverage")
                .known("X·R/N", c -> Value.of(c.littles(), Format::ratio))
                .json("littlesRatio")
                .known("trials", c -> Value.count(c.trials()))
                .json("trials")
                .known("void", c -> Value.count(c.voids()))
                .json("voids")
                .remarks(
                        remarks(found),
                        Where.NOT_IN_TERMINALS,
                        c -> Stream.of(
                                        c.problems().stream(),
                                        c.broken().stream(),
                                        c.otherAnswers().stream(),
                                        c.failed().stream())
                                .flatMap(s -> s)
                                .collect(Collectors.joining("; ")))
                .tone(c -> !any(c)
                        ? Tone.QUIET
                        : judged.top(c, best) ? Tone.STRONG : c.allowed() ? Tone.PLAIN : Tone.CAUTION)
                .sortable();
    }

    private static boolean any(Cell c) {
        return c.trials() > 0;
    }

    private static Function<Cell, Value> of(Function<Cell, Value> figure) {
        return c -> any(c) ? figure.apply(c) : Value.EMPTY;
    }

    private static String remarks(SweepConclusion found) {
        if (found.cells().stream()
                .anyMatch(c -> c.otherAnswers().isPresent() || c.failed().isPresent())) {
            return "why void, or can't be the best";
        }
        return found.cells().stream().allMatch(c -> c.broken().isEmpty())
                ? "why void"
                : "why void, or not within the limits";
    }
}
