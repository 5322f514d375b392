package dev.fettle.insight.gate;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import java.util.Optional;

/**
 * Whether a server that was loaded from outside was gone or silent before the load ended: until then it answered, from then on nothing
 * but refused or broken connections came, or nothing at all. Few attempts fail then, as a refused one is not repeated at once, and one
 * without an answer fails only when its time is out; but the throughput is a mean over a time in which there was no server. One that
 * answers again before the end was not gone.
 */
public final class ServerLoss {
    /** The rule that voids the figures of a server that was gone. */
    public static final String RULE = "server-gone";

    /** The rule that voids the figures of a server that had stopped to answer. */
    public static final String SILENT = "server-silent";

    /** A server that closes its connections and is being started again may refuse for a moment. */
    private static final double LEAST_SECONDS = 1;

    /** A full collection may stop a healthy one for a second. */
    private static final double LEAST_SILENT_SECONDS = 2;

    private ServerLoss() {}

    /** Why the figures are void; empty if the server was there. */
    public static Optional<Verdict.Reason> of(Measurement m) {
        boolean refused = m.errors().getOrDefault(ErrorKind.REFUSED, 0L) > 0;
        boolean answeredWrongly = m.errors().keySet().stream().anyMatch(ErrorKind::isWrongAnswer);
        if (m.responses() == 0) {
            return Optional.empty();
        }
        double seconds = 0;
        long failed = 0;
        for (Measurement.Window w : m.windows().reversed()) {
            if (w.responses() > 0 || !w.measured() || answeredWrongly && w.failed() > 0) {
                break;
            }
            seconds += w.seconds();
            failed += w.failed();
        }
        if (refused && failed > 0 && seconds >= LEAST_SECONDS) {
            return Optional.of(reason(RULE, m, seconds, "connections were refused: the server was gone"));
        }
        if (m.detail().stuck().isPresent() && seconds >= LEAST_SILENT_SECONDS) {
            long stuck = m.detail().stuck().get().count();
            String waited = stuck == 1 ? "a request waited" : stuck + " requests waited";
            return Optional.of(reason(SILENT, m, seconds, waited + " for one: the server had stopped to answer"));
        }
        return Optional.empty();
    }

    private static Verdict.Reason reason(String rule, Measurement m, double seconds, String why) {
        return new Verdict.Reason(
                rule,
                "no valid response in the last " + Format.seconds(seconds) + " of "
                        + Format.seconds(m.elapsed().toNanos() / 1e9) + ", and " + why
                        + ", and the throughput is a mean over that time, too",
                false);
    }
}
