package dev.fettle.model.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns a HAR file (HTTP Archive 1.2, as browsers save it) into a scenario: the requests to one host, in order. */
public final class HarImport {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
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
            entries = Json.mapper().readTree(har).path("log").path("entries");
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
        return new Imported(
                ScenarioYaml.of("Imported from a HAR file: " + host + ".", draft), List.copyOf(draft.notes));
    }

    private void entry(JsonNode entry) {
        JsonNode request = entry.path("request");
        URI uri = uri(request.path("url").asText());
        String method = request.path("method").asText().toUpperCase(Locale.ROOT);
        if (uri == null || uri.getHost() == null) {
            skip("without an http URL");
            return;
        }
        String origin = uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        if (host.isEmpty()) {
            host = origin;
        }
        if (!origin.equals(host)) {
            skip("to " + origin);
        } else if (!METHODS.contains(method)) {
            skip("with a method that is not sent");
        } else if (!all && isAsset(uri, entry.path("response"))) {
            skip("for images, styles, scripts and fonts (--all keeps them)");
        } else {
            step(entry, method, uri);
        }
    }

    private void skip(String why) {
        leftOut.merge(why, 1, Integer::sum);
    }

    private static @Nullable URI uri(String text) {
        try {
            URI uri = new URI(text.replace(" ", "%20")
                    .replace("|", "%7C")
                    .replace("{", "%7B")
                    .replace("}", "%7D")
                    .replace("[", "%5B")
                    .replace("]", "%5D")
                    .replace("\"", "%22"));
            return "http".equals(uri.getScheme()) || "https".equals(uri.getScheme()) ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static boolean isAsset(URI uri, JsonNode response) {
        String type = response.path("content").path("mimeType").asText().toLowerCase(Locale.ROOT);
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().toLowerCase(Locale.ROOT);
        return type.matches("(image|font|video|audio)/.*|text/css.*|(text|application)/(x-)?javascript.*")
                || path.matches(ASSETS);
    }

    private void step(JsonNode entry, String method, URI uri) {
        JsonNode request = entry.path("request");
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.toASCIIString();
        if (path.length() > 1) {
            path = URI.create(path).getRawPath();
        }
        String query =
                uri.getRawQuery() == null ? "" : URI.create(uri.toASCIIString()).getRawQuery();
        var step = new Draft.Step(method, query.isEmpty() ? path : path + "?" + draft.query(query));
        for (JsonNode header : request.path("headers")) {
            String value = header.path("value").asText();
            if (value.chars().noneMatch(c -> c < ' ' || c == 127)) {
                draft.header(step, header.path("name").asText(), Templates.escape(value));
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
        String text = post.path("text").asText();
        boolean form = type.startsWith("application/x-www-form-urlencoded");
        if (form && CurlImport.isForm(text)) {
            step.headers.keySet().removeIf(h -> h.equalsIgnoreCase("content-type"));
            CurlImport.fields(text).forEach((name, value) -> draft.field(step, name, value));
        } else if (form && text.isEmpty() && !post.path("params").isEmpty()) {
            step.headers.keySet().removeIf(h -> h.equalsIgnoreCase("content-type"));
            post.path("params")
                    .forEach(p -> draft.field(
                            step,
                            p.path("name").asText(),
                            Templates.escape(p.path("value").asText())));
        } else if (type.startsWith("multipart/")) {
            draft.notes.add("multipart bodies were left out");
        } else if (!text.isEmpty()) {
            step.body = Optional.of(draft.body(Templates.escape(text)));
        }
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
