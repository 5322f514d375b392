package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import java.util.Random;

/** What a body is: its Content-Type, its file's ending, and whether it can be compressed. */
enum BodyType {
    TEXT(App.TEXT, "txt"),
    HTML(App.HTML, "html"),
    CSS("text/css;charset=UTF-8", "css"),
    JSON("application/json", "json"),
    IMAGE("image/png", "png");

    private static final long SEED = 42;

    private final String contentType;
    private final String ending;

    BodyType(String contentType, String ending) {
        this.contentType = contentType;
        this.ending = ending;
    }

    String contentType() {
        return contentType;
    }

    String ending() {
        return ending;
    }

    /** The option {@code type}; text unless it is given. */
    static BodyType of(AppOptions options) throws LaunchFailure {
        String name = options.text("type");
        if (name == null) {
            return TEXT;
        }
        for (BodyType type : values()) {
            if (type.name().toLowerCase(java.util.Locale.ROOT).equals(name)) {
                return type;
            }
        }
        throw LaunchFailure.badArgument("app.type=" + name + ": text, html, css, json or image is wanted");
    }

    /** The same bytes each time: of an image random, otherwise text. */
    byte[] bytes(int count) {
        if (this == IMAGE) {
            byte[] noise = new byte[count];
            new Random(SEED).nextBytes(noise);
            return noise;
        }
        return text(count);
    }

    /** Lines of 64 characters that repeat every few kilobytes, so that they compress like text. */
    private static byte[] text(int bytes) {
        byte[] body = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            body[i] = (byte) (i % 64 == 63 ? '\n' : 'a' + (i * 31 + i / 64 * 7) % 26);
        }
        return body;
    }
}
