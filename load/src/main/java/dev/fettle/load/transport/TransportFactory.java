package dev.fettle.load.transport;

import dev.fettle.load.LoadRun;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import java.io.IOException;

/**
 * Opens the transports of a load, one per engine thread. What they share, such as trusted certificates, is read once.
 */
public interface TransportFactory {

    /**
     * A transport for one engine thread. May be called by another thread.
     *
     * @param budget of that thread, for what servers make its links hold
     * @throws IOException if this host lacks what it needs
     */
    Transport open(Recorder recorder, LoopClock clock, Budget budget) throws IOException;

    /** Which transport is used and, if it is not the better one, why. One line for {@link LoadRun#notes()}. */
    String note();
}
