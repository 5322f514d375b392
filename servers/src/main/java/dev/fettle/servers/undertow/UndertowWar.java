package dev.fettle.servers.undertow;

import dev.fettle.servers.app.Requests;
import dev.fettle.servers.app.War;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.war.UndertowDeployment;
import io.undertow.Handlers;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A WAR as a servlet deployment of Undertow.
 *
 * @param handler the handler that serves it, at its context
 */
record UndertowWar(DeploymentManager manager, HttpHandler handler) {
    /**
     * Deploys and starts it.
     *
     * @param executor runs the requests; null: the server's workers
     */
    static UndertowWar deploy(War war, @Nullable Executor executor) throws LaunchFailure {
        List<String> notes = new ArrayList<>();
        try {
            DeploymentInfo info = UndertowDeployment.of(war.folder(), war.context(), war.scratch(), notes);
            if (executor != null) {
                info.setExecutor(executor);
            }
            count(info, war.requests());
            DeploymentManager manager = Servlets.newContainer().addDeployment(info);
            manager.deploy();
            HttpHandler started = manager.start();
            war.note(notes);
            return new UndertowWar(manager, Handlers.path().addPrefixPath(war.context(), started));
        } catch (Exception | LinkageError e) {
            throw LaunchFailure.notDeployed(e);
        }
    }

    /** Counts what clients send: in the inner chain, a forward or an error page would be one more request. */
    static void count(DeploymentInfo info, Requests requests) {
        info.addOuterHandlerChainWrapper(next -> counting(next, requests));
    }

    private static HttpHandler counting(HttpHandler next, Requests requests) {
        ExchangeCompletionListener over = (exchange, proceed) -> {
            requests.end();
            proceed.proceed();
        };
        return exchange -> {
            requests.begin();
            exchange.addExchangeCompleteListener(over);
            next.handleRequest(exchange);
        };
    }

    void undeploy() throws Exception {
        manager.stop();
        manager.undeploy();
    }
}
