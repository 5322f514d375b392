package dev.fettle.bench.tuner;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Settings whose throughput is known, by a formula or from a recording, and a server that answers as they would. */
interface Surface {
    String id();

    /** Words for what kind of surface it is, by which results are summed up. */
    default List<String> traits() {
        return List.of();
    }

    /** Choices only, so that every tuner has the same settings. */
    List<KnobRange> knobs();

    /** A tune on it, of at most so many trials before the duel. */
    Plan plan(int trials, long seed);

    /**
     * The true throughput, requests a second; empty where the server dies or does not answer as it should.
     *
     * @param seed of the run, which decides which half of a recording is the truth
     */
    OptionalFigure truth(Setting setting, long seed);

    /** A server for one run, at its first trial. */
    Server server(Luck luck);

    /** What rivals need to know of it. */
    Rivals rivals();

    /** Every setting, without the default unless it is one of them. */
    default List<Setting> all() {
        List<Setting> all = List.of(Setting.DEFAULT);
        for (KnobRange k : knobs()) {
            var more = new ArrayList<Setting>();
            for (Setting s : all) {
                k.choices().forEach(v -> more.add(s.with(k.knob(), v)));
            }
            all = more;
        }
        return all;
    }

    /** The default, and every setting. */
    default Stream<Setting> withDefault() {
        return Stream.concat(Stream.of(Setting.DEFAULT), all().stream());
    }

    /** The highest of all, the default's included: what regret is measured from. */
    default double best(long seed) {
        return withDefault().mapToDouble(s -> truth(s, seed).orElse(0)).max().orElse(0);
    }

    /** Runs trials. */
    interface Server {
        TrialOutcome run(int ordinal, TrialSpec spec);
    }

    /**
     * What disturbs the trials of one run on a formula; a recording brings its own.
     *
     * @param noise deviation of the logarithm of throughput, white
     * @param drift the same, AR(1) from trial to trial
     * @param voids share of the trials that neighbours disturb
     */
    record Luck(double noise, double drift, double voids, long seed) {}

    /**
     * One surface for tuners that are not ours, as JSON.
     *
     * @param axes the choices of each knob
     * @param preset what guides recommend: a choice of each
     * @param points every setting, in the order of {@link #all()}
     */
    record Rivals(
            String surface,
            List<String> traits,
            List<String> knobs,
            List<List<String>> axes,
            List<String> preset,
            Point standard,
            List<Point> points) {
        private static final Map<String, String> GUIDES = Map.of(
                "threads.max",
                "200",
                "backlog",
                "1000",
                "jvm.gc",
                "g1",
                "tcp.nodelay",
                "true",
                "keepalive.requests",
                "-1");

        /**
         * Of a surface.
         *
         * @param seen what trials of a setting measure, for runs of odd (0) and even (1) seeds
         * @param seconds what a trial of a setting costs
         */
        static Rivals of(
                Surface s, BiFunction<Setting, Integer, List<Double>> seen, ToDoubleFunction<Setting> seconds) {
            List<String> knobs = s.knobs().stream().map(KnobRange::knob).toList();
            Function<Setting, Point> point = x -> new Point(
                    x.values().isEmpty()
                            ? List.of()
                            : knobs.stream().map(k -> x.get(k).orElseThrow()).toList(),
                    List.of(s.truth(x, 1).orElse(0), s.truth(x, 2).orElse(0)),
                    List.of(seen.apply(x, 0), seen.apply(x, 1)),
                    seconds.applyAsDouble(x));
            return new Rivals(
                    s.id(),
                    s.traits(),
                    knobs,
                    s.knobs().stream().map(KnobRange::choices).toList(),
                    s.knobs().stream().map(Rivals::guide).toList(),
                    point.apply(Setting.DEFAULT),
                    s.all().stream().map(point).toList());
        }

        /** The choice next to what guides say of a knob; of one that they leave alone the first. */
        private static String guide(KnobRange k) {
            String said = GUIDES.getOrDefault(k.knob(), k.choices().getFirst());
            if (k.choices().contains(said)) {
                return said;
            }
            double wanted = Math.log(Double.parseDouble(said));
            return k.choices().stream()
                    .min(Comparator.comparingDouble(c -> Math.abs(Math.log(Double.parseDouble(c)) - wanted)))
                    .orElseThrow();
        }
    }

    /**
     * One setting.
     *
     * @param values empty for the default
     * @param truth throughput for runs of odd and of even seeds, 0 where it dies
     * @param seen what trials of runs of odd and of even seeds measure, in turn, 0 where the server died: of a recording; empty: the
     *     truth times what the trial is lucky by
     * @param seconds what a trial costs
     */
    record Point(List<String> values, List<Double> truth, List<List<Double>> seen, double seconds) {}
}
