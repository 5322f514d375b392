package dev.fettle.report;

import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;

/** Wording for capacity probes and limits, shared by all reports. */
public final class ProbeWording {
    private ProbeWording() {}

    /** A sentence on where the limit lies. */
    public static String limit(Interval i, boolean longRun) {
        return "The limit, the "
                + (longRun ? "highest rate that meets it in the long run" : "rate at which half of such probes meet it")
                + ", is " + Format.rate(i.estimate())
                + (i.bounded()
                        ? "; with 95 % probability it lies between " + Format.rate(i.low()) + " and "
                                + Format.rate(i.high())
                        : "")
                + ".";
    }

    /** Mean busy worker threads, if the server was watched. */
    public static String busy(Probe p) {
        return p.server().stream()
                .flatMapToDouble(e -> e.get(Aggregate.BUSY_WORKERS).stream())
                .mapToObj(Format::number)
                .findFirst()
                .orElse(Format.NONE);
    }

    /** CPU utilisation, if the server was watched. */
    public static String cpu(Probe p) {
        return p.cpuShare().stream().mapToObj(Format::share).findFirst().orElse(Format.NONE);
    }

    public static String verdict(ProbeVerdict v) {
        return switch (v.result()) {
            case MET -> "meets it";
            case BROKEN -> "breaks it: " + String.join("; ", v.broken());
            case VOID -> "does not count: " + String.join("; ", v.broken());
            case DISTURBED -> "disturbed: " + String.join("; ", v.broken());
        };
    }
}
