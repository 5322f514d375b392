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
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What to search for, and with how much effort. */
public final class SearchOptions {
    private static final int MOST_LAUNCHES = 20;
    private static final int MOST_CONFIRMATIONS = 20;
    private static final int CONFIRMATIONS = 1;
    /** Time for what is before the last confirmation. */
    private static final Duration BEFORE = Duration.ofMinutes(2);

    private static final Duration HOLD = Duration.ofSeconds(60);
    private static final double PRECISION = 0.03;
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
                description =
                        "What must hold: 'p99<50ms,errors<0.1%%'. Figures: p50, p75, p90, p95, p99, p99.9, p99.99,"
                                + " max, mean, errors (< 0.1 %% if not named), throughput. Default: the plan's")
        private @Nullable String slo;

        @Option(
                names = "--at-least",
                paramLabel = "RATE",
                description = "Exit with 5 if the capacity is lower, with 4 if that is not known: 2000/s.")
        private @Nullable String atLeast;

        @Option(
                names = "--from",
                paramLabel = "RATE",
                description = "The first rate. Default: 90 %% of what clients that wait for answers get")
        private @Nullable String from;

        @Option(names = "--probe", paramLabel = "TIME", description = "How long a probe measures. Default: 5s")
        private @Nullable String probe;

        @Option(
                names = "--budget",
                paramLabel = "TIME",
                description = "Time for the search. Default: 2m, and --hold: 3m")
        private @Nullable String budget;

        @Option(
                names = "--precision",
                paramLabel = "SHARE",
                description = "Stop when the interval of the limit is this narrow, each way. Default: 3%%")
        private @Nullable String precision;

        @Option(
                names = "--confirm",
                paramLabel = "N",
                description = "Fresh probes that must all meet the SLO at the answer. Default: 1")
        private @Nullable Integer confirm;

        @Option(
                names = "--hold",
                paramLabel = "TIME",
                description = "How long the answer must meet the SLO in each of these: queues near the limit grow for"
                        + " minutes. Default: 60s, or a third of a shorter --budget")
        private @Nullable String hold;

        @Option(
                names = "--launches",
                paramLabel = "N",
                description = "Search in N processes of a plan's target, one after the other, each with the whole"
                        + " --budget: processes differ. The answer is the lowest. Default: 1")
        private int launches = 1;

        @Option(
                names = "--warm-up",
                paramLabel = "TIME",
                description = "Longest warm-up of a URL; ends earlier when the target is steady. Default: 10s")
        private @Nullable String warmUp;

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
                description = "Then try a spike of this many times the capacity: 2x.")
        private @Nullable String factor;

        @Option(names = "--spike", paramLabel = "TIME", description = "How long the spike is. Default: 10s")
        private @Nullable String length;

        @Option(
                names = "--watch",
                paramLabel = "TIME",
                description = "Longest time to watch the recovery. Default: 30s")
        private @Nullable String watch;

        @Option(
                names = "--base",
                paramLabel = "SHARE",
                description = "Load before and after the spike, as a share of the capacity. Default: 70%%")
        private @Nullable String base;

        @Option(names = "--rate", paramLabel = "RATE", description = "Use this rate as the capacity, without a search.")
        private @Nullable String rate;
    }

    /** The rate that {@code --at-least} asks for. */
    public OptionalFigure atLeast() {
        return rate("--at-least", search.atLeast);
    }

    /** Longest warm-up for a URL. */
    public Duration warmUp() {
        return time("--warm-up", search.warmUp, "10s", Duration.ofMillis(500), Duration.ofMinutes(10));
    }

    /** Refuses what is for a URL. */
    public void refuseWarmUp() {
        if (search.warmUp != null) {
            throw Parse.usage("--warm-up is for a URL: in a plan it is load.warm-up");
        }
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
        int confirm = search.confirm == null ? CONFIRMATIONS : search.confirm;
        if (confirm < 1 || confirm > MOST_CONFIRMATIONS) {
            throw Parse.usage("--confirm " + confirm + ": 1 to " + MOST_CONFIRMATIONS + " make sense");
        }
        double precision =
                search.precision == null ? PRECISION : Parse.tried("--precision", search.precision, Units::share);
        if (precision < 0.002 || precision > 0.5) {
            throw Parse.usage("--precision " + search.precision + ": 0.2% to 50% are possible");
        }
        if (search.even && search.seed != null) {
            throw Parse.usage("--seed is of random arrivals: leave it out, or --even");
        }
        atLeast();
        Optional<Spike> spike = spike();
        if (search.launches < 1 || search.launches > MOST_LAUNCHES) {
            throw Parse.usage("--launches " + search.launches + ": 1 to " + MOST_LAUNCHES + " make sense");
        }
        if (search.launches > 1 && beyond.factor != null) {
            throw Parse.usage("--launches and --overload: a spike is tried in one process, so leave one of them out");
        }
        Duration probe = time("--probe", search.probe, "5s", Duration.ofMillis(500), Duration.ofMinutes(10));
        Optional<Duration> given = search.hold == null
                ? Optional.empty()
                : Optional.of(time("--hold", search.hold, "60s", Duration.ofMillis(500), Duration.ofHours(12)));
        Duration budget = search.budget == null
                ? BEFORE.plus(given.orElse(HOLD).multipliedBy(confirm))
                : time("--budget", search.budget, "3m", Duration.ofSeconds(5), Duration.ofDays(1));
        if (given.isPresent() && given.get().multipliedBy(confirm).compareTo(budget) >= 0) {
            throw Parse.usage("--hold " + search.hold + ": the --budget of " + Units.text(budget)
                    + " must be longer than that, " + confirm + " times");
        }
        Duration third = budget.dividedBy(3L * confirm);
        Duration hold = longer(probe, given.orElse(third.compareTo(HOLD) < 0 ? third : HOLD));
        return new CapacityOptions(
                slo.orElseThrow(() -> Parse.usage("an SLO is missing: --slo 'p99<50ms,errors<0.1%'")),
                rate("--from", search.from),
                probe,
                precision,
                confirm,
                budget,
                !search.even,
                search.seed == null ? seed : search.seed,
                beyond.rate == null,
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
            if (beyond.rate != null) {
                throw Parse.usage("--rate is for a spike: add --overload 2x");
            }
            refuseWithoutOverload("--spike", beyond.length);
            refuseWithoutOverload("--watch", beyond.watch);
            refuseWithoutOverload("--base", beyond.base);
            return Optional.empty();
        }
        if (beyond.rate != null) {
            refuseSearch();
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
                time("--spike", beyond.length, "10s", Duration.ofMillis(500), Duration.ofMinutes(10)),
                time("--watch", beyond.watch, "30s", Duration.ofSeconds(3), Duration.ofMinutes(30))));
    }

    private void refuseSearch() {
        refuseWithRate("--at-least", search.atLeast);
        refuseWithRate("--from", search.from);
        refuseWithRate("--probe", search.probe);
        refuseWithRate("--precision", search.precision);
        refuseWithRate("--confirm", search.confirm);
        refuseWithRate("--hold", search.hold);
        refuseWithRate("--budget", search.budget);
    }

    private static void refuseWithRate(String option, @Nullable Object given) {
        if (given != null) {
            throw Parse.usage("--rate names the capacity, so nothing is searched: leave out " + option);
        }
    }

    private static void refuseWithoutOverload(String option, @Nullable Object given) {
        if (given != null) {
            throw Parse.usage(option + " goes with --overload, as in --overload 2x");
        }
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

    private static OptionalFigure rate(String option, @Nullable String text) {
        return text == null ? OptionalFigure.empty() : OptionalFigure.of(Parse.rate(option, text));
    }

    private static Duration time(
            String option, @Nullable String given, String otherwise, Duration least, Duration most) {
        String text = given == null ? otherwise : given;
        Duration time = Parse.seconds(option, text);
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw Parse.usage(
                    option + " " + text + ": " + Units.text(least) + " to " + Units.text(most) + " are possible");
        }
        return time;
    }
}
