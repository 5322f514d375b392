package dev.fettle.servers.tomcat;

import dev.fettle.servers.app.Requests;
import dev.fettle.servers.app.War;
import dev.fettle.servers.settings.LaunchFailure;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** A WAR on embedded Tomcat, with JSP, annotations and its context.xml. */
final class TomcatWar {
    private TomcatWar() {}

    /** Adds it to a Tomcat that has not started. */
    static Context add(Tomcat tomcat, War war) {
        tomcat.enableNaming();
        String path = war.context().equals("/") ? "" : war.context();
        Context context = tomcat.addWebapp(path, war.folder().toString());
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            // the server's own libraries contain no fragments and no tag libraries
            scanner.setScanClassPath(false);
        }
        if (context instanceof StandardContext standard) {
            // like the other two servers: Tomcat would continue without a servlet that should load at start-up
            standard.setFailCtxIfServletStartFails(true);
        }
        context.getPipeline().addValve(new Counting(war.requests()));
        return context;
    }

    /**
     * Starts the server. An application that fails does not make Tomcat fail: Tomcat only logs the reason, and would
     * answer 404.
     */
    static void start(Tomcat tomcat, Context context) throws LifecycleException, LaunchFailure {
        try (StartupLog log = StartupLog.open()) {
            try {
                tomcat.start();
            } catch (LifecycleException e) {
                if (context.getState() == LifecycleState.FAILED) {
                    throw LaunchFailure.notDeployed(log.thrown().orElse(e));
                }
                throw e;
            }
            if (!context.getState().isAvailable()) {
                throw log.thrown()
                        .map(LaunchFailure::notDeployed)
                        .orElseGet(() -> LaunchFailure.notDeployed(
                                log.message().orElse("Tomcat does not say why; its log may")));
            }
        }
    }

    /** An asynchronous request counts only as long as it occupies a thread. */
    private static final class Counting extends ValveBase {
        private final Requests requests;

        Counting(Requests requests) {
            super(true);
            this.requests = requests;
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            requests.begin();
            try {
                getNext().invoke(request, response);
            } finally {
                requests.end();
            }
        }
    }
}
