package dev.fettle.insight.gate;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import java.util.Optional;

/**
 * Whether a server that was loaded from outside was gone before the load ended: until then it answered, from then on nothing but
 * refused or broken connections came. Few attempts fail then, as a refused one is not repeated at once; but the throughput is a mean
 * over a time in which there was no server. One that answers again before the end was not gone.
 */
public final class Gone {
    /** The rule that voids such figures. */
    public static final String RULE = "server-gone";

    /** A server that closes its connections and is being started again may refuse for a moment. */
    private static final double LEAST_SECONDS = 1;

    private Gone() {}

    /** Why the figures are void; empty if the server was there. */
    public static Optional<Verdict.Reason> of(Measurement m) {
        boolean refused = m.errors().getOrDefault(ErrorKind.REFUSED, 0L) > 0;
        boolean answeredWrongly = m.errors().keySet().stream().anyMatch(ErrorKind::isWrongAnswer);
        if (!refused || answeredWrongly || m.responses() == 0) {
            return Optional.empty();
        }
        double seconds = 0;
        long failed = 0;
        for (Measurement.Window w : m.windows().reversed()) {
            if (w.responses() > 0 || !w.measured()) {
                break;
            }
            seconds += w.seconds();
            failed += w.failed();
        }
        return seconds >= LEAST_SECONDS && failed > 0
                ? Optional.of(new Verdict.Reason(
                        RULE,
                        "no valid response in the last " + Say.seconds(seconds) + " of "
                                + Say.seconds(m.elapsed().toNanos() / 1e9)
                                + ", and connections were refused: the server was gone, and the throughput is a mean over that"
                                + " time, too",
                        false))
                : Optional.empty();
    }
}
