package dev.fettle.servers.app;

import java.io.IOException;

/**
 * Something that is wrong with the {@code login} application: called for every request, on the thread that runs it. There is none
 * unless {@code app.fault} names one; they are a jar of their own, with the libraries that they need.
 */
public interface Fault {
    /** The class that makes one of its name: it has a method {@code static Fault of(String)}. */
    String MAKER = "dev.fettle.faults.Faults";

    /** None. */
    Fault NONE = visit -> {};

    /** Does to a request what is wrong. */
    void spoil(Visit visit) throws IOException;

    /** Whether requests run on the thread that reads and writes for their connections; a server that has no such way refuses to start. */
    default boolean onIoThread() {
        return false;
    }

    /** A request, as far as a fault needs it. */
    interface Visit {
        /** What the browser calls itself. */
        String userAgent();

        /** Keeps a value in the visitor's session; false where the server has no sessions. */
        boolean keep(String name, byte[] value);

        /** Calls the service behind the page. */
        void backend() throws IOException;
    }
}
