package dev.fettle.load.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.script.HeadFormat;

/** A request's head as lines of text; RFC 9112, 2.1. */
public final class Http1Head implements HeadFormat {

    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(ISO_8859_1);
    private static final byte[] LINE_END = {'\r', '\n'};

    @Override
    public void begin(ByteText out, byte[] method, ByteText host, ByteText path) {
        out.append(method);
        out.append(' ');
        out.append(path);
        out.append(VERSION);
    }

    @Override
    public byte[] name(String name) {
        return (name + ": ").getBytes(ISO_8859_1);
    }

    @Override
    public void field(ByteText out, byte[] name, ByteText value) {
        out.append(name);
        out.append(value);
        out.append(LINE_END);
    }

    @Override
    public void end(ByteText out) {
        out.append(LINE_END);
    }
}
