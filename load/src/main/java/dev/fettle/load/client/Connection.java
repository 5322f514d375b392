package dev.fettle.load.client;

import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.Transport;

/** The part of a connection that is the same for every protocol: its link is opened when a request needs it. */
public abstract class Connection implements Peer, Transport.Handler, Alarms.Sleeper {

    protected final Loop loop;
    protected final ClientLimits terms;
    protected final Transport.Link link;
    protected final Clients clients;
    protected final LinkState state;
    /** Clients with a request: those that wait to be sent and, where answers come in order, those that wait for theirs. */
    protected final ClientRing ring;

    /** Requests carried now are sent, or the connection for them opened, at the end of the current call. */
    protected boolean gathering;

    /** @param number over all engine threads, from 0 */
    @SuppressWarnings("this-escape") // the link calls back only after it was told to connect
    protected Connection(Loop loop, ScriptFactory scripts, int number) {
        this.loop = loop;
        this.terms = loop.terms();
        this.link = loop.transport().newLink(this);
        this.clients = new Clients(this, loop, scripts, number, terms.inFlight());
        this.state = new LinkState(loop, link, clients, this);
        this.ring = new ClientRing(terms.inFlight());
    }

    /** Sends what is waiting, as far as it can be sent now. */
    protected abstract void flush(long now);

    /** Closes the connection; it may be opened again for the next request. */
    protected abstract void leave();

    @Override
    public final void start(long now) {
        state.start(now);
    }

    @Override
    public boolean isOpen() {
        return state.isOpen();
    }

    @Override
    public boolean isQuiet() {
        return !state.isConnecting() && ring.count() == 0;
    }

    @Override
    public final void carry(Client client, long now) {
        ring.add(client);
        if (!gathering) {
            goOn(now);
        }
    }

    /** Sends what is waiting; connects first if necessary. */
    protected void goOn(long now) {
        if (state.isOpen()) {
            flush(now);
        } else if (state.isClosed() && ring.count() > 0) {
            state.connect(now);
        }
    }

    @Override
    public final Clients clients() {
        return clients;
    }

    @Override
    public final void abandon(long now) {
        clients.abandon(now);
        leave();
        state.retire();
    }
}
