package dev.fettle.report.document;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.JsonFields;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The objective's metric over any two dimensions of a grid: one picture for each pair, and for each value of the
 * others.
 */
public final class HeatMap {
    private final List<Picture> pictures;
    private final ObjectiveColumn judged;

    private record Picture(String label, Dimension x, Dimension y, List<Cell> cells) {}

    /**
     * @param p99 nanoseconds
     * @param figure the objective's metric
     */
    private record Cell(
            Map<String, String> point,
            Interval throughput,
            double p99,
            OptionalFigure figure,
            boolean valid,
            String problem) {}

    private HeatMap(List<Picture> pictures, Objective.Metric metric) {
        this.pictures = List.copyOf(pictures);
        this.judged = new ObjectiveColumn(metric);
    }

    /** Of a sweep. */
    public static HeatMap of(SweepConclusion s, Objective.Metric metric) {
        var cells = s.cells().stream()
                .map(c -> new Cell(c.point(), c.throughput(), c.p99(), c.figure(), c.trials() > 0, first(c.problems())))
                .toList();
        return new HeatMap(pictures(s.grid(), "", cells), metric);
    }

    /** A map for each variant. */
    public static HeatMap of(CompareConclusion found, List<Dimension> grid) {
        var pictures = new ArrayList<Picture>();
        int variants = found.conditions().isEmpty()
                ? 0
                : found.conditions().getFirst().variants().size();
        for (int i = 0; i < variants; i++) {
            var cells = new ArrayList<Cell>();
            String name = "";
            for (var c : found.conditions()) {
                var v = c.variants().get(i);
                name = v.name();
                cells.add(
                        new Cell(c.point(), v.throughput(), v.p99(), v.figure(), v.trials() > 0, first(v.problems())));
            }
            pictures.addAll(pictures(grid, name, cells));
        }
        return new HeatMap(pictures, found.metric());
    }

    private static String first(List<String> problems) {
        return problems.isEmpty() ? "no valid trial" : problems.getFirst();
    }

    private static List<Picture> pictures(List<Dimension> grid, String of, List<Cell> cells) {
        var out = new ArrayList<Picture>();
        for (int i = 0; i < grid.size(); i++) {
            for (int j = i + 1; j < grid.size(); j++) {
                Dimension a = grid.get(i);
                Dimension b = grid.get(j);
                // the longer dimension across, so that cells stay roughly square on a wide page
                boolean swap = b.values().size() > a.values().size();
                var rest = grid.stream().filter(d -> d != a && d != b).toList();
                for (Map<String, String> slice : GridPoints.grid(rest)) {
                    String label = (of.isEmpty() ? "" : of + ": ") + Wording.dimension(a.name()) + " × "
                            + Wording.dimension(b.name()) + Wording.at(slice);
                    out.add(new Picture(
                            label,
                            swap ? b : a,
                            swap ? a : b,
                            cells.stream()
                                    .filter(c -> c.point().entrySet().containsAll(slice.entrySet()))
                                    .toList()));
                }
            }
        }
        return out;
    }

    /** Adds the data of the plot, if there are two dimensions. */
    public void data(JsonFields root) {
        if (!pictures.isEmpty()) {
            root.put(
                    "heat",
                    new JsonFields()
                            .put("latency", judged.metric() == Objective.Metric.P99)
                            .put("own", judged.heading(), "unit", judged.unit())
                            .each(
                                    "slices",
                                    pictures,
                                    p -> new JsonFields()
                                            .put("label", p.label())
                                            .put("xName", Wording.dimension(p.x().name()))
                                            .put("yName", Wording.dimension(p.y().name()))
                                            .put("x", p.x().values(), "y", p.y().values())
                                            .each("cells", p.cells(), c -> cell(c, p))));
        }
    }

    private JsonFields cell(Cell c, Picture p) {
        var cell = new JsonFields()
                .put("x", p.x().values().indexOf(c.point().getOrDefault(p.x().name(), "")))
                .put("y", p.y().values().indexOf(c.point().getOrDefault(p.y().name(), "")));
        return c.valid()
                ? cell.estimate(c.throughput())
                        .millis("p99", c.p99())
                        .known("own", judged.own() ? judged.value(c.figure()) : Double.NaN)
                : cell.put("problem", c.problem());
    }

    /** The plot, and the choice of a picture; none with fewer than two dimensions. */
    List<Block> blocks() {
        if (pictures.isEmpty()) {
            return List.of();
        }
        boolean several = pictures.size() > 1;
        var plot = new Block.Plot(
                "heat",
                judged.heading().orElse(judged.metric() == Objective.Metric.P99 ? "p99" : "Throughput per second")
                        + (several ? "" : ", " + pictures.getFirst().label()),
                "Heat map of " + judged.metric().words() + " over two dimensions",
                "",
                table());
        return several
                ? List.of(
                        new Block.Choice(
                                "Heat map of ",
                                "slice",
                                pictures.stream().map(Picture::label).toList()),
                        plot)
                : List.of(plot);
    }

    private record Pictured(Picture picture, Cell cell) {}

    private Table table() {
        // with more than two dimensions a cell is in several pictures; those of the first pair contain all cells
        Picture first = pictures.getFirst();
        return Table.of(pictures.stream()
                        .filter(p -> p.x().name().equals(first.x().name())
                                && p.y().name().equals(first.y().name()))
                        .flatMap(p -> p.cells().stream().map(c -> new Pictured(p, c)))
                        .toList())
                .words("picture", x -> x.picture().label())
                .words("cell", x -> Wording.point(x.cell().point()))
                .figure(
                        "throughput /s",
                        x -> x.cell().valid()
                                ? Value.number(x.cell().throughput().estimate())
                                : Value.words("void"))
                .figure("p99", x -> x.cell().valid() ? Value.time(x.cell().p99()) : Value.EMPTY)
                .figure(judged.heading(), x -> Value.of(judged, x.cell().figure()))
                .build();
    }
}
