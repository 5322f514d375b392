package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;

/** On threads of this JVM, as its own beans tell of them. */
class SeenThreadTest {
    static List<SeenThread> look(long[] ids, int depth) throws JMException {
        return SeenThread.of(
                (CompositeData[]) ManagementFactory.getPlatformMBeanServer()
                        .invoke(SeenThread.BEAN, "getThreadInfo", new Object[] {ids, depth}, SeenThread.SIGNATURE),
                false);
    }

    private static Thread wants(ReentrantLock lock) {
        var t = new Thread(lock::lock, "wants-it");
        t.setDaemon(true);
        t.start();
        return t;
    }

    @Test
    void isWhatAThreadInfoTells() throws Exception {
        var lock = new ReentrantLock();
        lock.lock();
        Thread waits = wants(lock);
        while (waits.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        SeenThread seen = look(new long[] {waits.threadId()}, 5).getFirst();
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(waits.threadId(), 5);
        assertThat(seen.id()).isEqualTo(info.getThreadId());
        assertThat(seen.name()).isEqualTo("wants-it");
        assertThat(seen.state()).isEqualTo(info.getThreadState());
        assertThat(seen.lock()).isEqualTo(info.getLockName()).startsWith(seen.lockClass() + "@");
        assertThat(seen.lockClass()).isEqualTo(info.getLockInfo().getClassName());
        assertThat(seen.owner()).isEqualTo(Thread.currentThread().threadId());
        assertThat(Arrays.stream(seen.stack()).map(f -> f.getClassName() + "." + f.getMethodName()))
                .hasSize(5)
                .containsExactlyElementsOf(Arrays.stream(info.getStackTrace())
                        .map(f -> f.getClassName() + "." + f.getMethodName())
                        .toList());
        lock.unlock();
    }

    @Test
    void whoHasEndedIsLeftOutAndWhoWaitsForNothingHasNoLock() throws Exception {
        var ended = new Thread(() -> {});
        ended.start();
        ended.join();
        List<SeenThread> seen =
                look(new long[] {ended.threadId(), Thread.currentThread().threadId()}, 0);
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst().lock()).isEmpty();
        assertThat(seen.getFirst().lockClass()).isEmpty();
        assertThat(seen.getFirst().owner()).isEqualTo(-1);
        assertThat(seen.getFirst().stack()).isEmpty();
    }
}
