package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupSignalsTest {
    @TempDir
    Path root;

    /** What was read, or why it was not. */
    private static final class Seen implements SignalSource.Sink {
        final Map<String, Object> all = new HashMap<>();

        @Override
        public void value(String id, double value) {
            all.put(id, value);
        }

        @Override
        public void valueAt(String id, long nanoTime, double value) {
            all.put(id, value);
        }

        @Override
        public void notObserved(String id, String why) {
            all.put(id, why);
        }

        @Override
        public void sighting(Sighting seen) {}
    }

    private void file(String name, String text) throws IOException {
        Path f = root.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text + "\n");
    }

    private GroupSignals signals() throws IOException {
        file("proc/7/cgroup", "0::/pod/app");
        file("proc/7/status", "Cpus_allowed_list:\t0-1");
        return new GroupSignals(new Proc(root.resolve("proc")), 7, root.resolve("cg"));
    }

    private static Map<String, Object> seen(GroupSignals signals) {
        var seen = new Seen();
        signals.sample(seen);
        return seen.all;
    }

    @Test
    void ofEachLimitTheTightestGroupCounts() throws IOException {
        file("cg/pod/app/cpu.max", "max 100000");
        file("cg/pod/cpu.max", "150000 100000");
        file("cg/pod/cpu.stat", "nr_periods 100\nnr_throttled 10\nthrottled_usec 2500000");
        file("cg/pod/app/pids.max", "max");
        file("cg/pod/pids.max", "50");
        file("cg/pids.max", "900");
        file("cg/pod/pids.current", "7");
        file("cg/pids.current", "300");
        GroupSignals signals = signals();
        assertThat(seen(signals)).containsEntry(Signals.CGROUP_PIDS, 7.0).doesNotContainKey(Signals.CGROUP_THROTTLED);
        file("cg/pod/cpu.stat", "nr_periods 120\nnr_throttled 15\nthrottled_usec 2900000");
        assertThat(seen(signals)).containsEntry(Signals.CGROUP_THROTTLED, 0.25);
        file("cg/pod/cpu.stat", "nr_periods 200\nnr_throttled 95\nthrottled_usec 2900000"); // while it rested
        signals.gap();
        assertThat(seen(signals)).doesNotContainKey(Signals.CGROUP_THROTTLED);
        file("cg/pod/cpu.stat", "nr_periods 210\nnr_throttled 96\nthrottled_usec 2900000");
        assertThat(seen(signals)).containsEntry(Signals.CGROUP_THROTTLED, 0.1);
    }

    /** A group above may have a larger quota and share it with others: it is that one which holds the process back. */
    @Test
    void aQuotaThatIsSharedHoldsBackToo() throws IOException {
        file("cg/pod/app/cpu.max", "200000 100000");
        file("cg/pod/app/cpu.stat", "nr_periods 100\nnr_throttled 10");
        file("cg/pod/cpu.max", "300000 100000");
        file("cg/pod/cpu.stat", "nr_periods 100\nnr_throttled 10");
        GroupSignals signals = signals();
        assertThat(seen(signals)).doesNotContainKey(Signals.CGROUP_THROTTLED);
        file("cg/pod/app/cpu.stat", "nr_periods 110\nnr_throttled 10");
        file("cg/pod/cpu.stat", "nr_periods 110\nnr_throttled 18");
        assertThat(seen(signals)).containsEntry(Signals.CGROUP_THROTTLED, 0.8);
        file("cg/pod/app/cpu.stat", "nr_periods 120\nnr_throttled 15");
        assertThat(seen(signals))
                .as("the other one did nothing in that time")
                .containsEntry(Signals.CGROUP_THROTTLED, 0.5);
    }

    @Test
    void withoutLimitsThereIsNothingToObserve() throws IOException {
        file("cg/pod/app/cpu.max", "max 100000");
        file("cg/pod/app/pids.max", "max");
        assertThat(seen(signals()))
                .containsEntry(Signals.CGROUP_THROTTLED, "no control group limits its CPU time")
                .containsEntry(Signals.CGROUP_PIDS, "no control group limits its tasks");
    }
}
