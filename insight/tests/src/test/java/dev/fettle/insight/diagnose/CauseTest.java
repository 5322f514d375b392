package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation.Limit;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

class CauseTest {
    /** 50 ms each: as many a second as 20 times the threads, and 100 clients. */
    private static TrialOutcome pool(int threads, int ordinal) {
        return new Seen()
                .clients(100, 20.0 * threads, 100 / (20.0 * threads))
                .workers(threads, threads)
                .cpu(0.3)
                .trial(Phase.SWEEP, ordinal);
    }

    @Test
    void aPoolThatIsFullIsAFindingWithWhatWouldRefuteIt() {
        Cause c = Cause.of(pool(20, 1), List.of(pool(20, 1))).orElseThrow();
        assertThat(c.finding()).get().extracting(f -> f.rule()).isEqualTo("workers-full");
        assertThat(c.limit()).contains(Limit.THREADS);
        assertThat(c.sentences().getFirst()).contains("20 worker threads");
        assertThat(c.refutedBy()).isNotBlank();
    }

    @Test
    void whatOtherSizesOfThePoolGaveInTheSameRunIsMoreThanOneTrialCanSay() {
        var run = List.of(pool(20, 1), pool(20, 2), pool(80, 3), pool(80, 4));
        Cause c = Cause.of(run.getFirst(), run).orElseThrow();
        assertThat(c.title()).isEqualTo("The pool of worker threads is the limit");
        assertThat(c.sentences().getFirst())
                .contains("More threads did give more: 1,600/s (mean of 2) with 80 threads");
        assertThat(c.refutedBy()).as("it was tried").isBlank();
    }

    @Test
    void whereNothingWasSeenNothingIsSaid() {
        assertThat(Cause.of(new Seen().notLooked().trial(Phase.SWEEP, 1), List.of()))
                .isEmpty();
        assertThat(Cause.of(new Seen().failed(TrialOutcome.Kind.DIED).trial(Phase.SWEEP, 1), List.of()))
                .isEmpty();
    }

    @Test
    void aDisturbedTrialIsNoEvidence() {
        TrialOutcome quiet = new Seen().cpu(0.99).trial(Phase.SWEEP, 1);
        TrialOutcome disturbed = new Seen().cpu(0.99).reason("disturbed", true).trial(Phase.SWEEP, 1);
        assertThat(Cause.of(quiet, List.of()))
                .get()
                .extracting(Cause::limit)
                .isEqualTo(java.util.Optional.of(Limit.CPU));
        assertThat(Cause.of(disturbed, List.of())).isEmpty();
    }
}
