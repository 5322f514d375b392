package dev.fettle.cli.option;

import dev.fettle.lab.measure.WarmUp;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** When requests are sent, and for how long. */
public final class ArrivalOptions {
    private static final Duration DEFAULT = Duration.ofSeconds(10);
    private static final Duration DEFAULT_BY_COUNT = Duration.ofMinutes(10);
    private static final Duration LONGEST = Duration.ofDays(7);

    @ArgGroup(validate = false, order = 1, heading = "%nHow much, and when:%n")
    private Group group = new Group();

    static final class Group {
        @Option(
                names = {"-d", "--duration"},
                paramLabel = "TIME",
                description = "How long: 500ms, 10s, 2m; a number without a unit is in seconds, here and with"
                        + " --warm-up. Default: 10s, or none with -n (then at most 10m)")
        @Range(least = "1ns", most = "168h", right = "over 0 and at most 7 days are possible")
        private @Nullable Duration duration;

        @Option(
                names = {"-n", "--requests"},
                paramLabel = "N",
                description = "Stop after this many requests.")
        @Range(least = "1", right = "at least 1 request is wanted")
        private @Nullable Long requests;

        @Option(
                names = {"--rate", "-R"},
                paramLabel = "RATE",
                description = "Open model: send at this rate whatever the server does: 1000/s, 2.5k/s, 90/m. Latency"
                        + " counts from when a request was due.")
        private OptionalFigure rate = OptionalFigure.empty();

        @Option(
                names = "--stages",
                paramLabel = "STAGES",
                description = "Open model in stages, each RATE[..RATE]:TIME[:burst=N]:"
                        + " 100/s:10s, 100/s..2000/s:1m, 500/s:10s:burst=50")
        private @Nullable StagesText stages;

        @Option(
                names = "--poisson",
                description = "Open model: random arrivals (Poisson) instead of evenly spaced ones.")
        private boolean poisson;

        @Option(names = "--seed", paramLabel = "N", description = "Seed for --poisson. Default: 1")
        private @Nullable Long seed;

        @Option(
                names = "--think",
                paramLabel = "TIME",
                converter = Converters.Time.class,
                description = "Closed model: how long a client waits between an answer and its next request.")
        @Range(most = "1h", right = "at most 1h is possible")
        private @Nullable Duration think;

        @Option(
                names = "--warm-up",
                paramLabel = "TIME",
                description =
                        "Load before the measuring, not counted: a time, or 0s for none. Default: until Fettle's own"
                                + " code is compiled, 1 to 10 s. With -n, --stages or --think that load goes to a small"
                                + " server inside Fettle, not to yours. None with --scenario")
        private @Nullable Duration warmUp;
    }

    /** The number of requests after which to stop; empty: only the time limits it. */
    public OptionalLong requests() {
        if (group.requests == null) {
            return OptionalLong.empty();
        }
        if (!asked().isZero()) {
            throw Parse.usage("-n counts every request, those of --warm-up too: give -d instead of -n");
        }
        return OptionalLong.of(group.requests);
    }

    /** How long is measured at most. */
    public Duration measure() {
        if (group.stages != null) {
            if (group.duration != null) {
                throw Parse.usage("the stages say how long it takes: leave out -d");
            }
            return group.stages.all().stream().map(Stage::length).reduce(Duration.ZERO, Duration::plus);
        }
        if (group.duration == null) {
            return group.requests == null ? DEFAULT : DEFAULT_BY_COUNT;
        }
        return group.duration;
    }

    /**
     * The warm-up. By default it is on the target only where additional requests of the same kind make no difference.
     * With a count or stages, which must be kept to exactly, or with clients that think, which would all ask at once
     * and then pause, Fettle warms up elsewhere. With a scenario, which may use up its data, there is none.
     */
    public WarmUp warmUp(boolean scenario) {
        if (group.warmUp == null) {
            if (scenario) {
                return WarmUp.NONE;
            }
            boolean asIs = group.requests != null || group.stages != null || group.think != null;
            return asIs ? WarmUp.REHEARSAL : WarmUp.UNTIL_COMPILED;
        }
        return WarmUp.lasting(asked());
    }

    private Duration asked() {
        return group.warmUp == null ? Duration.ZERO : group.warmUp;
    }

    /** When requests are due. In the warm-up, stages are replaced by their initial rate. */
    public Arrivals arrivals() {
        if (group.rate.isEmpty() && group.stages == null) {
            return closed();
        }
        if (group.rate.isPresent() && group.stages != null) {
            throw Parse.usage("give either --rate or --stages");
        }
        if (group.think != null) {
            throw Parse.usage("--think is of the closed model: leave it out, or --rate and --stages");
        }
        if (group.seed != null && !group.poisson) {
            throw Parse.usage("--seed is of use only with --poisson");
        }
        long seed = group.seed == null ? 1 : group.seed;
        if (group.stages == null) {
            double rate = group.rate.orElseThrow();
            return new Arrivals.Open(List.of(new Stage(rate, rate, LONGEST, 1)), group.poisson, seed);
        }
        var stages = new ArrayList<>(group.stages.all());
        if (!asked().isZero()) {
            Stage first = stages.getFirst();
            double pace = first.from() > 0 ? first.from() : first.to() / 2;
            stages.addFirst(new Stage(pace, pace, asked(), first.burst()));
        }
        return new Arrivals.Open(stages, group.poisson, seed);
    }

    private Arrivals closed() {
        if (group.poisson) {
            throw Parse.usage("--poisson is of the open model: add --rate or --stages");
        }
        if (group.seed != null) {
            throw Parse.usage("--seed is of use only with --poisson");
        }
        return group.think == null ? Arrivals.Closed.BACK_TO_BACK : new Arrivals.Closed(group.think);
    }
}
