package dev.fettle.insight.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Interval.Method;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a comparison says to a script that asks whether something became slower by 3 %. */
class SlowerThanFirstTest {
    private static final double ALLOWED = 0.03;

    private static VariantResult variant(String name, List<String> broken, Optional<String> failed) {
        var of = new Interval(100, 99, 101, 0.95, Method.STUDENT);
        return new VariantResult(
                name, 5, 0, of, 1, 1, 0, 1, List.of(), broken, Optional.empty(), OptionalFigure.of(100), failed);
    }

    private static VariantResult variant(String name) {
        return variant(name, List.of(), Optional.empty());
    }

    /** The first over the other. */
    private static Contrast contrast(String other, double low, double estimate, double high, int pairs) {
        return new Contrast(
                "old",
                other,
                pairs,
                new Interval(estimate, low, high, 0.95, Method.STUDENT),
                low > 1.02 || high < 1 / 1.02,
                OptionalFigure.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static CompareConclusion found(Metric metric, List<VariantResult> variants, Contrast... contrasts) {
        return new CompareConclusion(
                "",
                metric,
                List.of(new Condition(Map.of(), variants, List.of(contrasts), List.of())),
                List.of(),
                Optional.empty(),
                List.of());
    }

    private static Answer answer(Metric metric, Contrast contrast) {
        return SlowerThanFirst.of(found(metric, List.of(variant("old"), variant("new")), contrast), ALLOWED)
                .answer();
    }

    @ParameterizedTest
    @CsvSource({
        // the ratio of old to new: its bounds and estimate
        "THROUGHPUT, 1.04, 1.06, 1.08, WORSE",
        "THROUGHPUT, 0.99, 1.00, 1.01, NO_WORSE",
        "THROUGHPUT, 0.90, 0.92, 0.94, NO_WORSE",
        "THROUGHPUT, 0.99, 1.02, 1.05, CANT_TELL",
        "THROUGHPUT, 1.01, 1.06, 1.11, CANT_TELL", // a difference is shown from 1.02 on
        "THROUGHPUT, 1.021, 1.025, 1.029, NO_WORSE", // shown, but less than is allowed
        "THROUGHPUT, 1.021, 1.028, 1.04, CANT_TELL",
        "THROUGHPUT, NaN, 1.0, NaN, CANT_TELL",
        "P99, 0.90, 0.92, 0.94, WORSE", // less is better
        "P99, 1.04, 1.06, 1.08, NO_WORSE",
        "CPU_PER_REQUEST, 0.99, 1.00, 1.01, NO_WORSE",
        "CPU_PER_REQUEST, 0.95, 0.98, 1.01, CANT_TELL",
    })
    void theWholeIntervalDecides(Metric metric, double low, double estimate, double high, Answer answer) {
        assertThat(answer(metric, contrast("new", low, estimate, high, 5))).isEqualTo(answer);
    }

    @Test
    void whatGaveNothingOrFailedNeverPasses() {
        var equal = contrast("new", 0.99, 1, 1.01, 5);
        assertThat(answer(Metric.THROUGHPUT, contrast("new", 0.99, 1, 1.01, 0))).isEqualTo(Answer.CANT_TELL);
        for (VariantResult other : List.of(
                variant("new", List.of(), Optional.of("crashed in 2 of 5 blocks")),
                variant("new", List.of("p99 1 s"), Optional.empty()))) {
            var all = SlowerThanFirst.of(found(Metric.THROUGHPUT, List.of(variant("old"), other), equal), ALLOWED);
            assertThat(all.answer()).isEqualTo(Answer.CANT_TELL);
            assertThat(all.why()).singleElement().asString().contains("new");
        }
        var otherAnswers = new Contrast(
                "old",
                "new",
                5,
                equal.ratio(),
                false,
                OptionalFigure.empty(),
                Optional.of("new answers otherwise"),
                Optional.empty(),
                List.of(),
                Optional.empty());
        assertThat(answer(Metric.THROUGHPUT, otherAnswers)).isEqualTo(Answer.CANT_TELL);
        assertThat(SlowerThanFirst.of(found(Metric.THROUGHPUT, List.of(variant("old"), variant("new"))), ALLOWED)
                        .answer())
                .as("without a contrast")
                .isEqualTo(Answer.CANT_TELL);
    }

    @Test
    void whatIsWorseIsReportedThoughOthersCanNotBeTold() {
        var variants = new ArrayList<>(List.of(variant("old"), variant("new"), variant("newer")));
        var all = SlowerThanFirst.of(
                found(
                        Metric.THROUGHPUT,
                        variants,
                        contrast("new", 0.95, 1.02, 1.09, 5),
                        contrast("newer", 1.1, 1.2, 1.3, 5),
                        // the others with each other are not asked for
                        new Contrast(
                                "new",
                                "newer",
                                5,
                                new Interval(2, 1.9, 2.1, 0.95, Method.STUDENT),
                                true,
                                OptionalFigure.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                Optional.empty())),
                ALLOWED);
        assertThat(all.answer()).isEqualTo(Answer.WORSE);
        assertThat(all.why()).hasSize(2);
        assertThat(all.why().getFirst()).contains("newer", "old", "17 %", "9.1 %", "23 %");
    }
}
