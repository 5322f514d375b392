package dev.fettle.load.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.load.engine.Descriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring by itself: what the kernel refuses, and full queues. */
@Isolated("counts the descriptors of this JVM")
class RingTest {

    private static final RingKit.Sizes SMALL = new RingKit.Sizes(8, 8, 4, 4096);

    @BeforeEach
    void needsIoUring() {
        Optional<String> refusal = RingKit.tryOut(SMALL);
        assumeTrue(refusal.isEmpty(), () -> "no io_uring here: " + refusal.orElse(""));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Abi.SETUP_NO_SQARRAY, Abi.SETUP_NO_SQARRAY | Abi.SETUP_DEFER_TASKRUN})
    void doesWithoutTheFlagsOfNewerKernels(int unknown) {
        Kernel kernel = new Kernel();
        kernel.unknownFlags = unknown;
        assertThat(RingKit.tryOut(kernel, new Libc(), SMALL)).isEmpty();
        assertThat(kernel.flags & unknown).isZero();
        assertThat(kernel.flags & Abi.SETUP_SINGLE_ISSUER).isNotZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 'Operation not permitted (forbidden here'",
        "38, 'Function not implemented (needs Linux 6.0'",
        "22, 'Invalid argument (needs Linux 6.0'",
        "12, 'Cannot allocate memory'"
    })
    void aRefusalIsAReasonAndLeavesNothingBehind(int errno, String reason) throws Exception {
        long before = Descriptors.open();
        Kernel kernel = new Kernel();
        kernel.setup = -errno;
        assertThat(RingKit.tryOut(kernel, new Libc(), SMALL))
                .hasValueSatisfying(why -> assertThat(why).startsWith("io_uring_setup: " + reason));
        kernel.setup = 0;
        kernel.register = -errno;
        assertThat(RingKit.tryOut(kernel, new Libc(), SMALL))
                .hasValueSatisfying(why -> assertThat(why).contains("takes no buffer ring"));
        kernel.register = 0;
        kernel.enter = -errno;
        assertThat(RingKit.tryOut(kernel, new Libc(), SMALL))
                .hasValueSatisfying(why -> assertThat(why).contains("io_uring_enter"));
        Descriptors.awaitNoMoreThan(before);
    }

    @Test
    void nothingIsLostWhenTheQueuesAreFull() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ring ring = Ring.open(arena, 8, 8)) {
            ring.enable();
            for (int i = 1; i <= 1000; i++) {
                ring.cancel(1_000_000, i); // there is no such operation, and that is said
            }
            List<Long> seen = new ArrayList<>();
            while (seen.size() < 1000) {
                ring.submitAndWait(10_000_000_000L);
                int count = ring.completions();
                assertThat(count).isPositive();
                for (int i = 0; i < count; i++) {
                    assertThat(ring.result(i)).isEqualTo(-2);
                    seen.add(ring.userData(i));
                }
                ring.consumed(count);
            }
            assertThat(seen).doesNotHaveDuplicates().allMatch(tag -> tag >= 1 && tag <= 1000);
        }
    }

    @Test
    void waitsAtLeastAsLongAsAskedAndNotAtAllWhenNotAsked() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ring ring = Ring.open(arena, 8, 8)) {
            ring.enable();
            ring.timerSlack(1);
            for (long nanos : new long[] {0, 1, 999, 1_000_000, 20_000_000}) {
                long before = System.nanoTime();
                ring.submitAndWait(nanos);
                assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(nanos);
                assertThat(ring.completions()).isZero();
            }
        }
    }

    @Test
    void belongsToTheThreadThatEnabledIt() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ring ring = Ring.open(arena, 8, 8)) {
            Thread owner = Thread.ofPlatform().start(ring::enable);
            owner.join();
            assertThatThrownBy(() -> ring.submitAndWait(0)).hasMessageContaining("io_uring_enter");
        }
    }

    @Test
    void saysWhatAnErrorNumberMeans() {
        assertThat(Errno.text(Errno.ECONNREFUSED)).isEqualTo("Connection refused");
        assertThat(Errno.text(-Errno.EMFILE)).isEqualTo("Too many open files");
    }

    /** The real kernel, but for what a test has it refuse. */
    private static final class Kernel implements Syscalls {
        private final Libc real = new Libc();
        private int unknownFlags;
        private int flags;
        private int setup;
        private int register;
        private int enter;

        @Override
        public int setup(int entries, MemorySegment params) {
            flags = params.get(ValueLayout.JAVA_INT, Abi.Params.FLAGS);
            if (setup != 0 || (flags & unknownFlags) != 0) {
                return setup == 0 ? -Errno.EINVAL : setup;
            }
            return real.setup(entries, params);
        }

        @Override
        public int enter(int ring, int toSubmit, int minComplete, int flags, MemorySegment arg, long argSize) {
            return enter == 0 ? real.enter(ring, toSubmit, minComplete, flags, arg, argSize) : enter;
        }

        @Override
        public int register(int ring, int operation, MemorySegment arg, int count) {
            return register == 0 || operation != Abi.REGISTER_PBUF_RING
                    ? real.register(ring, operation, arg, count)
                    : register;
        }
    }
}
