package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmProbeTest {
    private static final String TIMEOUT = "sun.tools.attach.attachTimeout";

    /** A JVM with a pool of named workers, some of which run a task; its arguments say how many. */
    public static final class Pool {
        public static void main(String[] args) throws Exception {
            int workers = Integer.parseInt(args[0]);
            int busy = Integer.parseInt(args[1]);
            var number = new java.util.concurrent.atomic.AtomicInteger();
            var pool = Executors.newFixedThreadPool(workers, r -> new Thread(r, "job-" + number.incrementAndGet()));
            var started = new CountDownLatch(workers);
            for (int i = 0; i < workers; i++) {
                boolean hold = i < busy;
                pool.execute(() -> {
                    started.countDown();
                    if (hold) {
                        hold();
                    }
                });
            }
            started.await();
            System.out.println("up");
            System.in.read();
            System.exit(0);
        }

        private static void hold() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Process pool(int workers, int busy) throws Exception {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Pool.class.getName(),
                        Integer.toString(workers),
                        Integer.toString(busy)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void busyWorkersAreThoseNotWaitingForWork() throws Exception {
        Process jvm = pool(4, 2);
        try (var out = jvm.inputReader()) {
            assertThat(out.readLine()).isEqualTo("up");
            try (var probe = JvmProbe.attach(jvm.pid(), "job-")) {
                WorkerProbe.Sample s = probe.sample().orElseThrow();
                // the two short tasks may still be ending; and not every sample looks at the stacks
                while (s.busy().isEmpty() || s.busy().getAsDouble() > 2) {
                    s = probe.sample().orElseThrow();
                }
                assertThat(s.workers().optional()).hasValue(4);
                assertThat(s.busy().optional()).hasValue(2);
            }
            try (var running = RunningJvm.attach(jvm.pid())) {
                assertThat(running.vmOption("UseSerialGC")).hasValue("true");
                assertThat(running.vmOption("NoSuchOption")).isEmpty();
                assertThat(running.systemProperty("java.home")).isPresent();
                assertThat(running.threadNames()).contains("job-1", "job-4");
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Of 300 workers 64 are looked at: of the 120 that are busy some 26, so 50 to 190 each time and about 120 on average. */
    @Test
    void ofManyWorkersARandomSampleStandsForAll() throws Exception {
        Process jvm = pool(300, 120);
        try (var out = jvm.inputReader()) {
            assertThat(out.readLine()).isEqualTo("up");
            var clock = new AtomicLong();
            // each look is due: a minute goes by between them
            try (var probe =
                    new JvmProbe(RunningJvm.attach(jvm.pid()), "job-", true, () -> clock.addAndGet(60_000_000_000L))) {
                var busy = new ArrayList<Double>();
                for (int i = 0; i < 30; i++) {
                    WorkerProbe.Sample s = probe.sample().orElseThrow();
                    assertThat(s.workers().optional()).hasValue(300);
                    busy.add(s.busy().orElseThrow());
                }
                assertThat(busy).allSatisfy(b -> assertThat(b).isBetween(50.0, 190.0));
                assertThat(busy.stream().distinct().count()).isGreaterThan(5);
                // the sample of thirty looks has a standard error of four
                assertThat(busy.stream().mapToDouble(b -> b).average().orElseThrow())
                        .isBetween(98.0, 142.0);
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** All of few; of many their part, but not less than eight of those that run. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "3, 20, 3", "0, 64, 0", "3, 61, 3", "12, 52, 8", "32, 32, 16", "60, 4, 30", "64, 0, 32"})
    void theStacksOfThoseThatRunAreReadFirst(int running, int others, int read) {
        assertThat(JvmProbe.share(running, others)).isEqualTo(read);
    }

    @Test
    void aProcessThatIsNoJvmIsSaidSo() throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        // the JDK would wait ten seconds for an answer that never comes
        System.setProperty(TIMEOUT, "500");
        try {
            org.assertj.core.api.Assertions.assertThatIOException().isThrownBy(() -> JvmProbe.attach(cat.pid(), "x"));
        } finally {
            cat.destroyForcibly();
            System.clearProperty(TIMEOUT);
        }
    }
}
