package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class JvmProbeTest {
    private static final String TIMEOUT = "sun.tools.attach.attachTimeout";

    /** A JVM with a pool of four named workers, two of which run a task. */
    public static final class Pool {
        public static void main(String[] args) throws Exception {
            var number = new java.util.concurrent.atomic.AtomicInteger();
            var pool = Executors.newFixedThreadPool(4, r -> new Thread(r, "job-" + number.incrementAndGet()));
            var started = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                boolean hold = i < 2;
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

    @Test
    void busyWorkersAreThoseNotWaitingForWork() throws Exception {
        Process jvm = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Pool.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = jvm.inputReader()) {
            assertThat(out.readLine()).isEqualTo("up");
            try (var probe = JvmProbe.attach(jvm.pid(), "job-")) {
                WorkerProbe.Sample s = probe.sample().orElseThrow();
                // the two short tasks may still be ending; and not every sample looks at the stacks
                while (s.busy().isEmpty() || s.busy().getAsDouble() > 2) {
                    s = probe.sample().orElseThrow();
                }
                assertThat(s.workers()).hasValue(4);
                assertThat(s.busy()).hasValue(2);
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
