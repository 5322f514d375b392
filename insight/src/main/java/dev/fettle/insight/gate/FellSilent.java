package dev.fettle.insight.gate;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * A server that answered, and at the end of a load gave no valid answer any more: it crashed, or refuses everything. The mean over both
 * is the throughput of neither. Of a trial the lab itself sees that a target has died or hangs; this is for loads without a lab.
 */
public final class FellSilent {
    public static final String RULE = "fell-silent";

    private static final double LEAST_SECONDS = 1;
    private static final double LEAST_SHARE = 0.1;

    private FellSilent() {}

    /** The reason why such a load's figures say nothing; empty unless attempts failed, and nothing else, until the end. */
    public static Optional<Verdict.Reason> of(Measurement m) {
        List<Window> measured = m.windows().stream().filter(Window::measured).toList();
        double all = measured.stream().mapToDouble(Window::seconds).sum();
        List<Window> silent =
                measured.reversed().stream().takeWhile(w -> w.responses() == 0).toList();
        double seconds = silent.stream().mapToDouble(Window::seconds).sum();
        boolean failed = silent.stream().anyMatch(w -> w.failed() > 0);
        return m.responses() > 0 && failed && seconds >= Math.max(LEAST_SECONDS, LEAST_SHARE * all)
                ? Optional.of(new Verdict.Reason(
                        RULE,
                        "no valid answer in the last " + Say.seconds(seconds) + " of " + Say.seconds(all)
                                + ", only failures: the figures are means over both",
                        false))
                : Optional.empty();
    }
}
