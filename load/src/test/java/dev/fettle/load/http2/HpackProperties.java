package dev.fettle.load.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.RequestTemplate;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.script.FixedHead;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackEncoder;
import org.junit.jupiter.api.Test;

/** Header blocks against an independent codec, Jetty's, and against noise. */
class HpackProperties {

    private static final int BLOCKS = 30;
    private static final List<String> NAMES = List.of(
            "content-type", "content-length", "date", "server", "etag", "set-cookie", "x-one", "x-another-name");

    /** Over many blocks of one connection, so that the dynamic table fills, is moved, and forgets. */
    @Property(tries = 200)
    void readsWhatJettyWrites(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        HpackEncoder encoder = new HpackEncoder();
        encoder.setMaxHeaderListSize(1_000_000);
        encoder.setTableCapacity(random.nextBoolean() ? 4096 : random.nextInt(4096));
        HpackDecoder decoder = new HpackDecoder(new Budget(1 << 20));
        for (int block = 0; block < BLOCKS; block++) {
            int status = 100 + random.nextInt(500);
            HttpFields.Mutable fields = HttpFields.build();
            List<String> expected = new ArrayList<>(List.of(":status: " + status));
            for (int i = random.nextInt(8); i > 0; i--) {
                String name = NAMES.get(random.nextInt(NAMES.size()));
                String value = name.equals("content-length") ? "" + random.nextInt(100_000) : text(random);
                fields.add(new HttpField(name, value));
                expected.add(name + ": " + value);
            }
            ByteBuffer bytes = ByteBuffer.allocate(100_000).order(ByteOrder.LITTLE_ENDIAN);
            encoder.encode(bytes, new MetaData.Response(status, null, HttpVersion.HTTP_2, fields));
            assertThat(decoded(decoder, bytes.flip())).isEqualTo(expected);
        }
    }

    /** Common values again and again, rare ones, long ones. */
    private static String text(Random random) {
        int kind = random.nextInt(3);
        int length = kind == 0 ? 3 : kind == 1 ? random.nextInt(40) : random.nextInt(1500);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (kind == 0 ? 'a' + random.nextInt(2) : '!' + random.nextInt(94)));
        }
        return text.toString();
    }

    private static List<String> decoded(HpackDecoder decoder, ByteBuffer block) throws ProtocolError {
        List<String> fields = new ArrayList<>();
        decoder.decode(
                block,
                (b, nameFrom, valueFrom, valueTo) ->
                        fields.add(string(b, nameFrom, valueFrom) + ": " + string(b, valueFrom, valueTo)));
        return fields;
    }

    private static String string(ByteBuffer b, int from, int to) {
        byte[] bytes = new byte[to - from];
        b.get(from, bytes);
        return new String(bytes, ISO_8859_1);
    }

    @Property(tries = 2000)
    void noiseIsAnErrorOrNot(@ForAll long seed) {
        Random random = new Random(seed);
        HpackDecoder decoder = new HpackDecoder(new Budget(1 << 20));
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        try {
            decoded(decoder, ByteBuffer.wrap(noise).order(ByteOrder.LITTLE_ENDIAN));
        } catch (ProtocolError e) {
            assertThat(e.code()).isEqualTo(Http2Code.COMPRESSION_ERROR);
        }
    }

    /** RFC 7541, C.4 and C.6: Huffman code and a table that has to forget. */
    @Test
    void theStandardsExample() throws Exception {
        HpackDecoder decoder = new HpackDecoder(new Budget(1 << 20));
        ByteBuffer block =
                hex("3f e1 01 48 82 64 02 58 85 ae c3 77 1a 4b 61 96 d0 7a be 94 10 54 d4 44 a8 20 05 95 04 0b 81"
                        + " 66 e0 82 a6 2d 1b ff 6e 91 9d 29 ad 17 18 63 c7 8f 0b 97 c8 e9 ae 82 ae 43 d3");
        assertThat(decoded(decoder, block))
                .containsExactly(
                        ":status: 302",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
        assertThat(decoded(decoder, hex("48 83 64 0e ff c1 c0 bf")))
                .containsExactly(
                        ":status: 307",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
    }

    private static ByteBuffer hex(String text) {
        String[] bytes = text.split(" ");
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        for (String b : bytes) {
            buffer.put((byte) Integer.parseInt(b, 16));
        }
        return buffer.flip();
    }

    @Property(tries = 200)
    void jettyReadsWhatIsWritten(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        RequestTemplate.Builder request = RequestTemplate.builder("PUT", "/path?" + "q".repeat(random.nextInt(300)));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String value = text(random);
            request.header("X-Name-" + i, value);
            expected.add("x-name-" + i + ": " + value);
        }
        byte[] block = new FixedHead(request.build(), "example.com:8080", new Http2Head(random.nextBoolean()))
                .field("Content-Length", "3")
                .field("Connection", "close")
                .end();

        MetaData.Request read = (MetaData.Request)
                new org.eclipse.jetty.http2.hpack.HpackDecoder(100_000, () -> 0).decode(ByteBuffer.wrap(block));
        assertThat(read.getMethod()).isEqualTo("PUT");
        assertThat(read.getHttpURI().getPathQuery()).startsWith("/path?");
        assertThat(read.getHttpURI().getAuthority()).isEqualTo("example.com:8080");
        List<String> fields = new ArrayList<>();
        read.getHttpFields().forEach(f -> fields.add(f.getName().toLowerCase(Locale.ROOT) + ": " + f.getValue()));
        expected.add("content-length: 3");
        assertThat(fields).containsExactlyElementsOf(expected);
    }
}
