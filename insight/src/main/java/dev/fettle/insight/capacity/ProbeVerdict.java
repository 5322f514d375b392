package dev.fettle.insight.capacity;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The verdict on a probe.
 *
 * @param result whether the SLO was met, or that nothing can be said
 * @param broken which conditions of the SLO were not met, one phrase each, in the SLO's order; for a void probe, why it
 *     is void; for a disturbed one, what disturbed it and then which conditions were not met
 */
public record ProbeVerdict(Result result, List<String> broken) {

    /** Possible verdicts. */
    public enum Result {
        /** The SLO was met. A probe that meets it although disturbed counts as met. */
        MET,
        /** The SLO was not met. */
        BROKEN,
        /** The generator was the limit, so the probe says nothing about the server. */
        VOID,
        /**
         * The SLO was not met, or the generator was late, while CPU time was stolen or other processes used it. The
         * cause need be neither the server nor the rate, so the probe says nothing, however often this happens.
         */
        DISTURBED
    }

    /**
     * An open load whose server keeps up finishes as many requests as arrive ({@link Probe#served}). Below this share a queue grows, and
     * latency depends on how long the probe lasts.
     */
    static final double KEEPS_UP = 0.95;

    public ProbeVerdict {
        broken = List.copyOf(broken);
    }

    /** Judges a probe: the generator first, then the SLO's conditions on latency and errors, then whether the server keeps up. */
    public static ProbeVerdict of(Probe probe, Slo slo) {
        Optional<String> disturbance = disturbance(probe.seen().evidence());
        List<String> generator = generator(probe, slo);
        if (!generator.isEmpty()) {
            return disturbed(Result.VOID, disturbance, generator);
        }
        var broken = new ArrayList<String>();
        slo.quality().broken(probe).forEach(c -> broken.add(phrase(c, probe)));
        double due = probe.rate() * probe.seconds();
        // a margin of three standard deviations of a Poisson count, so that chance alone breaks nothing
        if (probe.served() < KEEPS_UP * due - 3 * Math.sqrt(due)) {
            broken.add("it finished only " + Format.number(probe.served() / probe.seconds()) + " of "
                    + Format.number(probe.rate())
                    + (probe.each().requests() > 1 ? " iterations a second" : " requests a second"));
        }
        if (broken.isEmpty()) {
            return new ProbeVerdict(Result.MET, broken);
        }
        return disturbed(Result.BROKEN, disturbance, broken);
    }

    /** The given result; or, if the probe was disturbed, that it was. */
    private static ProbeVerdict disturbed(Result result, Optional<String> disturbance, List<String> reasons) {
        return disturbance.isEmpty()
                ? new ProbeVerdict(result, reasons)
                : new ProbeVerdict(
                        Result.DISTURBED,
                        Stream.concat(disturbance.stream(), reasons.stream()).toList());
    }

    /** As the verdict on a trial. */
    public Verdict asVerdict() {
        String rule = result.name().toLowerCase(Locale.ROOT);
        List<Verdict.Reason> reasons =
                broken.stream().map(b -> new Verdict.Reason(rule, b, true)).toList();
        List<Verdict.Advisory> advisories =
                broken.stream().map(b -> new Verdict.Advisory(rule, b)).toList();
        return switch (result) {
            case MET, BROKEN -> new Verdict(List.of(), advisories);
            case VOID, DISTURBED -> new Verdict(reasons);
        };
    }

    /** Reads back what was made a trial's verdict; advisories of other rules may have been added to it. */
    public static ProbeVerdict read(Verdict verdict) {
        for (Result result : List.of(Result.VOID, Result.DISTURBED, Result.BROKEN)) {
            String rule = result.name().toLowerCase(Locale.ROOT);
            List<String> broken = Stream.concat(
                            verdict.reasons().stream()
                                    .filter(r -> r.rule().equals(rule))
                                    .map(Verdict.Reason::message),
                            verdict.advisories().stream()
                                    .filter(a -> a.rule().equals(rule))
                                    .map(Verdict.Advisory::message))
                    .toList();
            if (!broken.isEmpty()) {
                return new ProbeVerdict(result, broken);
            }
        }
        return new ProbeVerdict(Result.MET, List.of());
    }

    private static Optional<String> disturbance(Evidence e) {
        double server = e.get(Aggregate.SERVER_STEAL).orElse(0);
        double generator = e.get(Aggregate.GENERATOR_STEAL).orElse(0);
        if (Math.max(server, generator) > Steal.MOST) {
            return Optional.of(Format.share(Math.max(server, generator)) + " of the "
                    + (server >= generator ? "server's" : "generator's") + " CPU time was stolen by the hypervisor");
        }
        return e.get(Aggregate.FOREIGN_CPU).orElse(0) > GateRules.FOREIGN_CPU
                ? Optional.of("other processes used "
                        + Format.share(e.get(Aggregate.FOREIGN_CPU).getAsDouble()) + " of the CPUs")
                : Optional.empty();
    }

    private static List<String> generator(Probe probe, Slo slo) {
        var reasons = new ArrayList<String>();
        long attempts = probe.responses() + probe.failed();
        if (probe.own() > GateRules.OWN_SHARE * attempts) {
            reasons.add(Format.whole(probe.own()) + " of " + Format.whole(attempts)
                    + " attempts (at most 0.1 %) failed on the generator's own host, which had no file descriptor or local"
                    + " port left");
        }
        double lag = probe.sendLagP99Millis().orElse(0);
        double most = GateRules.sendLagMillis(slo);
        if (lag > most) {
            reasons.add("the generator was " + Format.seconds(lag / 1e3) + " late at p99 (at most "
                    + Format.seconds(most / 1e3) + ")");
        }
        if (probe.generatorCpu() > GateRules.GENERATOR_CPU) {
            reasons.add("a generator thread used " + Format.share(probe.generatorCpu()) + " of its core (at most "
                    + Format.share(GateRules.GENERATOR_CPU) + ")");
        }
        return reasons;
    }

    private static String phrase(Condition c, Probe probe) {
        String limit = " (" + c.comparison().sign() + " " + FigureText.bound(c) + ")";
        return c.metric().of(probe).stream()
                .mapToObj(v -> (c.metric() == Condition.Metric.ERRORS
                                ? "errors were "
                                : c.metric().id() + " was ")
                        + FigureText.figure(c, v)
                        + limit)
                .findFirst()
                .orElse("there was no valid response");
    }
}
