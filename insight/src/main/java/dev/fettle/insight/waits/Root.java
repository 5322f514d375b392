package dev.fettle.insight.waits;

import java.util.Locale;

/**
 * The end of a chain of those who wait: what a part of the threads at work wait for, and what that comes from.
 *
 * @param kind what it is
 * @param subject what is waited for: a lock's class, a pool's or its library's name, the name of threads
 * @param site the method of those who wait from which they wait
 * @param does what who holds or works it does
 * @param where the method in which it does so, perhaps with its caller; blank if nobody does
 * @param calls what that is a part of: the name of a library; may be blank
 * @param waiting how many wait, mean of the moments
 * @param share of the threads at work that they are, 0 to 1, mean of the moments; of event loops: the share of these that are held up
 * @param holders how many hold or work it, mean of the moments
 * @param of how many there could be: threads of a pool, loops of a group; 0 if not known
 * @param taken of those, how many a server's pool keeps for itself
 * @param moments in how many it was seen
 * @param looks how many moments there were
 * @param still the part of those who wait, or hold, that did not move from one moment to the next, 0 to 1
 * @param path what lies between, from those who wait to this; may be blank
 */
public record Root(
        Kind kind,
        String subject,
        String site,
        Wait does,
        String where,
        String calls,
        double waiting,
        double share,
        double holders,
        double of,
        double taken,
        int moments,
        int looks,
        double still,
        String path) {
    /** Between a method and the one of the application that called it. */
    static final String CALLED_FROM = ", called from ";

    /** The method in which who holds it is, without its caller. */
    public String method() {
        int end = where.indexOf(CALLED_FROM);
        return end < 0 ? where : where.substring(0, end);
    }

    /** The kinds of ends. */
    public enum Kind {
        /** A lock whose holder does something. */
        LOCK,
        /** Locks, pools and futures in a ring. */
        RING,
        /** A pool of connections whose holders do something. */
        POOL,
        /** One whose holders wait for another connection of it. */
        POOL_OF_ITSELF,
        /** One of which nobody is seen who holds a connection. */
        POOL_LOST,
        /** A client's pool of connections. */
        CLIENT_POOL,
        /** Permits, or objects that are lent, whose holders do something. */
        PERMITS,
        /** Permits of which nobody is seen who has one. */
        PERMITS_LOST,
        /** A pool of threads all of which do something. */
        EXECUTOR,
        /** A pool of threads all of which wait, where requests can be in its queue: known by how many more are under way than threads work. */
        CREW,
        /** One whose threads wait for tasks of their own pool. */
        EXECUTOR_OF_ITSELF,
        /** A thread or more, not all of its pool, that works for those who wait. */
        WORKER,
        /** Event loops that are held up. */
        LOOP,
        /** As many connections as the server may have. */
        CONNECTIONS,
        /** A server's pool of which little is left for requests. */
        SERVER_POOL,
        /** Tasks of a parallel stream that wait. */
        STREAM,
        /** The log. */
        LOG,
        /** A cache's entry that another thread computes. */
        CACHE,
        /** A call from which threads do not come back. */
        STUCK,
        /** Something that no thread is seen to bring about. */
        NOBODY;

        /**
         * Whether it says that no thread does something, or that none of some threads is left: so it is only known where all threads were
         * seen.
         */
        public boolean needsAll() {
            return switch (this) {
                case POOL_OF_ITSELF,
                        POOL_LOST,
                        PERMITS_LOST,
                        EXECUTOR,
                        CREW,
                        EXECUTOR_OF_ITSELF,
                        LOOP,
                        SERVER_POOL,
                        STUCK,
                        NOBODY -> true;
                default -> false;
            };
        }

        /** Its name in tables of words. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
