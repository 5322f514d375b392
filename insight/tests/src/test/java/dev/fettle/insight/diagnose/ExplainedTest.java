package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What limits a trial by its diagnosis and the other trials of its run. */
class ExplainedTest {
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
        Explanation e = Diagnosis.explain(pool(20, 1), List.of(pool(20, 1))).orElseThrow();
        assertThat(e.brief().finding()).get().extracting(f -> f.rule()).isEqualTo("workers-full");
        assertThat(e.limit()).isEqualTo(Limit.THREADS);
        assertThat(e.brief().sentences().getFirst()).contains("20 worker threads");
        assertThat(e.brief().refutedBy()).isNotBlank();
    }

    @Test
    void whatOtherSizesOfThePoolGaveInTheSameRunIsMoreThanOneTrialCanSay() {
        var run = List.of(pool(20, 1), pool(20, 2), pool(80, 3), pool(80, 4));
        Explanation e = Diagnosis.explain(run.getFirst(), run).orElseThrow();
        assertThat(e.brief().title()).isEqualTo("The pool of worker threads is the limit");
        assertThat(e.brief().sentences().getFirst())
                .contains("More threads did give more: 1,600/s (mean of 2) with 80 threads");
        assertThat(e.brief().refutedBy()).as("it was tried").isBlank();
    }

    /** The rule's finding knows what the run tried, too: it said that no other size was. */
    @Test
    void aFindingIsTestedAgainstTheRun() {
        var close = List.of(pool(20, 1), pool(20, 2), pool(25, 3), pool(25, 4));
        Explanation e = Diagnosis.explain(close.getFirst(), close).orElseThrow();
        assertThat(e.brief().finding()).get().extracting(f -> f.rule()).isEqualTo("workers-full");
        assertThat(e.brief().sentences().getFirst()).contains("next is 500/s (mean of 2) with 25 threads");
        TrialOutcome one = pool(20, 1);
        var same = List.of(one, one.withOrdinal(2), flat(80, 3), flat(80, 4));
        assertThat(Diagnosis.explain(one, same).orElseThrow().limit()).isEqualTo(Limit.BEHIND_THREADS);
        assertThat(Diagnosis.explain(one, same).orElseThrow().brief().finding()).isEmpty();
    }

    /** 400 a second, whatever the threads. */
    private static TrialOutcome flat(int threads, int ordinal) {
        return new Seen()
                .clients(100, 400, 0.25)
                .workers(threads, threads)
                .cpu(0.3)
                .trial(Phase.SWEEP, ordinal);
    }

    @Test
    void whereNothingWasSeenNothingIsSaid() {
        assertThat(Diagnosis.explain(new Seen().notLooked().trial(Phase.SWEEP, 1), List.of()))
                .hasValueSatisfying(e -> assertThat(e.observed()).isFalse());
        assertThat(Diagnosis.explain(new Seen().failed(TrialOutcome.Kind.DIED).trial(Phase.SWEEP, 1), List.of()))
                .isEmpty();
    }

    @Test
    void aDisturbedTrialIsNoEvidence() {
        TrialOutcome quiet = new Seen().cpu(0.99).trial(Phase.SWEEP, 1);
        TrialOutcome disturbed = new Seen().cpu(0.99).reason("disturbed", true).trial(Phase.SWEEP, 1);
        assertThat(Diagnosis.explain(quiet, List.of()))
                .get()
                .extracting(Explanation::limit)
                .isEqualTo(Limit.CPU);
        assertThat(Diagnosis.explain(disturbed, List.of())).isEmpty();
    }
}
