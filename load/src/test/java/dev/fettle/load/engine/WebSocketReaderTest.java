package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fettle.load.bytes.Utf8Check;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.websocket.WebSocketHandshake;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server's frames, in pieces of any size, without a socket. */
class WebSocketReaderTest {

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.FrameFault#all")
    void whatIsWrongIsFoundHoweverItIsCut(FrameFault fault) {
        for (int size = 1; size <= Math.min(fault.bytes().length, 12); size++) {
            int pieces = size;
            ProtocolError error =
                    catchThrowableOfType(ProtocolError.class, () -> new FrameFault.Heard().read(fault.bytes(), pieces));
            assertThat(error).as("in pieces of %d", size).isNotNull();
            assertThat(error.what()).contains(fault.says());
            assertThat(error.kind()).isEqualTo(fault.kind());
            assertThat(error.code()).isEqualTo(fault.code());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8105 68656c6c6f, message hello",
        "8100, message ",
        "8200 8100, message |message ",
        "8201ff, message \u00ff",
        "0102 6865 0000 8003 6c6c6f, message hello",
        "0102 6865 8902 6f6b 8003 6c6c6f, ping ok|message hello",
        "8a00 0100 8a03 616263 8000, message ",
        "8900 890131, ping |ping 1",
        "0101e2 000182 8001ac, message \u00e2\u0082\u00ac",
        "0201e2 800128, message \u00e2("
    })
    void whatIsRightIsReadHoweverItIsCut(String hex, String heard) throws Exception {
        byte[] bytes = FrameFault.hex(hex.replace(" ", ""));
        for (int size = 1; size <= bytes.length; size++) {
            assertThat(String.join("|", new FrameFault.Heard().read(bytes, size))
                            .strip())
                    .as("in pieces of %d", size)
                    .isEqualTo(heard.strip());
        }
    }

    @Test
    void nothingIsContinuedBehindTheEndOfAMessage() {
        FrameFault.Heard heard = new FrameFault.Heard();
        byte[] bytes = FrameFault.hex("0102" + "6865" + "8903" + "786868" + "8000" + "8000");
        ProtocolError error = catchThrowableOfType(ProtocolError.class, () -> heard.read(bytes, 3));
        assertThat(error.what()).contains("a continuation of no message");
        assertThat(heard.all).containsExactly("ping xhh", "message he");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 65_535, 65_536, 200_000})
    void lengthsOfAllSizes(int length) throws Exception {
        byte[] payload = "x".repeat(length).getBytes(UTF_8);
        for (int size : new int[] {1, 7, 16_384, 1 << 20}) {
            FrameFault.Heard heard = new FrameFault.Heard();
            assertThat(heard.read(MessageServer.frame(1, payload), size))
                    .containsExactly("message " + new String(payload, UTF_8));
            assertThat(heard.reader().bodyLength()).isEqualTo(length);
        }
    }

    /** One after the other, in frames and pieces of any size, with Pings in between. */
    @Property(tries = 300)
    void messagesInFramesInPieces(
            @ForAll("texts") List<String> texts,
            @ForAll @IntRange(min = 1, max = 9) int frame,
            @ForAll @IntRange(min = 1, max = 40) int piece)
            throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String text : texts) {
            byte[] bytes = text.getBytes(UTF_8);
            for (int from = 0; from == 0 || from < bytes.length; from += frame) {
                int length = Math.min(frame, bytes.length - from);
                out.write((from == 0 ? 1 : 0) | (from + frame >= bytes.length ? 0x80 : 0));
                out.write(length);
                out.write(bytes, from, length);
                out.write(0x89);
                out.write(0);
            }
        }
        List<String> heard = new FrameFault.Heard().read(out.toByteArray(), piece);
        assertThat(heard.stream().filter(said -> said.startsWith("message ")))
                .containsExactlyElementsOf(texts.stream()
                        .map(text -> "message " + new String(text.getBytes(UTF_8), ISO_8859_1))
                        .toList());
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings()
                .withChars('a', '\u00e9', '\u20ac', '\ud7ff', '\ufffd')
                .ofMaxLength(30)
                .map(text -> text + "\ud83d\ude00")
                .list()
                .ofMaxSize(5);
    }

    /** Whatever comes, it is read as messages or refused, and the cut makes no difference. */
    @Property(tries = 3000)
    void anyBytesAreReadOrRefusedHoweverTheyAreCut(
            @ForAll("nearlyFrames") byte[] bytes, @ForAll @IntRange(min = 1, max = 7) int piece) {
        assertThat(outcome(bytes, piece)).isEqualTo(outcome(bytes, Math.max(1, bytes.length)));
    }

    private static String outcome(byte[] bytes, int piece) {
        FrameFault.Heard heard = new FrameFault.Heard();
        try {
            heard.read(bytes, piece);
            return heard.all + ", " + heard.reader().progress();
        } catch (ProtocolError e) {
            // the excerpt of wrong text is of the piece in which it was
            return heard.all + ", " + e.kind() + e.code() + e.what().replaceFirst(": '.*", "");
        }
    }

    @Provide
    Arbitrary<byte[]> nearlyFrames() {
        Arbitrary<byte[]> head = Arbitraries.of(
                        "81",
                        "01",
                        "80",
                        "00",
                        "82",
                        "88",
                        "89",
                        "8a",
                        "c1",
                        "83",
                        "8003",
                        "8105",
                        "8802",
                        "897d",
                        "817e007e",
                        "827f0000000000010000",
                        "03e8",
                        "e282ac")
                .map(FrameFault::hex);
        Arbitrary<byte[]> wild = Arbitraries.bytes().array(byte[].class).ofMaxSize(4);
        return Arbitraries.oneOf(head, wild).list().ofMaxSize(8).map(parts -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            parts.forEach(out::writeBytes);
            return out.toByteArray();
        });
    }

    /** Of any bytes, the check thinks as the JDK does, however they are cut. */
    @Property(tries = 5000)
    void utf8IsWhatTheJdkTakesForIt(@ForAll("nearlyUtf8") byte[] bytes, @ForAll @IntRange(min = 1, max = 9) int piece) {
        boolean right;
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            right = true;
        } catch (CharacterCodingException e) {
            right = false;
        }
        Utf8Check check = new Utf8Check();
        check.begin();
        boolean accepted = true;
        for (int from = 0; from < bytes.length && accepted; from += piece) {
            accepted = check.accepts(ByteBuffer.wrap(bytes), from, Math.min(bytes.length, from + piece));
        }
        assertThat(accepted && check.isWhole()).isEqualTo(right);
    }

    @Provide
    Arbitrary<byte[]> nearlyUtf8() {
        Arbitrary<Byte> bytes = Arbitraries.of(
                        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
                        0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff)
                .map(Integer::byteValue);
        Arbitrary<byte[]> wild = bytes.array(byte[].class).ofMaxSize(12);
        Arbitrary<byte[]> right = Arbitraries.strings().all().ofMaxLength(12).map(text -> text.getBytes(UTF_8));
        return Arbitraries.oneOf(wild, right);
    }

    @Test
    void theKeysAnswerIsThatOfTheStandardsExample() {
        assertThat(WebSocketHandshake.acceptOf("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
