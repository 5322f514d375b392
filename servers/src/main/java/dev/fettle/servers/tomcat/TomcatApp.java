package dev.fettle.servers.tomcat;

import dev.fettle.servers.app.App;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Presents a servlet request to an application. */
final class TomcatApp extends HttpServlet {
    private final transient App app;

    TomcatApp(App app) {
        this.app = app;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        App.Response answer = app.handle(new ServletView(request));
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        answer.headers().forEach(response::addHeader);
        response.getOutputStream().write(answer.body());
    }

    private record ServletView(HttpServletRequest request) implements App.Request {
        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getRequestURI();
        }

        @Override
        public String query() {
            String query = request.getQueryString();
            return query == null ? "" : query;
        }

        @Override
        public @Nullable String header(String name) {
            return request.getHeader(name);
        }

        @Override
        public byte[] body() throws IOException {
            return request.getInputStream().readNBytes(App.MAX_BODY);
        }

        @Override
        public boolean keep(String name, byte[] value) {
            request.getSession(true).setAttribute(name, value);
            return true;
        }
    }
}
