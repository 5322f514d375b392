package dev.fettle.model.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Json;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a HAR file (HTTP Archive 1.2, as browsers save it) into a scenario: the requests to one host, in order. */
public final class HarImport {
    /** Headers of the recorded host, which need not be the one that is loaded. */
    private static final Set<String> OF_THE_HOST = Set.of("host", "origin", "referer");

    private static final String ASSETS =
            ".*\\.(css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp4|webm)";

    private final boolean all;
    private final boolean think;
    private final Draft draft = new Draft();
    private final TreeMap<String, Integer> leftOut = new TreeMap<>();
    private String host = "";
    private boolean redirects;
    /** When the last request kept was answered; negative: none yet. */
    private long answered = -1;

    private HarImport(boolean all, boolean think) {
        this.all = all;
        this.think = think;
    }

    /**
     * Reads a recording.
     *
     * @param all whether to keep requests for images, style sheets, scripts and fonts
     * @param think whether the user's pauses become think times
     * @throws ImportException if it is not a HAR file, or no request is left
     */
    public static Imported read(String har, boolean all, boolean think) {
        JsonNode entries;
        try {
            entries = Json.unlimited().readTree(har).path("log").path("entries");
        } catch (StreamConstraintsException e) {
            throw new ImportException("not a HAR file: nested too deeply, or a number is too long");
        } catch (JsonProcessingException e) {
            throw new ImportException("not a HAR file: no JSON (line "
                    + Math.max(1, e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + ")");
        }
        if (!entries.isArray()) {
            throw new ImportException("not a HAR file: it has no log.entries");
        }
        return new HarImport(all, think).imported(entries);
    }

    private Imported imported(JsonNode entries) {
        HarOrder.of(entries, draft.notes).forEach(this::entry);
        if (draft.steps.isEmpty()) {
            throw new ImportException("the HAR file has no request that can be sent");
        }
        leftOut.forEach((why, count) -> draft.notes.add("left out: " + count + " " + why));
        if (redirects) {
            draft.notes.add("redirects are not followed: each request of one is a step of its own, as it was recorded");
        }
        draft.notes.add("cookies are kept by each user's jar, from the answers");
        draft.notes.add("run it: fettle bench " + host + "/ --scenario FILE");
        return ScenarioYaml.of("Imported from a HAR file: " + host + ".", draft);
    }

    private void entry(JsonNode entry) {
        JsonNode request = entry.path("request");
        RequestUrl url = url(request.path("url").asText());
        String method = request.path("method").asText().toUpperCase(Locale.ROOT);
        JsonNode status = entry.path("response").path("status");
        if (isWebSocket(request.path("url").asText(), entry)) {
            skip("that open a WebSocket, whose messages are no steps of a recording");
            return;
        }
        if (status.isNumber() && status.asInt() <= 0) {
            skip("without an answer: blocked, aborted, or not sent at all");
            return;
        }
        if (isEventStream(entry)) {
            skip("that read a stream of events, which does not end");
            return;
        }
        if (url == null || !url.hasHost()) {
            skip(
                    HTTP.matcher(request.path("url").asText()).lookingAt()
                            ? "with a URL that can't be sent"
                            : "without an http URL");
            return;
        }
        String origin = url.origin();
        if (host.isEmpty()) {
            host = origin;
        }
        if (!origin.equals(host)) {
            skip("to " + origin);
        } else if (method.equals("OPTIONS")
                && !HarBody.header(request, "access-control-request-method").isEmpty()) {
            skip("that ask for leave to send another one (preflights), as browsers alone do");
        } else if (!Request.METHODS.contains(method)) {
            skip("with a method that is not sent");
        } else if (!all && isAsset(url, entry.path("response"))) {
            skip("for images, styles, scripts and fonts (--all keeps them)");
        } else {
            step(entry, method, url);
        }
    }

    private static final Pattern HTTP = Pattern.compile("(?i)https?://");

    private void skip(String why) {
        leftOut.merge(why, 1, Integer::sum);
    }

    private static @Nullable RequestUrl url(String text) {
        try {
            return RequestUrl.read(text, " |{}[]\"<>^`\\");
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static boolean isAsset(RequestUrl url, JsonNode response) {
        String type = response.path("content").path("mimeType").asText().toLowerCase(Locale.ROOT);
        String path = url.path().toLowerCase(Locale.ROOT);
        return type.matches("(image|font|video|audio)/.*|text/css.*|(text|application)/(x-)?javascript.*")
                || path.matches(ASSETS);
    }

    private void step(JsonNode entry, String method, RequestUrl url) {
        JsonNode request = entry.path("request");
        String path = draft.path(url.path());
        var step = new Draft.Step(method, url.query().isEmpty() ? path : path + "?" + draft.query(url.query()));
        for (JsonNode header : request.path("headers")) {
            String name = header.path("name").asText();
            if (!OF_THE_HOST.contains(name.toLowerCase(Locale.ROOT))) {
                draft.header(step, name, Templates.escape(header.path("value").asText()));
            }
        }
        if (!body(step, request)) {
            return;
        }
        int status = entry.path("response").path("status").asInt();
        if (status == 304) {
            step.status = OptionalInt.of(200); // the recording browser had the page cached, these users do not
        } else if (status >= 200 && status <= 599) {
            step.status = OptionalInt.of(status);
            redirects |= status >= 300 && status < 400;
        }
        if (status >= 400) {
            draft.notes.add("some answers were errors when they were recorded, and are expected as such");
        }
        pause(entry);
        draft.steps.add(step);
    }

    private static boolean isWebSocket(String url, JsonNode entry) {
        return url.regionMatches(true, 0, "ws:", 0, 3)
                || url.regionMatches(true, 0, "wss:", 0, 4)
                || entry.path("response").path("status").asInt() == 101
                || entry.path("_resourceType").asText().equals("websocket");
    }

    private static boolean isEventStream(JsonNode entry) {
        return entry.path("_resourceType").asText().equals("eventsource")
                || entry.path("response")
                        .path("content")
                        .path("mimeType")
                        .asText()
                        .toLowerCase(Locale.ROOT)
                        .startsWith("text/event-stream");
    }

    /** Adds the body; false if the step can't be sent without one that no scenario holds. */
    private boolean body(Draft.Step step, JsonNode request) {
        HarBody body = HarBody.of(request);
        String what = step.method + " " + step.path.split("\\?", 2)[0];
        switch (body) {
            case HarBody.None() -> {}
            case HarBody.Text(String text, boolean form) -> draft.body(step, Templates.escape(text), form);
            case HarBody.Parts parts -> parts.into(step, draft);
            case HarBody.Lost(String why) -> {
                draft.notes.add(what + ": " + why
                        + "; put it in as the variable of this step, without which the file is refused");
                step.body = Optional.of(draft.missing("the body of " + what + ": " + why));
            }
            case HarBody.Unfit(String why) -> {
                draft.notes.add("left out: " + what + ": " + why + "; later steps may depend on it");
                return false;
            }
        }
        return true;
    }

    /** Records the time since the last answer as think time. */
    private void pause(JsonNode entry) {
        Optional<Instant> time = HarOrder.time(entry);
        if (time.isEmpty()) {
            return; // no time, no pause
        }
        long started = time.get().toEpochMilli();
        long gap = started - answered;
        if (think && answered >= 0 && gap > 0 && !draft.steps.isEmpty()) {
            long most = Duration.ofHours(1).toMillis();
            draft.steps.getLast().thinkMillis = Math.min(most, gap);
        }
        answered = Math.max(answered, started + Math.max(0, entry.path("time").asLong()));
    }
}
