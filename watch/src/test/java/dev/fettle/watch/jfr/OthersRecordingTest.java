package dev.fettle.watch.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.ThreadsSeen.Group;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On recordings of this JVM itself, and on files that are none. */
@Timeout(90)
class OthersRecordingTest {
    private static final int WORKERS = 5;
    private static final int TURNS = 12;

    @TempDir
    Path folder;

    /** What a program does while it is recorded. */
    private interface Work {
        void run() throws Exception;
    }

    private Path record(String name, Map<String, String> settings, Work work) throws Exception {
        Path file = folder.resolve(name);
        try (var recording = new Recording(Configuration.getConfiguration("default"))) {
            var all = new HashMap<>(recording.getSettings());
            all.putAll(settings);
            recording.setSettings(all);
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private static OthersRecording.Recorded read(Path file) throws IOException {
        return OthersRecording.read(file, Instant.MIN, Instant.MAX);
    }

    private static final class Till {
        private synchronized void pay() throws InterruptedException {
            Thread.sleep(60);
        }
    }

    /**
     * Threads with the names of a server's workers take turns at a lock, which each holds while it sleeps. A monitor is not fair: if each
     * has all its turns at once, four wait, then three, and so on, two in the mean.
     */
    private static void queueAtALock() throws InterruptedException {
        var till = new Till();
        var ready = new CyclicBarrier(WORKERS);
        var done = new CountDownLatch(WORKERS);
        for (int i = 1; i <= WORKERS; i++) {
            Thread.ofPlatform().name("http-nio-8080-exec-" + i).start(() -> {
                try {
                    ready.await();
                    for (int n = 0; n < TURNS; n++) {
                        till.pay();
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    Thread.currentThread().interrupt();
                }
                done.countDown();
            });
        }
        done.await();
    }

    @Test
    void workersThatWaitForALockAreSeenAndWhoHoldsIt() throws Exception {
        // without dumps: of those, the threads that other tests have left in this JVM would count, too
        OthersRecording.Recorded read =
                read(record("lock.jfr", Map.of("jdk.ThreadDump#enabled", "false"), OthersRecordingTest::queueAtALock));
        assertThat(read.by()).startsWith("JDK " + Runtime.version().feature());
        assertThat(Duration.between(read.from(), read.to())).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(60));
        assertThat(read.timeline().sightings(Sighting.LOCK).getFirst().what()).isEqualTo(Till.class.getName());
        double lock = read.timeline().mean(Signals.WAIT_LOCK).getAsDouble();
        double sleep = read.timeline().mean(Signals.WAIT_SLEEP).getAsDouble();
        double busy = read.timeline().mean(Signals.WORKERS_BUSY).getAsDouble();
        assertThat(lock).isGreaterThan(1.5 * sleep).isLessThanOrEqualTo(WORKERS);
        assertThat(busy).isBetween(lock + sleep - 0.001, (double) WORKERS); // each is rounded
        List<Group> waiting = read.timeline().threads().moments().stream()
                .flatMap(m -> m.groups().stream().filter(g -> g.state() == Thread.State.BLOCKED))
                .toList();
        assertThat(waiting).isNotEmpty();
        assertThat(read.timeline().threads().partial()).isTrue();
        assertThat(waiting).anySatisfy(g -> {
            assertThat(g.waitsFor()).startsWith(Till.class.getName() + "@");
            assertThat(g.owner()).isNotNegative();
        });
        assertThat(read.notes()).anyMatch(n -> n.startsWith("waits shorter than 20"));
    }

    /** A service that answers each byte 60 ms later. */
    private static void askAService() throws Exception {
        try (var service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> {
                try (var from = service.accept()) {
                    while (from.getInputStream().read() >= 0) {
                        Thread.sleep(60);
                        from.getOutputStream().write(1);
                    }
                } catch (IOException | InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Thread worker = Thread.ofPlatform().name("http-nio-8080-exec-1").start(() -> {
                try (var to = new Socket(service.getInetAddress(), service.getLocalPort())) {
                    for (int i = 0; i < TURNS; i++) {
                        to.getOutputStream().write(1);
                        to.getInputStream().read();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            worker.join();
        }
    }

    @Test
    void whoWaitsForAServiceIsSeenToWaitForASocket() throws Exception {
        OthersRecording.Recorded read = read(record("service.jfr", Map.of(), OthersRecordingTest::askAService));
        double socket = read.timeline().mean(Signals.WAIT_SOCKET).getAsDouble();
        assertThat(socket).isBetween(0.3, 1.0);
        assertThat(read.timeline().mean(Signals.WAIT_RUNNING).orElse(0)).isLessThan(socket / 2);
        assertThat(read.timeline().sightings(Sighting.JFR_SOCKET_READ)).isNotEmpty();
    }

    @Test
    void ofAPartOnlyThatIsRead() throws Exception {
        Path file = record("lock.jfr", Map.of(), OthersRecordingTest::queueAtALock);
        Instant begun = OthersRecording.started(file);
        OthersRecording.Recorded part = OthersRecording.read(file, begun.plusSeconds(1), begun.plusSeconds(2));
        assertThat(part.from()).isEqualTo(begun.plusSeconds(1));
        assertThat(part.timeline().points() * part.timeline().stepMillis()).isLessThanOrEqualTo(1500);
        assertThatThrownBy(() -> OthersRecording.read(file, begun.plusSeconds(3600), Instant.MAX))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it has nothing of that time");
    }

    @Test
    void whereAKindOfWaitWasNotRecordedNoneCounts() throws Exception {
        OthersRecording.Recorded read =
                read(record("some.jfr", Map.of("jdk.ThreadSleep#enabled", "false"), OthersRecordingTest::queueAtALock));
        assertThat(read.timeline().find(Signals.WAIT_LOCK)).isEmpty();
        assertThat(read.timeline().find(Signals.WORKERS_BUSY)).isEmpty();
        assertThat(read.timeline().whyRecorded(Signals.WAIT_SLEEP))
                .hasValueSatisfying(w -> assertThat(w).contains("ThreadSleep"));
        assertThat(read.notes()).contains("not recorded: ThreadSleep");
    }

    /** No JVM records what a virtual thread parks for: that it sleeps is no part of what it does. */
    @Test
    void whatVirtualThreadsWaitForIsNotKnown() throws Exception {
        Path file = record("virtual.jfr", Map.of(), () -> {
            for (int i = 0; i < 3; i++) {
                Thread.ofVirtual()
                        .name("tomcat-handler-" + i)
                        .start(() -> {
                            try {
                                Thread.sleep(60);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        })
                        .join();
            }
        });
        OthersRecording.Recorded read = read(file);
        assertThat(read.timeline().find(Signals.WAIT_SLEEP)).isEmpty();
        assertThat(read.timeline().whyRecorded(Signals.WAIT_LOCK))
                .hasValueSatisfying(w -> assertThat(w).contains("virtual threads"));
    }

    @Test
    void withoutWorkersNothingIsKnownOfThem() throws Exception {
        OthersRecording.Recorded read = read(record("none.jfr", Map.of(), () -> Thread.sleep(100)));
        assertThat(read.timeline().find(Signals.WAIT_LOCK)).isEmpty();
        assertThat(read.timeline().whyRecorded(Signals.WAIT_LOCK)).isPresent();
    }

    @Test
    void collectionsAreCountedWithTheirCause() throws Exception {
        OthersRecording.Recorded read = read(record("gc.jfr", Map.of(), () -> {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
        }));
        assertThat(read.timeline().sum(Signals.GC_EXPLICIT).orElse(0)).isGreaterThanOrEqualTo(3);
        assertThat(read.timeline().sum(Signals.GC_COUNT).orElse(0)).isGreaterThanOrEqualTo(3);
        assertThat(read.timeline().max(Signals.HEAP_LIVE).orElse(0)).isPositive();
        assertThat(read.timeline().max(Signals.HEAP_MAX).orElse(0))
                .isGreaterThan(0.9 * Runtime.getRuntime().maxMemory());
        assertThat(read.timeline().find(Signals.GC_SHARE)).isPresent();
        OthersRecording.Recorded without =
                read(record("no-gc.jfr", Map.of("jdk.GarbageCollection#enabled", "false"), () -> Thread.sleep(50)));
        assertThat(without.timeline().find(Signals.GC_SHARE)).isEmpty();
        assertThat(without.timeline().whyRecorded(Signals.GC_COUNT)).isPresent();
    }

    @Test
    void aPartThatIsNotCompleteIsLeftOut() throws Exception {
        Path one = record("one.jfr", Map.of(), () -> Thread.sleep(50));
        byte[] first = Files.readAllBytes(one);
        var both = ByteBuffer.allocate(2 * first.length - 100);
        both.put(first).put(first, 0, first.length - 100);
        Path cut = Files.write(folder.resolve("cut.jfr"), both.array());
        assertThat(read(cut).notes()).contains("its last part is not complete, and was left out");
        assertThat(read(one).notes()).doesNotContain("its last part is not complete, and was left out");
    }

    /** A file with this header, of which the constants begin with these bytes. */
    private Path made(int major, long bytes, long pool, long start, long nanos, int... constants) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(200);
        b.put("FLR\0".getBytes(StandardCharsets.ISO_8859_1))
                .putShort((short) major)
                .putShort((short) 9);
        b.putLong(bytes)
                .putLong(pool)
                .putLong(100)
                .putLong(start)
                .putLong(nanos)
                .putLong(0)
                .putLong(1_000_000_000);
        b.position(100);
        for (int c : constants) {
            b.put((byte) c);
        }
        return Files.write(folder.resolve("made.jfr"), b.array());
    }

    @ParameterizedTest
    @CsvSource({
        "0,200,100,1,1,JDK Mission Control opens that",
        "7,200,100,1,1,and 1 and 2 are known",
        "2,0,100,1,1,is not complete",
        "2,5000,100,1,1,was cut off",
        "2,20,100,1,1,is damaged",
        "2,200,300,1,1,is damaged",
        "2,200,100,-1,1,is damaged",
        "2,200,100,1,-1,is damaged",
        "2,200,100,7258118400000000000,1,is damaged",
    })
    void aHeadThatCantBeIsRefused(int major, long bytes, long pool, long start, long nanos, String why)
            throws Exception {
        Path file = made(major, bytes, pool, start, nanos, 1, 1, 1, 1, 0);
        assertThat(OthersRecording.is(file)).isTrue();
        assertThatThrownBy(() -> read(file)).isInstanceOf(IOException.class).hasMessageContaining(why);
    }

    /** The last number is how far it is to the constants before, in seven bits a byte: forward, and back beyond the head. */
    @Test
    void constantsThatNeverEndAreRefused() throws Exception {
        int[] back = {20, 1, 1, 1, 0xce, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
        for (int[] constants : List.of(new int[] {20, 1, 1, 1, 2}, back)) {
            Path file = made(2, 200, 100, 1, 1, constants);
            assertThatThrownBy(() -> read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("constants of a part are damaged");
        }
    }

    /** Some megabytes of such would be read for minutes. */
    @Test
    void constantsWithinOthersAreRefused() throws Exception {
        // at 101, and from there back to 100, where they end
        Path file = made(2, 200, 101, 1, 1, 20, 20, 1, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("constants of a part are damaged");
    }

    /** Whatever byte of a recording is another: it is read, or refused in one line, and neither takes long. */
    @Test
    void noByteMakesItFailOtherwise() throws Exception {
        byte[] sound = Files.readAllBytes(record("sound.jfr", Map.of(), () -> Thread.sleep(20)));
        var random = new Random(7);
        var refused = new ArrayList<String>();
        for (int i = 0; i < 40; i++) {
            byte[] bytes = sound.clone();
            int at = i < 20 ? random.nextInt(8, 68) : random.nextInt(68, bytes.length);
            bytes[at] = (byte) random.nextInt();
            Path file = Files.write(folder.resolve("changed.jfr"), bytes);
            try {
                read(file);
            } catch (IOException e) {
                refused.add(e.getMessage());
            }
        }
        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(m -> assertThat(m)
                        .containsAnyOf(
                                "damaged",
                                "complete",
                                "cut off",
                                "nothing of that time",
                                "are known",
                                "no flight recording",
                                "8u262")
                        .doesNotContain("\n"));
    }

    /**
     * Eight seconds of six threads by async-profiler 4.1 ({@code event=cpu,wall=20ms,lock=1ms,alloc}): of four that take turns at a lock which each
     * holds for 30 ms one sleeps at a time, and two compute.
     */
    @Test
    void whatAsyncProfilerRecordedIsReadByItsOwnRates() throws Exception {
        Path file = Files.write(
                folder.resolve("async.jfr"),
                OthersRecordingTest.class
                        .getResourceAsStream("async-profiler.jfr")
                        .readAllBytes());
        OthersRecording.Recorded read = read(file);
        assertThat(read.by()).isEqualTo("async-profiler 4.1");
        assertThat(read.timeline().mean(Signals.WAIT_LOCK).getAsDouble()).isBetween(2.0, 3.5);
        assertThat(read.timeline().mean(Signals.WORKERS_BUSY).getAsDouble()).isBetween(5.5, 6.0);
        assertThat(read.profiles())
                .filteredOn(p -> p.kind() == Profile.Kind.CPU)
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.total()).isBetween(4000.0, 16_000.0);
                    assertThat(p.hottest(3)).extracting(Profile.Frame::name).anyMatch(n -> n.contains("Work.burn"));
                });
        assertThat(read.timeline().find(Signals.GC_SHARE)).isEmpty();
    }

    @Test
    void aTextIsNoRecording() throws Exception {
        Path text = Files.writeString(folder.resolve("a.jfr"), "FLR: a text");
        assertThat(OthersRecording.is(text)).isFalse();
        assertThat(OthersRecording.is(folder)).isFalse();
        assertThat(OthersRecording.is(folder.resolve("none"))).isFalse();
    }
}
