package dev.fettle.load.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.script.HeadFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request's head as a header block; RFC 9113, 8.3 and RFC 7541, 6.2.2. Fields are always literals without Huffman
 * coding, so a block does not depend on its connection. Fields that are specific to HTTP/1.1 connections are left out.
 */
public final class Http2Head implements HeadFormat {

    private static final int AUTHORITY = 0x01;
    private static final int METHOD = 0x02;
    private static final int PATH = 0x04;
    private static final int HTTP = 0x86;
    private static final int HTTPS = 0x87;
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private final int scheme;

    /** @param secure whether over TLS */
    public Http2Head(boolean secure) {
        scheme = secure ? HTTPS : HTTP;
    }

    @Override
    public void begin(ByteText out, byte[] method, ByteText host, ByteText path) {
        out.append(METHOD);
        length(out, method.length);
        out.append(method);
        out.append(scheme);
        out.append(AUTHORITY);
        text(out, host);
        out.append(PATH);
        text(out, path);
    }

    @Override
    public byte @Nullable [] name(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (OF_THE_CONNECTION.contains(lower)) {
            return null;
        }
        var out = new ByteText();
        out.append(0);
        length(out, lower.length());
        out.append(lower.getBytes(ISO_8859_1));
        return out.copy();
    }

    @Override
    public void field(ByteText out, byte[] name, ByteText value) {
        out.append(name);
        text(out, value);
    }

    @Override
    public void end(ByteText out) {}

    /** Writes a text without leading blanks: HTTP/2 does not allow them. */
    private static void text(ByteText out, ByteText value) {
        byte[] bytes = value.bytes();
        int from = 0;
        while (from < value.length() && (bytes[from] == ' ' || bytes[from] == '\t')) {
            from++;
        }
        length(out, value.length() - from);
        out.append(bytes, from, value.length());
    }

    private static void length(ByteText out, int length) {
        if (length < 0x7f) {
            out.append(length);
            return;
        }
        out.append(0x7f);
        int rest = length - 0x7f;
        for (; rest >= 0x80; rest >>= 7) {
            out.append(rest | 0x80);
        }
        out.append(rest);
    }
}
