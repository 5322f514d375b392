package dev.fettle.servers.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sample application, the same for every server, called on a thread that may block. */
public interface App {

    Response handle(Request request) throws IOException;

    /** What the READY line reports about the application, such as calibrated work; may be empty. */
    default Map<String, Object> facts() {
        return Map.of();
    }

    /** Whether it is called on the thread that reads and writes for the connection, where the server can: a fault. */
    default boolean onIoThread() {
        return false;
    }

    /** One request as each server's adapter presents it. */
    interface Request {
        String method();

        String path();

        /** The raw query, without the question mark; empty when there is none. */
        String query();

        @Nullable
        String header(String name);

        /** The body, at most {@link #MAX_BODY} bytes of it. */
        byte[] body() throws IOException;

        /** Keeps a value in the visitor's session, which is opened if there is none; false where the server has no sessions. */
        default boolean keep(String name, byte[] value) {
            return false;
        }
    }

    /** More of a request's body than this is not read. */
    int MAX_BODY = 64 * 1024;

    String HTML = "text/html;charset=UTF-8";
    String TEXT = "text/plain;charset=UTF-8";

    /** One answer; the adapter adds Content-Length. */
    record Response(int status, String contentType, byte[] body, Map<String, String> headers) {
        static Response of(int status, String contentType, String body) {
            return new Response(status, contentType, body.getBytes(StandardCharsets.UTF_8), Map.of());
        }

        Response with(String header, String value) {
            Map<String, String> more = new java.util.LinkedHashMap<>(headers);
            more.put(header, value);
            return new Response(status, contentType, body, more);
        }
    }
}
