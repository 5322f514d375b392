package dev.fettle.load.client;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.transport.Transport;

/**
 * The state of a peer's link over all the sockets it uses up, the same for every protocol: closed, connecting, open, and in the
 * end retired. Also keeps the time-out, and counts failures in a row.
 *
 * <p>The time-out is mostly put off: its alarm is set no more often than it rings, and the owner then checks whether the time has
 * come.
 */
public final class LinkState implements Alarms.Sleeper {

    private enum Phase {
        CLOSED,
        CONNECTING,
        OPEN,
        RETIRED
    }

    private final Loop loop;
    private final Terms terms;
    private final Transport.Link link;
    private final Clients clients;
    private final Alarms.Sleeper owner;

    private Phase phase = Phase.CLOSED;
    private boolean closedInOrder;
    /** When the connect began. */
    private long since;

    private int failuresInRow;
    /** When the alarm rings next. */
    private long rings = Alarms.NEVER;

    /** @param owner rung when a time-out may have passed */
    public LinkState(Loop loop, Transport.Link link, Clients clients, Alarms.Sleeper owner) {
        this.loop = loop;
        this.terms = loop.terms();
        this.link = link;
        this.clients = clients;
        this.owner = owner;
    }

    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    public boolean isConnecting() {
        return phase == Phase.CONNECTING;
    }

    public boolean isOpen() {
        return phase == Phase.OPEN;
    }

    public boolean isRetired() {
        return phase == Phase.RETIRED;
    }

    /** {@link Peer#start}. */
    public void start(long now) {
        if (terms.opensAhead()) {
            connect(now);
        } else {
            clients.begin(now);
        }
    }

    public void connect(long now) {
        phase = Phase.CONNECTING;
        since = now;
        if (closedInOrder) {
            closedInOrder = false;
            loop.recorder().reconnecting();
        }
        arm(now + terms.connectTimeoutNanos());
        link.connect();
    }

    /** The connection is there, and its protocol's opening is done. */
    public void connected(long now) {
        phase = Phase.OPEN;
        loop.recorder().connected(now - since);
        clients.connected();
    }

    /** An answer to what is sent then is waited for: the time-out is looked at when it has passed. */
    public void awaitAnswer(long sentAt) {
        arm(sentAt + terms.responseTimeoutNanos());
    }

    /** Whether the connect has taken too long; if not, it is looked at again. */
    public boolean isConnectLate(long now) {
        return isPast(since + terms.connectTimeoutNanos(), now);
    }

    /** Whether the answer to what was sent then has taken too long; if not, it is looked at again. */
    public boolean isAnswerLate(long sentAt, long now) {
        return isPast(sentAt + terms.responseTimeoutNanos(), now);
    }

    private boolean isPast(long deadline, long now) {
        if (now < deadline) {
            arm(deadline);
        }
        return now >= deadline;
    }

    /** Rings no later than then. An earlier alarm stays set: mostly it rings for nothing. */
    private void arm(long time) {
        if (time < rings) {
            rings = time;
            loop.timeouts().set(time, this);
        }
    }

    @Override
    public void ring(long now) {
        if (now >= rings) {
            rings = Alarms.NEVER;
            owner.ring(now);
        }
    }

    /** An answer came. */
    public void answered() {
        failuresInRow = 0;
    }

    /** The server closes in order, so that the next connect is a reconnect and no news. */
    public void closesInOrder() {
        closedInOrder = true;
    }

    /** The link is closed now, or about to be: its events no longer matter. */
    public void close() {
        phase = Phase.CLOSED;
    }

    /** The connection was lost, or could not be made. How long the clients that fail with it back off, in nanoseconds. */
    public long pauseAfter(ErrorKind kind) {
        failuresInRow++;
        return loop.backOffNanos(failuresInRow, kind);
    }

    /** The connection that could not be made was opened ahead: no client waited for it. */
    public void failedAhead(ErrorKind kind, String what, long pause, long now) {
        clients.first().failedAhead(kind, what, since, pause, now);
    }

    /**
     * Whether the link can be left to the end of the load when its clients are over: then all go at once, and closing would take
     * time from those that still wait for an answer.
     */
    public boolean mayStay() {
        return loop.isOver() && phase == Phase.OPEN;
    }

    /** It opens no more. */
    public void retire() {
        phase = Phase.RETIRED;
    }
}
