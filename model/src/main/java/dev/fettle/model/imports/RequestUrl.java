package dev.fettle.model.imports;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request's URL as a tool wrote it.
 *
 * @param uri in ASCII
 */
record RequestUrl(URI uri) {
    /** The scheme with the host, whose brackets belong to an IPv6 address; and the rest. */
    private static final Pattern PARTS = Pattern.compile("(?is)(https?://[^/?#]*)(.*)");

    /**
     * Reads a URL.
     *
     * @param odd characters that the tool leaves as they are, and that no URL may have after its host
     * @throws URISyntaxException if it is no http URL
     */
    static RequestUrl read(String text, String odd) throws URISyntaxException {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw new URISyntaxException("", "neither http nor https");
        }
        var whole = new StringBuilder(parts.group(1));
        parts.group(2)
                .chars()
                .forEach(c -> whole.append(odd.indexOf(c) < 0 ? String.valueOf((char) c) : "%%%02X".formatted(c)));
        return new RequestUrl(new URI(new URI(whole.toString()).toASCIIString()));
    }

    boolean hasHost() {
        return uri.getHost() != null;
    }

    /** The host, with the port if there is one. */
    String authority() {
        return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    /** {@code http://127.0.0.1:8080} */
    String origin() {
        return uri.getScheme().toLowerCase(Locale.ROOT) + "://" + authority();
    }

    String path() {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    String query() {
        return uri.getRawQuery() == null ? "" : uri.getRawQuery();
    }
}
