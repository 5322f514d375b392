package dev.fettle.lab.web;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides from a request's line and headers alone whether it is let in. A name that is not this machine's own is refused (a page in a
 * browser may have had its name point here), and so is a page of another origin, whatever cookie its browser sends.
 */
final class Guard {
    /** Names by which a request may come; the port may be that of a tunnel ({@code ssh -L}). */
    private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

    private static final String BEARER = "Bearer ";
    private static final String COOKIE = "fettle";
    static final String TOKEN = "token";

    private final Access access;
    private final URI where;

    /** @param where it listens */
    Guard(Access access, URI where) {
        this.access = access;
        this.where = where;
    }

    /** What is done with a request. */
    sealed interface Decision {
        /** It is answered with this. */
        record Refused(Answer.Whole answer) implements Decision {}

        /**
         * It is let in.
         *
         * @param path below the place of the pages
         * @param secret of who may act
         */
        record In(String path, Optional<String> secret) implements Decision {}
    }

    Decision decide(String method, String path, @Nullable String query, Headers headers) {
        List<String> host = headers.getOrDefault("Host", List.of());
        if (host.size() != 1 || !isForHere(host.getFirst())) {
            return refused(421, "this page is at " + where);
        }
        boolean post = method.equals("POST");
        if (!method.equals("GET") && !(post && access instanceof Access.Link)) {
            return refused(405, "only GET is answered", Map.of("Allow", "GET"));
        }
        List<String> origin = headers.getOrDefault("Origin", List.of());
        if (origin.isEmpty() ? post : origin.size() > 1 || !origin.getFirst().equals("http://" + host.getFirst())) {
            return refused(403, "pages of another origin are not answered");
        }
        return switch (access) {
            case Access.Bearer b -> bearer(b, path, headers);
            case Access.Link l -> link(l, post, path, query, headers);
        };
    }

    /** Whether a request came by a name that no other machine's page can give to this one. */
    private boolean isForHere(String host) {
        int port = host.lastIndexOf(':');
        boolean ported = port > host.lastIndexOf(']');
        String digits = ported ? host.substring(port + 1) : "0";
        String name = (ported ? host.substring(0, port) : host).toLowerCase(Locale.ROOT);
        return digits.matches("^[0-9]{1,5}$") && (NAMES.contains(name) || name.equals(where.getHost()));
    }

    private static Decision bearer(Access.Bearer access, String path, Headers headers) {
        List<String> sent = headers.getOrDefault("Authorization", List.of());
        return sent.size() == 1
                        && sent.getFirst().startsWith(BEARER)
                        && Access.same(sent.getFirst().substring(BEARER.length()), access.token())
                ? new Decision.In(path, Optional.empty())
                : refused(401, "send the token: Authorization: Bearer TOKEN", Map.of("WWW-Authenticate", "Bearer"));
    }

    private static Decision link(
            Access.Link access, boolean post, String path, @Nullable String query, Headers headers) {
        if (!post && path.equals("/")) {
            return access.exchanged(query(query).getOrDefault(TOKEN, ""))
                    .map(cookie -> entered(access, cookie))
                    .orElseGet(Guard::unknown);
        }
        if (!path.startsWith(access.place())) {
            return unknown();
        }
        String site = Optional.ofNullable(headers.getFirst("Sec-Fetch-Site")).orElse("none");
        if (!site.equals("none") && !site.equals("same-origin")) {
            return refused(403, "pages of another origin are not answered");
        }
        List<String> cookies = cookies(headers);
        boolean acts = cookies.stream().anyMatch(c -> Access.same(c, access.actCookie()));
        if (!acts && cookies.stream().noneMatch(c -> Access.same(c, access.lookCookie()))) {
            return unknown();
        }
        List<String> secret = headers.getOrDefault(LoopbackServer.SECRET, List.of());
        if (post && !(acts && secret.size() == 1 && Access.same(secret.getFirst(), access.secret()))) {
            return refused(403, "this link is for looking only");
        }
        return new Decision.In(
                path.substring(access.place().length() - 1), acts ? Optional.of(access.secret()) : Optional.empty());
    }

    /**
     * Sets the cookie, and goes on without the token. A page does that, not a redirection: after one, a browser that was sent here by
     * another site would not send the cookie.
     */
    private static Decision entered(Access.Link access, String cookie) {
        String page = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=" + access.place()
                + "\"><title>Fettle</title>";
        return new Decision.Refused(new Answer.Whole(
                200,
                "text/html; charset=utf-8",
                page.getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "Set-Cookie",
                        COOKIE + "=" + cookie + "; Path=" + access.place() + "; HttpOnly; SameSite=Strict",
                        "Content-Security-Policy",
                        "default-src 'none'; frame-ancestors 'none'")));
    }

    private static Decision unknown() {
        return refused(401, "open the whole link that Fettle printed: it has a token");
    }

    private static Decision refused(int status, String why) {
        return refused(status, why, Map.of());
    }

    private static Decision refused(int status, String why, Map<String, String> headers) {
        return new Decision.Refused(Answer.plain(status, why, headers));
    }

    /** Values of our cookie: one of each server that has had this place, so one. */
    private static List<String> cookies(Headers headers) {
        return headers.getOrDefault("Cookie", List.of()).stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .flatMap(pair -> pair.startsWith(COOKIE + "=")
                        ? Stream.of(pair.substring(COOKIE.length() + 1))
                        : Stream.<String>empty())
                .toList();
    }

    /** What follows a path, by name. What is not well-formed is left out. */
    static Map<String, String> query(@Nullable String query) {
        var all = new LinkedHashMap<String, String>();
        for (String pair : (query == null ? "" : query).split("&")) {
            int is = pair.indexOf('=');
            if (is > 0) {
                try {
                    all.putIfAbsent(
                            URLDecoder.decode(pair.substring(0, is), StandardCharsets.UTF_8),
                            URLDecoder.decode(pair.substring(is + 1), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException e) { // a broken %
                }
            }
        }
        return all;
    }
}
