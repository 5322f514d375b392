package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What would be concluded if nothing more came: at any moment of a run, and at its end what is concluded. */
class SoFarTest {
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0.3", "3, 0.9", "4, 1"})
    void aTuneCanBeShownAtAnyMoment(int seed, double voidShare) {
        Simulated server = Simulated.server(16, 0.05, 0.002, 2, 100).seed(seed);
        Plan plan = server.plan(4, 200);
        canBeShown(server, voidShare, () -> new TuneExperiment(plan));
    }

    @Test
    void aSweepAndAComparisonToo() {
        Plan grid = GridExperimentsTest.sweep(GridExperimentsTest.SERVER, 3, "8", "64", "300");
        Plan pairs = GridExperimentsTest.compare(GridExperimentsTest.SERVER, 3, List.of(), "8", "64", "300");
        for (double voidShare : new double[] {0, 0.5}) {
            canBeShown(GridExperimentsTest.SERVER, voidShare, () -> new SweepExperiment(grid));
            canBeShown(GridExperimentsTest.SERVER, voidShare, () -> new CompareExperiment(pairs));
        }
    }

    private static void canBeShown(Simulated quiet, double voidShare, Supplier<Experiment> made) {
        Simulated server = quiet.voids(voidShare);
        Simulated.Run run = server.drive(made.get());
        Experiment shown = made.get();
        assertThat(shown.soFar(List.of())).isEmpty();
        for (int n = 1; n <= run.seen().size(); n++) {
            List<TrialOutcome> seen = run.seen().subList(0, n);
            Optional<Conclusion> soFar = shown.soFar(seen);
            soFar.ifPresent(c -> assertThat(c).isInstanceOf(run.conclusion().getClass()));
            if (n == run.seen().size()) {
                assertThat(soFar).contains(run.conclusion());
            }
        }
    }
}
