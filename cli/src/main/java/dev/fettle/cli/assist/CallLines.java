package dev.fettle.cli.assist;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The lines that an assistant sends, for the protocol's library, which neither tells a tool the id of its call nor knows cancellations. So each
 * call gets its id among what is said about it ({@code _meta}), where the tool finds it, and cancellations are taken here.
 */
final class CallLines extends InputStream {
    /** Where the id of a call stands, as JSON. */
    static final String ID = "dev.fettle/call";

    private static final String META = "_meta";
    private static final String METHOD = "method";
    private static final String PARAMS = "params";

    /** A call may bring a text; what is longer is none of ours, and passed on as it is. */
    private static final int LONGEST = 16 << 20;

    private final InputStream lines;
    private final ObjectMapper json;
    private final CountDownLatch ended;
    private final Consumer<String> cancelled;
    private InputStream line = InputStream.nullInputStream();

    /**
     * @param ended counted down when the assistant has gone
     * @param cancelled takes the id of each call that is cancelled, as JSON
     */
    CallLines(InputStream in, ObjectMapper json, CountDownLatch ended, Consumer<String> cancelled) {
        this.lines = new BufferedInputStream(in);
        this.json = json;
        this.ended = ended;
        this.cancelled = cancelled;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int n = line.read(to, from, length);
        if (n > 0) {
            return n;
        }
        byte[] next = next();
        if (next.length == 0) {
            ended.countDown();
            return -1;
        }
        line = new ByteArrayInputStream(next);
        return line.read(to, from, length);
    }

    @Override
    public int available() throws IOException {
        return line.available();
    }

    /** A line with its end, or a part of one that is too long; empty at the end. */
    private byte[] next() throws IOException {
        var bytes = new ByteArrayOutputStream();
        int b = lines.read();
        while (b >= 0 && b != '\n' && bytes.size() < LONGEST) {
            bytes.write(b);
            b = lines.read();
        }
        boolean whole = b == '\n';
        byte[] read = bytes.toByteArray();
        if (b >= 0) {
            bytes.write(b);
        }
        return whole ? marked(read, bytes.toByteArray()) : bytes.toByteArray();
    }

    private byte[] marked(byte[] read, byte[] asItIs) {
        try {
            if (!(json.readTree(read) instanceof ObjectNode message)
                    || !(message.get(PARAMS) instanceof ObjectNode params)) {
                return asItIs;
            }
            JsonNode id = message.get("id");
            String method = message.path(METHOD).asText();
            if (method.equals("notifications/cancelled") && params.has("requestId")) {
                cancelled.accept(params.get("requestId").toString());
            }
            if (!method.equals("tools/call") || id == null) {
                return asItIs;
            }
            ObjectNode meta = params.get(META) instanceof ObjectNode there ? there : params.putObject(META);
            meta.put(ID, id.toString());
            return (json.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            return asItIs; // the library says what is wrong with it
        } catch (IOException e) {
            throw new IllegalStateException("bytes can be read", e);
        }
    }
}
