package dev.fettle.load.http1;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.script.BodyMatcher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** All that a parser makes of a stream, response by response, however the stream is cut. */
record Parsed(List<String> responses, String end) {

    static Parsed whole(String stream, boolean headRequest) {
        return pieces(stream, headRequest, List.of(stream.length()));
    }

    /** @param cuts lengths of the pieces; what they leave over comes as a last one */
    static Parsed pieces(String stream, boolean headRequest, List<Integer> cuts) {
        byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
        BodyMatcher needle = new BodyMatcher(new byte[] {'n', 'e', 'e', 'd', 'l', 'e'});
        ResponseParser parser = new ResponseParser(new Budget(1 << 20));
        parser.begin(headRequest, needle);
        List<String> responses = new ArrayList<>();
        int at = 0;
        for (int i = 0; at < bytes.length; i++) {
            int length = i < cuts.size() ? Math.min(cuts.get(i), bytes.length - at) : bytes.length - at;
            ByteBuffer piece = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
            piece.put(bytes, at, length).flip();
            at += length;
            while (piece.hasRemaining()) {
                int progress = parser.feed(piece);
                if (progress == ResponseParser.BAD) {
                    return new Parsed(responses, "BAD");
                }
                if (progress == ResponseParser.DONE) {
                    responses.add(describe(parser, needle) + (parser.keepAlive() ? " keep" : " close"));
                    parser.begin(headRequest, needle);
                }
            }
        }
        String end = parser.endsAtClose() ? describe(parser, needle) + " at end" : parser.begun() ? "TORN" : "";
        return new Parsed(responses, end);
    }

    private static String describe(ResponseParser parser, BodyMatcher needle) {
        return parser.status() + " " + parser.bodyLength() + (needle.found() ? " found" : "");
    }
}
