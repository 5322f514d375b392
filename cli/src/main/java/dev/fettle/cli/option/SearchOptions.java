package dev.fettle.cli.option;

import dev.fettle.insight.capacity.CapacitySearch;
import dev.fettle.insight.capacity.Iteration;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.CapacityOptions.Spike;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What to search for, and with how much effort. */
public final class SearchOptions {
    /** Time for what is before the last confirmation. */
    private static final Duration BEFORE = Duration.ofMinutes(2);

    private static final Duration HOLD = Duration.ofSeconds(60);
    private static final double MOST_FACTOR = 100;

    @ArgGroup(validate = false, order = 1, heading = "%nWhat is searched:%n")
    private Search search = new Search();

    @ArgGroup(validate = false, order = 2, heading = "%nBeyond it:%n")
    private Beyond beyond = new Beyond();

    static final class Search {
        @Option(
                names = "--slo",
                paramLabel = "CONDITIONS",
                description =
                        "What must hold: 'p99<50ms,errors<0.1%%'. Figures: p50, p75, p90, p95, p99, p99.9, p99.99,"
                                + " max, mean, errors (< 0.1 %% if not named), throughput. Default: the plan's")
        private @Nullable Slo slo;

        @Option(
                names = "--at-least",
                paramLabel = "RATE",
                description = "Exit with 5 if the capacity is lower, with 4 if that is not known: 2000/s.")
        private OptionalFigure atLeast = OptionalFigure.empty();

        @Option(
                names = "--from",
                paramLabel = "RATE",
                description = "The first rate. Default: 90 %% of what clients that wait for answers get")
        private OptionalFigure from = OptionalFigure.empty();

        @Option(names = "--probe", paramLabel = "TIME", description = "How long a probe measures. Default: 5s")
        @Range(least = "500ms", most = "10m")
        private Duration probe = Duration.ofSeconds(5);

        @Option(
                names = "--budget",
                paramLabel = "TIME",
                description = "Time for the search. Default: 2m, and --hold: 3m")
        @Range(least = "5s", most = "24h")
        private @Nullable Duration budget;

        @Option(
                names = "--precision",
                paramLabel = "SHARE",
                converter = Converters.Share.class,
                description = "Stop when the interval of the limit is this narrow, each way. Default: 3%%")
        @Range(least = "0.2%", most = "50%")
        private double precision = 0.03;

        @Option(
                names = "--confirm",
                paramLabel = "N",
                description = "Fresh probes that must all meet the SLO at the answer. Default: 1")
        @Range(least = "1", most = "20", right = "1 to 20 make sense")
        private int confirm = 1;

        @Option(
                names = "--hold",
                paramLabel = "TIME",
                description = "How long the answer must meet the SLO in each of these: queues near the limit grow for"
                        + " minutes. Default: 60s, or a third of a shorter --budget")
        @Range(least = "500ms", most = "12h")
        private @Nullable Duration hold;

        @Option(
                names = "--launches",
                paramLabel = "N",
                description = "Search in N processes of a plan's target, one after the other, each with the whole"
                        + " --budget: processes differ. The answer is the lowest. Default: 1")
        @Range(least = "1", most = "20", right = "1 to 20 make sense")
        private int launches = 1;

        @Option(
                names = "--warm-up",
                paramLabel = "TIME",
                description = "Longest warm-up of a URL; ends earlier when the target is steady. Default: 10s")
        @Range(least = "500ms", most = "10m")
        private Duration warmUp = Duration.ofSeconds(10);

        @Option(names = "--even", description = "Space requests evenly instead of at random (Poisson).")
        private boolean even;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "Seed of the random arrivals. Default: the plan's, or 42")
        private @Nullable Long seed;
    }

    static final class Beyond {
        @Option(
                names = "--overload",
                paramLabel = "FACTOR",
                converter = Factor.class,
                description = "Then try a spike of this many times the capacity: 2x.")
        private @Nullable Double factor;

        @Option(names = "--spike", paramLabel = "TIME", description = "How long the spike is. Default: 10s")
        @Range(least = "500ms", most = "10m")
        private Duration length = Duration.ofSeconds(10);

        @Option(
                names = "--watch",
                paramLabel = "TIME",
                description = "Longest time to watch the recovery. Default: 30s")
        @Range(least = "3s", most = "30m")
        private Duration watch = Duration.ofSeconds(30);

        @Option(
                names = "--base",
                paramLabel = "SHARE",
                converter = Converters.Share.class,
                description = "Load before and after the spike, as a share of the capacity. Default: 70%%")
        @Range(least = "0.0001%", right = "a load over 0 is needed to see the recovery")
        private double base = 0.7;

        @Option(names = "--rate", paramLabel = "RATE", description = "Use this rate as the capacity, without a search.")
        private OptionalFigure rate = OptionalFigure.empty();
    }

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command; // set by picocli

    /** The rate that {@code --at-least} asks for. */
    public OptionalFigure atLeast() {
        return search.atLeast;
    }

    /** Longest warm-up for a URL. */
    public Duration warmUp() {
        return search.warmUp;
    }

    /** Refuses what is for a URL. */
    public void refuseWarmUp() {
        refuse(List.of("--warm-up"), option -> option + " is for a URL: in a plan it is load.warm-up");
    }

    private void refuse(List<String> options, UnaryOperator<String> why) {
        options.stream()
                .filter(command.commandLine().getParseResult()::hasMatchedOption)
                .findFirst()
                .ifPresent(option -> {
                    throw Parse.usage(why.apply(option));
                });
    }

    /**
     * All options of the search.
     *
     * @param plans the plan's SLO, used unless the user gives one
     * @param seed used unless the user gives one
     */
    public CapacityOptions options(Optional<Slo> plans, long seed) {
        Optional<Slo> slo = Optional.ofNullable(search.slo).or(() -> plans);
        if (search.even && search.seed != null) {
            throw Parse.usage("--seed is of random arrivals: leave it out, or --even");
        }
        Optional<Spike> spike = spike();
        if (search.launches > 1 && beyond.factor != null) {
            throw Parse.usage("--launches and --overload: a spike is tried in one process, so leave one of them out");
        }
        int confirm = search.confirm;
        Optional<Duration> given = Optional.ofNullable(search.hold);
        Duration budget = search.budget != null
                ? search.budget
                : BEFORE.plus(given.orElse(HOLD).multipliedBy(confirm));
        if (given.isPresent() && given.get().multipliedBy(confirm).compareTo(budget) >= 0) {
            throw Parse.usage("--hold " + Units.text(given.get()) + ": the --budget of " + Units.text(budget)
                    + " must be longer than that, " + confirm + " times");
        }
        Duration third = budget.dividedBy(3L * confirm);
        Duration hold = longer(search.probe, given.orElse(third.compareTo(HOLD) < 0 ? third : HOLD));
        return new CapacityOptions(
                slo.orElseThrow(() -> Parse.usage("an SLO is missing: --slo 'p99<50ms,errors<0.1%'")),
                search.from,
                search.probe,
                search.precision,
                confirm,
                budget,
                !search.even,
                search.seed == null ? seed : search.seed,
                beyond.rate.isEmpty(),
                spike,
                search.launches,
                hold);
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    /** Refuses rates that probes of this length can't judge. */
    public void checkRates(CapacityOptions options, Load load) {
        double floor = CapacitySearch.floor(options.slo(), options.probe(), Iteration.of(load));
        refuseBelow(floor, "--from", options.from(), options);
        refuseBelow(floor, "--at-least", atLeast(), options);
    }

    private static void refuseBelow(double floor, String name, OptionalFigure rate, CapacityOptions options) {
        if (options.search() && rate.isPresent() && rate.getAsDouble() < floor * 0.999) {
            throw Parse.usage(String.format(
                    Locale.ROOT,
                    "%s %s: probes of %s can judge %s or more for %s; a longer --probe judges less",
                    name,
                    Format.number(rate.getAsDouble(), floor) + "/s",
                    Units.text(options.probe()),
                    Format.rate(floor),
                    options.slo()));
        }
    }

    private Optional<Spike> spike() {
        if (beyond.factor == null) {
            if (beyond.rate.isPresent()) {
                throw Parse.usage("--rate is for a spike: add --overload 2x");
            }
            refuse(
                    List.of("--spike", "--watch", "--base"),
                    option -> option + " goes with --overload, as in --overload 2x");
            return Optional.empty();
        }
        if (beyond.rate.isPresent()) {
            refuse(
                    List.of("--at-least", "--from", "--probe", "--precision", "--confirm", "--hold", "--budget"),
                    option -> "--rate names the capacity, so nothing is searched: leave out " + option);
        }
        return Optional.of(new Spike(beyond.factor, beyond.rate, beyond.base, beyond.length, beyond.watch));
    }

    /** How many times the capacity: {@code 2x}, {@code 1.5}. */
    static final class Factor implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            if (text.matches("[0-9]{1,3}(\\.[0-9]{1,3})?[x×]?")) {
                double factor = Double.parseDouble(text.replaceAll("[x×]", ""));
                if (factor > 1 && factor <= MOST_FACTOR) {
                    return factor;
                }
            }
            throw new IllegalArgumentException("a factor over 1 is wanted, such as 2x");
        }
    }
}
