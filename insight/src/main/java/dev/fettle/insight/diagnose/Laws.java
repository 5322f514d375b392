package dev.fettle.insight.diagnose;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the operational laws say about a trial, or why one does not apply. */
final class Laws {
    private static final String NO_RAMP =
            "The universal scalability law is not used: it needs a ramp over several numbers of clients, which --ramp drives.";

    /** Clients for each response: above this, what is far from 1 is no agreement. */
    private static final double FEW = 0.1;

    private Laws() {}

    static List<String> of(TrialFacts s, Optional<DiagnoseConclusion.Ramp> ramp) {
        var laws = new ArrayList<String>();
        laws.add(little(s));
        laws.add(utilisation(s));
        laws.add(holding(s));
        laws.add(ramp.map(DiagnoseConclusion.Ramp::words).orElse(NO_RAMP));
        return laws;
    }

    private static String little(TrialFacts s) {
        var load = s.trial().spec().load();
        if (!(load.arrivals() instanceof Arrivals.Closed)) {
            return "Little's law is not used: an open load has no number of clients to check against.";
        }
        if (s.latency().isEmpty() || s.point().isEmpty()) {
            return "Little's law is not used: " + s.noAnswers() + ".";
        }
        double x = s.point().get().throughput();
        double r = s.latency().getAsDouble();
        double z = load.thinkSeconds();
        double share = x * (r + z) / load.clients();
        // a request in flight at the beginning or the end counts with all its time or not at all
        double ends = s.measurement()
                .map(m -> (double) load.clients() / Math.max(1, m.responses()))
                .orElse(0.0);
        return "Little's law: " + Format.number(x) + "/s × (" + Format.seconds(r)
                + (z > 0 ? " + " + Format.seconds(z) : "")
                + ") / " + load.clients() + " clients = " + Format.ratio(share)
                + (share > 1.02 + ends || share < 0.9 - ends
                        ? ": it does not come out at 1, so latencies or throughput leave something out (requests that"
                                + " failed, or that straddle the ends)."
                        : ends > FEW && (share > 1.02 || share < 0.9)
                                ? ": with so few responses for each client, those at the ends can make such a difference, and"
                                        + " nothing follows from it."
                                : ": the figures belong together.");
    }

    private static String utilisation(TrialFacts s) {
        OptionalFigure ceiling = OptionalFigure.from(s.point(), OperatingPoint::cpuCeiling);
        if (ceiling.isEmpty()) {
            return "The utilisation law is not used: CPU time per request is not known"
                    + s.point()
                            .filter(OperatingPoint::otherWork)
                            .map(c -> " (" + OperatingPoint.OTHER_WORK + ").")
                            .orElse(".");
        }
        OperatingPoint c = s.point().orElseThrow();
        return "Utilisation law: " + Format.seconds(c.cpuPerRequest().orElse(0)) + " of CPU a request × "
                + Format.number(c.served()) + "/s = "
                + Format.share(c.utilisation().orElse(0)) + " of " + c.cpus()
                + "; they would be full at " + Format.number(ceiling.getAsDouble()) + "/s.";
    }

    private static String holding(TrialFacts s) {
        Optional<String> doubted = s.busyDoubted();
        if (s.holding().isEmpty() && doubted.isEmpty() || s.latency().isEmpty()) {
            return "The law of holding times is not used: busy workers were not observed.";
        }
        OperatingPoint c = s.point().orElseThrow();
        if (s.busy().orElse(0) <= 0) {
            return "The law of holding times is not used: no worker was ever seen busy.";
        }
        if (doubted.isPresent()) {
            return "The law of holding times is not used: " + doubted.get() + ".";
        }
        return "Holding time: " + Format.count(s.busy().orElse(0)) + " busy workers / "
                + Format.number(c.served()) + "/s = "
                + Format.seconds(s.holding().getAsDouble()) + " a request, of "
                + Format.seconds(s.latency().getAsDouble())
                + " latency"
                + (c.cpuPerRequest().isPresent()
                        ? " and for " + Format.seconds(c.cpuPerRequest().getAsDouble()) + " of CPU."
                        : ".");
    }
}
