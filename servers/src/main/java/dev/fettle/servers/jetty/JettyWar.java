package dev.fettle.servers.jetty;

import dev.fettle.servers.app.Requests;
import dev.fettle.servers.app.War;
import dev.fettle.servers.settings.LaunchFailure;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/**
 * A WAR on embedded Jetty, in its environment for Jakarta EE 11; annotations and JSP work because their libraries are
 * present.
 */
final class JettyWar {
    private JettyWar() {}

    static Handler handler(War war) {
        WebAppContext context = new WebAppContext();
        context.setContextPath(war.context());
        context.setWar(war.folder().toString());
        context.setTempDirectory(war.scratch().toFile());
        // otherwise it would answer 503 and give the reason only in its log
        context.setThrowUnavailableOnStartupException(true);
        return new Counting(context, war.requests());
    }

    /** Starts the server; if the application fails, so does the server. */
    static void start(Server server) throws Exception {
        try {
            server.start();
        } catch (Exception e) {
            WebAppContext context = server.getDescendant(WebAppContext.class);
            Throwable unavailable = context == null ? null : context.getUnavailableException();
            if (unavailable != null) {
                throw LaunchFailure.notDeployed(unavailable);
            }
            throw e;
        }
    }

    private static final class Counting extends Handler.Wrapper {
        private final Requests requests;

        Counting(Handler next, Requests requests) {
            super(next);
            this.requests = requests;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            requests.begin();
            Request.addCompletionListener(request, failure -> requests.end());
            return super.handle(request, response, callback);
        }
    }
}
