package dev.fettle.load.websocket;

/** The parts of frames (RFC 6455, 5.2). */
public final class WebSocketFrame {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    public static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** In the first byte: this is the message's last frame. */
    static final int FIN = 0x80;
    /** In the first byte: bits reserved for extensions. */
    static final int RESERVED = 0x70;
    /** In the second byte: the payload is masked. */
    static final int MASKED = 0x80;

    /** In the second byte: the length is in the next two bytes. Smaller values are the length itself. */
    static final int LENGTH_16 = 126;
    /** In the second byte: the length is in the next eight bytes. */
    static final int LENGTH_64 = 127;

    /** The longest payload of a Close, Ping or Pong. */
    static final int MOST_CONTROL = 125;
    /** The longest head of a frame that a client sends. */
    static final int MOST_HEAD = 14;

    private WebSocketFrame() {}

    static boolean isControl(int opcode) {
        return opcode >= CLOSE;
    }

    static boolean isKnown(int opcode) {
        return opcode <= BINARY || opcode >= CLOSE && opcode <= PONG;
    }
}
