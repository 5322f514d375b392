package dev.fettle.load.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Searches find what the JDK's finds, in pieces too, and whatever was searched for before. */
class BytePatternProperties {

    @Property(tries = 300)
    void findsWhatIsThere(@ForAll long seed) {
        Random random = new Random(seed);
        BytePattern pattern = new BytePattern();
        for (int i = 0; i < 20; i++) {
            String wanted = text(random, 6);
            String all = text(random, 60);
            byte[] sought = (wanted + "rest").getBytes(ISO_8859_1);
            pattern.seek(sought, wanted.length());
            ByteBuffer bytes = ByteBuffer.wrap(all.getBytes(ISO_8859_1));
            int cut = random.nextInt(all.length() + 1);
            int state = pattern.advance(pattern.advance(0, bytes, 0, cut), bytes, cut, all.length());
            assertThat(pattern.isFound(state)).as("'%s' in '%s'", wanted, all).isEqualTo(all.contains(wanted));
        }
    }

    /** Of few letters, so that they repeat. */
    private static String text(Random random, int longest) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(2)));
        }
        return text.toString();
    }
}
