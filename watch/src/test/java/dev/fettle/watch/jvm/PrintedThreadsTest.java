package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import dev.fettle.model.trial.ThreadsSeen.Moment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dumps of JDK 6 to 25, as tools print them: two workers wait for a lock whose holder sleeps. */
class PrintedThreadsTest {
    /** {@code jstack} of JDK 6 and 7. */
    private static final String OLD = """
        2011-05-04 10:11:12
        Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.1-b02 mixed mode):

        "worker-1" prio=10 tid=0x00007f1 nid=0x1a2b waiting on condition [0x00007f2]
           java.lang.Thread.State: TIMED_WAITING (sleeping)
        \tat java.lang.Thread.sleep(Native Method)
        \tat shop.Cart.total(Cart.java:12)
        \t- locked <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

           Locked ownable synchronizers:
        \t- None

        "worker-2" prio=10 tid=0x00007f3 nid=0x1a2c waiting for monitor entry [0x00007f4]
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat shop.Cart.total(Cart.java:10)
        \t- waiting to lock <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

        "worker-3" prio=10 tid=0x00007f5 nid=0x1a2d waiting for monitor entry [0x00007f6]
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat shop.Cart.total(Cart.java:10)
        \t- waiting to lock <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

        "VM Thread" prio=10 tid=0x00007f7 nid=0x1a2e runnable

        JNI global references: 981
        """;

    /** {@code jcmd PID Thread.print} of JDK 17 and later. */
    private static final String NEW = """
        4711:
        2026-11-04 10:11:12
        Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

        Threads class SMR info:
        _java_thread_list=0x00007f, length=3, elements={
        0x00007f1, 0x00007f3, 0x00007f5
        }

        "worker-1" #21 [101] prio=5 os_prio=0 cpu=12.34ms elapsed=60.00s tid=0x00007f1 nid=101 waiting on condition  [0x00007f2]
           java.lang.Thread.State: TIMED_WAITING (sleeping)
        \tat java.lang.Thread.sleepNanos0(java.base@25.0.3/Native Method)
        \tat java.lang.Thread.sleep(java.base@25.0.3/Thread.java:482)
        \tat shop.Cart.total(Cart.java:12)
        \t- locked <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

        "worker-2" #22 [102] prio=5 os_prio=0 cpu=1.00ms elapsed=60.00s tid=0x00007f3 nid=102 waiting for monitor entry  [0x00007f4]
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat shop.Cart.total(Cart.java:10)
        \t- waiting to lock <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

        "worker-3" #23 [103] prio=5 os_prio=0 cpu=1.00ms elapsed=60.00s tid=0x00007f5 nid=103 waiting for monitor entry  [0x00007f6]
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat shop.Cart.total(Cart.java:10)
        \t- waiting to lock <0x00000007d5> (a shop.Cart)
        \tat shop.Page.serve(Page.java:40)

        "GC Thread#0" os_prio=0 cpu=1.00ms elapsed=60.00s tid=0x00007f8 nid=104 runnable
        """;

    /** {@code Thread.dump_to_file -format=json} of JDK 25. */
    private static final String JSON = """
        {
          "threadDump": {
            "formatVersion": 2, "processId": 4711, "time": "2026-11-04T10:11:12Z", "runtimeVersion": "25.0.3+9-LTS",
            "threadContainers": [{"container": "<root>", "parent": null, "owner": null, "threads": [
              {"tid": "21", "time": "t", "name": "worker-1", "state": "TIMED_WAITING", "stack": [
                 "java.base/java.lang.Thread.sleep(Thread.java:482)", "shop.Cart.total(Cart.java:12)", "shop.Page.serve(Page.java:40)"],
               "monitorsOwned": [{"depth": 1, "locks": ["shop.Cart@7d5"]}]},
              {"tid": "22", "time": "t", "name": "worker-2", "state": "BLOCKED", "blockedOn": "shop.Cart@7d5", "stack": [
                 "shop.Cart.total(Cart.java:10)", "shop.Page.serve(Page.java:40)"]},
              {"tid": "23", "time": "t", "name": "worker-3", "state": "BLOCKED", "blockedOn": "shop.Cart@7d5", "stack": [
                 "shop.Cart.total(Cart.java:10)", "shop.Page.serve(Page.java:40)"]}
            ]}]
          }
        }
        """;

    private static final String PLAIN = """
        4711
        2026-11-04T10:11:12.123Z
        21.0.4+7

        #21 "worker-1"
              java.base/java.lang.Thread.sleep(Thread.java:509)
              shop.Cart.total(Cart.java:12)

        #22 "worker-2" virtual
              shop.Cart.total(Cart.java:10)
              shop.Page.serve(Page.java:40)
        """;

    private static ThreadsSeen read(String text) throws IOException {
        return PrintedThreads.seen(PrintedThreads.dumps(new BufferedReader(new StringReader(text))));
    }

    static List<String> withLocks() {
        return List.of(OLD, NEW, JSON);
    }

    @ParameterizedTest
    @MethodSource("withLocks")
    void ownersAndWaitersAreOfOneMoment(String text) throws IOException {
        ThreadsSeen seen = read(text);
        assertThat(seen.moments()).hasSize(1);
        Moment moment = seen.moments().getFirst();
        Optional<Group> blocked = moment.groups().stream()
                .filter(g -> g.state() == Thread.State.BLOCKED)
                .findFirst();
        assertThat(blocked).hasValueSatisfying(g -> {
            assertThat(g.count()).isEqualTo(2);
            assertThat(g.waitsFor()).startsWith("shop.Cart@");
            Group holder = moment.groups().get(g.owner());
            assertThat(holder.kind()).isEqualTo("worker-*");
            assertThat(holder.state()).isEqualTo(Thread.State.TIMED_WAITING);
            assertThat(holder.stack().stream().map(seen.frames()::get)).contains("shop.Cart.total:12");
        });
        assertThat(moment.groups()).extracting(Group::kind).containsOnly("worker-*");
    }

    /** A program's log has several, with its own lines between. */
    @Test
    void severalInARow() throws IOException {
        ThreadsSeen seen = read("started\nserving /a\n" + NEW + "serving /b\n" + NEW + "done\n" + OLD);
        assertThat(seen.moments()).hasSize(3);
        assertThat(seen.moments().get(1).groups()).anySatisfy(g -> {
            assertThat(g.state()).isEqualTo(Thread.State.BLOCKED);
            assertThat(g.still()).isEqualTo(2);
        });
    }

    @Test
    void textOfDumpToFileHasNoLocks() throws IOException {
        ThreadsSeen seen = read(PLAIN);
        assertThat(seen.moments())
                .singleElement()
                .satisfies(m -> assertThat(m.groups())
                        .hasSize(2)
                        .allSatisfy(g -> assertThat(g.owner()).isEqualTo(-1)));
        assertThat(seen.frames()).contains("shop.Cart.total:10", "java.lang.Thread.sleep:509");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a log\nof something else\n",
                "Full thread dump OpenJDK 64-Bit Server VM\n",
                "{\"threadDump\": {}}",
                "{\"other\": 1}"
            })
    void whatHoldsNoThreadIsRefused(String text) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"# a heading \"x\"", "#12", "name: x", "\"worker\" x", "{\"a\": 1}"})
    void otherLinesAreNoDump(String line) {
        assertThat(PrintedThreads.isDump(line)).isFalse();
    }

    /** As Java 17 prints it, with the stacks of the same threads below. */
    private static final String DEADLOCK = """
            2026-11-29 08:10:14
            Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

            "exec-1" #21 daemon prio=5 cpu=1.00ms elapsed=9.00s tid=0x1 nid=0x1 waiting for monitor entry  [0x1]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat shop.Cart.total(Cart.java:10)
            \t- waiting to lock <0xa0> (a shop.Cart)

            Found one Java-level deadlock:
            =============================
            "exec-1":
              waiting to lock monitor 0x00007f45c8028820 (object 0xa0, a shop.Cart),
              which is held by "exec-2"

            "exec-2":
              waiting for ownable synchronizer 0xb0, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
              which is held by "exec-1"

            Java stack information for the threads listed above:
            ===================================================
            "exec-1":
            \tat shop.Cart.total(Cart.java:10)
            "exec-2":
            \tat shop.Cart.pay(Cart.java:20)

            Found 1 deadlock.

            """;

    @Test
    void aDeadlockThatTheJvmReportsIsKept() throws Exception {
        List<PrintedThreads.Dump> dumps =
                PrintedThreads.dumps(new BufferedReader(new StringReader(DEADLOCK + DEADLOCK)));
        assertThat(dumps).hasSize(2).allSatisfy(d -> {
            assertThat(d.deadlock().orElseThrow().count()).isEqualTo(2);
            assertThat(d.deadlock().orElseThrow().detail())
                    .contains("exec-1 waits for a shop.Cart that exec-2 holds", "ReentrantLock$NonfairSync");
            assertThat(d.at()).isPresent();
            assertThat(d.threads()).extracting(SeenThread::name).containsExactly("exec-1");
        });
        String without = DEADLOCK.substring(0, DEADLOCK.indexOf("Found one"));
        assertThat(PrintedThreads.dumps(new BufferedReader(new StringReader(without))))
                .singleElement()
                .satisfies(d -> assertThat(d.deadlock()).isEmpty());
        String cut = DEADLOCK.substring(0, DEADLOCK.indexOf("which is held by \"exec-1\""));
        assertThat(PrintedThreads.dumps(new BufferedReader(new StringReader(cut))))
                .singleElement()
                .satisfies(d -> assertThat(d.deadlock()).isPresent());
    }
}
