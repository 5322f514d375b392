package dev.fettle.load.websocket;

import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.script.HeadFormat;

/** The head of a message: it has none. */
public final class MessageHead implements HeadFormat {
    private static final byte[] NONE = {};

    @Override
    public void begin(ByteText out, byte[] method, ByteText host, ByteText path) {}

    @Override
    public byte[] name(String name) {
        return NONE;
    }

    @Override
    public void field(ByteText out, byte[] name, ByteText value) {}

    @Override
    public void end(ByteText out) {}
}
