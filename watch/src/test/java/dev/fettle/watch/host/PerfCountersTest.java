package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.TimelineRecorder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerfCountersTest {
    @TempDir
    Path proc;

    private static ByteBuffer file(ByteOrder order, Object... namesAndValues) {
        ByteBuffer b = ByteBuffer.allocate(4096);
        b.putInt(0xcafec0c0)
                .put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 1 : 0))
                .order(order);
        b.putInt(24, 32).putInt(28, namesAndValues.length / 2);
        int at = 32;
        for (int i = 0; i < namesAndValues.length; i += 2) {
            byte[] name = ((String) namesAndValues[i]).getBytes(StandardCharsets.US_ASCII);
            int data = 20 + (name.length + 1 + 7 & ~7) + 4;
            b.putInt(at, data + 8)
                    .putInt(at + 4, 20)
                    .putInt(at + 8, 0)
                    .put(at + 12, (byte) 'J')
                    .putInt(at + 16, data);
            b.put(at + 20, name).putLong(at + data, (long) namesAndValues[i + 1]);
            at += data + 8;
        }
        return b.position(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countersAreReadInEitherOrderOfBytes(boolean little) {
        assertThat(PerfData.read(file(
                        little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN,
                        "a.b",
                        7L,
                        "sun.rt.safepoints",
                        1L << 40)))
                .containsOnly(java.util.Map.entry("a.b", 7L), java.util.Map.entry("sun.rt.safepoints", 1L << 40));
    }

    /** A file that lies about its lengths, or is none. */
    @Test
    void noFileMakesItFail() {
        var chance = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer b = file(ByteOrder.LITTLE_ENDIAN, "a.b", 7L, "c.d", 8L);
            for (int j = 0; j < 3; j++) {
                b.put(chance.nextInt(5, 120), (byte) chance.nextInt());
            }
            b.limit(chance.nextInt(4096));
            assertThatCode(() -> PerfData.read(b)).doesNotThrowAnyException();
        }
    }

    @Test
    void aJvmIsReadByThePidThatItHasInItsOwnNamespace() throws Exception {
        Path folder = Files.createDirectories(proc.resolve("7/root/tmp/hsperfdata_me"));
        Files.write(
                folder.resolve("1"),
                file(
                                ByteOrder.LITTLE_ENDIAN,
                                "sun.os.hrt.frequency",
                                1_000_000_000L,
                                "sun.rt.safepointTime",
                                500_000_000L,
                                "sun.rt.safepointSyncTime",
                                1L,
                                "sun.rt.safepoints",
                                3L)
                        .array());
        int me = (int) Files.getAttribute(folder, "unix:uid");
        Files.writeString(
                proc.resolve("7/status"),
                "Name:\tjava\nUid:\t" + me + "\t" + me + "\t" + me + "\t" + me + "\nNSpid:\t7\t1\n");
        long[] now = {0};
        var recorder = new TimelineRecorder(500, () -> now[0]);
        var counters = new PerfCounters(new Proc(proc), 7);
        counters.sample(recorder);
        now[0] = 1_000_000_000L;
        counters.sample(recorder);
        assertThat(recorder.timeline().find(Signals.SAFEPOINT_SHARE)).isPresent();
        assertThat(recorder.timeline().find(Signals.SAFEPOINT_COUNT)).isPresent();
    }

    @Test
    void whoWritesNoneSaysWhy() {
        var recorder = new TimelineRecorder(500, () -> 0);
        new PerfCounters(new Proc(proc), 7).sample(recorder);
        assertThat(recorder.timeline().whyRecorded(Signals.SAFEPOINT_SHARE).orElse(""))
                .contains("hsperfdata");
    }
}
