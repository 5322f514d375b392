package dev.fettle.lab.measure;

import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import java.util.Set;

/**
 * Whether nobody listens on the address that is loaded: from the first attempt on, for some seconds, every connect was refused. A
 * server that is refused later, or now and then, is a result like any other.
 */
final class RefusedCheck {
    /** A server that is just being started again is back by then. */
    private static final double SECONDS = 3;

    private double refused;
    private boolean somebody;

    void saw(Window w) {
        boolean onlyRefused = w.responses() == 0
                && w.statuses().isEmpty()
                && w.failed() > 0
                && w.errors().keySet().equals(Set.of(ErrorKind.REFUSED));
        boolean nothing = w.failed() == 0 && w.responses() == 0 && w.statuses().isEmpty();
        somebody |= !onlyRefused && !nothing;
        refused += onlyRefused ? (w.endNanos() - w.startNanos()) / 1e9 : 0;
    }

    boolean isSure() {
        return !somebody && refused >= SECONDS;
    }
}
