package dev.fettle.report.document;

import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The flame graphs of a page: a single profile, or the difference between two. Without the page's script, the heaviest
 * frames are shown as a table.
 */
public final class FlameGraphs {
    private static final int ROWS = 30;

    private final List<Graph> graphs;

    private FlameGraphs(List<Graph> graphs) {
        this.graphs = graphs;
    }

    /**
     * One graph.
     *
     * @param before empty, or the profile that it is compared with
     * @param names of the two sides, the one before and this one; for a single one, none or its own
     */
    private record Graph(Profile profile, List<Profile> before, List<String> names) {}

    /** One graph for each profile. */
    public static FlameGraphs of(List<Profile> profiles) {
        return new FlameGraphs(
                profiles.stream().map(p -> new Graph(p, List.of(), List.of())).toList());
    }

    /**
     * One graph for each kind that both sides have: how the second differs from the first.
     *
     * @param names of the two sides
     */
    static FlameGraphs between(List<Profile> before, List<Profile> after, List<String> names) {
        var graphs = new ArrayList<Graph>();
        for (Profile a : after) {
            before.stream()
                    .filter(b -> b.kind() == a.kind())
                    .findFirst()
                    .ifPresent(b -> graphs.add(new Graph(a, List.of(b), names)));
        }
        return new FlameGraphs(graphs);
    }

    /** The graphs of a run: how the second profiled setting differs from the first (a tune's default), and each alone. */
    public static FlameGraphs of(RunReport run) {
        List<TrialOutcome> profiled = profiled(run);
        Optional<TrialOutcome> first = run.conclusion()
                .filter(TuneConclusion.class::isInstance)
                .flatMap(c -> profiled.stream()
                        .filter(o -> o.spec().setting().equals(((TuneConclusion) c).baseline()))
                        .findFirst())
                .or(() -> profiled.stream().findFirst());
        boolean gate = run.conclusion().filter(GateConclusion.class::isInstance).isPresent();
        var graphs = new ArrayList<Graph>();
        first.ifPresent(a -> profiled.stream()
                .filter(o -> o != a)
                .findFirst()
                .ifPresent(b ->
                        graphs.addAll(between(profiles(a), profiles(b), List.of(name(run, a), name(run, b))).graphs)));
        for (TrialOutcome o : gate ? List.<TrialOutcome>of() : profiled) { // a gate's question is the difference
            profiles(o).forEach(p -> graphs.add(new Graph(p, List.of(), List.of(name(run, o)))));
        }
        return new FlameGraphs(graphs);
    }

    /** One trial of each name, a valid one if there is one. */
    private static List<TrialOutcome> profiled(RunReport run) {
        var each = new LinkedHashMap<String, TrialOutcome>();
        for (TrialOutcome o : run.outcomes()) {
            if (!profiles(o).isEmpty()) {
                each.merge(plainName(run, o), o, (kept, later) -> kept.valid() || !later.valid() ? kept : later);
            }
        }
        return List.copyOf(each.values());
    }

    private static List<Profile> profiles(TrialOutcome o) {
        return o.evidence().map(Evidence::profiles).orElse(List.of());
    }

    private static String name(RunReport run, TrialOutcome o) {
        return plainName(run, o) + (o.valid() ? "" : " (a void trial)");
    }

    private static String plainName(RunReport run, TrialOutcome o) {
        String variant = o.spec().variant();
        return variant.isEmpty() ? Wording.trial(o.spec(), run.plan().hold()) : variant;
    }

    /** Adds the data that the page's script draws. */
    public void data(JsonFields root) {
        root.eachIfAny("flames", graphs, FlameGraphs::json);
    }

    private static JsonFields json(Graph g) {
        var frames = new LinkedHashMap<String, Integer>();
        var fields = new JsonFields()
                .put("title", g.profile().kind().title())
                .put("unit", g.profile().kind().unit())
                .put("total", g.profile().total())
                .put("stacks", stacks(g.profile(), frames));
        if (!g.before().isEmpty()) {
            Profile b = g.before().getFirst();
            fields.put("before", stacks(b, frames), "beforeTotal", b.total()).put("names", g.names());
        }
        return fields.put("frames", List.copyOf(frames.keySet()));
    }

    /** Each stack as its weight followed by the indexes of its frames, outermost first. */
    private static List<List<Number>> stacks(Profile p, Map<String, Integer> frames) {
        return p.stacks().stream()
                .map(s -> {
                    var row = new ArrayList<Number>();
                    row.add(Math.round(s.weight() * 10) / 10.0);
                    for (int f : s.frames()) {
                        row.add(frames.computeIfAbsent(p.frames().get(f), _ -> frames.size()));
                    }
                    return List.<Number>copyOf(row);
                })
                .toList();
    }

    /** The section; none if there is no profile. */
    public List<Block> section() {
        if (graphs.isEmpty()) {
            return List.of();
        }
        return List.of(new Block.Section(
                "profile",
                "Where it went",
                IntStream.range(0, graphs.size())
                        .mapToObj(i -> graph(graphs.get(i), i))
                        .toList()));
    }

    private static Block graph(Graph g, int place) {
        Profile p = g.profile();
        String title = p.kind().title();
        return new Block.Flame(place, title + sides(g.names()), about(g), table(p));
    }

    private static String sides(List<String> names) {
        return switch (names.size()) {
            case 0 -> "";
            case 1 -> ": " + names.getFirst();
            default -> ": " + names.getLast() + " against " + names.getFirst();
        };
    }

    private static String about(Graph g) {
        Profile p = g.profile();
        String all = NumberText.weight(p.kind(), p.total()) + " in " + Format.time(p.seconds() * 1e9) + ". "
                + p.source() + ".";
        return g.before().isEmpty()
                ? all
                : all + " " + g.names().getFirst() + ": "
                        + NumberText.weight(p.kind(), g.before().getFirst().total()) + " in "
                        + Format.number(g.before().getFirst().seconds())
                        + " s. A frame's colour says how much larger or smaller its share of all is than it was there.";
    }

    private static Table table(Profile p) {
        return Table.of(p.hottest(ROWS))
                .words("frame", Profile.Frame::name)
                .figure("itself", f -> Value.share(f.self() / p.total()))
                .figure("with what it calls", f -> Value.share(f.total() / p.total()))
                .sortable();
    }
}
