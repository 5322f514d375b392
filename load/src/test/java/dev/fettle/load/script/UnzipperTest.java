package dev.fettle.load.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class UnzipperTest {

    private static final int HEADER = 10;

    private final Unzipper unzipper = new Unzipper();

    /** A member as RFC 1952 has it, with the optional fields that the flags name. */
    private static byte[] gzip(byte[] body, int flags) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, (byte) flags, 0, 0, 0, 0, 0, 3});
        if ((flags & 4) != 0) {
            out.writeBytes(new byte[] {4, 1});
            out.writeBytes(new byte[4 + 256]);
        }
        if ((flags & 8) != 0) {
            out.writeBytes("page.html\0".getBytes(ISO_8859_1));
        }
        if ((flags & 16) != 0) {
            out.writeBytes("made by hand\0".getBytes(ISO_8859_1));
        }
        if ((flags & 2) != 0) {
            out.writeBytes(new byte[] {7, 0});
        }
        try (var deflater = new Deflater(9, true)) {
            deflater.setInput(body);
            deflater.finish();
            byte[] piece = new byte[512];
            while (!deflater.finished()) {
                out.write(piece, 0, deflater.deflate(piece));
            }
        }
        out.writeBytes(new byte[8]);
        return out.toByteArray();
    }

    private void pass(byte[] packed, Random r, int atMost) {
        ByteBuffer b = ByteBuffer.allocateDirect(packed.length + 7).put(3, packed);
        b.position(1).limit(packed.length + 5);
        unzipper.begin();
        for (int i = 0; i < packed.length; ) {
            int n = Math.min(packed.length - i, 1 + r.nextInt(atMost));
            unzipper.body(b, 3 + i, 3 + i + n);
            i += n;
        }
        assertThat(b.position()).isEqualTo(1);
        assertThat(b.limit()).isEqualTo(packed.length + 5);
    }

    @Property(tries = 300)
    void anyHeaderInAnyPieces(
            @ForAll @IntRange(max = 31) int flags, @ForAll @IntRange(max = 60_000) int length, @ForAll long seed) {
        var r = new Random(seed);
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) r.nextInt(4);
        }
        pass(gzip(body, flags & ~1), r, 1 + r.nextInt(5_000));
        var crc = new CRC32C();
        crc.update(body);
        assertThat(unzipper.isWhole()).isTrue();
        assertThat(unzipper.length()).isEqualTo(length);
        assertThat(unzipper.hash()).isEqualTo((int) crc.getValue());
    }

    /** Neither a body that was cut, nor one that says gzip and is not, nor nonsense behind a good header. */
    @Test
    void whatCannotBeUnpackedIsNotWhole() {
        byte[] good = gzip("hello hello hello".getBytes(ISO_8859_1), 0);
        pass(Arrays.copyOf(good, good.length - 12), new Random(1), 5);
        assertThat(unzipper.isWhole()).isFalse();
        pass("<html>not packed</html>".getBytes(ISO_8859_1), new Random(1), 50);
        assertThat(unzipper.isWhole()).isFalse();
        byte[] bad = good.clone();
        Arrays.fill(bad, HEADER, bad.length, (byte) 0xff);
        pass(bad, new Random(1), 50);
        assertThat(unzipper.isWhole()).isFalse();
        pass(new byte[0], new Random(1), 1);
        assertThat(unzipper.isWhole()).isFalse();
        pass(good, new Random(2), 3);
        assertThat(unzipper.isWhole()).isTrue();
    }

    /** A few kilobytes that unpack to gigabytes stop nobody. */
    @Test
    void aBombIsLeftAlone() {
        pass(gzip(new byte[64 << 20], 0), new Random(3), 1 << 20);
        assertThat(unzipper.isWhole()).isFalse();
        assertThat(unzipper.length()).isLessThan(40 << 20);
    }
}
