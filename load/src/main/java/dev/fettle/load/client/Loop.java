package dev.fettle.load.client;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.Transport;

/** What clients and peers see of the engine thread that they belong to. */
public interface Loop {

    Terms terms();

    LoopClock clock();

    Recorder recorder();

    Transport transport();

    Dispatcher dispatcher();

    /** For clients that think or back off. */
    Alarms alarms();

    /** For time-outs: rung with a delay of some milliseconds. */
    Alarms timeouts();

    /** Whether the load pauses: what is under way goes on, and nothing is begun. */
    boolean isPaused();

    /** Whether nothing more is given out; those under way may still wait for their answers. */
    boolean isOver();

    /** The load's end has come: nothing is begun any more. */
    boolean isTimeUp(long now);

    /** The client waits for the end of the pause: then it is {@link Client#letGo}. */
    void hold(Client client);

    /**
     * How long a client pauses that has lost its socket. In the open model it does not: every request that is due is tried,
     * and there are no more failures than requests. But a client that lacks something on this host gives it time.
     */
    long backOffNanos(int failuresInRow, ErrorKind kind);

    /** Something that the user should know. Said once, however often it is noted. */
    void note(String text);

    /** A peer has closed for good. */
    void retired();
}
