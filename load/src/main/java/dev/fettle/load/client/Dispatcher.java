package dev.fettle.load.client;

import dev.fettle.load.schedule.LoadClock;

/** Gives iterations that are due to free clients. One per engine thread, used only by that thread. */
public interface Dispatcher {

    /** Value of {@link #nextDue}: nothing is due before a client is free. */
    long NEVER = Long.MAX_VALUE;

    /** Takes a client that has been free since {@code at}: it begins or finishes now, or begins when something is due. */
    void free(Client client, long at, long now);

    /** Uses up an iteration without sending it; false if there is none left. */
    boolean spend(long now);

    /** When {@link #dispatch} will have something to do. */
    long nextDue();

    /** Gives out what is due while there are free clients. */
    void dispatch(long now);

    /** Whether nothing will be given out any more. */
    boolean isOver(long now);

    /** Follows a new course: the load ends sooner, pauses or resumes. While it is paused, nothing is given out. */
    void follow(LoadClock next);

    /** The load's time is up: gives out what is due to free clients one last time, and stops at {@code until}. */
    void end(long now, long until);

    /** How many iterations were due by the end and not given out. */
    long unsent();
}
