package dev.fettle.load.client;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.Transport;

/** The part of an engine thread that its clients and peers see. */
public interface Loop {

    ClientLimits terms();

    LoopClock clock();

    Recorder recorder();

    Transport transport();

    Dispatcher dispatcher();

    /** For clients that pause. */
    Alarms alarms();

    /** For time-outs: rings up to some milliseconds late. */
    Alarms timeouts();

    /** Whether the load is paused: what is under way continues, and nothing new begins. */
    boolean isPaused();

    /** Whether no more iterations are given out; requests under way may still wait for answers. */
    boolean isOver();

    /** Whether the load's time is over: nothing new begins. */
    boolean isTimeUp(long now);

    /** Holds the client until the pause ends; then calls {@link Client#letGo}. */
    void hold(Client client);

    /**
     * How long a client pauses after losing its socket. In the open model it does not pause: every request that is due is tried,
     * so failures can't outnumber requests. Only if this host lacks something (ports, descriptors) does the client pause.
     */
    long backOffNanos(int failuresInRow, ErrorKind kind);

    /** What this thread's connections may hold of what servers send. */
    Budget budget();

    /** Notes something the user should know. Repeated notes are shown once. */
    void note(String text);

    /** A peer has closed for good. */
    void retired();
}
