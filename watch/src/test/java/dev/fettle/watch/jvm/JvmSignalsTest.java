package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.jfr.FlightRecording;
import dev.fettle.watch.jfr.RecordingReader;
import dev.fettle.watch.jfr.SecondOpinion;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import jdk.jfr.consumer.RecordingFile;
import jdk.management.jfr.RecordingInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On JVMs that run what is to be found. */
@Timeout(300)
class JvmSignalsTest {
    /** Threads named as Tomcat's: three wait for a lock whose holder computes, two for each other; a heap that is collected. */
    public static final class Busy {
        private static final Object LOCK = new Object();
        private static volatile double sink;
        private static volatile boolean resting;

        public static void main(String[] args) throws Exception {
            var held = new CountDownLatch(1);
            worker(1, () -> {
                synchronized (LOCK) {
                    held.countDown();
                    slowMethod();
                }
            });
            held.await();
            for (int i = 2; i <= 4; i++) {
                worker(i, Busy::wantsLock);
            }
            var a = new ReentrantLock();
            var b = new ReentrantLock();
            var both = new CountDownLatch(2);
            worker(5, () -> deadlock(a, b, both));
            worker(6, () -> deadlock(b, a, both));
            // short waits, for the recording
            var little = new Object();
            for (int i = 7; i <= 8; i++) {
                worker(i, () -> convoy(little));
            }
            System.gc();
            System.out.println("up");
            System.in.read();
            Runtime.getRuntime().halt(0);
        }

        private static void wantsLock() {
            synchronized (LOCK) {
                sink++;
            }
        }

        private static void slowMethod() {
            while (true) {
                if (resting) {
                    LockSupport.park();
                } else {
                    sink += Math.sin(sink);
                }
            }
        }

        private static void convoy(Object little) {
            while (true) {
                synchronized (little) {
                    try {
                        Thread.sleep(5);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        }

        private static void deadlock(ReentrantLock first, ReentrantLock second, CountDownLatch both) {
            first.lock();
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                return;
            }
            second.lock();
        }

        private static void worker(int n, Runnable task) {
            var t = new Thread(task, "http-nio-8080-exec-" + n);
            t.setDaemon(true);
            t.start();
        }
    }

    /** The same, whose holder waits instead: for tests that do not ask what it does. */
    public static final class Resting {
        public static void main(String[] args) throws Exception {
            Busy.resting = true;
            Busy.main(args);
        }
    }

    /** A server that starts its first worker with the first request: a line on its standard input. */
    public static final class Late {
        public static void main(String[] args) throws Exception {
            System.out.println("up");
            while (System.in.read() != '\n') {}
            Busy.worker(1, Busy::slowMethod);
            System.out.println("at work");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    static Process start(String... flags) throws IOException {
        return start(Busy.class, flags);
    }

    static Process start(Class<?> main, String... flags) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        if (Arrays.stream(flags).noneMatch(f -> f.matches("-XX:\\+Use.*GC"))) {
            command.add("-XX:+UseSerialGC");
        }
        command.addAll(Arrays.asList(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("SECRET", "open-barley");
        Process jvm = builder.start();
        assertThat(jvm.inputReader().readLine()).isEqualTo("up");
        return jvm;
    }

    /** Keeps what it is told. */
    private static final class Told implements SignalSource.Sink {
        final Map<String, Double> values = new HashMap<>();
        final Map<String, String> reasons = new HashMap<>();
        final Map<String, Sighting> sightings = new HashMap<>();
        /** Looks at the MBeans so far. */
        int looks;
        /** Calls so far. */
        int valuesTold;

        int sightingsTold;

        @Override
        public void value(String id, double value) {
            looks += id.equals("heap.used") ? 1 : 0;
            valuesTold++;
            values.put(id, value);
        }

        @Override
        public void valueAt(String id, long nanoTime, double value) {
            values.put(id, value);
        }

        @Override
        public void notObserved(String id, String why) {
            reasons.put(id, why);
        }

        @Override
        public void sighting(Sighting seen) {
            sightings.put(seen.kind() + " " + seen.what(), seen);
            sightingsTold++;
        }
    }

    /** Over how many looks its stacks were counted. */
    private static int looks(Told told) {
        Sighting all = told.sightings.get("stacks runs");
        return all == null ? 0 : Integer.parseInt(all.detail().replaceAll("\\D", ""));
    }

    private static void until(BooleanSupplier done, Runnable again) throws InterruptedException {
        while (!done.getAsBoolean()) {
            again.run();
            Thread.sleep(20);
        }
    }

    /** A machine that is full may keep it from answering in time. */
    static RunningJvm attached(Process jvm) throws Exception {
        while (true) {
            try {
                return RunningJvm.attach(jvm.pid());
            } catch (IOException e) {
                assertThat(jvm.isAlive()).as(e.getMessage()).isTrue();
                Thread.sleep(100);
            }
        }
    }

    /** Its thread is looked for when one has been started, not some looks later. */
    @Test
    void aWorkerThatComesLateIsSeenSoon() throws Exception {
        Process jvm = start(Late.class);
        try (var source = JvmSignals.of(jvm.pid(), 8080)) {
            var told = new Told();
            until(() -> told.looks >= 3, () -> source.sample(told));
            assertThat(told.values).doesNotContainKey("wait.running");
            jvm.outputWriter().append('\n').flush();
            assertThat(jvm.inputReader().readLine()).isEqualTo("at work");
            int before = told.looks;
            until(() -> told.values.containsKey("wait.running"), () -> source.sample(told));
            assertThat(told.looks - before).as("looks until it is seen").isLessThanOrEqualTo(3);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void heapLocksDeadlockAndProfilesOfAJvm(@TempDir Path folder) throws Exception {
        // its flight recorder's files stay, because it is killed
        Process jvm = start("-Djava.io.tmpdir=" + folder, "-Ddb.password=sesame");
        try (var source = JvmSignals.of(jvm.pid(), 8080);
                var running = attached(jvm)) {
            var told = new Told();
            // the first look may come before the convoy has formed
            until(
                    () -> told.values.getOrDefault("wait.lock", 0.0) >= 5 && told.values.containsKey("heap.afterGc"),
                    () -> source.sample(told));
            assertThat(told.values).containsKeys("heap.used", "heap.old", "heap.max", "classes.loaded", "gc.count");
            assertThat(told.values.get("heap.afterGc")).isBetween(1e5, 64e6);
            assertThat(told.values.get("wait.running")).isGreaterThanOrEqualTo(1);
            assertThat(told.reasons).containsKeys("pool.*", "sessions.active");
            Sighting lock = told.sightings.get("lock java.lang.Object");
            assertThat(lock.count()).isBetween(3.0, 4.0);
            assertThat(told.sightings.keySet()).contains("lock java.util.concurrent.locks.ReentrantLock$NonfairSync");
            assertThat(told.sightings
                            .get("frame " + Busy.class.getName() + ".wantsLock")
                            .detail())
                    .startsWith("waits for a lock");

            until(() -> looks(told) >= 4, () -> source.sample(told));
            source.measuringBegins();
            var measured = new Told();
            until(() -> measured.sightings.containsKey("lock java.lang.Object"), () -> source.sample(measured));
            assertThat(looks(measured)).as("the warm-up is forgotten").isLessThan(4);

            assertThat(new ThreadDump(running).deadlocked())
                    .hasSize(2)
                    .allMatch(s -> s.contains("http-nio-8080-exec-"));
            assertThat(new ThreadDump(running).take(true))
                    .contains("http-nio-8080-exec-4", "Found one Java-level deadlock");

            profiled(running, folder.resolve("a.jfr"));
            withoutSecrets(running, jvm.pid(), folder);
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    private static void profiled(RunningJvm running, Path file) throws Exception {
        var kinds = EnumSet.allOf(Profile.Kind.class);
        long others = running.recorder().newRecording();
        running.recorder().startRecording(others);
        RecordingReader.Recorded found = new RecordingReader.Recorded(List.of(), List.of());
        // a busy machine may sample nothing for a while
        for (long millis = 500; !complete(found) && millis < 30_000; millis *= 2) {
            Instant from = Instant.now();
            try (var recording = FlightRecording.start(running, kinds, Optional.empty())) {
                assertThat(recording.others()).hasSize(1);
                assertThat(ours(running).getDuration())
                        .as("ends by itself, whatever happens to Fettle")
                        .isEqualTo(3600);
                TimeUnit.MILLISECONDS.sleep(millis);
                recording.stopTo(file);
                assertThat(recording.endedItself()).isFalse();
            }
            found = RecordingReader.read(file, kinds, from, Instant.now(), n -> n.startsWith("http-nio-8080-exec-"));
        }
        Profile cpu = found.profiles().getFirst();
        assertThat(cpu.kind()).isEqualTo(Profile.Kind.CPU);
        assertThat(cpu.hottest(1).getFirst().name()).isEqualTo(Busy.class.getName() + ".slowMethod");
        assertThat(found.profiles().get(Profile.Kind.LOCK.ordinal()).hottest(3))
                .anyMatch(f -> f.name().startsWith("[waits: a monitor of java.lang.Object, in "));
        assertThat(found.profiles().get(Profile.Kind.WALL.ordinal()).hottest(5))
                .anyMatch(f -> f.name().equals("[waits: sleep, in " + Busy.class.getName() + ".convoy]"));
        assertThat(found.sightings())
                .anyMatch(s -> s.kind().equals("jfr.monitor") && s.what().equals("java.lang.Object"));
        // the one that is not ours goes on
        assertThat(running.recorder().getRecordings())
                .anyMatch(r -> r.getId() == others && r.getState().equals("RUNNING"))
                .hasSize(1);
    }

    private static RecordingInfo ours(RunningJvm running) throws IOException {
        return running.recorder().getRecordings().stream()
                .filter(r -> r.getName().equals(OwnRecordings.name()))
                .findFirst()
                .orElseThrow();
    }

    /** The JVM's arguments, properties and environment may hold passwords, which no recording keeps; JMC's rules do without. */
    private static void withoutSecrets(RunningJvm running, long pid, Path folder) throws Exception {
        Path second = folder.resolve("second.jfr");
        // one of somebody else's, with the usual settings
        long others = running.recorder().newRecording();
        running.recorder().setPredefinedConfiguration(others, "default");
        running.recorder().startRecording(others);
        try (var recording = FlightRecording.start(running, Set.of(Profile.Kind.CPU), Optional.empty())) {
            recording.stopTo(folder.resolve("next-to-others.jfr"));
        }
        assertThat(RecordingFile.readAllEvents(folder.resolve("next-to-others.jfr")))
                .extracting(e -> e.getEventType().getName())
                .contains("jdk.ActiveSetting")
                .doesNotContain("jdk.OSInformation");
        try (var recording = FlightRecording.start(running, Set.of(Profile.Kind.CPU), Optional.of("profile"))) {
            TimeUnit.MILLISECONDS.sleep(300);
            // as it does after an hour
            running.recorder().stopRecording(ours(running).getId());
            recording.stopTo(second);
            assertThat(recording.endedItself()).isTrue();
        }
        assertThat(SecondOpinion.of(second)).isNotNull();
        assertThat(RecordingFile.readAllEvents(second))
                .extracting(e -> e.getEventType().getName())
                .as("an event of the JVM's own settings, which Fettle's do not name")
                .contains("jdk.OSInformation", "jdk.GCConfiguration");
        AsyncProfile.taken(pid, folder, Busy.class.getName());
        int files = 0;
        try (var all = Files.list(folder)) {
            for (Path file : all.filter(f -> f.toString().endsWith(".jfr")).toList()) {
                files++;
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("sesame", "open-barley");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
        }
        assertThat(files).isGreaterThanOrEqualTo(3);
    }

    private static boolean complete(RecordingReader.Recorded found) {
        return found.profiles().stream()
                        .filter(p -> p.kind() != Profile.Kind.ALLOC)
                        .noneMatch(Profile::isEmpty)
                && !found.profiles().isEmpty();
    }

    /** Sorting out what was seen costs, too: it is told when a look has seen more, not each time it is asked for. */
    @Test
    void betweenLooksNothingIsTold() throws Exception {
        Process jvm = start(Resting.class);
        try (var source = JvmSignals.of(jvm.pid(), 8080)) {
            var told = new Told();
            until(() -> told.sightingsTold > 0 && told.looks >= 5, () -> source.sample(told));
            int withoutALook = 0;
            while (told.looks < 7) {
                int values = told.valuesTold;
                int sightings = told.sightingsTold;
                source.sample(told);
                Thread.sleep(5);
                if (told.valuesTold == values) {
                    withoutALook++;
                    assertThat(told.sightingsTold).isEqualTo(sightings);
                }
            }
            assertThat(withoutALook).isPositive();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void whatCantBeAttachedToIsNotObservedAndSaysWhy() throws Exception {
        Process jvm = start(Resting.class, "-XX:+DisableAttachMechanism");
        Process cat = new ProcessBuilder("cat").start();
        try {
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.attach(jvm.pid()))
                    .withMessageContaining("DisableAttachMechanism");
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.attach(cat.pid()))
                    .withMessageContaining("is no JVM");
            cat.destroyForcibly().waitFor();
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.attach(cat.pid()))
                    .withMessageContaining("no process");
            var told = new Told();
            try (var source = JvmSignals.of(jvm.pid(), 8080)) {
                source.sample(told);
                assertThat(told.reasons).as("until it is known").containsKeys("heap.*", "wait.*");
                until(() -> told.reasons.get("heap.*").contains("DisableAttachMechanism"), () -> source.sample(told));
            }
        } finally {
            jvm.destroyForcibly();
            cat.destroyForcibly();
        }
    }

    @Test
    void aJvmThatStandsStillOrEndsIsSilence() throws Exception {
        Process jvm = start(Resting.class);
        try (var source = JvmSignals.of(jvm.pid(), 8080)) {
            var told = new Told();
            until(() -> told.values.containsKey("heap.used"), () -> source.sample(told));
            signal(jvm, "STOP");
            told.values.clear();
            for (int i = 0; i < 5; i++) {
                source.sample(told);
            }
            until(() -> !source.notes().isEmpty(), () -> source.sample(told));
            assertThat(source.notes().getFirst()).startsWith("the JVM did not answer for ");
            signal(jvm, "CONT");
            // and answers again
            until(() -> told.values.containsKey("heap.used"), () -> source.sample(told));
            jvm.destroyForcibly().waitFor();
            told.values.clear();
            source.sample(told);
            source.sample(told);
            assertThat(told.values).isEmpty();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** A look that never came back would keep the thread that drives the load; closing the connection, too. */
    @Test
    void aProbeOfAJvmThatStandsStillHasNoSample() throws Exception {
        Process jvm = start(Resting.class);
        try (var running = attached(jvm)) {
            JvmProbe workers = JvmProbe.over(running, "http-nio-8080-exec-");
            WorkerProbe probe = running.patient(workers);
            // both use the same probe, which one thread may be inside at a time
            try (var source = JvmSignals.over(running, 8080, Optional.of(workers))) {
                var told = new Told();
                until(
                        () -> told.values.containsKey("wait.running")
                                && probe.sample().isPresent(),
                        () -> source.sample(told));
                signal(jvm, "STOP");
                // what it was asked before may still be answered, also after a question in vain
                for (int inVain = 0; inVain < 3; ) {
                    inVain = probe.sample().isPresent() ? 0 : inVain + 1;
                }
                assertThat(probe.sample()).isEmpty();
                assertThat(probe.collections()).isEmpty();
                source.sample(told); // and the source's
                told.values.clear();
                source.sample(told);
                // what it has counted by itself is read from a file
                assertThat(told.values.keySet()).isSubsetOf("gc.share", "heap.afterGc", "heap.max");
                signal(jvm, "CONT");
                until(
                        () -> told.values.containsKey("wait.running")
                                && probe.sample().isPresent(),
                        () -> source.sample(told));
                Optional<WorkerProbe.Sample> collections = probe.collections();
                while (collections.isEmpty()) {
                    collections = probe.collections();
                }
                assertThat(collections.get().gcMillis().optional()).isPresent();
                assertThat(collections.get().busy().optional()).isEmpty();
                signal(jvm, "STOP");
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
