package dev.fettle.servers.app;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session filter before an application: a visitor without a session gets one, in the memory of this process. A load that keeps no
 * cookies opens one a request.
 */
final class SessionFilter implements App {
    private static final int MOST_SESSIONS = 100_000;
    private static final String COOKIE = "FETTLE_VISIT";

    private final App app;
    private final Sessions sessions = new Sessions(MOST_SESSIONS);

    SessionFilter(App app) {
        this.app = app;
    }

    @Override
    public Response handle(Request request) throws IOException {
        @Nullable String known = sessions.account(Forms.cookie(request.header("Cookie"), COOKIE));
        Response response = app.handle(request);
        // an application that sets a cookie of its own is one with sessions
        return known != null || response.headers().containsKey("Set-Cookie")
                ? response
                : response.with(
                        "Set-Cookie", COOKIE + "=" + sessions.open("visitor") + "; Path=/; HttpOnly; SameSite=Lax");
    }

    @Override
    public Map<String, Object> facts() {
        return app.facts();
    }

    @Override
    public boolean onIoThread() {
        return app.onIoThread();
    }
}
