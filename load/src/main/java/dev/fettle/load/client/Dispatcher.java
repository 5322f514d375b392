package dev.fettle.load.client;

import dev.fettle.load.schedule.Course;

/** Gives the iterations that are due to the clients that are free. One per engine thread, used by that thread alone. */
public interface Dispatcher {

    /** {@link #nextDue}: not before a client is free. */
    long NEVER = Long.MAX_VALUE;

    /** Takes a client that is free since {@code at}, and has it begin or finish now, or begin when something is due. */
    void free(Client client, long at, long now);

    /** Uses up an iteration without sending it; false if there is none left. */
    boolean spend(long now);

    /** When {@link #dispatch} will have something to do. */
    long nextDue();

    /** Gives out what is due, as far as clients are free. */
    void dispatch(long now);

    /** Whether nothing will be given out any more. */
    boolean isOver(long now);

    /** The load ends sooner from now on, pauses, or goes on: while paused it gives out nothing. */
    void follow(Course next);

    /** The load's time is up: gives out what is due to free clients a last time, and stops at {@code until}. */
    void end(long now, long until);

    /** How many iterations were due by the end and not given out. */
    long unsent();
}
