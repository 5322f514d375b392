package dev.fettle.insight;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * The answer of a gate: is the head slower than the base?
 *
 * @param aa whether base was compared with itself
 * @param metrics each with its own answer, those that decide first
 * @param answers how the head answers otherwise than the base, if it does
 * @param pairs of base and head that were begun
 * @param aaPairs of base and base
 * @param seconds that it took
 * @param asked seconds that it might have taken
 * @param base how often its processes were started, and failed
 * @param head the same of the head
 * @param failure how the head failed, if it did: {@code crashed in 2 of 7 starts}
 * @param reach what this machine shows in so much time; only where base was compared with itself
 * @param why where the difference lies; empty if that was not recorded
 */
@RecordBuilder
public record GateConclusion(
        String headline,
        Result result,
        boolean aa,
        List<Measured> metrics,
        Optional<String> answers,
        int pairs,
        int aaPairs,
        double seconds,
        double asked,
        Side base,
        Side head,
        Optional<String> failure,
        List<Reach> reach,
        Optional<GateWhy> why,
        List<String> notes)
        implements Conclusion, GateConclusionBuilder.With {
    public GateConclusion {
        metrics = List.copyOf(metrics);
        reach = List.copyOf(reach);
        notes = List.copyOf(notes);
    }

    /** The three answers, and that there is none. */
    public enum Result {
        /** A loss as large as what is allowed is excluded, by each metric that decides. */
        NO_WORSE,
        /** A loss is shown, as large as what is allowed or larger; or the head fails where the base does not. */
        WORSE,
        /** Neither. */
        CANT_TELL,
        /** Nothing could be compared: no pair gave figures. */
        NOT_VALID,
        /** Base was compared with itself: what this machine can show is known, and nothing else was asked. */
        MACHINE_ONLY
    }

    /** The answer by one metric. */
    public enum Answer {
        NO_WORSE,
        WORSE,
        CANT_TELL
    }

    /**
     * What a gate shows in so much time.
     *
     * @param loss the smallest, in four gates of five; as {@link Measured#couldShow}
     */
    public record Reach(double minutes, GateMetric metric, double loss) {}

    /**
     * One side's processes.
     *
     * @param failed of those started
     */
    public record Side(int started, int failed) {}

    /**
     * What the pairs show of one metric.
     *
     * @param decides whether nothing passes without an answer by it
     * @param allowed the loss that is allowed, a share of the base's figure; for errors a difference of two shares
     * @param change head over base; for errors the difference of their shares. Its bounds hold at every look: the one on the side of a loss
     *     for this metric, the other for all metrics together
     * @param each the same of each pair, in order
     * @param base geometric mean over the pairs, in the metric's unit (mean for errors); missing: with the reason
     * @param head the same
     * @param pairs those that have the figure on both sides
     * @param same what pairs of base and base show, as {@code change}; empty without one
     * @param sameEach the same of each of them
     * @param couldShow the smallest loss that so many pairs show in four runs of five
     * @param minutes that would settle it; missing where it is settled, or can't be foreseen
     */
    @RecordBuilder
    public record Measured(
            GateMetric metric,
            boolean decides,
            Answer answer,
            double allowed,
            Interval change,
            List<Double> each,
            OptionalFigure base,
            OptionalFigure head,
            int pairs,
            Optional<Interval> same,
            List<Double> sameEach,
            OptionalFigure couldShow,
            OptionalFigure minutes,
            Optional<String> withheld)
            implements GateConclusionMeasuredBuilder.With {
        public Measured {
            each = List.copyOf(each);
            sameEach = List.copyOf(sameEach);
        }
    }

    /** The metrics that decide. */
    @JsonIgnore
    public List<Measured> deciding() {
        return metrics.stream().filter(Measured::decides).toList();
    }
}
