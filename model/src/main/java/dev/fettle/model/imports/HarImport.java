package dev.fettle.model.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Json;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
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
        entries.forEach(this::entry);
        if (draft.steps.isEmpty()) {
            throw new ImportException("the HAR file has no request that can be sent");
        }
        leftOut.forEach((why, count) -> draft.notes.add("left out: " + count + " " + why));
        draft.notes.add("cookies are kept by each user's jar, from the answers");
        draft.notes.add("run it: fettle bench " + host + "/ --scenario FILE");
        return ScenarioYaml.of("Imported from a HAR file: " + host + ".", draft);
    }

    private void entry(JsonNode entry) {
        JsonNode request = entry.path("request");
        RequestUrl url = url(request.path("url").asText());
        String method = request.path("method").asText().toUpperCase(Locale.ROOT);
        if (url == null || !url.hasHost()) {
            skip("without an http URL");
            return;
        }
        String origin = url.origin();
        if (host.isEmpty()) {
            host = origin;
        }
        if (!origin.equals(host)) {
            skip("to " + origin);
        } else if (!Request.METHODS.contains(method)) {
            skip("with a method that is not sent");
        } else if (!all && isAsset(url, entry.path("response"))) {
            skip("for images, styles, scripts and fonts (--all keeps them)");
        } else {
            step(entry, method, url);
        }
    }

    private void skip(String why) {
        leftOut.merge(why, 1, Integer::sum);
    }

    private static @Nullable RequestUrl url(String text) {
        try {
            return RequestUrl.read(text, " |{}[]\"");
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
        body(step, request.path("postData"));
        int status = entry.path("response").path("status").asInt();
        if (status == 304) {
            step.status = OptionalInt.of(200); // the recording browser had the page cached, these users do not
        } else if (status >= 200 && status <= 599) {
            step.status = OptionalInt.of(status);
        }
        if (status >= 400) {
            draft.notes.add("some answers were errors when they were recorded, and are expected as such");
        }
        pause(entry);
        draft.steps.add(step);
    }

    private void body(Draft.Step step, JsonNode post) {
        if (post.isMissingNode() || post.isNull()) {
            return;
        }
        String type = post.path("mimeType").asText().toLowerCase(Locale.ROOT);
        if (type.startsWith("multipart/")) {
            draft.notes.add("multipart bodies were left out");
            return;
        }
        boolean form = type.startsWith(FormText.TYPE);
        String recorded = post.path("text").asText();
        String text = form && recorded.isEmpty() ? fields(post.path("params")) : recorded;
        if (!text.isEmpty()) {
            draft.body(step, Templates.escape(text), form);
        }
    }

    private static String fields(JsonNode params) {
        var pairs = new ArrayList<String>();
        params.forEach(p -> pairs.add(encoded(p.path("name")) + "=" + encoded(p.path("value"))));
        return String.join("&", pairs);
    }

    private static String encoded(JsonNode text) {
        return URLEncoder.encode(text.asText(), StandardCharsets.UTF_8);
    }

    /** Records the time since the last answer as think time. */
    private void pause(JsonNode entry) {
        try {
            long started = OffsetDateTime.parse(entry.path("startedDateTime").asText())
                    .toInstant()
                    .toEpochMilli();
            long gap = started - answered;
            if (think && answered >= 0 && gap > 0 && !draft.steps.isEmpty()) {
                long most = Duration.ofHours(1).toMillis();
                draft.steps.getLast().thinkMillis = Math.min(most, gap);
            }
            answered =
                    Math.max(answered, started + Math.max(0, entry.path("time").asLong()));
        } catch (DateTimeParseException e) {
            // no time, no pause
        }
    }
}
