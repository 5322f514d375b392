package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock goes from thread to thread many times between two looks: who is named was in the code that holds it. */
@Timeout(120)
class LockHolderTest {
    private static final int WORKERS = 12;

    private static final String PREFIX = "job-";

    /** Workers that hold a lock for a moment, and do something else for another one. */
    abstract static class Passing {
        abstract void locked(Runnable what);

        static void holding() {
            LockSupport.parkNanos(10_000_000);
        }

        static void afterwards() {
            LockSupport.parkNanos(10_000_000);
        }

        void run() throws InterruptedException {
            for (int i = 0; i < WORKERS; i++) {
                Thread worker = new Thread(
                        () -> {
                            while (true) {
                                locked(Passing::holding);
                                afterwards();
                            }
                        },
                        PREFIX + i);
                worker.setDaemon(true);
                worker.start();
            }
            System.out.println("up");
            Thread.currentThread().join();
        }
    }

    static final class Monitor extends Passing {
        @Override
        synchronized void locked(Runnable what) {
            what.run();
        }

        public static void main(String[] args) throws Exception {
            new Monitor().run();
        }
    }

    static final class Reentrant extends Passing {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        void locked(Runnable what) {
            lock.lock();
            try {
                what.run();
            } finally {
                lock.unlock();
            }
        }

        public static void main(String[] args) throws Exception {
            new Reentrant().run();
        }
    }

    /** The outer one is a monitor, the inner one a lock that its holder waits for at times. */
    static final class Nested extends Passing {
        private final ReentrantLock inner = new ReentrantLock();

        @Override
        void locked(Runnable what) {
            synchronized (this) {
                inner.lock();
                try {
                    what.run();
                } finally {
                    inner.unlock();
                }
            }
        }

        public static void main(String[] args) throws Exception {
            new Nested().run();
        }
    }

    static final class WriteLock extends Passing {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

        @Override
        void locked(Runnable what) {
            lock.writeLock().lock();
            try {
                what.run();
            } finally {
                lock.writeLock().unlock();
            }
        }

        public static void main(String[] args) throws Exception {
            new WriteLock().run();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Monitor.class, Reentrant.class, Nested.class, WriteLock.class})
    void whoIsNamedHoldsIt(Class<?> program) throws Exception {
        Process process = JvmSignalsTest.start(program);
        try (RunningJvm jvm = RunningJvm.attach(process.pid());
                var probe = new JvmProbe(jvm, PREFIX, false, System::nanoTime)) {
            long[] workers = jvm.look(jvm.threads().getAllThreadIds(), 0).stream()
                    .filter(t -> t.name().startsWith(PREFIX))
                    .mapToLong(SeenThread::id)
                    .toArray();
            assertThat(workers).hasSize(WORKERS);
            for (int named = 0; named < 60; ) {
                List<SeenThread> waiting = jvm.look(workers, JvmProbe.DEPTH).stream()
                        .filter(t -> t.owner() >= 0)
                        .toList();
                for (SeenThread waiter : waiting) {
                    var holder = probe.holder(waiter);
                    if (holder.isPresent()) {
                        named++;
                        assertThat(Arrays.stream(holder.get().stack()).map(StackTraceElement::getMethodName))
                                .contains("locked")
                                .doesNotContain("afterwards");
                    }
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
