package dev.fettle.insight.trials;

import dev.fettle.insight.FailedStarts;
import dev.fettle.insight.Starts;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How often the variants of a comparison, or the cells of a sweep, failed to start, and whether that is their own doing: each is compared
 * with all others that came up at all. Where the counts of the trials do not decide, it and another are started some more times without load,
 * in turn.
 */
public final class GridStarts {
    /** Rounds from which on counts decide, every second one. */
    private static final int FIRST_LOOK = 4;

    /** Before there are starts without load, only what is this clear by the trials alone is decided, as a share of the usual level. */
    private static final int STRICTER = 4;

    /** One that failed in each of so many starts never starts. */
    private static final int NEVER = 3;

    /** A variant or cell. */
    private static final class Group {
        private final Filled first;
        private int failed;
        private int of;
        private int rounds;

        private Group(Filled first) {
            this.first = first;
        }

        private boolean never() {
            return of >= NEVER && failed == of;
        }
    }

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final List<Filled> filled;
    private final int starts;

    /** After these slots, starts without load included. */
    public GridStarts(List<Filled> filled) {
        this.filled = List.copyOf(filled);
        int n = 0;
        for (Filled f : filled) {
            Group g = groups.computeIfAbsent(name(f), _ -> new Group(f));
            for (TrialOutcome t : f.attempts()) {
                if (!StartVerdict.saysNothing(t)) {
                    g.of++;
                    g.failed += StartVerdict.failedToStart(t) ? 1 : 0;
                }
            }
            if (isStart(f)) {
                g.rounds += n % 2 == 0 ? 1 : 0; // every second one is for comparison
                n++;
            }
        }
        this.starts = n;
    }

    private static boolean isStart(Filled f) {
        return f.slot().spec().phase() == Phase.START;
    }

    /** A variant by its name, a cell by its point. */
    private static String name(Filled f) {
        TrialSpec spec = f.slot().spec();
        return spec.variant().isEmpty() ? GridFigures.name(spec.point()) : spec.variant();
    }

    /** Whether another attempt at a start may tell anything: not of what has failed in all of several starts. */
    boolean mayStartAgain(Slot slot) {
        Group g = groups.get(name(new Filled(slot, List.of())));
        return g == null || !g.never();
    }

    private Starts against(Group g) {
        List<Group> others =
                groups.values().stream().filter(o -> o != g && !o.never()).toList();
        return new Starts(
                g.failed,
                g.of,
                others.stream().mapToInt(o -> o.failed).sum(),
                others.stream().mapToInt(o -> o.of).sum());
    }

    private StartVerdict verdict(Group g) {
        Starts s = against(g);
        int judged = (int) groups.values().stream().filter(o -> o.failed > 0).count();
        if (g.failed == 0 || s.defaultOf() == 0) {
            return StartVerdict.OPEN;
        }
        if (g.rounds == 0) {
            StartVerdict now = StartVerdict.of(s, 0, STRICTER * judged);
            // where others fail as often, nothing sets it apart
            return now == StartVerdict.OPEN && s.defaultFailed() > 0 && s.share() <= s.defaultShare()
                    ? StartVerdict.CLEARED
                    : now;
        }
        return g.rounds >= FIRST_LOOK && g.rounds % 2 == 0 ? StartVerdict.of(s, g.rounds, judged) : StartVerdict.OPEN;
    }

    /** The next start without load; empty if none is needed. */
    Optional<Slot> next() {
        if (starts % 2 == 1) {
            Group last = groups.get(name(filled.getLast()));
            return groups.values().stream()
                    .filter(o -> o != last && !o.never())
                    .min(Comparator.comparingInt(o -> o.of))
                    .map(GridStarts::start);
        }
        return groups.values().stream()
                .filter(g -> g.failed > 0
                        && g.rounds < StartVerdict.MOST_ROUNDS
                        && against(g).defaultOf() > 0)
                .filter(g -> verdict(g) == StartVerdict.OPEN)
                .min(Comparator.comparingInt(g -> g.rounds))
                .map(GridStarts::start);
    }

    private static Slot start(Group g) {
        TrialSpec of = g.first.slot().spec();
        var spec = new TrialSpec(Phase.START, of.variant(), of.point(), g.of, of.target(), of.setting(), of.load());
        return new Slot(spec, "does it start? without load: " + name(g.first), Origin.START);
    }

    /**
     * The slots of the grid without the starts, and without the failed starts that are no doing of their variant or cell.
     */
    public List<Filled> settled() {
        var all = new ArrayList<Filled>();
        for (Filled f : filled) {
            if (!isStart(f)) {
                boolean cleared = verdict(Objects.requireNonNull(groups.get(name(f)))) == StartVerdict.CLEARED;
                all.add(
                        cleared
                                ? new Filled(
                                        f.slot(),
                                        f.attempts().stream()
                                                .filter(t -> !StartVerdict.failedToStart(t))
                                                .toList())
                                : f);
            }
        }
        return all;
    }

    /** How often what failed to start did so, and what that says; none if nothing did. */
    public List<FailedStarts> failed() {
        return groups.entrySet().stream()
                .filter(e -> e.getValue().failed > 0)
                .map(e -> new FailedStarts(
                        e.getKey(), against(e.getValue()), verdict(e.getValue()).because()))
                .toList();
    }

    /** The same in words. */
    public List<String> notes() {
        return failed().stream().map(this::note).toList();
    }

    private String note(FailedStarts f) {
        Starts s = f.counts();
        String counts = f.of() + " failed to start in " + s.failed() + " of " + FigureText.count(s.of(), "start");
        return s.defaultOf() == 0
                ? counts + "."
                : counts + ", the other" + (groups.size() > 2 ? "s" : "") + " in " + s.defaultFailed() + " of "
                        + s.defaultOf()
                        + switch (f.because()) {
                            case ITS_OWN_DOING -> ": that is its own doing.";
                            case CHANCE -> ": no more often than chance explains, so it is not counted against it.";
                            case NOT_KNOWN -> ": too few to say whether that is its own doing.";
                        };
    }
}
