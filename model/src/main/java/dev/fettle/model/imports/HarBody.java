package dev.fettle.model.imports;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.load.Templates;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a recording holds of a request's body, which may be less than was sent. */
sealed interface HarBody {
    /** There was none. */
    record None() implements HarBody {}

    /** All of it. */
    record Text(String text, boolean form) implements HarBody {}

    /** The fields of a form of the type multipart/form-data, none of which is a file. */
    record Parts(List<Part> all) implements HarBody {
        /** Writes them with a boundary that is in none of them; values that look like secrets become variables. */
        void into(Draft.Step step, Draft draft) {
            String boundary = "fettle-boundary";
            while (isIn(boundary)) {
                boundary += "-";
            }
            var out = new StringBuilder();
            for (Part p : all) {
                String value = Templates.escape(p.value());
                out.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"");
                out.append(Templates.escape(p.name())).append('"');
                out.append(p.type().isEmpty() ? "" : "\r\nContent-Type: " + Templates.escape(p.type()));
                out.append("\r\n\r\n");
                out.append(Draft.isSecret(p.name(), value, p.value()) ? draft.variable(p.name()) : value);
                out.append("\r\n");
            }
            step.body = Optional.of(
                    out.append("--").append(boundary).append("--\r\n").toString());
            step.headers.keySet().removeIf(h -> h.equalsIgnoreCase("content-type"));
            step.headers.put("Content-Type", "multipart/form-data; boundary=" + boundary);
        }

        private boolean isIn(String boundary) {
            return all.stream().anyMatch(p -> p.value().contains(boundary));
        }
    }

    /** There was one, of which the recording holds nothing, or not all. */
    record Lost(String why) implements HarBody {}

    /** No scenario can hold it. */
    record Unfit(String why) implements HarBody {}

    /** A field of such a form. */
    record Part(String name, String value, String type) {}

    Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    static HarBody of(JsonNode request) {
        JsonNode post = request.path("postData");
        String type = post.path("mimeType").asText().isEmpty()
                ? header(request, "content-type")
                : post.path("mimeType").asText();
        String lower = type.toLowerCase(Locale.ROOT);
        String text = post.path("text").asText();
        if (post.path("encoding").asText().equalsIgnoreCase("base64")) {
            String read = unpacked(text);
            if (read == null) {
                return new Unfit("its body is binary, which no scenario holds");
            }
            text = read;
        }
        if (lower.startsWith("multipart/")) {
            return multipart(lower, type, text, post.path("params"));
        }
        boolean form = lower.startsWith(FormText.TYPE);
        if (text.isEmpty() && form && !post.path("params").isEmpty()) {
            return new Text(fields(post.path("params")), true);
        }
        long sent = sent(request);
        if (text.isEmpty()) {
            boolean unsaid = sent < 0 && isSentWithBody(request) && !type.isEmpty();
            return sent > 0 || unsaid ? new Lost(lost(sent)) : new None();
        }
        int held = text.getBytes(StandardCharsets.UTF_8).length;
        boolean whole = held >= sent
                || lower.contains("utf-16")
                || !header(request, "content-encoding").isEmpty();
        return whole
                ? new Text(text, form)
                : new Lost("the recording holds only " + held + " of the " + sent + " bytes of its body");
    }

    private static HarBody multipart(String lower, String type, String text, JsonNode params) {
        if (!lower.startsWith("multipart/form-data")) {
            return new Unfit("its body is " + lower.split(";", 2)[0] + ", which is not built here");
        }
        Optional<List<Part>> parts = params.isEmpty() ? parts(type, text) : parts(params);
        if (parts.isEmpty()) {
            return new Unfit(
                    text.isEmpty() && params.isEmpty()
                            ? "its multipart body is not in the recording"
                            : "its multipart body holds a file, which is not in the recording as it was, or can't be read");
        }
        return new Parts(parts.get());
    }

    private static Optional<List<Part>> parts(JsonNode params) {
        var all = new ArrayList<Part>();
        for (JsonNode p : params) {
            Part part = new Part(
                    p.path("name").asText(),
                    p.path("value").asText(),
                    p.path("contentType").asText());
            if (!p.path("fileName").asText().isEmpty() || p.path("value").isMissingNode() || !isFit(part)) {
                return Optional.empty();
            }
            all.add(part);
        }
        return Optional.of(all);
    }

    /** Reads the parts of a text; empty if one is a file, or the text is not whole. */
    private static Optional<List<Part>> parts(String type, String text) {
        int at = type.toLowerCase(Locale.ROOT).indexOf("boundary=");
        String boundary =
                at < 0 ? "" : type.substring(at + 9).split(";", 2)[0].strip().replace("\"", "");
        String body = text.replace("\r\n", "\n");
        String mark = "\n--" + boundary;
        if (boundary.isEmpty() || !body.startsWith("--" + boundary + "\n")) {
            return Optional.empty();
        }
        var all = new ArrayList<Part>();
        int from = boundary.length() + 3;
        for (int to = body.indexOf(mark, from - 1); to >= 0; to = body.indexOf(mark, from - 1)) {
            Optional<Part> part = part(body.substring(Math.min(from, to), to));
            if (part.isEmpty()) {
                return Optional.empty();
            }
            all.add(part.get());
            int after = to + mark.length();
            if (body.startsWith("--", after)) {
                return Optional.of(all);
            }
            if (!body.startsWith("\n", after)) {
                return Optional.empty();
            }
            from = after + 1;
        }
        return Optional.empty();
    }

    private static Optional<Part> part(String text) {
        int blank = text.startsWith("\n") ? -1 : text.indexOf("\n\n");
        if (blank < 0) {
            return Optional.empty();
        }
        String name = "";
        String type = "";
        for (String line : text.substring(0, blank).split("\n", -1)) {
            String lower = line.toLowerCase(Locale.ROOT);
            int named = lower.indexOf("; name=\"");
            int end = named < 0 ? -1 : line.indexOf('"', named + 8);
            if (lower.startsWith("content-disposition:") && end > 0 && !lower.contains("filename")) {
                name = line.substring(named + 8, end);
            } else if (lower.startsWith("content-type:")) {
                type = line.substring(13).strip();
            } else {
                return Optional.empty();
            }
        }
        Part part = new Part(name, text.substring(blank + 2), type);
        return isFit(part) ? Optional.of(part) : Optional.empty();
    }

    private static boolean isFit(Part p) {
        return !p.name().isEmpty() && (p.name() + p.type()).chars().noneMatch(c -> c < ' ' || c == '"');
    }

    /** How many bytes the request says that it sent; -1 if it does not say. */
    private static long sent(JsonNode request) {
        try {
            return Long.parseLong(header(request, "content-length").strip());
        } catch (NumberFormatException e) {
            boolean chunked = !header(request, "transfer-encoding").isEmpty();
            return chunked ? -1 : request.path("bodySize").asLong(-1);
        }
    }

    private static boolean isSentWithBody(JsonNode request) {
        return WITH_BODY.contains(request.path("method").asText().toUpperCase(Locale.ROOT));
    }

    private static String lost(long sent) {
        return sent > 0
                ? "its body of " + sent + " bytes is not in the recording"
                : "its body, if it had one, is not in the recording";
    }

    /** The value of a header; empty if there is none. */
    static String header(JsonNode request, String name) {
        for (JsonNode header : request.path("headers")) {
            if (header.path("name").asText().equalsIgnoreCase(name)) {
                return header.path("value").asText();
            }
        }
        return "";
    }

    private static @Nullable String unpacked(String base64) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getMimeDecoder().decode(base64)))
                    .toString();
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return null;
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
}
