package dev.fettle.report.document;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.SweepConclusion.Cell;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.text.Format;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Head.Big;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sweep: curves and a heat map, or a matrix in a terminal, and every cell. */
final class SweepDocument {
    private final RunReport run;
    private final SweepConclusion found;
    private final ObjectiveColumn judged;

    SweepDocument(RunReport run, SweepConclusion found) {
        this.run = run;
        this.found = found;
        this.judged = ObjectiveColumn.of(run);
    }

    Head.Answer answer() {
        boolean all = found.cells().stream().allMatch(c -> c.trials() > 0);
        return new Head.Answer(all ? "Grid measured" : "Cells missing", all ? "good" : "warn", bigs());
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        var measured = found.cells().stream().filter(c -> c.trials() > 0).toList();
        var allowed = found.cells().stream().filter(Cell::allowed).toList();
        String within = allowed.size() < measured.size() ? " within the limits" : "";
        Comparator<Cell> byThroughput =
                Comparator.comparingDouble(c -> c.throughput().estimate());
        allowed.stream().max(byThroughput).ifPresent(c -> list.add(big("Fastest" + within, throughput(c), c, "good")));
        measured.stream().min(byThroughput).ifPresent(c -> list.add(big("Slowest", throughput(c), c, "")));
        allowed.stream()
                .min(Comparator.comparingLong(Cell::p99))
                .ifPresent(c -> list.add(big("Lowest p99" + within, Format.time(c.p99()), c, "")));
        double best = judged.best(found);
        allowed.stream()
                .filter(c -> judged.own() && judged.top(c, best))
                .findFirst()
                .ifPresent(c -> list.addFirst(big(
                        (judged.metric().low() ? "Lowest " : "Highest ")
                                + judged.metric().words(),
                        judged.whole(best),
                        c,
                        "good")));
        list.add(new Big("Cells", measured.size() + " of " + found.cells().size(), "with a valid trial"));
        return list;
    }

    private static String throughput(Cell c) {
        return Format.rate(c.throughput().estimate());
    }

    private static Big big(String name, String value, Cell c, String css) {
        return new Big(name, value, Wording.point(c.point()), css);
    }

    /** What there is beyond a terminal's matrix. */
    List<String> more() {
        return isMatrix() ? List.of("all " + Wording.plural(found.cells().size(), "cell")) : List.of();
    }

    private boolean isMatrix() {
        return found.grid().size() >= 2;
    }

    List<Block> blocks() {
        boolean matrix = isMatrix();
        var blocks = new ArrayList<Block>();
        blocks.add(new Block.Part(Where.ON_PAGE, false, KnobPlots.of(KnobCurves.of(run, found))));
        blocks.add(new Block.Part(
                Where.ON_PAGE, false, HeatMap.of(found, judged.metric()).blocks()));
        if (matrix) {
            blocks.add(new Block.Part(Where.IN_TERMINALS, false, matrices()));
        }
        String dimensions =
                found.grid().stream().map(d -> Wording.dimension(d.name())).collect(Collectors.joining(" × "));
        // a terminal's matrix says it
        blocks.add(new Block.Part(
                Where.EVERYWHERE,
                matrix,
                List.of(new Block.Figures(
                        matrix ? "Every cell" : "By " + dimensions, "Every cell", SweepTables.cells(run, found)))));
        blocks.add(new Block.Part(
                Where.IN_TERMINALS,
                false,
                Stream.of(
                                remarks(
                                        "Why attempts were void",
                                        c -> c.problems().stream().map(p -> Wording.point(c.point()) + ": " + p)),
                                remarks(
                                        "Failed",
                                        c -> c.failed().stream().map(f -> Wording.point(c.point()) + " " + f)),
                                remarks("Other answers", c -> c.otherAnswers().stream()))
                        .toList()));
        return List.of(new Block.Section("grid", "The grid", blocks));
    }

    private Block remarks(String title, Function<Cell, Stream<String>> of) {
        return new Block.Section(
                "",
                title,
                found.cells().stream()
                        .flatMap(of)
                        .map(text -> new Block.Paragraph(text, Tone.CAUTION))
                        .toArray(Block[]::new));
    }

    /** One matrix for each combination of the dimensions beyond the second: the longer dimension down, the shorter across. */
    private List<Block> matrices() {
        boolean swap = found.grid().get(1).values().size()
                > found.grid().get(0).values().size();
        Dimension down = found.grid().get(swap ? 1 : 0);
        Dimension across = found.grid().get(swap ? 0 : 1);
        String title = judged.heading().orElse("Throughput/s") + ", " + Wording.dimension(down.name()) + " × "
                + Wording.dimension(across.name());
        return GridPoints.grid(found.grid().subList(2, found.grid().size())).stream()
                .<Block>map(slice -> new Block.Figures(
                        title + (slice.isEmpty() ? "" : ", " + Wording.point(slice)), matrix(down, across, slice)))
                .toList();
    }

    private Table matrix(Dimension down, Dimension across, Map<String, String> slice) {
        var table = Table.<String>of(down.values()).figure(Wording.dimension(down.name()), Value::words);
        across.values()
                .forEach(a -> table.figure(Wording.dimension(across.name()) + " " + a, d -> {
                    var want = new LinkedHashMap<>(slice);
                    want.put(down.name(), d);
                    want.put(across.name(), a);
                    return found.cells().stream()
                            .filter(c -> c.point().equals(want))
                            .findFirst()
                            .map(c -> Value.words(figure(c)))
                            .orElse(Value.EMPTY);
                }));
        double best = judged.best(found);
        return table.tone(d -> found.cells().stream()
                                .anyMatch(c -> judged.top(c, best)
                                        && c.point().entrySet().containsAll(slice.entrySet())
                                        && d.equals(c.point().get(down.name())))
                        ? Tone.STRONG
                        : Tone.PLAIN)
                .build();
    }

    private String figure(Cell c) {
        if (c.trials() == 0) {
            return "void";
        }
        return judged.own()
                ? judged.text(c.figure())
                : Format.number(c.throughput().estimate())
                        + NumberText.bounds(Wording.rate(c.throughput(), c.trials()));
    }
}
