package dev.fettle.report;

import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.stats.Interval;

/** How a capacity's probes, and the limit they lead to, are called in every kind of report. */
public final class ProbeWording {
    private ProbeWording() {}

    /** Where the limit lies, in a sentence. */
    public static String limit(Interval i) {
        return "The limit, the rate at which half of such probes meet it, is " + NumberText.rate(i.estimate())
                + (i.bounded()
                        ? "; with 95 % probability it lies between " + NumberText.rate(i.low()) + " and "
                                + NumberText.rate(i.high())
                        : "")
                + ".";
    }

    /** Worker threads busy, on average; of a server that was watched. */
    public static String busy(Probe p) {
        return p.evidence().stream()
                .flatMapToDouble(e -> e.busy().stream())
                .mapToObj(NumberText::number)
                .findFirst()
                .orElse(NumberText.NONE);
    }

    /** Share of its CPUs that a server used that was watched. */
    public static String cpu(Probe p) {
        return p.evidence().stream()
                .flatMapToDouble(e -> e.cpuShare().stream())
                .mapToObj(NumberText::share)
                .findFirst()
                .orElse(NumberText.NONE);
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
