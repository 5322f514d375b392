package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.surface.Prediction;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PosteriorTest {
    private static final int SEEDS = Integer.getInteger("fettle.runs", 400);
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final Plan PLAN = SERVER.plan(4, 1024);
    private static final Scoring SCORING = new Scoring(Objective.DEFAULT);

    private static SettingTrials tried(int threads, int trials, double gain, double noise, Random random) {
        var setting = Setting.DEFAULT.with("threads.max", Integer.toString(threads));
        var spec = new TrialSpec(Phase.SEARCH, "", Map.of(), 0, PLAN.target(), setting, PLAN.load());
        TrialOutcome alike = SERVER.run(1, spec.withSetting(Setting.of("threads.max", "200")));
        var all = new ArrayList<TrialOutcome>();
        for (int i = 0; i < trials; i++) {
            all.add(Tamper.faster(alike, Math.exp(gain + noise * random.nextGaussian())));
        }
        return TriedSettings.of(setting, Origin.SPREAD, all);
    }

    private static List<SettingTrials> search(int settings, int trials, double gain, double noise, Random random) {
        var all = new ArrayList<SettingTrials>();
        for (int i = 0; i < settings; i++) {
            all.add(tried(200 + i, trials, i == 1 ? gain : 0, noise, random));
        }
        return all;
    }

    /** A gain as large as the one told as the least is noticed in about four searches of five, one of half its size in less. */
    @ParameterizedTest
    @CsvSource({"2, 2, 0.03", "2, 2, 0.09", "4, 2, 0.05", "6, 3, 0.09", "8, 1, 0.05"})
    void theLeastGainIsNoticedInFourOfFive(int settings, int trials, double noise) {
        int whole = 0;
        int half = 0;
        double told = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed * 7919L + settings);
            double least = new Posterior(SCORING, search(settings, trials, 0, noise, random))
                    .leastNoticed()
                    .orElse(0);
            told += least / SEEDS;
            whole += noticed(search(settings, trials, least, noise, random)) ? 1 : 0;
            half += noticed(search(settings, trials, least / 2, noise, random)) ? 1 : 0;
        }
        System.out.printf(
                "%d settings, %d trials, noise %.0f %%: least %.1f %%, noticed in %d of %d, half of it in %d%n",
                settings, trials, 100 * noise, 100 * told, whole, SEEDS, half);
        assertThat(whole).isBetween(SEEDS * 65 / 100, SEEDS * 97 / 100);
        assertThat(half).isLessThan(SEEDS * 70 / 100);
    }

    private static boolean noticed(List<SettingTrials> seen) {
        return new Posterior(SCORING, seen)
                .recommended(seen.getFirst())
                .filter(o -> o == seen.get(1))
                .isPresent();
    }

    @Test
    void nothingIsUnseenWhereAllOthersAreFarBehind() {
        var random = new Random(1);
        List<SettingTrials> seen = search(2, 2, -2, 0.03, random);
        assertThat(new Posterior(SCORING, seen).leastNoticed().optional()).isEmpty();
    }

    /** A model that is as unsure of a lead as it is large sends nothing into a duel; one that is sure of it does. */
    @ParameterizedTest
    @CsvSource({"0.05, 0.10, false", "0.05, 0.06, false", "0.05, 0.02, true", "0.01, 0.001, false", "0.30, 0.10, true"})
    void aLeadInDoubtIsNoneOverTheDefault(double lead, double deviation, boolean better) {
        List<SettingTrials> seen = search(2, 1, lead, 0, new Random(1));
        Posterior belief = belief(seen, List.of(0.0, lead), List.of(0.0, deviation));
        assertThat(belief.recommended(seen.getFirst())).contains(seen.get(better ? 1 : 0));
        assertThat(lead > belief.leastLead(seen.getFirst())).isEqualTo(better);
        boolean doubted = !better && lead > belief.margin();
        assertThat(belief.doubted(seen.getFirst())).isEqualTo(doubted ? Optional.of(seen.get(1)) : Optional.empty());
    }

    /** The best, if the model is in doubt about it, does not hide another that is nearly as good and sure. */
    @Test
    void aSureOneIsChosenBesideABestThatIsInDoubt() {
        List<SettingTrials> seen = search(3, 1, 0, 0, new Random(1));
        Posterior belief = belief(seen, List.of(0.0, 0.06, 0.055), List.of(0.0, 0.05, 0.025));
        assertThat(belief.recommended(seen.getFirst())).contains(seen.get(2));
        assertThat(belief.doubted(seen.getFirst())).isEmpty();
    }

    private static Posterior belief(List<SettingTrials> seen, List<Double> means, List<Double> deviations) {
        var model = new Posterior.Model() {
            @Override
            public double mean(SettingTrials o) {
                return means.get(seen.indexOf(o));
            }

            @Override
            public Prediction difference(SettingTrials o, SettingTrials than) {
                return new Prediction(mean(o) - mean(than), deviations.get(seen.indexOf(o)));
            }
        };
        return new Posterior(SCORING, seen, model, Comparator.comparingInt(o -> 0));
    }
}
