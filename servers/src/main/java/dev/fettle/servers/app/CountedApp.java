package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Counts the requests inside an application, and answers 500 if it throws. */
public final class CountedApp implements App, Content {
    private final App app;
    private final Requests requests = new Requests();

    public CountedApp(App app) {
        this.app = app;
    }

    @Override
    public Response handle(Request request) {
        requests.begin();
        try {
            return app.handle(request);
        } catch (IOException | RuntimeException e) {
            return Response.of(500, TEXT, "the application failed: " + LaunchFailure.words(e) + "\n");
        } finally {
            requests.end();
        }
    }

    @Override
    public boolean onIoThread() {
        return app.onIoThread();
    }

    @Override
    public Map<String, Object> facts() {
        return app.facts();
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public long inFlight() {
        return requests.inFlight();
    }

    @Override
    public long finished() {
        return requests.finished();
    }
}
