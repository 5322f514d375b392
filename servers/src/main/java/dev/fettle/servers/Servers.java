package dev.fettle.servers;

import dev.fettle.servers.app.Content;
import dev.fettle.servers.jetty.JettyServer;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.tomcat.TomcatServer;
import dev.fettle.servers.undertow.UndertowServer;
import java.util.Locale;

/**
 * The servers that can be started: those of the table of knobs. Each is started by a lambda, not a method reference, which would load its class:
 * on the class path of a WAR is only one of them.
 */
enum Servers {
    TOMCAT((launch, content) -> TomcatServer.start(launch, content), false),
    JETTY((launch, content) -> JettyServer.start(launch, content), false),
    UNDERTOW((launch, content) -> UndertowServer.start(launch, content), true);

    private final Start start;
    private final boolean ioThreads;

    /** @param ioThreads whether requests run on its I/O threads */
    Servers(Start start, boolean ioThreads) {
        this.start = start;
        this.ioThreads = ioThreads;
    }

    /** How a server is started. */
    private interface Start {
        EmbeddedServer with(Launch launch, Content content) throws Exception;
    }

    /** The server that a command line names. */
    static Servers of(Launch launch) throws LaunchFailure {
        for (Servers server : values()) {
            if (server.name().equals(launch.server().toUpperCase(Locale.ROOT))) {
                return server;
            }
        }
        throw LaunchFailure.badArgument("unknown server '" + launch.server() + "'");
    }

    EmbeddedServer start(Launch launch, Content content) throws Exception {
        return start.with(launch, content);
    }

    /** Whether requests run on its I/O threads, as it is launched. */
    boolean runsOnIoThreads(Launch launch) {
        return ioThreads && !launch.settings().isOn("threads.virtual");
    }
}
