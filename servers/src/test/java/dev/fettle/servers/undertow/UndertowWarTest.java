package dev.fettle.servers.undertow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.servers.app.Serving;
import dev.fettle.servers.app.War;
import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UndertowWarTest {
    @TempDir
    Path folder;

    /** Includes one page, then forwards to another, which sends the error page. */
    public static final class Front extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher("/part").include(request, response);
            request.getRequestDispatcher("/lost").forward(request, response);
        }
    }

    public static final class Part extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
    }

    public static final class Lost extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(404);
        }
    }

    public static final class Page extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("not here");
        }
    }

    @Test
    void aPageThatIncludesForwardsAndFailsIsOneRequest() throws Exception {
        War war = (War) new Serving.WarFolder(folder, "/", folder).content();
        DeploymentInfo info = Servlets.deployment()
                .setClassLoader(getClass().getClassLoader())
                .setContextPath("/")
                .setDeploymentName("test")
                .addServlet(Servlets.servlet("front", Front.class).addMapping("/front"))
                .addServlet(Servlets.servlet("part", Part.class).addMapping("/part"))
                .addServlet(Servlets.servlet("lost", Lost.class).addMapping("/lost"))
                .addServlet(Servlets.servlet("page", Page.class).addMapping("/page"))
                .addErrorPage(Servlets.errorPage("/page", 404));
        UndertowWar.count(info, war.requests());
        DeploymentManager manager = Servlets.newContainer().addDeployment(info);
        manager.deploy();
        Undertow undertow = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(manager.start())
                .build();
        undertow.start();
        try {
            var address = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/front"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).isEqualTo("not here");
            while (war.finished() == 0) { // counted once the answer is complete, of which the client knows first
                Thread.onSpinWait();
            }
            assertThat(war.finished()).isEqualTo(1);
            assertThat(war.inFlight()).isZero();
        } finally {
            undertow.stop();
            manager.stop();
            manager.undeploy();
        }
    }
}
