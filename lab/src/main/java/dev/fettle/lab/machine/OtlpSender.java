package dev.fettle.lab.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends figures to a receiver of the OpenTelemetry protocol over HTTP, on a thread of its own: whoever makes the figures never waits for it. One
 * request at a time; while a receiver is slow or gone, those that would have been due are left out, and counted.
 */
public final class OtlpSender implements AutoCloseable {
    /** How often; a load of some seconds has some points. */
    private static final Duration EVERY = Duration.ofSeconds(5);

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** What OpenTelemetry's own exporters wait for an answer. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** The end of a command may be late by so much. */
    private static final Duration LAST = Duration.ofSeconds(5);

    private static final int MOST_OF_AN_ANSWER = 16 << 10;

    private static final ObjectMapper JSON = Json.mapper();

    /**
     * What is to be sent.
     *
     * @param points figures in it
     */
    public record Body(String json, long points) {}

    /**
     * What became of it.
     *
     * @param sent requests that were accepted
     * @param dropped requests that were not, or were left out as the one before was still under way
     * @param points figures in those, and figures that the receiver refused
     * @param why of the last that was not accepted
     */
    public record Sent(long sent, long dropped, long points, Optional<String> why) {}

    private final URI to;
    private final Map<String, String> headers;
    private final Supplier<Body> figures;
    private final HttpClient client = DirectHttp.client(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread;
    private Sent all = new Sent(0, 0, 0, Optional.empty());

    private OtlpSender(URI to, Map<String, String> headers, Supplier<Body> figures) {
        this.to = to;
        this.headers = Map.copyOf(headers);
        this.figures = figures;
        this.thread = Thread.ofPlatform().daemon().name("otlp").unstarted(this::send);
    }

    /**
     * Begins to send.
     *
     * @param to where to, path included
     * @param headers sent with each request
     * @param figures what is known at that moment; called by a thread of the sender's
     */
    public static OtlpSender start(URI to, Map<String, String> headers, Supplier<Body> figures) {
        var sender = new OtlpSender(to, headers, figures);
        sender.thread.start();
        return sender;
    }

    private void send() {
        try {
            long due = System.nanoTime();
            boolean last = false;
            while (!last) {
                due += EVERY.toNanos();
                last = ending.await(due - System.nanoTime(), TimeUnit.NANOSECONDS);
                once(last ? LAST : ANSWER);
                for (; due + EVERY.toNanos() < System.nanoTime(); due += EVERY.toNanos()) {
                    dropped(0, "the one before was still under way");
                }
            }
        } catch (InterruptedException e) {
            dropped(0, "no answer by the end");
        }
    }

    private void once(Duration within) throws InterruptedException {
        Body body = figures.get();
        try {
            var request = HttpRequest.newBuilder(to).timeout(within).header("Content-Type", "application/json");
            headers.forEach(request::setHeader);
            HttpResponse<InputStream> answer = client.send(
                    request.POST(BodyPublishers.ofString(body.json())).build(), BodyHandlers.ofInputStream());
            String text;
            try (InputStream in = answer.body()) {
                text = new String(in.readNBytes(MOST_OF_AN_ANSWER), StandardCharsets.UTF_8);
            }
            if (answer.statusCode() / 100 == 2) {
                accepted(text);
            } else {
                dropped(body.points(), "it answered " + answer.statusCode());
            }
        } catch (IOException e) {
            String nobody =
                    e instanceof ConnectException ? "nobody listens there, or it can't be reached" : "no answer";
            dropped(body.points(), e.getMessage() == null ? nobody : e.getMessage());
        }
    }

    private void accepted(String answer) {
        long refused = 0;
        String why = "";
        try {
            JsonNode partial = JSON.readTree(answer).path("partialSuccess");
            refused = Math.max(0, partial.path("rejectedDataPoints").asLong());
            why = partial.path("errorMessage").asText();
        } catch (IOException e) {
            refused = 0; // the answer says no more than its status
        }
        synchronized (this) {
            all = new Sent(
                    all.sent() + 1,
                    all.dropped(),
                    all.points() + refused,
                    refused > 0 ? Optional.of(OneLine.of("it refused figures: " + why)) : all.why());
        }
    }

    private synchronized void dropped(long points, String why) {
        all = new Sent(all.sent(), all.dropped() + 1, all.points() + points, Optional.of(OneLine.of(why)));
    }

    /** What became of what was sent so far. */
    public synchronized Sent sent() {
        return all;
    }

    /** Sends a last time what is known now, and ends; after some seconds in any case. */
    @Override
    public void close() {
        ending.countDown();
        boolean interrupted = Thread.interrupted();
        try {
            if (!thread.join(LAST.plusSeconds(1))) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            interrupted = true;
            thread.interrupt();
        }
        client.shutdownNow();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
