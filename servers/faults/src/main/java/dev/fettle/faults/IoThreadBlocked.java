package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** The page waits for its service on the thread that reads and writes for all connections: Undertow without a BlockingHandler. Elsewhere it is refused. */
final class IoThreadBlocked implements Fault {
    @Override
    public boolean onIoThread() {
        return true;
    }

    @Override
    public void spoil(Visit visit) {
        // the page itself waits
    }
}
