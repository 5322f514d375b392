package dev.fettle.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Things to know about valid figures. */
final class GateAdvice {
    /** Below this a run sees few garbage collections (B-57 of the diagnosis catalogue asks for more than a minute). */
    private static final double SHORT_SECONDS = 5;

    /** Requests of an open load that may wait for a connection without a word. */
    private static final double HELD_SHARE = 0.01;

    private GateAdvice() {}

    static List<String> of(GateInput in) {
        var lines = new ArrayList<String>();
        var shared = new TreeSet<>(in.serverCpus());
        shared.retainAll(in.generatorCpus());
        if (!shared.isEmpty()) {
            lines.add("shared-cpus: target and generator both run on CPU "
                    + String.join(",", shared.stream().map(String::valueOf).toList())
                    + ": figures compare settings with each other, but say little about what the server can do alone");
        }
        if (in.measuredSeconds().isPresent() && in.measuredSeconds().getAsDouble() < SHORT_SECONDS) {
            lines.add("short: " + Say.seconds(in.measuredSeconds().getAsDouble()) + " measured: fewer than "
                    + (int) SHORT_SECONDS + " s hold few garbage collections, so pauses and p99.9 are left to chance");
        }
        if (in.failed().orElse(0) > 0 && in.valid().orElse(0) > 0) {
            double share = in.failed().getAsDouble()
                    / (in.failed().getAsDouble() + in.valid().getAsDouble());
            if (share > 0.001) {
                lines.add("errors: " + Say.percent(share)
                        + " of the attempts failed: latencies are those of the ones that succeeded");
            }
        }
        double think = in.thinkSeconds().orElse(0);
        double busy = in.meanSeconds().orElse(0) / (in.meanSeconds().orElse(0) + think);
        if (think > 0 && busy < GateRules.BUSY_SHARE) {
            lines.add("think-time: a client is busy for " + Say.percent(busy)
                    + " of its time: the think time sets the throughput, so judge by latency");
        }
        if (in.heldShare().orElse(0) > HELD_SHARE) {
            lines.add("held: " + Say.percent(in.heldShare().getAsDouble())
                    + " of the requests were due while every connection was busy: they waited for one, which is in their"
                    + " latency; real users would have opened more connections");
        }
        return lines;
    }
}
