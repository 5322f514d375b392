package dev.fettle.lab.agents;

import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.Part;
import dev.fettle.load.Window;
import dev.fettle.load.engine.LoadEngine;
import java.util.function.LongUnaryOperator;

/** What an agent that was lost should have sent since its last window: nobody sends it, and all of it counts as unsent. */
final class UnsentPart {
    private final LongUnaryOperator due;
    private long until;

    UnsentPart(LoadPort.Order order, int index, int of) {
        due = LoadEngine.due(Loads.spec(order.of(new Part(index, of, false))));
    }

    /** Its last window ended at this time of the load, in nanoseconds. */
    void seen(long loadTime) {
        until = loadTime;
    }

    /** What was due from then until now, as a window in which nothing was sent. */
    Window since(long loadTime, long now, int threads) {
        var _ = due.applyAsLong(until);
        long missed = due.applyAsLong(Math.max(until, loadTime));
        long from = now - Math.max(0, loadTime - until);
        until = Math.max(until, loadTime);
        return Window.nothing(from, now, threads, missed, missed);
    }
}
