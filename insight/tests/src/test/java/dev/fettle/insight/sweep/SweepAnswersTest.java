package dev.fettle.insight.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cell that answers otherwise than the others is not the best, however quick it is. */
class SweepAnswersTest {
    static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    static SweepConclusion sweep(List<Dimension> grid, UnaryOperator<TrialOutcome> tamper) {
        Plan p = SERVER.plan(4, 1024);
        var plan = p.with()
                .knobs(List.of())
                .sweep(Optional.of(new Plan.Sweep(grid, 2)))
                .compare(Optional.empty())
                .build();
        return (SweepConclusion) SERVER.drive(new SweepExperiment(plan), tamper).conclusion();
    }

    private static TrialOutcome page(TrialOutcome o, double busy) {
        long n = o.measurement().orElseThrow().responses();
        long other = Math.round(busy * n);
        var shapes = new ArrayList<Answers.Shape>();
        shapes.add(new Answers.Shape(200, 2048, 2048, n - other));
        if (other > 0) {
            shapes.add(new Answers.Shape(200, 31, 31, other));
        }
        return Tamper.answers(
                o, new Answers("", shapes, List.of(new Answers.Content(200, 2048, "1", 100, false)), 0, List.of()));
    }

    /** With more than 64 threads most answers are "busy", and come ten times as quickly. */
    private static TrialOutcome busy(TrialOutcome o) {
        boolean busy = SERVER.threadsOf(o.spec().setting()) > 64;
        return page(busy ? Tamper.faster(o, 10) : o, busy ? 0.9 : 0);
    }

    @ParameterizedTest
    @CsvSource({"8 64 300, threads.max=64", "16 300, threads.max=16"})
    void aCellWithOtherAnswersIsNotTheBest(String threads, String best) {
        SweepConclusion c =
                sweep(List.of(new Dimension("threads.max", List.of(threads.split(" ")))), SweepAnswersTest::busy);
        assertThat(c.headline())
                .startsWith("threads.max=300 gives other answers than threads.max=")
                .contains(": 90 % of its answers to GET / were 31 B instead of 2,048 B, so it can't be the best. Best: "
                        + best + " with ");
        assertThat(c.cells().getLast().allowed()).isFalse();
        assertThat(c.cells().getFirst().otherAnswers()).isEmpty();
    }

    /** Most cells set the standard, not the first. */
    @Test
    void theOneThatDiffersFromMostIsTheOther() {
        SweepConclusion c = sweep(
                List.of(new Dimension("threads.max", List.of("8", "64", "300"))),
                o -> page(o, SERVER.threadsOf(o.spec().setting()) == 8 ? 0.9 : 0));
        assertThat(c.headline()).startsWith("threads.max=8 gives other answers than threads.max=64: ");
        assertThat(c.cells()).extracting(SweepConclusion.Cell::allowed).containsExactly(false, true, true);
    }

    @Test
    void cellsOfOtherLoadsAreNotCompared() {
        SweepConclusion c = sweep(
                List.of(
                        new Dimension("load.keep-alive", List.of("true", "false")),
                        new Dimension("threads.max", List.of("8", "64"))),
                o -> page(o, o.spec().load().keepAlive() ? 0 : 0.9));
        assertThat(c.headline()).startsWith("Best: ");
        assertThat(c.cells()).allMatch(x -> x.otherAnswers().isEmpty());
    }
}
