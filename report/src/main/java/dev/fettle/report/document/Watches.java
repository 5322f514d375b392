package dev.fettle.report.document;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signal.Group;
import dev.fettle.model.trial.Signal.Unit;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.JsonFields;
import dev.fettle.report.Quantities;
import dev.fettle.report.document.Block.Paragraph;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What was watched, as a section of a document: a plot for each group of figures, of one trial at a time and with a common cursor;
 * further sightings; and what could not be observed.
 */
public final class Watches {
    /** The id of the section. */
    public static final String SECTION = "watch";

    /** Of a load alone there is none of them; of a GC log, heap and pauses alone. */
    private static final Set<Group> OF_A_PROCESS =
            EnumSet.of(Group.CPU, Group.WORKERS, Group.WAIT, Group.HEAP, Group.GC, Group.POOL, Group.SESSIONS);

    /** Most trials whose figures are in the page: each has some dozens of series. */
    static final int MOST_TRIALS = 8;

    /** A limit this many times above everything else is written instead of drawn: it would flatten the plot. */
    private static final double FAR_ABOVE = 4;

    /** Peak over mean from which a peak is marked. */
    private static final double STANDS_OUT = 1.2;

    /** Most plots next to one finding. */
    private static final int MOST_MARKED = 3;

    private final List<Watched> trials;
    private final int left;
    private final List<Plot> plots;
    private final Function<Timeline, Map<String, String>> missing;
    private final List<Marked> marked = new ArrayList<>();

    /**
     * A plot that is shown again next to the text that refers to it.
     *
     * @param plot its index among all
     * @param signal the figure that shows it
     * @param at when the figure is highest, seconds since measuring began; empty if it hardly changes
     */
    private record Marked(String id, int plot, Signal signal, OptionalFigure at) {}

    /** A trial, and what was watched of it. */
    public record Watched(String name, Timeline timeline) {}

    /** The figures of one group and one unit, drawn in one plot. */
    private record Plot(String id, String title, Group group, Unit unit, List<Signal> signals) {}

    /** Those of trials: the ones to show first at the beginning. */
    public Watches(List<Watched> all) {
        this(all, Timeline::notObserved);
    }

    /** One alone, with the reason why of every figure of the catalogue that was not observed. */
    static Watches alone(String about, Timeline timeline) {
        return new Watches(List.of(new Watched(about, timeline)), Timeline::missing);
    }

    private Watches(List<Watched> all, Function<Timeline, Map<String, String>> missing) {
        var watched = all.stream().filter(w -> !w.timeline().isEmpty()).toList();
        trials = watched.stream().limit(MOST_TRIALS).toList();
        left = watched.size() - trials.size();
        plots = plots(trials);
        this.missing = missing;
    }

    private static List<Plot> plots(List<Watched> trials) {
        var byPlace = new TreeMap<Group, Map<Unit, List<Signal>>>();
        signals(trials).stream()
                .filter(s -> s.group() != Group.BOUNDS)
                .filter(s -> trials.stream().anyMatch(t -> moves(t.timeline(), s.id())))
                .forEach(s -> byPlace.computeIfAbsent(s.group(), g -> new LinkedHashMap<>())
                        .computeIfAbsent(s.unit(), u -> new ArrayList<>())
                        .add(s));
        var plots = new ArrayList<Plot>();
        byPlace.forEach((group, units) -> units.forEach((unit, signals) -> {
            if (signals.stream().allMatch(Watches::isLimit)) {
                return; // no value ever came near it
            }
            String of = unit == Unit.COUNT && signals.size() <= 3
                    ? signals.stream().map(Signal::title).collect(Collectors.joining(", "))
                    : Quantities.name(unit);
            String title = units.size() == 1 ? group.title() : group.title() + ": " + of;
            plots.add(new Plot("watch-" + plots.size(), title, group, unit, signals));
        }));
        return plots;
    }

    /** Signals of the catalogue in its order, then all others. */
    private static List<Signal> signals(List<Watched> trials) {
        var ids = new TreeSet<String>();
        trials.forEach(t -> ids.addAll(t.timeline().series().keySet()));
        var signals = new ArrayList<>(
                Signal.all().stream().filter(s -> ids.remove(s.id())).toList());
        ids.forEach(id -> signals.add(Signal.of(id)));
        return signals;
    }

    /** Whether it was ever above zero. */
    private static boolean moves(Timeline t, String id) {
        return t.find(id).map(s -> s.observed().anyMatch(v -> v != 0)).orElse(false);
    }

    /**
     * Asks for plots of the first trial next to some text; must be called before {@link #data()}.
     *
     * @param signals the figures to show; those in one plot share it
     * @return the ids of the plots, at most three
     */
    public List<String> mark(List<String> signals) {
        var ids = new ArrayList<String>();
        for (String id : signals) {
            for (int i = 0; i < plots.size() && ids.size() < MOST_MARKED; i++) {
                int plot = i;
                if (plots.get(i).signals().stream().anyMatch(s -> s.id().equals(id))
                        && ids.stream().noneMatch(seen -> find(seen).plot() == plot)
                        && trials.getFirst().timeline().find(id).isPresent()) {
                    String name = "finding-" + marked.size();
                    marked.add(new Marked(
                            name, i, Signal.of(id), highest(trials.getFirst().timeline(), id)));
                    ids.add(name);
                }
            }
        }
        return ids;
    }

    private Marked find(String id) {
        return marked.stream().filter(m -> m.id().equals(id)).findFirst().orElseThrow();
    }

    /** When a figure was highest in the measured time: the middle of its point, in seconds. */
    private static OptionalFigure highest(Timeline t, String id) {
        Series s = t.find(id).orElseThrow();
        var seen = s.observed(t.firstMeasured(), s.size()).summaryStatistics();
        if (seen.getCount() == 0 || seen.getMax() < STANDS_OUT * seen.getAverage()) {
            return OptionalFigure.empty();
        }
        int best = t.firstMeasured();
        for (int i = best; i < s.size(); i++) {
            if (!Double.isNaN(s.at(i)) && !(s.at(best) >= s.at(i))) {
                best = i;
            }
        }
        return OptionalFigure.of((t.startMillis() + (best + 0.5) * t.stepMillis()) / 1e3);
    }

    /** A plot that was asked for. */
    public Block marked(String id) {
        Marked m = find(id);
        Plot p = plots.get(m.plot());
        return new Block.Plot(
                id,
                p.title(),
                p.title()
                        + (m.at().isPresent()
                                ? ", marked where it is highest: " + m.signal().title()
                                : ""),
                "",
                table(p));
    }

    /** Whether nothing was watched. */
    public boolean isEmpty() {
        return trials.isEmpty();
    }

    /** The plots' data. */
    public JsonFields data() {
        return new JsonFields()
                .each(
                        "trials",
                        trials,
                        t -> new JsonFields()
                                .put("name", t.name())
                                .put("start", t.timeline().startMillis() / 1e3)
                                .put("step", t.timeline().stepMillis() / 1e3)
                                .put("points", t.timeline().points())
                                .each("plots", plots, p -> series(t.timeline(), p)))
                .each(
                        "plots",
                        plots,
                        p -> new JsonFields()
                                .put("id", p.id(), "group", p.group(), "unit", p.unit())
                                .put("axis", Quantities.name(p.unit())))
                .eachIfAny(
                        "marked",
                        marked,
                        m -> new JsonFields()
                                .put("id", m.id(), "plot", m.plot(), "at", m.at())
                                .put("text", m.signal().title() + " is highest"));
    }

    private static List<JsonFields> series(Timeline t, Plot p) {
        return p.signals().stream()
                .filter(s -> t.find(s.id()).isPresent() && !farAbove(t, p, s))
                .map(s -> new JsonFields()
                        .put("id", s.id(), "name", s.title(), "about", s.about())
                        .put("limit", isLimit(s), "values", t.find(s.id()).orElseThrow()))
                .toList();
    }

    private static boolean isLimit(Signal s) {
        return s.id().endsWith(".limit") || s.id().endsWith(".max") || s.id().endsWith("Max");
    }

    private static boolean farAbove(Timeline t, Plot p, Signal s) {
        double others = p.signals().stream()
                .filter(o -> !isLimit(o))
                .mapToDouble(o -> most(t, o.id()))
                .max()
                .orElse(Double.MAX_VALUE);
        return isLimit(s) && others < most(t, s.id()) / FAR_ABOVE;
    }

    private static double most(Timeline t, String id) {
        return t.find(id).map(s -> s.observed().max().orElse(0)).orElse(0.0);
    }

    /** The section; none if nothing was watched. */
    public List<Block> section() {
        if (isEmpty()) {
            return List.of();
        }
        boolean server = signals(trials).stream().anyMatch(s -> OF_A_PROCESS.contains(s.group()));
        var all = new ArrayList<Block>();
        all.add(Block.on(
                Where.ON_PAGE,
                new Paragraph("All plots have one clock and one cursor. Time 0 is where "
                        + (trials.stream().anyMatch(t -> t.timeline().startMillis() < 0)
                                ? "measuring began; what lies before it is warm-up."
                                : "it began.")
                        + " Where a line is missing, nothing was observed.")));
        if (trials.size() > 1) {
            all.add(new Block.Choice(
                    "Trial", "watch", trials.stream().map(Watched::name).toList()));
        }
        if (left > 0) {
            all.add(new Paragraph("Of " + (trials.size() + left) + " trials that were watched, this page has "
                    + trials.size() + "; the journal has all."));
        }
        Group before = null;
        for (Plot p : plots) {
            if (p.group() != before && !p.group().about().isEmpty()) {
                all.add(Block.on(Where.ON_PAGE, new Paragraph(p.group().about(), Tone.QUIET)));
            }
            before = p.group();
            all.add(new Block.Plot(p.id(), p.title(), p.title() + " over time", p.title(), table(p)));
        }
        bounds(all);
        still(all);
        sightings(all);
        notObserved(all);
        return List.of(new Block.Section(
                SECTION, server ? "What the server did meanwhile" : "The load and this machine meanwhile", all));
    }

    /** A figure over the measured time. */
    private record Course(String trial, Signal signal, DoubleSummaryStatistics seen) {
        static Course of(Watched t, Signal signal, Series s) {
            return new Course(
                    t.name(),
                    signal,
                    s.observed(t.timeline().firstMeasured(), s.size()).summaryStatistics());
        }

        Value value(double figure) {
            return new Value(Quantities.text(signal.unit(), figure), figure);
        }
    }

    private Table table(Plot p) {
        return table(p.signals(), false);
    }

    /** @param grouped whether their groups are named: figures of a plot are of one, which its title names */
    private Table table(List<Signal> signals, boolean grouped) {
        return Table.of(trials.stream()
                        .flatMap(t -> signals.stream()
                                .flatMap(signal ->
                                        t.timeline().find(signal.id()).map(s -> Course.of(t, signal, s)).stream()))
                        .filter(c -> c.seen().getCount() > 0)
                        .toList())
                .remarks("trial", Where.EVERYWHERE, c -> trials.size() == 1 ? "" : c.trial())
                .remarks(
                        "of",
                        Where.EVERYWHERE,
                        c -> grouped ? c.signal().group().title() : "")
                .words("figure", c -> c.signal().title())
                .figure("least", c -> c.value(c.seen().getMin()))
                .figure("mean", c -> c.value(c.seen().getAverage()))
                .figure("most", c -> c.value(c.seen().getMax()))
                .words("what it is", Where.NOT_IN_TERMINALS, c -> c.signal().about())
                .build();
    }

    /** The first figure of each plot. */
    Table overview() {
        return table(plots.stream().map(p -> p.signals().getFirst()).toList(), true);
    }

    /** Facts that don't change over time: the CPUs. */
    private void bounds(List<Block> to) {
        for (Watched t : trials) {
            String text = Signal.all().stream()
                    .filter(s -> s.group() == Group.BOUNDS)
                    .flatMap(s -> t.timeline().max(s.id()).stream()
                            .mapToObj(v -> s.title() + " " + Quantities.text(s.unit(), v)))
                    .collect(Collectors.joining(" · "));
            if (!text.isEmpty()) {
                String of = trials.size() == 1 ? "" : " of " + t.name();
                to.add(new Paragraph(Group.BOUNDS.title() + of + ": " + text + ".", Tone.QUIET));
            }
        }
    }

    /** Signals that were observed and always zero. */
    private void still(List<Block> to) {
        var still = signals(trials).stream()
                .filter(s -> s.group() != Group.BOUNDS)
                .filter(s -> trials.stream().noneMatch(t -> moves(t.timeline(), s.id())))
                .map(s -> s.group().title() + ": " + s.title())
                .toList();
        if (!still.isEmpty()) {
            to.add(new Paragraph("Observed, and zero all the time: " + String.join(" · ", still) + ".", Tone.QUIET));
        }
    }

    private void sightings(List<Block> to) {
        if (trials.stream().allMatch(t -> t.timeline().sightings().isEmpty())) {
            return;
        }
        Table table = Table.of(trials.stream()
                        .flatMap(t -> t.timeline().sightings().stream().map(s -> Map.entry(t, s)))
                        .toList())
                .remarks(
                        "trial",
                        Where.EVERYWHERE,
                        e -> trials.size() == 1 ? "" : e.getKey().name())
                .words("of", e -> kind(e.getValue()))
                .words("what", e -> e.getValue().what())
                .figure(
                        "most",
                        e -> new Value(
                                Quantities.text(unit(e.getValue()), e.getValue().count()),
                                e.getValue().count()))
                .words("more", e -> e.getValue().detail())
                .build();
        to.add(new Block.Figures(
                "Sighted", "Peers of connections, the hottest threads, and what else has a name", table));
    }

    /** What a kind of sighting is, and what its figure counts. */
    private static String kind(Sighting s) {
        return s.ofAllThreads() ? "of all threads that ran: " + kind(s.withoutAll()) : kindOfWorkers(s);
    }

    private static String kindOfWorkers(Sighting s) {
        return switch (s.kind()) {
            case Sighting.LOCK -> "lock that workers wait for, at once";
            case Sighting.POOL -> "pool that workers wait for, at once";
            case Sighting.FRAME -> "method of workers, stacks in all";
            case Sighting.RUN_FRAME -> "method of running workers, stacks in all";
            case Sighting.RUN_OWN -> "the program's own method in running workers, stacks in all";
            case Sighting.METHOD_RUNS -> "method of known cost in running workers, stacks in all";
            case Sighting.METHOD_WAITS -> "method of known cost in waiting workers, stacks in all";
            case Sighting.STACKS -> "stacks of workers";
            case Sighting.THROWS -> "method that makes exceptions, stacks";
            case Sighting.HOTTEST -> "hottest thread, CPUs";
            case Sighting.PEER_ESTABLISHED -> "connected to, at once";
            case Sighting.CLIENT_ESTABLISHED -> "clients, at once";
            case Sighting.CLIENT_CLOSE_WAIT, Sighting.PEER_CLOSE_WAIT -> "closed by, and not by us (CLOSE_WAIT)";
            case Sighting.JFR_GC -> "collections, pauses in all";
            case Sighting.JFR_VM_OPERATION -> "stops of the JVM";
            case Sighting.JFR_MONITOR -> "monitor waited for";
            case Sighting.JFR_PINNED -> "virtual thread pinned to its carrier";
            case Sighting.JFR_SOCKET_READ -> "read from, waited";
            case Sighting.JFR_FILE -> "file waited for";
            case Sighting.JFR_ALLOC -> "allocated";
            case Sighting.JFR_EXCEPTION -> "exceptions, recorded";
            default -> s.kind();
        };
    }

    private static Unit unit(Sighting s) {
        return switch (s.kind()) {
            case Sighting.JFR_GC,
                    Sighting.JFR_VM_OPERATION,
                    Sighting.JFR_MONITOR,
                    Sighting.JFR_PINNED,
                    Sighting.JFR_SOCKET_READ,
                    Sighting.JFR_FILE -> Unit.MILLIS;
            case Sighting.JFR_ALLOC -> Unit.BYTES;
            default -> Unit.COUNT;
        };
    }

    private void notObserved(List<Block> to) {
        var reasons = new TreeMap<String, SortedSet<String>>();
        trials.forEach(t -> missing.apply(t.timeline())
                .forEach((id, why) ->
                        reasons.computeIfAbsent(why, w -> new TreeSet<>()).add(id)));
        if (reasons.isEmpty()) {
            return;
        }
        to.add(new Block.Folded(
                "Not observed, and why",
                List.of(new Block.Points(
                        "Not observed",
                        reasons.entrySet().stream()
                                .map(e -> e.getKey() + ": " + String.join(", ", e.getValue()))
                                .toList()))));
    }
}
