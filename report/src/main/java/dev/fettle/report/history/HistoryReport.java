package dev.fettle.report.history;

import dev.fettle.insight.history.Course;
import dev.fettle.insight.history.Course.Change;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.RunSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The result of {@code fettle history}.
 *
 * @param since changes before this are neither shown nor judged, and runs not shown; all count in what is compared
 * @param others runs of Fettle's that are no part of it, by what they are
 * @param twice runs that were found again elsewhere, and count once
 * @param unread what could not be read, and why
 */
public record HistoryReport(
        History history, Optional<Instant> since, Map<String, Integer> others, int twice, List<String> unread) {
    public HistoryReport {
        others = new TreeMap<>(others);
        unread = List.copyOf(unread);
    }

    /** A change with where it was. */
    public record Reported(RunSeries series, Course course, Change change) {
        /** The first run after it. */
        public PastRun run() {
            return course.points().get(change.at()).run();
        }

        /** Whether the figure of today is the one after it. */
        boolean isNewest() {
            return course.newest().equals(Optional.of(change));
        }
    }

    /** How it stands by the newest changes. */
    public enum Standing {
        /** The newest change of a metric was a loss. */
        WORSE,
        /** There were changes, and the newest of each metric was a gain. */
        BETTER,
        /** Nothing changed that could be seen. */
        NO_CHANGE,
        /** No metric of any series has enough valid runs. */
        TOO_FEW,
        /** There is no run. */
        NOTHING
    }

    /** The changes that are shown, newest first. */
    public List<Reported> changes() {
        var all = new ArrayList<Reported>();
        for (RunSeries s : history.series()) {
            for (Course c : s.courses()) {
                c.changes().forEach(x -> all.add(new Reported(s, c, x)));
            }
        }
        return all.stream()
                .filter(t -> isShown(t.run()))
                .sorted(Comparator.comparing((Reported t) -> t.run().started()).reversed())
                .toList();
    }

    /** The newest change of each metric of each series, if it is a loss; newest first. */
    public List<Reported> losses() {
        return changes().stream().filter(t -> t.isNewest() && t.change().loss()).toList();
    }

    /** Whether a run is shown. */
    public boolean isShown(PastRun run) {
        return since.isEmpty() || !run.started().isBefore(since.get());
    }

    /** How it stands. */
    public Standing standing() {
        if (history.series().isEmpty()) {
            return Standing.NOTHING;
        }
        if (!losses().isEmpty()) {
            return Standing.WORSE;
        }
        if (!changes().isEmpty()) {
            return Standing.BETTER;
        }
        return courses().stream().anyMatch(c -> c.enough(history.levels())) ? Standing.NO_CHANGE : Standing.TOO_FEW;
    }

    /** All courses of all series. */
    public List<Course> courses() {
        return history.series().stream().flatMap(s -> s.courses().stream()).toList();
    }

    /** All runs. */
    public List<PastRun> runs() {
        return history.series().stream().flatMap(s -> s.runs().stream()).toList();
    }
}
