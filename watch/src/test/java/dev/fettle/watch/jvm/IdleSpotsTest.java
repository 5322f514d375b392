package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Real threads of a real pool: four idle, and two that wait for something else, one of them at a condition of its own. */
class IdleSpotsTest {
    @Test
    void whoWaitsWhereAnIdleOneDoesIsIdleAndNobodyElse() throws Exception {
        var threads = new ArrayList<Thread>();
        var pool = new ThreadPoolExecutor(6, 6, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), r -> {
            var t = new Thread(r, "job-" + threads.size());
            t.setDaemon(true);
            threads.add(t);
            return t;
        });
        try {
            pool.prestartAllCoreThreads();
            var answer = new LinkedBlockingQueue<String>();
            var latch = new CountDownLatch(1);
            pool.execute(() -> take(answer));
            pool.execute(() -> await(latch));
            long[] ids = threads.stream().mapToLong(Thread::threadId).toArray();
            var idle = new IdleSpots();
            List<SeenThread> stacks = SeenThreadTest.look(ids, JvmProbe.DEPTH);
            while (stacks.stream().filter(IdleSpotsTest::idle).count() != 4
                    || !stacks.stream().allMatch(s -> s.state() == Thread.State.WAITING)) {
                Thread.sleep(5);
                stacks = SeenThreadTest.look(ids, JvmProbe.DEPTH);
            }
            assertThat(idle.others(SeenThreadTest.look(ids, 0)))
                    .as("nothing is known yet")
                    .hasSize(6);
            idle.learn(stacks);
            List<SeenThread> others = idle.others(SeenThreadTest.look(ids, 0));
            assertThat(others).hasSize(2);
            long[] left = others.stream().mapToLong(SeenThread::id).toArray();
            assertThat(SeenThreadTest.look(left, JvmProbe.DEPTH)).noneMatch(IdleSpotsTest::idle);
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean idle(SeenThread t) {
        return WorkerState.of(t.state(), t.stack()) == WorkerState.IDLE;
    }

    private static void take(LinkedBlockingQueue<String> from) {
        try {
            from.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
