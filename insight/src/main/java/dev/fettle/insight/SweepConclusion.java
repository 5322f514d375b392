package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a sweep: a full grid, measured.
 *
 * @param cells in the order of the grid, the last dimension varying fastest
 * @param scaling how throughput grows with the clients or threads that were swept; empty if something else was swept, or too
 *     few numbers of them
 * @param failedStarts the cells that failed to start in some trial
 */
public record SweepConclusion(
        String headline,
        List<Dimension> grid,
        List<Cell> cells,
        Optional<Scaling> scaling,
        List<String> notes,
        List<FailedStarts> failedStarts)
        implements Conclusion {
    public SweepConclusion {
        grid = List.copyOf(grid);
        cells = List.copyOf(cells);
        notes = List.copyOf(notes);
        failedStarts = List.copyOf(failedStarts);
    }

    /**
     * The law of scalability over one dimension.
     *
     * @param fit empty if the law does not fit
     * @param words what was fitted, or why the law does not fit
     */
    public record Scaling(String dimension, Optional<Usl> fit, String words) {}

    /**
     * One cell of the grid.
     *
     * @param trials valid trials
     * @param voids void or failed attempts
     * @param throughput mean of valid trials with an interval; estimate 0 if there is none
     * @param p50 nanoseconds, from merged histograms
     * @param p99 nanoseconds, from merged histograms
     * @param errorShare over the valid trials
     * @param cpuUtilisation of the target's CPUs, 0 to 1
     * @param loadAverage one-minute load average
     * @param littles X·(R + Z)/N, with think time Z: the share of the clients' time that is accounted for; 1 is right
     * @param problems why attempts were void, each reason once
     * @param figure the objective's metric in its unit; empty where it was not observed
     * @param broken the objective's limits that it breaks, so that it can't be the best
     * @param otherAnswers how its answers differ from those of the other cells of its load, if they do: then it can't be the
     *     best either
     * @param failed how its target failed, and in how many repeats: {@code crashed in 1 of 3 repeats}; then it can't be the best
     *     either. Empty if it never did
     */
    @RecordBuilder
    public record Cell(
            Map<String, String> point,
            int trials,
            int voids,
            Interval throughput,
            long p50,
            long p99,
            double errorShare,
            OptionalFigure cpuUtilisation,
            OptionalFigure loadAverage,
            OptionalFigure littles,
            List<String> problems,
            OptionalFigure figure,
            List<String> broken,
            Optional<String> otherAnswers,
            Optional<String> failed)
            implements SweepConclusionCellBuilder.With {
        public Cell {
            point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
            problems = List.copyOf(problems);
            broken = List.copyOf(broken);
        }

        /** Whether it has figures, they are within the limits, it answers as the other cells do, and it never failed. */
        public boolean allowed() {
            return trials > 0 && broken.isEmpty() && otherAnswers.isEmpty() && failed.isEmpty();
        }
    }
}
