package dev.fettle.insight;

import dev.fettle.model.Condition;
import dev.fettle.model.Slo;
import java.util.ArrayList;
import java.util.List;

/**
 * What a probe says.
 *
 * @param result whether the SLO was met, or nothing can be said
 * @param broken what was not as the SLO wants it, one phrase each, the first condition of the SLO first; for a void probe, why
 */
public record ProbeVerdict(Result result, List<String> broken) {

    /** Met, broken, or void: then the generator was the limit, and the probe says nothing about the server. */
    public enum Result {
        MET,
        BROKEN,
        VOID
    }

    /**
     * An open load whose server keeps up finishes as many requests as arrive. Below this share a queue grows, and latency
     * depends on how long one watches.
     */
    static final double KEEPS_UP = 0.95;

    /** Send lag that can't decide about a bound on latency: this share of it. */
    private static final double LAG_SHARE = 0.05;

    public ProbeVerdict {
        broken = List.copyOf(broken);
    }

    /** Judges a probe: the generator first, then the SLO's conditions on latency and errors, then whether the server keeps up. */
    public static ProbeVerdict of(Probe probe, Slo slo) {
        List<String> generator = generator(probe, slo);
        if (!generator.isEmpty()) {
            return new ProbeVerdict(Result.VOID, generator);
        }
        var broken = new ArrayList<String>();
        slo.quality().broken(probe).forEach(c -> broken.add(phrase(c, probe)));
        double due = probe.rate() * probe.seconds();
        // three standard deviations of a Poisson count, so that chance alone breaks nothing
        if (probe.finished() < KEEPS_UP * due - 3 * Math.sqrt(due)) {
            broken.add("it finished only " + Say.number(probe.finished() / probe.seconds()) + " of "
                    + Say.number(probe.rate()) + " requests a second");
        }
        return new ProbeVerdict(broken.isEmpty() ? Result.MET : Result.BROKEN, broken);
    }

    /** The lag is in the latency, which counts from when a request was due: what matters is how much of the SLO's bound it is. */
    private static List<String> generator(Probe probe, Slo slo) {
        var reasons = new ArrayList<String>();
        double lag = probe.sendLagP99Millis().orElse(0);
        double most = Math.max(
                GateRules.SEND_LAG_MILLIS, LAG_SHARE * slo.shortestLatency().orElse(0) / 1e6);
        if (lag > most) {
            reasons.add("requests left " + Say.seconds(lag / 1e3) + " late at p99 (at most " + Say.seconds(most / 1e3)
                    + ")");
        }
        if (probe.generatorCpu() > GateRules.GENERATOR_CPU) {
            reasons.add("a generator thread used " + Say.percent(probe.generatorCpu()) + " of its core (at most "
                    + Say.percent(GateRules.GENERATOR_CPU) + ")");
        }
        return reasons;
    }

    private static String phrase(Condition c, Probe probe) {
        String limit = " (" + c.comparison().sign() + " " + text(c, c.bound()) + ")";
        return c.metric().of(probe).stream()
                .mapToObj(v -> (c.metric() == Condition.Metric.ERRORS
                                ? "errors were "
                                : c.metric().id() + " was ")
                        + text(c, v)
                        + limit)
                .findFirst()
                .orElse("there was no valid response");
    }

    private static String text(Condition c, double value) {
        return switch (c.metric().unit()) {
            case NANOS -> Say.nanos(value);
            case SHARE -> Say.percent(value);
            case PER_SECOND -> Say.number(value) + "/s";
        };
    }
}
