package dev.fettle.load;

/**
 * Says when requests are due. One per engine thread, used by that thread alone.
 *
 * <p>Times are nanoseconds since the start of the run, never negative. A closed schedule answers with the moment at which
 * the connection became free; an open one answers with the next arrival, whenever that was, and {@link #WAIT} while none
 * has arrived.
 */
interface Schedule {

    /** Nothing is due yet: park the connection, and ask again at {@link #nextDue()}. */
    long WAIT = -1;

    /** Nothing will be due any more. */
    long OVER = -2;

    /**
     * Takes the next request, for a free connection.
     *
     * @param freedAt when the connection became free
     * @param now the present
     * @return the request's intended send time, or {@link #WAIT}, or {@link #OVER}
     */
    long take(long freedAt, long now);

    /** When the next request is due, {@link Long#MAX_VALUE} if that depends on connections becoming free. */
    long nextDue();

    /** Whether {@link #take} would say {@link #OVER}. */
    boolean isOver(long now);
}
