package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/**
 * A page that opens a session for every visitor, which lives for the server's half an hour: a client that sends no cookie
 * gets a new one with each request.
 */
final class SessionPerRequest implements Fault {
    private static final int PROFILE = 2 * 1024;

    @Override
    public void spoil(Visit visit) {
        if (!visit.keep("profile", new byte[PROFILE])) {
            throw new IllegalStateException("this server has no sessions: the fault is one of Tomcat");
        }
    }
}
