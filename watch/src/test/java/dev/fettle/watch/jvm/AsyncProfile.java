package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.fettle.model.trial.Profile;
import dev.fettle.watch.jfr.AsyncReader;
import dev.fettle.watch.jfr.AsyncRecording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A profile by async-profiler of a JVM that is busy. */
final class AsyncProfile {
    private AsyncProfile() {}

    /** Takes one, with what must be in it. */
    static void taken(long pid, Path folder, String busy) throws Exception {
        var kinds = EnumSet.allOf(Profile.Kind.class);
        var mine = Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
        List<Profile> found = List.of();
        // a busy machine may sample nothing for a while
        for (long millis = 300; !complete(found) && millis < 30_000; millis *= 2) {
            Instant from = Instant.now();
            Path file = folder.resolve("a" + millis + ".jfr");
            try (var recording = started(pid, kinds, file, mine)) {
                assertThatIOException()
                        .isThrownBy(() -> AsyncRecording.start(
                                pid,
                                kinds,
                                folder.resolve("b.jfr"),
                                Map.of("XDG_CACHE_HOME", folder.resolve("other").toString())))
                        .withMessageContaining("another copy");
                TimeUnit.MILLISECONDS.sleep(millis);
                found = AsyncReader.read(
                        recording.stop(), kinds, from, Instant.now(), n -> n.startsWith("http-nio-8080-exec-"));
            }
            assertThat(Files.exists(folder.resolve("a" + millis + ".jfr.log"))).isFalse();
        }
        assertThat(found.get(Profile.Kind.CPU.ordinal()).hottest(5))
                .anyMatch(f -> f.name().equals(busy + ".slowMethod"));
        assertThat(found.getFirst().source()).startsWith("async-profiler 4.1: CPU time of all threads, ");
        assertThat(found.get(Profile.Kind.LOCK.ordinal()).hottest(3))
                .anyMatch(f -> f.name().startsWith("[waits: a monitor of java.lang.Object, in "));
        assertThat(found.get(Profile.Kind.WALL.ordinal()).hottest(200))
                .anyMatch(f -> f.name().equals(busy + ".convoy"));
    }

    /** A machine that is full may keep the JVM from answering in time. */
    private static AsyncRecording started(long pid, EnumSet<Profile.Kind> kinds, Path file, Map<String, String> mine)
            throws Exception {
        while (true) {
            try {
                return AsyncRecording.start(pid, kinds, file, mine);
            } catch (NoAnswerException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private static boolean complete(List<Profile> found) {
        return !found.isEmpty()
                && found.stream().filter(p -> p.kind() != Profile.Kind.ALLOC).noneMatch(Profile::isEmpty);
    }
}
