package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.process.Guest;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.signal.SignalSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Beside others it would count their files. */
@Isolated
class RunningTargetTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8123);

    /** Files of threads that this process holds open. */
    private static long threadFiles() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(f -> {
                        try {
                            return Files.readSymbolicLink(f).toString().contains("/task/");
                        } catch (java.io.IOException e) {
                            return false; // closed meanwhile
                        }
                    })
                    .count();
        }
    }

    private static void look(RunningTarget running, Proc proc) {
        for (SignalSource source : running.signals(proc, DumpAllowance.usual())) {
            source.sample(new SignalSource.Sink() {
                @Override
                public void value(String id, double value) {}

                @Override
                public void valueAt(String id, long nanoTime, double value) {}

                @Override
                public void notObserved(String id, String why) {}

                @Override
                public void sighting(Sighting seen) {}
            });
        }
    }

    /** A capacity search may put hundreds of loads on one target. */
    @Test
    void whatWatchedTheLoadBeforeHoldsNoFilesAnyMore() throws Exception {
        var proc = new Proc();
        long self = ProcessHandle.current().pid();
        var guest = new Guest(proc, self, proc.startTicks(self).orElseThrow());
        try (RunningTarget running = RunningTarget.of(ADDRESS, guest)) {
            look(running, proc);
            long once = threadFiles();
            assumeTrue(once > 0, "this kernel keeps no schedstat");
            for (int load = 0; load < 5; load++) {
                look(running, proc);
            }
            assertThat(threadFiles()).isLessThan(2 * once);
        }
        assertThat(threadFiles()).isZero();
    }

    private static Optional<Kind> failure(RunningTarget running, String knob, String set) {
        return new EffectiveValues(new Proc(), List.of(), Set.of())
                .difference(running, knob, set, OptionalInt.empty())
                .map(f -> f.asFailure().kind());
    }

    @Test
    void whatCouldNotBeReadOfAServerIsNotTakenToBeInForce() {
        try (var running = new RunningTarget(ADDRESS, Optional.empty(), 0)) {
            assertThat(failure(running, "threads.max", "50"))
                    .as("of a target that nobody can ask")
                    .isEmpty();
            running.unread(Kind.LAB, "it did not answer");
            assertThat(failure(running, "threads.max", "50")).contains(Kind.LAB);
            assertThat(failure(running, "jvm.heap", "104857600")).isEmpty();
            assertThat(running.notes())
                    .containsExactly(
                            "threads.max was set to 50 and can't be read back from this target",
                            "jvm.heap was set to 104857600 and can't be read back from this target");

            running.readBack("threads.min", "5"); // as by another way
            assertThat(failure(running, "threads.min", "5")).isEmpty();

            ObjectNode nothing = new ObjectMapper().createObjectNode();
            running.describe(nothing, nothing.deepCopy().put("threads.max", "50"), Setting.of("threads.max", "50"));
            assertThat(failure(running, "threads.max", "50")).isEmpty();
            assertThat(failure(running, "compression", "true"))
                    .as("what this server keeps to itself")
                    .isEmpty();
        }
    }
}
