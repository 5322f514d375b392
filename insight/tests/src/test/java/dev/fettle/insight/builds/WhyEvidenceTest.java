package dev.fettle.insight.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.GateWhy;
import dev.fettle.insight.GateWhy.Method;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.builds.TwoBuilds.Head;
import dev.fettle.insight.builds.TwoBuilds.Machine;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WhyEvidenceTest {
    private static final int RUNS = 200;

    /** Of a second of CPU time: methods that cost ever less, as those of programs do. */
    private static final List<String> METHODS =
            IntStream.range(0, 40).mapToObj(i -> "shop.Page" + i + ".show").toList();

    private static final String ADDED = "shop.Price.check";

    private static double share(int method) {
        return 0.22 / (1 + method);
    }

    private static TrialSpec spec(String variant, Phase phase, int block) {
        return new TrialSpec(phase, variant, Map.of(), block, Simulated.target(), Setting.DEFAULT, Simulated.load(50));
    }

    /** Samples of 10 ms, as many as ten seconds of CPU time have. */
    private static Profile profile(Random random, double added) {
        var builder = new Profile.Builder();
        for (int i = 0; i < METHODS.size(); i++) {
            add(builder, METHODS.get(i), poisson(random, 1000 * share(i)));
        }
        add(builder, ADDED, poisson(random, 1000 * added));
        return builder.build(Profile.Kind.CPU, "async-profiler 4.1: simulated", 10);
    }

    private static void add(Profile.Builder to, String method, int samples) {
        if (samples > 0) {
            to.add(List.of("java.lang.Thread.run", method, "java.util.regex.Pattern.matcher"), 10.0 * samples);
        }
    }

    private static int poisson(Random random, double mean) {
        return (int) Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }

    private static List<GatePair> pairs(TwoBuilds world, Phase phase, int n, Random random, double added) {
        var pairs = new ArrayList<GatePair>();
        for (int i = 0; i < n; i++) {
            List<TrialOutcome> two =
                    world.pair(1 + 2 * i, spec(GateAsked.BASE, phase, i), spec(GateAsked.HEAD, phase, i));
            boolean recorded = phase == Phase.EXPLAIN;
            pairs.add(new GatePair(
                    recorded ? with(two.getFirst(), profile(random, 0)) : two.getFirst(),
                    recorded ? with(two.getLast(), profile(random, added)) : two.getLast(),
                    false,
                    40.0 * (i + 1)));
        }
        return pairs;
    }

    private static TrialOutcome with(TrialOutcome t, Profile profile) {
        return t.withEvidence(t.evidence().map(e -> e.withProfiles(List.of(profile))));
    }

    private static GateWhy why(long seed, double added) {
        var random = new Random(seed);
        var world = new TwoBuilds(Head.slower(added), Machine.QUIET, false, seed);
        List<GatePair> decided = pairs(world, Phase.GATE, 4, random, added);
        return new WhyEvidence(decided, pairs(world, Phase.EXPLAIN, 2, random, added)).why();
    }

    @Test
    void equalBuildsDifferInNoMethod() {
        long wrong = IntStream.range(0, RUNS)
                .filter(i -> !why(i, 0).methods().isEmpty())
                .count();
        assertThat(wrong).isLessThanOrEqualTo(RUNS / 20 * 2);
        assertThat(why(1, 0).compared()).singleElement().satisfies(c -> {
            assertThat(c.methods()).isBetween(30, 40);
            assertThat(c.least()).isBetween(1e-6, 30e-6); // of 1 ms a request
        });
    }

    /** A method that costs 5 % of all is named in nearly all gates, as the one that changed most. */
    @Test
    void whatWasAddedIsNamed() {
        long found = IntStream.range(0, RUNS)
                .filter(i -> {
                    List<Method> methods = why(i, 0.05).methods();
                    return !methods.isEmpty() && methods.getFirst().method().equals(ADDED);
                })
                .count();
        assertThat(found).isGreaterThanOrEqualTo(RUNS * 9 / 10);
        Method first = why(3, 0.05).methods().getFirst();
        assertThat(first.base()).isZero();
        assertThat(first.change().low()).isPositive().isLessThan(50e-6);
        assertThat(first.change().high()).isGreaterThan(50e-6).isLessThan(120e-6);
    }

    /** Too few samples tell nothing, and so does a profile of one side. */
    @Test
    void aProfileOfOneSideIsNotCompared() {
        var random = new Random(5);
        var world = new TwoBuilds(Head.SAME, Machine.QUIET, false, 5);
        List<GatePair> recorded = pairs(world, Phase.EXPLAIN, 2, random, 0).stream()
                .map(p -> new GatePair(
                        p.base(),
                        p.other().withEvidence(p.other().evidence().map(e -> e.withProfiles(List.of()))),
                        false,
                        p.ended()))
                .toList();
        GateWhy why = new WhyEvidence(List.of(), recorded).why();
        assertThat(why.pairs()).isZero();
        assertThat(why.compared()).isEmpty();
    }

    /** What both print is not new, however often. */
    @Test
    void onlyTheHeadsWarningsAreNew() {
        var random = new Random(5);
        var world = new TwoBuilds(Head.SAME, Machine.QUIET, false, 5);
        List<GatePair> recorded = pairs(world, Phase.EXPLAIN, 2, random, 0).stream()
                .map(p -> new GatePair(
                        warns(p.base(), "WARN pool is small"),
                        warns(p.other(), "WARN pool is small", "ERROR no such price"),
                        false,
                        p.ended()))
                .toList();
        GateWhy why = new WhyEvidence(List.of(), recorded).why();
        assertThat(why.warnings()).containsExactly(new GateWhy.Warning("ERROR no such price", 3));
    }

    private static TrialOutcome warns(TrialOutcome t, String... lines) {
        List<Sighting> seen = List.of(lines).stream()
                .map(l -> new Sighting(Sighting.LOG_WARNING, l, 3, ""))
                .toList();
        return t.withEvidence(t.evidence().map(e -> e.withTimeline(e.timeline().withSightings(seen))));
    }
}
