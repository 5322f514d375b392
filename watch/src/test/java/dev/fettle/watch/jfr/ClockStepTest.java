package dev.fettle.watch.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Profile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine's clock is set while a process is recorded. */
@Timeout(60)
class ClockStepTest {
    private static final Set<Profile.Kind> WALL = Set.of(Profile.Kind.WALL);

    @TempDir
    Path folder;

    private static void early() throws InterruptedException {
        Thread.sleep(50);
    }

    private static void late() throws InterruptedException {
        Thread.sleep(50);
    }

    /** Two parts: what was called in them, and when the second one's call began. */
    private static Instant record(Path file) throws Exception {
        Instant between;
        try (var recording = new Recording()) {
            recording.setSettings(RecordingSettings.of(WALL, Runtime.version().feature()));
            recording.start();
            early();
            between = Instant.now();
            try (var another = new Recording()) { // whose beginning begins a part
                another.start();
                late();
                recording.stop();
            }
            recording.dump(file);
        }
        return between;
    }

    private static List<Long> parts(FileChannel channel) throws Exception {
        var at = new ArrayList<Long>();
        for (long next = 0; next < channel.size(); ) {
            at.add(next);
            next += read(channel, next + 8);
        }
        return at;
    }

    private static long read(FileChannel channel, long at) throws Exception {
        ByteBuffer eight = ByteBuffer.allocate(8);
        assertThat(channel.read(eight, at)).isEqualTo(8);
        return eight.getLong(0);
    }

    /** As if the clock had stepped between the two parts: the second one has another time of day. */
    private static void step(Path file, Duration by) throws Exception {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            List<Long> at = parts(channel);
            assertThat(at).hasSizeGreaterThanOrEqualTo(2);
            for (long part : at.subList(1, at.size())) {
                long nanos = read(channel, part + 32) + by.toNanos();
                channel.write(ByteBuffer.allocate(8).putLong(0, nanos), part + 32);
            }
        }
    }

    private static List<String> methods(Path file, Instant from, Instant to) throws Exception {
        return RecordingReader.read(file, WALL, from, to, _ -> true).profiles().stream()
                .flatMap(p -> p.frames().stream())
                .filter(f -> f.startsWith(ClockStepTest.class.getName()))
                .map(f -> f.substring(f.lastIndexOf('.') + 1))
                .filter(m -> m.equals("early") || m.equals("late"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, -3600, 7})
    void whatIsAfterAStepIsTakenForWhenItWas(long seconds) throws Exception {
        Path file = folder.resolve("two.jfr");
        Instant begin = Instant.now();
        Instant between = record(file);
        Instant end = Instant.now();
        step(file, Duration.ofSeconds(seconds));
        assertThat(methods(file, between, end)).containsExactly("late");
        assertThat(methods(file, begin, between)).containsExactly("early");
        assertThat(methods(file, begin, end)).containsExactlyInAnyOrder("early", "late");
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, -3600, 3, -3})
    void theClockOfARecordingDoesNotStep(long seconds) {
        var day = new AtomicReference<>(Instant.ofEpochSecond(1_000_000));
        var nanos = new AtomicLong(-5);
        var clock = new RecordingClock(day::get, nanos::get);
        nanos.addAndGet(10_000_000_000L);
        day.set(Instant.ofEpochSecond(1_000_010));
        assertThat(clock.now()).isEqualTo(Instant.ofEpochSecond(1_000_010));
        assertThat(clock.wasSet()).isFalse();
        day.set(Instant.ofEpochSecond(1_000_010 + seconds));
        assertThat(clock.now()).isEqualTo(Instant.ofEpochSecond(1_000_010));
        assertThat(clock.wasSet()).isTrue();
    }

    @Test
    void aClockThatIsSlewedWasNotSet() {
        var nanos = new AtomicLong();
        var clock = new RecordingClock(
                () -> Instant.ofEpochSecond(1_000_000).plusNanos(nanos.get() + nanos.get() / 2000), nanos::get);
        nanos.set(Duration.ofHours(1).toNanos()); // 500 ppm, the most that the kernel slews by
        assertThat(clock.wasSet()).isFalse();
    }
}
