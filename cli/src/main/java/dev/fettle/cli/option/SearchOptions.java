package dev.fettle.cli.option;

import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.CapacityOptions.Spike;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What to search for, and with how much effort. */
public final class SearchOptions {
    private static final int MOST_LAUNCHES = 20;
    private static final int MOST_CONFIRMATIONS = 20;
    private static final double BASE = 0.7;
    private static final double MOST_FACTOR = 100;

    @ArgGroup(validate = false, order = 1, heading = "%nWhat is searched:%n")
    private Search search = new Search();

    @ArgGroup(validate = false, order = 2, heading = "%nBeyond it:%n")
    private Beyond beyond = new Beyond();

    static final class Search {
        @Option(
                names = "--slo",
                paramLabel = "CONDITIONS",
                order = 1,
                description =
                        "What must hold: 'p99<50ms,errors<0.1%%'. Figures: p50, p75, p90, p95, p99, p99.9, p99.99,"
                                + " max, mean, errors (unless named: < 0.1 %%), throughput. Default: the plan's")
        private @Nullable String slo;

        @Option(
                names = "--at-least",
                paramLabel = "RATE",
                order = 2,
                description = "Exit with 5 if the capacity is lower: 2000/s.")
        private @Nullable String atLeast;

        @Option(
                names = "--from",
                paramLabel = "RATE",
                order = 3,
                description = "The first rate. Default: 90 %% of what clients that wait for answers get")
        private @Nullable String from;

        @Option(
                names = "--probe",
                paramLabel = "TIME",
                order = 4,
                description = "How long a probe measures. Default: 5s")
        private String probe = "5s";

        @Option(names = "--budget", paramLabel = "TIME", order = 5, description = "Time for the search. Default: 5m")
        private String budget = "5m";

        @Option(
                names = "--precision",
                paramLabel = "SHARE",
                order = 6,
                description = "Stop when the interval of the limit is this narrow, each way. Default: 3%%")
        private String precision = "3%";

        @Option(
                names = "--confirm",
                paramLabel = "N",
                order = 7,
                description = "Fresh probes that must all meet the SLO at the answer. Default: 3")
        private int confirm = 3;

        @Option(
                names = "--launches",
                paramLabel = "N",
                order = 8,
                description = "Search in N processes of a plan's target, one after the other, each with the whole"
                        + " --budget: processes differ. The answer is the lowest. Default: 1")
        private int launches = 1;

        @Option(
                names = "--warm-up",
                paramLabel = "TIME",
                order = 9,
                description = "Longest warm-up of a URL; ends earlier when the target is steady. Default: 10s")
        private String warmUp = "10s";

        @Option(names = "--even", order = 10, description = "Space requests evenly instead of at random (Poisson).")
        private boolean even;

        @Option(
                names = "--seed",
                paramLabel = "N",
                order = 11,
                description = "Seed of the random arrivals. Default: the plan's, or 42")
        private @Nullable Long seed;
    }

    static final class Beyond {
        @Option(
                names = "--overload",
                paramLabel = "FACTOR",
                order = 1,
                description = "Then try a spike of this many times the capacity: 2x.")
        private @Nullable String factor;

        @Option(names = "--spike", paramLabel = "TIME", order = 2, description = "How long the spike is. Default: 10s")
        private String length = "10s";

        @Option(
                names = "--watch",
                paramLabel = "TIME",
                order = 3,
                description = "Longest time to watch the recovery. Default: 30s")
        private String watch = "30s";

        @Option(
                names = "--base",
                paramLabel = "SHARE",
                order = 4,
                description = "Load before and after the spike, as a share of the capacity. Default: 70%%")
        private @Nullable String base;

        @Option(
                names = "--rate",
                paramLabel = "RATE",
                order = 5,
                description = "Use this rate as the capacity, without a search.")
        private @Nullable String rate;
    }

    /** The rate that {@code --at-least} asks for. */
    public OptionalDouble atLeast() {
        return rate("--at-least", search.atLeast);
    }

    /** Longest warm-up for a URL. */
    public Duration warmUp() {
        return time("--warm-up", search.warmUp, Duration.ofMillis(500), Duration.ofMinutes(10));
    }

    /**
     * All options of the search.
     *
     * @param plans the plan's SLO, used unless the user gives one
     * @param seed used unless the user gives one
     */
    public CapacityOptions options(Optional<Slo> plans, long seed) {
        Optional<Slo> slo = Optional.ofNullable(search.slo)
                .map(t -> Parse.tried("--slo", t, Slo::parse))
                .or(() -> plans);
        if (search.confirm < 1 || search.confirm > MOST_CONFIRMATIONS) {
            throw Parse.usage("--confirm " + search.confirm + ": 1 to " + MOST_CONFIRMATIONS + " make sense");
        }
        double precision = Parse.tried("--precision", search.precision, Units::share);
        if (precision < 0.002 || precision > 0.5) {
            throw Parse.usage("--precision " + search.precision + ": 0.2% to 50% are possible");
        }
        atLeast();
        if (search.launches < 1 || search.launches > MOST_LAUNCHES) {
            throw Parse.usage("--launches " + search.launches + ": 1 to " + MOST_LAUNCHES + " make sense");
        }
        if (search.launches > 1 && beyond.factor != null) {
            throw Parse.usage("--launches and --overload: a spike is tried in one process, so leave one of them out");
        }
        return new CapacityOptions(
                slo.orElseThrow(() -> Parse.usage("an SLO is missing: --slo 'p99<50ms,errors<0.1%'")),
                rate("--from", search.from),
                time("--probe", search.probe, Duration.ofMillis(500), Duration.ofMinutes(10)),
                precision,
                search.confirm,
                time("--budget", search.budget, Duration.ofSeconds(5), Duration.ofDays(1)),
                !search.even,
                search.seed == null ? seed : search.seed,
                beyond.rate == null,
                spike(),
                search.launches);
    }

    private Optional<Spike> spike() {
        if (beyond.factor == null) {
            if (beyond.rate != null) {
                throw Parse.usage("--rate is for a spike: add --overload 2x");
            }
            return Optional.empty();
        }
        double factor = factor(beyond.factor);
        double base = beyond.base == null ? BASE : Parse.tried("--base", beyond.base, Units::share);
        if (base <= 0) {
            throw Parse.usage("--base " + beyond.base + ": a load over 0 is needed to see the recovery");
        }
        return Optional.of(new Spike(
                factor,
                rate("--rate", beyond.rate),
                base,
                time("--spike", beyond.length, Duration.ofMillis(500), Duration.ofMinutes(10)),
                time("--watch", beyond.watch, Duration.ofSeconds(3), Duration.ofMinutes(30))));
    }

    private static double factor(String text) {
        if (text.matches("[0-9]{1,3}(\\.[0-9]{1,3})?[x×]?")) {
            double factor = Double.parseDouble(text.replaceAll("[x×]", ""));
            if (factor > 1 && factor <= MOST_FACTOR) {
                return factor;
            }
        }
        throw Parse.usage("--overload " + text + ": a factor over 1 is wanted, such as 2x");
    }

    private static OptionalDouble rate(String option, @Nullable String text) {
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(Parse.rate(option, text));
    }

    private static Duration time(String option, String text, Duration least, Duration most) {
        Duration time = Parse.time(option, text);
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw Parse.usage(
                    option + " " + text + ": " + Units.text(least) + " to " + Units.text(most) + " are possible");
        }
        return time;
    }
}
