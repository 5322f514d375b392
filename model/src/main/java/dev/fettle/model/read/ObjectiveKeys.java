package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code objective}. */
@Section(value = "objective", doc = "What is best, and what must hold.")
@Rule(
        kind = SOME,
        keys = "maximize minimize limits",
        says = "objective needs 'maximize', for example maximize: throughput")
@Rule(kind = NOT_BOTH, keys = "maximize minimize", says = "an objective has either 'maximize' or 'minimize', not both")
record ObjectiveKeys(
        YamlFields at,

        @Key(
                "What to maximize: valid answers a second, or the highest rate at which the SLO is met, for which each trial searches.")
        @Choice({"throughput", "capacity"})
        Optional<Metric> maximize,

        @Key("What to minimize: the 99th percentile of latency, CPU time a request, or the process's memory in RAM.")
        @Choice({"p99", "cpu-per-request", "memory"})
        Optional<Metric> minimize,

        @Key(
                "A second metric: a tune shows what the first costs in it (the Pareto front of the settings that were tried).")
        @Choice({"throughput", "p99", "cpu-per-request", "memory"})
        Optional<Metric> against,

        @Key("Limits that a setting must keep to count.") Optional<Limits> limits) {

    /** The objective, with what a load has that names none. */
    Objective objective(Arrivals arrivals, Optional<Slo> slo) {
        Objective unnamed = Objective.unnamed(arrivals, at.has("limits") ? Optional.empty() : slo);
        Metric metric = at.has("maximize") && at.has("minimize")
                ? unnamed.metric()
                : minimize.or(() -> maximize).orElse(unnamed.metric());
        return new Objective(
                metric,
                second(metric),
                limits.flatMap(Limits::p99).or(unnamed::p99AtMost),
                limits.flatMap(Limits::errors).orElse(unnamed.errorsAtMost()),
                unnamed.latencies());
    }

    private Optional<Metric> second(Metric metric) {
        if (at.has("against") && metric == Metric.CAPACITY) {
            at.wrong(
                    "against",
                    "capacity has no second metric: what a process uses depends on the rate, and a trial probes many");
            return Optional.empty();
        }
        if (against.filter(metric::equals).isPresent()) {
            at.wrong("against", "'against' is a second metric: the first is %s already".formatted(metric.id()));
            return Optional.empty();
        }
        return against;
    }

    /** What a setting must keep. */
    @Section(value = "limits", doc = "The service level.")
    record Limits(
            @Key("Most that the 99th percentile of latency may be.") @Range(from = "1ns", to = "1h")
            Optional<Duration> p99,

            @Key(value = "Largest share of failed requests.", form = Form.SHARE) @Default("0.1%")
            Optional<Double> errors) {}
}
