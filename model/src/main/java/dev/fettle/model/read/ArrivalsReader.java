package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads the arrivals of {@code load}: {@code think} of a closed load, or {@code rate} and related keys of an open one. */
final class ArrivalsReader {
    private static final Duration LONGEST = Duration.ofDays(7);

    private final Problems problems;
    private final Scalars scalars;

    ArrivalsReader(Problems problems) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
    }

    Arrivals read(YamlFields load) {
        if (!load.has("rate") && !load.has("stages")) {
            return closed(load);
        }
        if (load.has("rate") && load.has("stages")) {
            problems.add(load.at("stages"), "a load has either 'rate' or 'stages', not both");
        }
        if (load.has("think")) {
            problems.add(
                    load.at("think"),
                    "an open load sends on its schedule, so there is no think time: leave out 'think' or the rate");
        }
        List<Stage> stages = load.has("stages")
                ? load.get("stages").map(this::stages).orElse(List.of())
                : load.get("rate")
                        .flatMap(n -> rate(n, "rate"))
                        .map(r -> List.of(new Stage(r, r, LONGEST, 1)))
                        .orElse(List.of());
        boolean poisson = load.get("arrivals")
                .flatMap(n -> scalars.oneOf(n, "arrivals", List.of("even", "poisson")))
                .map("poisson"::equals)
                .orElse(false);
        if (load.has("seed") && !poisson) {
            problems.add(load.at("seed"), "'seed' is of use only with arrivals: poisson");
        }
        long seed = load.get("seed")
                .flatMap(n -> scalars.wholeNumber(n, "seed", 0, Long.MAX_VALUE))
                .orElse(1L);
        return stages.isEmpty() ? Arrivals.Closed.BACK_TO_BACK : new Arrivals.Open(stages, poisson, seed);
    }

    private Arrivals closed(YamlFields load) {
        for (String key : List.of("arrivals", "seed")) {
            if (load.has(key)) {
                problems.add(load.at(key), "'%s' belongs to an open load: give it a 'rate' or 'stages'".formatted(key));
            }
        }
        return new Arrivals.Closed(load.get("think")
                .flatMap(n -> scalars.duration(n, "think", Duration.ZERO, Duration.ofHours(1)))
                .orElse(Duration.ZERO));
    }

    private List<Stage> stages(Node node) {
        var out = new ArrayList<Stage>();
        for (Node item : scalars.list(node, "stages")) {
            stage(item).ifPresent(out::add);
        }
        if (problems.none() && out.stream().allMatch(s -> s.from() == 0 && s.to() == 0)) {
            problems.add(node, "no stage has a rate above 0, so nothing would be sent");
        }
        return out;
    }

    private Optional<Stage> stage(Node node) {
        YamlFields f = YamlFields.closed(node, "a stage", PlanKeys.STAGE.keys(), problems);
        if (f.has("rate") && (f.has("from") || f.has("to"))) {
            problems.add(f.at("rate"), "a stage has either 'rate', or 'from' and 'to'");
            return Optional.empty();
        }
        boolean ramp = f.has("from") || f.has("to");
        Optional<Double> from = f.require(ramp ? "from" : "rate", "100/s").flatMap(n -> stageRate(n));
        Optional<Double> to = ramp ? f.require("to", "2000/s").flatMap(n -> stageRate(n)) : from;
        Optional<Duration> length =
                f.require("for", "10s").flatMap(n -> scalars.duration(n, "for", Duration.ofMillis(1), LONGEST));
        int burst = f.get("burst")
                .flatMap(n -> scalars.integer(n, "burst", 1, 1_000_000))
                .orElse(1);
        return from.isEmpty() || to.isEmpty() || length.isEmpty()
                ? Optional.empty()
                : Optional.of(new Stage(from.get(), to.get(), length.get(), burst));
    }

    /** A stage's rate; 0 is allowed, for silence or the start of a ramp. */
    private Optional<Double> stageRate(Node node) {
        boolean zero = node instanceof ScalarNode s && s.getValue().matches("0+(/s)?");
        return zero ? Optional.of(0.0) : rate(node, "rate");
    }

    private Optional<Double> rate(Node node, String what) {
        return scalars.text(node, what).flatMap(t -> scalars.tried(node, what, t, Units::rate));
    }
}
