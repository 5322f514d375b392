package dev.fettle.watch.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.watch.host.PerfData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JvmCountersTest {
    private static final int MAGIC = 0xcafec0c0;

    private static Optional<JvmCounters.Heap> heap(byte[] bytes) {
        return JvmCounters.heap(PerfData.read(ByteBuffer.wrap(bytes)));
    }

    private static byte[] file(ByteOrder order, Map<String, Long> counters) {
        ByteBuffer out = ByteBuffer.allocate(64 * 1024).order(order);
        out.order(ByteOrder.BIG_ENDIAN).putInt(MAGIC).order(order);
        out.put((byte) (order == ByteOrder.BIG_ENDIAN ? 0 : 1)).put(new byte[] {2, 0, 1});
        out.position(24).putInt(32).putInt(counters.size());
        counters.forEach((name, value) -> {
            byte[] text = (name + "\0").getBytes(StandardCharsets.US_ASCII);
            int padded = (text.length + 7) / 8 * 8;
            int at = out.position();
            out.putInt(20 + padded + 8).putInt(20).putInt(0);
            out.put((byte) 'J').put(new byte[] {0, 1, 2}).putInt(20 + padded);
            out.put(text).position(at + 20 + padded).putLong(value);
        });
        return Arrays.copyOf(out.array(), out.position());
    }

    private static Map<String, Long> g1() {
        var all = new LinkedHashMap<String, Long>();
        all.put("sun.os.hrt.frequency", 1_000_000_000L);
        all.put("sun.gc.generation.0.maxCapacity", 100L);
        all.put("sun.gc.generation.1.maxCapacity", 100L);
        all.put("sun.gc.generation.0.space.1.used", 3L);
        all.put("sun.gc.generation.1.space.0.used", 90L);
        all.put("sun.gc.collector.0.time", 1_500_000_000L);
        all.put("sun.gc.collector.1.time", 500_000_000L);
        return all;
    }

    @Test
    void theHeapAndTheTimeInCollections() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            assertThat(heap(file(order, g1()))).contains(new JvmCounters.Heap(93, 100, 2));
        }
    }

    @Test
    void generationsOfTheirOwnAddUp() {
        Map<String, Long> serial = g1();
        serial.put("sun.gc.generation.0.maxCapacity", 50L);
        assertThat(heap(file(ByteOrder.LITTLE_ENDIAN, serial))).contains(new JvmCounters.Heap(93, 150, 2));
    }

    @Test
    void whatIsCutOffOrBrokenSaysNothing() {
        byte[] whole = file(ByteOrder.LITTLE_ENDIAN, g1());
        for (int length = 0; length < 200; length++) {
            assertThat(heap(Arrays.copyOf(whole, length))).isEmpty();
        }
        for (int at = 0; at < whole.length - 4; at += 4) {
            byte[] broken = whole.clone();
            ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(at, Integer.MAX_VALUE);
            assertThat(heap(broken)).isNotNull();
            ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(at, -8);
            assertThat(heap(broken)).isNotNull();
        }
    }

    @Test
    void aCollectorWithoutAnOldGenerationIsNotRead() {
        Map<String, Long> z = g1();
        z.remove("sun.gc.generation.1.maxCapacity");
        assertThat(heap(file(ByteOrder.LITTLE_ENDIAN, z))).isEmpty();
    }
}
