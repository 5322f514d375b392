package dev.fettle.insight.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.SweepConclusion.Cell;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cell whose target failed in a repeat is not the best: its figures are those of the repeats that it survived. */
class SweepFailuresTest {
    /** Twice each, with more than a number of threads ten times as quick, but failing in the first repeat. */
    private static SweepConclusion failing(Kind kind, int above) {
        return SweepAnswersTest.sweep(List.of(new Dimension("threads.max", List.of("8", "64", "300"))), o -> {
            if (SweepAnswersTest.SERVER.threadsOf(o.spec().setting()) <= above) {
                return o;
            }
            return o.spec().block() == 0 ? Tamper.failed(o, kind, "it said so") : Tamper.faster(o, 10);
        });
    }

    @Test
    void aCellThatCrashedIsNotTheBest() {
        SweepConclusion c = failing(Kind.DIED, 64);
        assertThat(c.headline()).startsWith("Best: threads.max=64 with ");
        assertThat(c.notes()).contains("Failed, so not the best: threads.max=300 (crashed in 1 of 2 repeats).");
        assertThat(c.cells()).extracting(Cell::allowed).containsExactly(true, true, false);
        assertThat(c.cells().getLast().failed()).contains("crashed in 1 of 2 repeats");
        assertThat(failing(Kind.DIED, 0).headline())
                .isEqualTo("No cell gave a valid trial within the limits and never failed, so there is no best one.");
    }

    /** A hook is no part of the target. */
    @Test
    void aHookThatFailedIsNotTheTarget() {
        SweepConclusion c = failing(Kind.HOOK, 64);
        assertThat(c.headline()).startsWith("Best: threads.max=300 with ");
        assertThat(c.cells().getLast().failed()).isEmpty();
    }

    /** Nor is one that gave no usable figures in a repeat, unless the generator was the reason. */
    @Test
    void aCellThatWasVoidByItselfIsNotTheBest() {
        assertThat(isVoid("connect-queue").headline()).startsWith("Best: threads.max=64 with ");
        assertThat(isVoid("connect-queue").notes())
                .contains("Failed, so not the best: threads.max=300 (gave no usable figures in 1 of 2 repeats).");
        assertThat(isVoid("connect-queue").cells().getLast().allowed()).isFalse();
        assertThat(isVoid("generator-limit").headline()).startsWith("Best: threads.max=300 with ");
    }

    private static SweepConclusion isVoid(String rule) {
        return SweepAnswersTest.sweep(
                List.of(new Dimension("threads.max", List.of("8", "64", "300"))),
                o -> SweepAnswersTest.SERVER.threadsOf(o.spec().setting()) > 64
                                && o.spec().block() == 0
                        ? Tamper.voided(o, rule, false)
                        : o);
    }
}
