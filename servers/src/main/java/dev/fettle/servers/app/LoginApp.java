package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A small web application. {@code GET /} calls the backend and renders a login page; {@code POST /login} calls the
 * backend and opens a session; {@code GET /home} greets a logged-in user. The thread waits while the backend answers.
 */
final class LoginApp implements App {
    /**
     * The application's own work, chosen so that the whole request costs about 0.2 ms of CPU, including the server's
     * part.
     */
    static final Duration DEFAULT_CPU = Duration.ofNanos(100_000);

    private static final int MOST_SESSIONS = 100_000;
    private static final String COOKIE = "FETTLE_SESSION";

    private final Fault fault;
    private final BackendClient backend;
    private final CpuBurner burner;
    private final int iterations;
    private final Sessions sessions = new Sessions(MOST_SESSIONS);
    private final String template = resource("login.html");

    LoginApp(BackendClient backend, CpuBurner burner, Duration cpu, Fault fault) {
        this.fault = fault;
        this.backend = backend;
        this.burner = burner;
        this.iterations = burner.iterations(cpu);
    }

    @Override
    public Response handle(Request request) throws IOException {
        if (fault != Fault.NONE) {
            fault.spoil(new Visitor(request, backend));
        }
        return switch (request.method() + " " + request.path()) {
            case "GET /", "HEAD /" -> page(request);
            case "POST /login" -> login(request);
            case "GET /home", "HEAD /home" -> home(request);
            default -> html(404, "Not found", "There is no such page.");
        };
    }

    @Override
    public boolean onIoThread() {
        return fault.onIoThread();
    }

    private record Visitor(Request request, BackendClient client) implements Fault.Visit {
        @Override
        public String userAgent() {
            @Nullable String agent = request.header("User-Agent");
            return agent == null ? "" : agent;
        }

        @Override
        public boolean keep(String name, byte[] value) {
            return request.keep(name, value);
        }

        @Override
        public void backend() throws IOException {
            client.call();
        }
    }

    private Response page(Request request) {
        String csrf = sessions.token();
        String notice;
        try {
            notice = backend.call();
        } catch (IOException e) {
            return badGateway(e);
        }
        String agent = request.header("User-Agent");
        return Response.of(
                200,
                HTML,
                render(Map.of(
                        "csrf", csrf,
                        "notice", Forms.escape(notice),
                        "agent", Forms.escape(agent == null ? "an unnamed browser" : agent),
                        "work", work(csrf))));
    }

    private Response login(Request request) throws IOException {
        Map<String, String> form = Forms.parse(new String(request.body(), StandardCharsets.UTF_8));
        String account = form.getOrDefault("account", "");
        if (account.isBlank() || form.getOrDefault("password", "").isBlank()) {
            return seeOther("/");
        }
        try {
            backend.call();
        } catch (IOException e) {
            return badGateway(e);
        }
        work(account);
        return seeOther("/home")
                .with("Set-Cookie", COOKIE + "=" + sessions.open(account) + "; Path=/; HttpOnly; SameSite=Lax");
    }

    private Response home(Request request) {
        @Nullable String account = sessions.account(Forms.cookie(request.header("Cookie"), COOKIE));
        if (account == null) {
            return seeOther("/");
        }
        return html(200, "Home", "Welcome, " + Forms.escape(account) + ". Page " + work(account) + ".");
    }

    private String work(String seed) {
        return HexFormat.of().toHexDigits(CpuBurner.burn(seed.hashCode(), iterations));
    }

    /** Fills the template's ${name} placeholders in one pass. */
    private String render(Map<String, String> values) {
        StringBuilder out = new StringBuilder(template.length() + 512);
        int at = 0;
        for (int open = template.indexOf("${"); open >= 0; open = template.indexOf("${", at)) {
            int close = template.indexOf('}', open);
            out.append(template, at, open).append(values.getOrDefault(template.substring(open + 2, close), ""));
            at = close + 1;
        }
        return out.append(template, at, template.length()).toString();
    }

    private static Response seeOther(String location) {
        return Response.of(303, HTML, "").with("Location", location);
    }

    private static Response badGateway(IOException e) {
        return html(502, "Bad gateway", "The backend gave no answer: " + Forms.escape(LaunchFailure.words(e)) + ".");
    }

    private static Response html(int status, String title, String text) {
        return Response.of(
                status,
                HTML,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + title
                        + "</title></head>\n<body><h1>" + title + "</h1>\n<p>" + text + "</p></body>\n</html>\n");
    }

    private static String resource(String name) {
        try (InputStream in = LoginApp.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("iterationsPerMs", burner.iterationsPerMilli());
        facts.put("iterationsPerRequest", iterations);
        return facts;
    }
}
