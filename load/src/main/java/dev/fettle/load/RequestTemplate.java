package dev.fettle.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One request, the same each time it is sent. Immutable.
 *
 * <p>{@code Host} is added unless a header gives it, {@code Content-Length} if there is a body or the method usually
 * has one, {@code Connection: close} if the load does not keep connections alive. Nothing else is added. Over a
 * WebSocket it is the opening request, with the headers that this needs, and its body is the message.
 */
public final class RequestTemplate {

    /** A header field as it is sent. */
    public record Header(String name, String value) {}

    /** These follow from the body and from {@link LoadSpec#keepAlive()}. */
    private static final Set<String> OURS = Set.of("connection", "content-length", "transfer-encoding", "upgrade");

    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final String method;
    private final String path;
    private final List<Header> headers;
    private final byte[] body;

    private RequestTemplate(Builder builder) {
        method = builder.method;
        path = builder.path;
        headers = List.copyOf(builder.headers);
        body = builder.body;
    }

    /**
     * A GET of the path, without further headers.
     *
     * @throws IllegalArgumentException if the path cannot be sent, see {@link #builder}
     */
    public static RequestTemplate get(String path) {
        return builder("GET", path).build();
    }

    /**
     * Starts a request.
     *
     * @param method a token such as GET; not CONNECT
     * @param path path and query as sent: begins with {@code /} (or is {@code *}), printable ASCII without spaces
     * @throws IllegalArgumentException if either cannot be sent
     */
    public static Builder builder(String method, String path) {
        return new Builder(method, path);
    }

    /** The method, in the case given. */
    public String method() {
        return method;
    }

    /** Path and query as sent. */
    public String path() {
        return path;
    }

    /** The headers given, in order, without those added on sending. */
    public List<Header> headers() {
        return headers;
    }

    /** A copy of the body; empty if there is none. */
    public byte[] body() {
        return body.clone();
    }

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether requests with the method say Content-Length even if it is 0 (RFC 9110, section 8.6). */
    public static boolean usuallyHasBody(String method) {
        return WITH_BODY.contains(method);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }

    /** Collects the parts of a request. */
    public static final class Builder {
        private final String method;
        private final String path;
        private final List<Header> headers = new ArrayList<>();
        private byte[] body = {};

        private Builder(String method, String path) {
            if (!isToken(method) || method.equals("CONNECT")) {
                throw new IllegalArgumentException("not a method which can be sent: '" + method + "'");
            }
            boolean form = path.startsWith("/") || path.equals("*");
            if (!form || !path.chars().allMatch(c -> c > ' ' && c < 127)) {
                throw new IllegalArgumentException(
                        "path must begin with '/' and be printable ASCII (escape the rest as %XX), was '" + path + "'");
            }
            this.method = method;
            this.path = path;
        }

        /**
         * Adds a header.
         *
         * @throws IllegalArgumentException if the name is not a token, the value has control or non-Latin-1
         *     characters, or the engine sets this header itself (Connection, Content-Length, Transfer-Encoding,
         *     Upgrade)
         */
        public Builder header(String name, String value) {
            if (!isToken(name)) {
                throw new IllegalArgumentException("not a header name: '" + name + "'");
            }
            if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        name + " follows from the body and from keep-alive, so it cannot be given");
            }
            if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 127 && c < 256))) {
                throw new IllegalArgumentException("value of header " + name + " has characters which cannot be sent");
            }
            headers.add(new Header(name, value));
            return this;
        }

        /** Sets the body, sent with its {@code Content-Length}. The bytes are copied. */
        public Builder body(byte[] bytes) {
            body = bytes.clone();
            return this;
        }

        public RequestTemplate build() {
            return new RequestTemplate(this);
        }

        private static boolean isToken(String text) {
            return !text.isEmpty()
                    && text.chars().allMatch(c -> c > ' ' && c < 127 && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0);
        }
    }
}
