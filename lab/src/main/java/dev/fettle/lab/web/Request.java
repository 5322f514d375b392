package dev.fettle.lab.web;

import java.util.Map;
import java.util.Optional;

/**
 * A request that the guard has let in.
 *
 * @param path below the place of the pages: {@code /} or {@code /runs/login-3}
 * @param query what follows the path after {@code ?}, by name, decoded; of two of one name the first
 * @param headers by name in lower case; of two of one name the first. Cookies and tokens are not among them
 * @param body of a {@code POST}; empty for a {@code GET}
 * @param secret what an act has to bring ({@link LoopbackServer#SECRET}); empty for who may only look
 */
public record Request(
        boolean isPost,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        String body,
        Optional<String> secret) {
    public Request {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
    }

    /** Whether who asks has the link for acting. */
    public boolean mayAct() {
        return secret.isPresent();
    }

    /** A header, or an empty text. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
