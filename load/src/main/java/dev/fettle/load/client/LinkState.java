package dev.fettle.load.client;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.transport.Transport;

/**
 * The state of a peer's link across all sockets it uses, the same for every protocol: closed, connecting, open, finally retired.
 * Also keeps the time-out and counts consecutive failures.
 *
 * <p>The time-out is usually postponed: its alarm is set again only when it rings, and the owner then checks whether the time has
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
    private final ClientLimits terms;
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

    /** See {@link Peer#start}. */
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

    /** The connection is established, and the protocol's opening is done. */
    public void connected(long now) {
        phase = Phase.OPEN;
        loop.recorder().connected(now - since);
        clients.connected();
    }

    /** Starts waiting for an answer; the time-out is checked when its time has passed. */
    public void awaitAnswer(long sentAt) {
        arm(sentAt + terms.responseTimeoutNanos());
    }

    /** Whether the connect has taken too long; if not, it is checked again later. */
    public boolean isConnectLate(long now) {
        return isPast(since + terms.connectTimeoutNanos(), now);
    }

    /** Whether the answer has taken too long; if not, it is checked again later. */
    public boolean isAnswerLate(long sentAt, long now) {
        return isPast(sentAt + terms.responseTimeoutNanos(), now);
    }

    private boolean isPast(long deadline, long now) {
        if (now < deadline) {
            arm(deadline);
        }
        return now >= deadline;
    }

    /** Sets the alarm for that time at the latest. An earlier alarm stays set; usually it rings for nothing. */
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

    /** An answer has arrived. */
    public void answered() {
        failuresInRow = 0;
    }

    /** The server closes in an orderly way: the next connect is a reconnect. */
    public void closesInOrder() {
        closedInOrder = true;
    }

    /** The link is closed or about to be: its events no longer matter. */
    public void close() {
        phase = Phase.CLOSED;
    }

    /** The connection was lost or could not be made. Returns how long the clients that fail with it back off, in nanoseconds. */
    public long pauseAfter(ErrorKind kind) {
        failuresInRow++;
        return loop.backOffNanos(failuresInRow, kind);
    }

    /** The connection that could not be made was opened ahead: no client waited for it. */
    public void failedAhead(ErrorKind kind, String what, long pause, long now) {
        clients.first().failedAhead(kind, what, since, pause, now);
    }

    /**
     * Whether the link can stay open until the load ends although its clients have ended: if all end at once, closing would take
     * time from those that still wait for an answer.
     */
    public boolean mayStay() {
        return loop.isOver() && phase == Phase.OPEN;
    }

    /** The link is not opened again. */
    public void retire() {
        phase = Phase.RETIRED;
    }
}
