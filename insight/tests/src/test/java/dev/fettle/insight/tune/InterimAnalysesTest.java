package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.Origin;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A look's level is that of its number, however many of its pairs have figures. */
class InterimAnalysesTest {
    private final InterimAnalyses looks = new InterimAnalyses(5);

    @Test
    void theFirstHasTheUsualLevel() {
        assertThat(looks.level(List.of(0, 1, 2, 3, 4), 5)).isEqualTo(Statistics.LEVEL);
        assertThat(looks.level(List.of(0, 2, 4), 5)).isEqualTo(Statistics.LEVEL);
    }

    @Test
    void aLaterOneHasItsOwnEvenIfSomePairsAreVoid() {
        assertThat(looks.level(List.of(0, 1, 2, 3, 4, 5, 6, 7), 8)).isEqualTo(InterimAnalyses.LATER_LEVEL);
        assertThat(looks.level(List.of(0, 1, 2, 6, 7), 8)).isEqualTo(InterimAnalyses.LATER_LEVEL);
    }

    @Test
    void aFirstOneWithTooFewPairsToClaimAnythingSpendsNothing() {
        assertThat(new InterimAnalyses(3).level(List.of(0, 2, 3), 4)).isEqualTo(Statistics.LEVEL);
    }

    /** A gain as small as the noise is looked at again, and that is in what may still come. */
    @Test
    void noMoreTrialsComeThanWasSaid() {
        int again = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Simulated server =
                    Simulated.server(100, 0, 0.001, 2, 100).noise(0.03).seed(seed);
            SettingSearch one = seen -> Optional.of(
                            new SettingSearch.Proposal(Setting.of("threads.max", "50"), Origin.SPREAD, "one"))
                    .filter(p -> seen.size() == 1);
            Simulated.Run run = server.drive(
                    new TuneExperiment(server.plan(4, 200), one),
                    o -> o.spec().setting().isDefault() ? o : Tamper.faster(o, 1.04));
            for (int i = 0; i < run.steps().size(); i++) {
                assertThat(run.steps().get(i).leftAtMost())
                        .as("seed %d, trial %d", seed, i + 1)
                        .isGreaterThanOrEqualTo(run.seen().size() - i);
            }
            again += run.trials(Phase.DUEL) > 10 ? 1 : 0;
        }
        assertThat(again).as("duels that were looked at again").isPositive();
    }
}
