package dev.fettle.insight.gate;

import dev.fettle.model.load.Load;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import java.util.Optional;

/** Whether slow connects tell of SYNs that got no answer and were sent again. */
public final class LostSyns {
    /** The first SYN is sent again after a second (RFC 6298): a TCP connect that took this long has lost one. */
    public static final long SENT_AGAIN_NANOS = Math.round(1e9 * Bounds.value("slow-connect"));

    /** From this share of the connects on, slow ones are too many. */
    public static final double SHARE = Bounds.value("slow-connects");

    private LostSyns() {}

    /**
     * Whether a slow connect of a load has lost a SYN: where a connect is TCP's alone, always. Where its time includes a TLS handshake or
     * HTTP/2's settings, only if the kernel counted SYNs sent again for as many connects as are judged, or the target's accept queue
     * was seen full. Opening a WebSocket is the application's work.
     */
    public static boolean told(Load load, Measurement m, Optional<Evidence> evidence) {
        if (load.wire().connectsByTcpAlone()) {
            return true;
        }
        double again =
                evidence.map(e -> e.get(Aggregate.SYN_RETRANSMITS).orElse(0)).orElse(0.0);
        boolean full = evidence.filter(Evidence::acceptQueueWasFull).isPresent();
        return !load.wire().protocol().isWebSocket()
                && (full || again >= Math.max(1, SHARE * m.connect().count()));
    }
}
