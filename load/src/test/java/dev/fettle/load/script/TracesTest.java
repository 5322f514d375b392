package dev.fettle.load.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** Ids of requests that name themselves. */
class TracesTest {
    private static final String HEAD = "GET / HTTP/1.1\r\ntraceparent: " + Traces.VALUE + "\r\n\r\n";

    private static Traces traces(double share, long seed) {
        byte[] head = HEAD.getBytes(ISO_8859_1);
        return new Traces(ByteBuffer.allocateDirect(head.length).put(head).flip(), head.length, share, seed);
    }

    private static String sent(Traces t) {
        return ISO_8859_1.decode(t.request().duplicate()).toString();
    }

    @Test
    void eachHasAnIdOfItsOwnAsTheStandardHasIt() {
        var seen = new HashSet<String>();
        for (long client = 0; client < 20; client++) {
            Traces t = traces(1, client * 77);
            for (int i = 0; i < 50; i++) {
                assertThat(t.next()).isTrue();
                String id = String.format("%016x%016x", t.high(), t.low());
                assertThat(sent(t))
                        .matches("GET / HTTP/1\\.1\r\ntraceparent: 00-" + id + "-[0-9a-f]{16}-01\r\n\r\n")
                        .doesNotContain("-0000000000000000-");
                assertThat(seen.add(id)).isTrue();
            }
        }
    }

    @Test
    void aShareOfThemIsNamed() {
        Traces t = traces(0.1, 3);
        int named = 0;
        for (int i = 0; i < 10_000; i++) {
            named += t.next() ? 1 : 0;
        }
        assertThat(named).isBetween(850, 1150);
    }
}
