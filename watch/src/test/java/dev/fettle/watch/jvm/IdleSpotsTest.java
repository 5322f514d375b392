package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
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
            var bean = ManagementFactory.getThreadMXBean();
            long[] ids = threads.stream().mapToLong(Thread::threadId).toArray();
            var idle = new IdleSpots();
            ThreadInfo[] stacks = bean.getThreadInfo(ids, JvmProbe.DEPTH);
            while (List.of(stacks).stream().filter(IdleSpotsTest::idle).count() != 4
                    || !List.of(stacks).stream().allMatch(s -> s.getThreadState() == Thread.State.WAITING)) {
                Thread.sleep(5);
                stacks = bean.getThreadInfo(ids, JvmProbe.DEPTH);
            }
            assertThat(idle.others(bean.getThreadInfo(ids)))
                    .as("nothing is known yet")
                    .hasSize(6);
            idle.learn(stacks);
            List<ThreadInfo> others = idle.others(bean.getThreadInfo(ids));
            assertThat(others).hasSize(2);
            long[] left = others.stream().mapToLong(ThreadInfo::getThreadId).toArray();
            assertThat(bean.getThreadInfo(left, JvmProbe.DEPTH)).noneMatch(IdleSpotsTest::idle);
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean idle(ThreadInfo t) {
        return WorkerState.of(t.getThreadState(), t.getStackTrace()) == WorkerState.IDLE;
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
