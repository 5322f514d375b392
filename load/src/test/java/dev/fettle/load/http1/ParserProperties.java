package dev.fettle.load.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.bytes.Scan;
import dev.fettle.load.script.BodyMatcher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** How the bytes are cut makes no difference, for good streams, mutilated ones and noise. */
class ParserProperties {

    @Property
    void anySplitReadsTheSame(
            @ForAll("streams") String stream, @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 30) Integer> cuts) {
        assertThat(Parsed.pieces(stream, false, cuts)).isEqualTo(Parsed.whole(stream, false));
    }

    @Property
    void everyResponseOfAGoodStreamIsFound(@ForAll("messages") List<Message> messages) {
        String stream = messages.stream().map(Message::text).collect(Collectors.joining());
        assertThat(Parsed.whole(stream, false).responses())
                .isEqualTo(messages.stream().map(Message::expected).toList());
    }

    @Property
    void mutilatedStreamsSplitTheSame(
            @ForAll("streams") String stream,
            @ForAll @IntRange(max = 10_000) int where,
            @ForAll @CharRange(from = '\0', to = '\u00ff') char what,
            @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 20) Integer> cuts) {
        int at = where % stream.length();
        String hurt = stream.substring(0, at) + what + stream.substring(at + 1);
        assertThat(Parsed.pieces(hurt, false, cuts)).isEqualTo(Parsed.whole(hurt, false));
    }

    @Property
    void noiseNeverThrows(
            @ForAll @CharRange(from = '\0', to = '\u00ff') @StringLength(max = 200) String noise,
            @ForAll("heads") String head) {
        assertThat(Parsed.whole(head + noise, false).end()).isNotNull();
    }

    @Property
    void scanFindsWhatASimpleLoopFinds(
            @ForAll @CharRange(from = '\0', to = '\u00ff') @StringLength(min = 1, max = 60) String text,
            @ForAll @IntRange(max = 59) int index) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        byte wanted = bytes[index % bytes.length];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from <= bytes.length; from++) {
            int found = text.indexOf(wanted & 0xff, from);
            assertThat(Scan.indexOf(buffer, from, bytes.length, wanted)).isEqualTo(found);
        }
    }

    @Property
    void matcherFindsWhatStringsFind(
            @ForAll @CharRange(from = 'a', to = 'b') @StringLength(min = 1, max = 6) String wanted,
            @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 60) String body,
            @ForAll @IntRange(max = 60) int cut) {
        BodyMatcher matcher = new BodyMatcher(wanted.getBytes(StandardCharsets.ISO_8859_1));
        ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1));
        int middle = Math.min(cut, body.length());
        matcher.body(bytes, 0, middle);
        matcher.body(bytes, middle, body.length());
        assertThat(matcher.found()).isEqualTo(body.contains(wanted));
        matcher.begin();
        assertThat(matcher.found()).isFalse();
    }

    record Message(String text, String expected) {}

    @Provide
    Arbitrary<String> heads() {
        return Arbitraries.of(
                "",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 7");
    }

    @Provide
    Arbitrary<String> streams() {
        return messages().map(list -> list.stream().map(Message::text).collect(Collectors.joining()));
    }

    @Provide
    Arbitrary<List<Message>> messages() {
        return message().list().ofMinSize(1).ofMaxSize(5);
    }

    private Arbitrary<Message> message() {
        Arbitrary<String> interim =
                Arbitraries.of("", "", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Hints\nLink: a\n\n");
        Arbitrary<Integer> status = Arbitraries.of(200, 204, 304, 404, 503);
        Arbitrary<String> eol = Arbitraries.of("\r\n", "\n");
        Arbitrary<List<String>> extra = Arbitraries.strings()
                .withChars("abcXYZ0: -")
                .ofMaxLength(20)
                .map(value -> "X-Some: " + value)
                .list()
                .ofMaxSize(3);
        Arbitrary<List<String>> chunks = Arbitraries.strings()
                .withChars("needl\r\n0")
                .ofMinLength(1)
                .ofMaxLength(20)
                .list()
                .ofMaxSize(4);
        return Combinators.combine(interim, status, eol, extra, chunks, Arbitraries.of(true, false))
                .as(ParserProperties::message);
    }

    private static Message message(
            String interim, int status, String eol, List<String> extra, List<String> chunks, boolean chunked) {
        boolean bodiless = status == 204 || status == 304;
        String body = String.join("", chunks);
        StringBuilder text = new StringBuilder(interim)
                .append("HTTP/1.1 ")
                .append(status)
                .append(" Why")
                .append(eol);
        extra.forEach(header -> text.append(header).append(eol));
        text.append(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length())
                .append(eol)
                .append(eol);
        if (!bodiless && chunked) {
            chunks.forEach(chunk -> text.append(Integer.toHexString(chunk.length()))
                    .append(";e=1")
                    .append(eol)
                    .append(chunk)
                    .append(eol));
            text.append('0').append(eol).append("Trail: er").append(eol).append(eol);
        } else if (!bodiless) {
            text.append(body);
        }
        int length = bodiless ? 0 : body.length();
        boolean found = !bodiless && body.contains("needle");
        return new Message(text.toString(), status + " " + length + (found ? " found" : "") + " keep");
    }
}
