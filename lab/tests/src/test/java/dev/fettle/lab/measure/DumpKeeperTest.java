package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.DumpAllowance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a JVM in which a thread owns a lock. */
class DumpKeeperTest {
    /** What the JVM walks its whole heap for. */
    private static final String OWNED = "Locked ownable synchronizers";

    @TempDir
    Path folder;

    private Process jvm;

    /** Started as a program of its own. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] args) throws Exception {
            new ReentrantLock().lock();
            System.out.println("up");
            Thread.sleep(600_000);
        }
    }

    @BeforeEach
    void start() throws Exception {
        jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(jvm.inputReader().readLine()).isEqualTo("up");
    }

    @AfterEach
    void end() {
        jvm.destroyForcibly();
    }

    private DumpKeeper keeper(boolean own, DumpAllowance allowance) {
        return new DumpKeeper(jvm.pid(), own, allowance, Fixtures.load(1, "x"), () -> folder);
    }

    private List<String> dumps() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> {
                        try {
                            return Files.readString(f);
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .toList();
        }
    }

    @Test
    void ofAnotherProcessThereIsOneDumpWithoutAWalkOfTheHeap() throws Exception {
        var allowance = DumpAllowance.usual();
        var first = keeper(false, allowance);
        first.deadlocked(2);
        first.keep(StallRule.Reason.HANGS);
        // the next probe or trial of the same command
        var second = keeper(false, allowance);
        second.deadlocked(2);
        assertThat(first.taken()).hasSize(1);
        assertThat(second.taken()).isEmpty();
        assertThat(dumps()).singleElement().asString().contains("\"main\"").doesNotContain(OWNED);
    }

    @Test
    void ofOnesOwnThereIsOneForEachReasonWithTheOwnersOfLocks() throws Exception {
        var keeper = keeper(true, DumpAllowance.usual());
        keeper.deadlocked(2);
        keeper.keep(StallRule.Reason.HANGS);
        assertThat(keeper.taken()).hasSize(2);
        assertThat(dumps()).hasSize(2).allSatisfy(d -> assertThat(d).contains("\"main\"", OWNED));
    }

    @Test
    void noneIsNone() throws Exception {
        for (boolean own : new boolean[] {true, false}) {
            var keeper = keeper(own, DumpAllowance.none());
            keeper.deadlocked(2);
            assertThat(keeper.taken()).isEmpty();
            assertThat(DumpAllowance.none().names(jvm.pid(), own).get()).isEmpty();
        }
        assertThat(dumps()).isEmpty();
    }

    /** All who want the names in one command have them from the same dump. */
    @Test
    void namesOfAnotherProcessAreAskedForOnce() {
        var allowance = DumpAllowance.usual();
        assertThat(allowance.names(jvm.pid(), false)).isSameAs(allowance.names(jvm.pid(), false));
        assertThat(allowance.words("process 7", true)).contains("process 7", "thread dump", "--no-dump");
        assertThat(DumpAllowance.none().words("process 7", true)).contains("no thread dump");
    }
}
