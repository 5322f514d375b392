package dev.fettle.target;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests inside an application, and answers 500 where it throws. */
final class CountedApp implements App {
    private final App app;
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    CountedApp(App app) {
        this.app = app;
    }

    @Override
    public Response handle(Request request) {
        begun.increment();
        try {
            return app.handle(request);
        } catch (IOException | RuntimeException e) {
            return Response.of(500, TEXT, "the application failed: " + LaunchFailure.words(e) + "\n");
        } finally {
            ended.increment();
        }
    }

    @Override
    public Map<String, Object> facts() {
        return app.facts();
    }

    /** Requests the application is executing now. Ended is read first, so that the answer is never below zero. */
    long inFlight() {
        long over = ended.sum();
        return begun.sum() - over;
    }

    /** Requests the application has finished. */
    long finished() {
        return ended.sum();
    }
}
