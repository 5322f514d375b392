package dev.fettle.insight.explain;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another setting under which the same clients got more in the same run. It refutes that they alone were the limit:
 * clients who wait for each answer get N / R, so what made R shorter limited them as well.
 *
 * <p>The lower end of the two-sided 95 % interval of the rise, all other settings taken together, has to be above 10 %,
 * and the holding time has to have fallen by half as much as throughput rose, on the log scale.
 *
 * @param setting what is different in it
 * @param throughput geometric mean, in words; {@code instead} of this under the setting in question
 * @param holding mean seconds that a request held its thread; {@code insteadHolding} under the setting in question
 */
public record FasterTrials(
        String setting, int clients, String throughput, String instead, double holding, double insteadHolding) {
    private static final double LEAST = StrictMath.log(1.10);
    private static final double SHARE_OF_RISE = 0.5;

    /**
     * The quickest such setting of a run.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput
     */
    public static Optional<FasterTrials> of(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        if (!(trial.spec().load().arrivals() instanceof Arrivals.Closed)) {
            return Optional.empty();
        }
        Map<Setting, List<TrialOutcome>> bySetting = Stream.concat(
                        Stream.of(trial), run.stream().filter(o -> o != trial && o.valid() && alike(o, trial)))
                .collect(Collectors.groupingBy(o -> o.spec().setting(), LinkedHashMap::new, Collectors.toList()));
        Setting tried = trial.spec().setting();
        Optional<Group> own = Group.of(tried, bySetting.getOrDefault(tried, List.of()), moved);
        if (own.isEmpty()) {
            return Optional.empty();
        }
        var noise = new Noise();
        bySetting.values().forEach(g -> noise.add(PoolContrast.logs(g, moved)));
        // the best of several is partly the luckiest: Bonferroni
        double level = 1 - (1 - Statistics.LEVEL) / Math.max(1, bySetting.size() - 1);
        return bySetting.entrySet().stream()
                .filter(e -> !e.getKey().equals(tried))
                .flatMap(e -> Group.of(e.getKey(), e.getValue(), moved).stream())
                .filter(g -> g.quicker(own.get(), noise, level))
                .reduce((x, y) -> y.mean > x.mean ? y : x)
                .map(g -> new FasterTrials(
                        difference(g.setting, tried),
                        trial.spec().load().clients(),
                        g.figure(),
                        own.get().figure(),
                        g.holding,
                        own.get().holding));
    }

    /**
     * The trials of a setting.
     *
     * @param mean throughput, logarithm, without how far a warm JVM had moved
     * @param throughput geometric mean, per second, as measured
     * @param holding seconds, mean
     */
    private record Group(Setting setting, int trials, double mean, double throughput, double holding) {
        /** Empty if throughput or holding time is not known. */
        static Optional<Group> of(Setting setting, List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> moved) {
            double[] logs = PoolContrast.logs(trials, moved);
            double holding = held(trials);
            return logs.length > 0 && holding > 0
                    ? Optional.of(new Group(
                            setting,
                            logs.length,
                            Statistics.average(logs),
                            StrictMath.exp(Statistics.average(PoolContrast.logs(trials))),
                            holding))
                    : Optional.empty();
        }

        String figure() {
            return PoolContrast.figure(throughput, mean);
        }

        boolean quicker(Group than, Noise noise, double level) {
            double rise = mean - than.mean;
            return rise - noise.half(than.trials, trials, level) >= LEAST
                    && StrictMath.log(than.holding / holding) >= SHARE_OF_RISE * rise;
        }
    }

    private static boolean alike(TrialOutcome a, TrialOutcome b) {
        return a.spec().target().equals(b.spec().target())
                && ComparableTrials.load(a).equals(ComparableTrials.load(b));
    }

    private static double held(List<TrialOutcome> trials) {
        return trials.stream()
                .flatMap(t -> OperatingPoint.of(t).stream())
                .filter(c -> c.holding().orElse(0) > 0)
                .mapToDouble(c -> c.holding().getAsDouble())
                .average()
                .orElse(0);
    }

    private static String difference(Setting other, Setting own) {
        var knobs = new TreeSet<>(other.values().keySet());
        knobs.addAll(own.values().keySet());
        return knobs.stream()
                .filter(k -> !other.get(k).equals(own.get(k)))
                .map(k -> k + other.get(k).map(v -> "=" + v).orElse(" at its default"))
                .collect(Collectors.joining(" "));
    }

    public String sentence() {
        return "The clients alone are not the limit, though each of them is being served: with " + setting
                + " the same "
                + clients + " clients got " + throughput + " instead of " + instead
                + ", as a request held its thread for " + Format.seconds(holding) + " instead of "
                + Format.seconds(insteadHolding) + ".";
    }
}
