package dev.fettle.load.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.RequestTemplate;
import dev.fettle.load.bytes.ByteText;

/** Writes the head of a request that is the same each time: its method, path and headers, then further fields. */
public final class FixedHead {

    private final HeadFormat format;
    private final ByteText out = new ByteText();

    /** @param host for the Host field, if the request's headers do not give it */
    public FixedHead(RequestTemplate request, String host, HeadFormat format) {
        this.format = format;
        var given = request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase("host"))
                .findFirst();
        String named = given.map(RequestTemplate.Header::value).orElse(host);
        format.begin(out, request.method().getBytes(ISO_8859_1), text(named), text(request.path()));
        if (given.isEmpty()) {
            field("Host", host);
        }
        request.headers().forEach(header -> field(header.name(), header.value()));
    }

    /** Adds a field, if the protocol has it. */
    public FixedHead field(String name, String value) {
        byte[] known = format.name(name);
        if (known != null) {
            format.field(out, known, text(value));
        }
        return this;
    }

    /** The whole head. */
    public byte[] end() {
        format.end(out);
        return out.copy();
    }

    private static ByteText text(String value) {
        var text = new ByteText();
        text.share(value.getBytes(ISO_8859_1));
        return text;
    }
}
