package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import dev.fettle.model.trial.ThreadsSeen.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a JVM in which three threads wait for a lock, two for each other, and none of these ever moves. */
@Timeout(300)
class ThreadMomentsTest {
    private static boolean has(ThreadsSeen seen, Group g, String method) {
        return g.stack().stream().anyMatch(f -> seen.frames().get(f).contains(method + ":"));
    }

    private static List<Group> in(ThreadsSeen seen, Moment m, String method) {
        return m.groups().stream().filter(g -> has(seen, g, method)).toList();
    }

    @Test
    void waitersAndTheOwnerOfALockAreOfOneMoment() throws Exception {
        Process jvm = JvmSignalsTest.start(JvmSignalsTest.Busy.class);
        try (RunningJvm running = JvmSignalsTest.attached(jvm)) {
            var moments = new ThreadMoments(running);
            ThreadsSeen seen = ThreadsSeen.NONE;
            // the convoy may not have formed yet
            while (seen.isEmpty()
                    || in(seen, seen.moments().getLast(), "wantsLock").stream()
                                    .mapToInt(Group::count)
                                    .sum()
                            < 3) {
                moments.read(System.nanoTime());
                seen = moments.seen();
            }
            Moment last = seen.moments().getLast();
            List<Group> waiters = in(seen, last, "wantsLock");
            assertThat(waiters).singleElement().satisfies(w -> {
                assertThat(w.kind()).isEqualTo("http-nio-8080-exec-*");
                assertThat(w.count()).isEqualTo(3);
                assertThat(w.state()).isEqualTo(Thread.State.BLOCKED);
                assertThat(w.waitsFor()).startsWith("java.lang.Object@");
            });
            Group owner = last.groups().get(waiters.getFirst().owner());
            assertThat(has(seen, owner, "slowMethod")).isTrue();
            assertThat(owner.count()).isEqualTo(1);
            // a lock of java.util.concurrent has an owner, too, and the heap is not walked for it
            List<Group> dead = in(seen, last, "deadlock");
            assertThat(dead)
                    .hasSize(2)
                    .allSatisfy(g -> assertThat(dead).contains(last.groups().get(g.owner())));
            assertThat(last.groups()).noneMatch(g -> g.kind().startsWith("RMI "));
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void whatDoesNotMoveIsCountedAndTheFirstAndTheLastLooksAreKept() throws Exception {
        Process jvm = JvmSignalsTest.start(JvmSignalsTest.Busy.class);
        try (RunningJvm running = JvmSignalsTest.attached(jvm)) {
            var moments = new ThreadMoments(running);
            long now = System.nanoTime();
            for (int i = 0; i < 9; i++) {
                assertThat(moments.read(now)).isTrue();
                assertThat(moments.read(now)).as("another at once").isFalse();
                now += 3_600_000_000_000L;
            }
            ThreadsSeen seen = moments.seen();
            assertThat(seen.moments()).hasSize(6);
            Moment last = seen.moments().getLast();
            assertThat(in(seen, last, "deadlock"))
                    .allSatisfy(g -> assertThat(g.still()).isEqualTo(g.count()));
            // these go on, if not in the moment between two looks
            while (in(seen, seen.moments().getLast(), "convoy").stream()
                            .mapToInt(Group::still)
                            .sum()
                    > 0) {
                now += 3_600_000_000_000L;
                assertThat(moments.read(now)).isTrue();
                seen = moments.seen();
                last = seen.moments().getLast();
            }
            moments.measuringBegins();
            now += 3_600_000_000_000L;
            assertThat(moments.read(now)).isTrue();
            assertThat(moments.seen().moments())
                    .as("the last of the warm-up, and this")
                    .hasSize(4);
            for (int i = 0; i < 9; i++) {
                now += 3_600_000_000_000L;
                assertThat(moments.read(now)).isTrue();
            }
            assertThat(moments.seen().moments())
                    .as("those of the measured time")
                    .hasSize(6);
            assertThat(moments.seen().moments().getFirst().millis()).isGreaterThan(last.millis());
        } finally {
            jvm.destroyForcibly();
        }
    }
}
