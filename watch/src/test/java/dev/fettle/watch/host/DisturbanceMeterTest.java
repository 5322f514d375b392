package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DisturbanceMeterTest {
    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    Path root;

    @BeforeEach
    void processes() throws IOException {
        process(7, 0);
        group("self", "/a");
    }

    private void group(String pid, String path) throws IOException {
        Files.createDirectories(root.resolve(pid));
        Files.writeString(root.resolve(pid + "/cgroup"), "3:cpuset:/\n2:cpu,cpuacct:/\n0::" + path + "\n");
    }

    private void process(long pid, long userTicks) throws IOException {
        Files.createDirectories(root.resolve(Long.toString(pid)));
        group(Long.toString(pid), "/a");
        Files.writeString(
                root.resolve(pid + "/stat"),
                pid + " (x) S 1 1 1 0 -1 0 0 0 0 0 " + userTicks + " 0 0 0 20 0 5 0 1 0 0 0 0\n");
    }

    /** With its scheduling policy. */
    private void process(long pid, int policy, long userTicks) throws IOException {
        Files.createDirectories(root.resolve(Long.toString(pid)));
        group(Long.toString(pid), "/a");
        Files.writeString(
                root.resolve(pid + "/stat"),
                pid + " (a) b) S 1 1 1 0 -1 0 0 0 0 0 " + userTicks
                        + " 0 0 0 20 0 5 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 " + policy + " 0 0 0 0\n");
    }

    /** Ticks of two CPUs: used by processes, idle, stolen. */
    private void cpus(long used0, long idle0, long steal0, long used1, long idle1, long steal1) throws IOException {
        Files.writeString(
                root.resolve("stat"),
                "cpu  1 2 3 4 5 6 7 8 0 0\n"
                        + "cpu0 " + used0 + " 0 0 " + idle0 + " 0 0 0 " + steal0 + " 0 0\n"
                        + "cpu1 " + used1 + " 0 0 " + idle1 + " 0 0 0 " + steal1 + " 0 0\nintr 5\n");
    }

    @Test
    void whatWasStolenFromTheServerIsNotHiddenByTheGeneratorsCpu() throws IOException {
        var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
        cpus(0, 0, 0, 0, 0, 0);
        DisturbanceMeter.Mark begin = meter.mark();
        cpus(94, 0, 6, 10, 90, 0);
        process(7, 104);
        Disturbance seen = meter.since(begin);

        assertThat(seen.steal().orElseThrow()).isCloseTo(0.03, EXACT);
        assertThat(seen.serverSteal().orElseThrow()).isCloseTo(0.06, EXACT);
        assertThat(seen.generatorSteal().orElseThrow()).isCloseTo(0, EXACT);
        assertThat(seen.foreign().orElseThrow()).isCloseTo(0, EXACT);
    }

    @Test
    void aProcessAtIdlePriorityGivesWayAndOthersDoNot() throws IOException {
        var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
        cpus(0, 0, 0, 0, 0, 0);
        process(8, 5, 1_000);
        process(9, 0, 1_000);
        DisturbanceMeter.Mark begin = meter.mark();
        cpus(60, 40, 0, 60, 40, 0);
        process(7, 50);
        process(8, 5, 1_030);
        process(9, 0, 1_020); // which gives way to nobody
        process(10, 5, 10); // new
        Disturbance seen = meter.since(begin);
        assertThat(seen.yielding().orElseThrow()).isCloseTo(0.2, EXACT);
        assertThat(seen.foreign().orElseThrow()).isCloseTo(0.15, EXACT);

        // what one that has ended used is not forgotten
        Files.delete(root.resolve("8/stat"));
        Files.delete(root.resolve("10/stat"));
        seen = meter.since(begin);
        assertThat(seen.yielding().orElseThrow()).isCloseTo(0.2, EXACT);
        assertThat(seen.foreign().orElseThrow()).isCloseTo(0.15, EXACT);

        // its number is given to another one: not less than nothing
        process(8, 5, 5);
        assertThat(meter.since(begin).yielding().orElseThrow()).isCloseTo(0.225, EXACT);

        // more than was used at all: as much as was used
        process(8, 5, 9_000);
        seen = meter.since(begin);
        assertThat(seen.yielding().orElseThrow()).isCloseTo(0.35, EXACT);
        assertThat(seen.foreign().orElseThrow()).isCloseTo(0, EXACT);
    }

    @Test
    void whoGivesWayIsNotToldApartWhereItIsNotCertain() throws IOException {
        process(8, 5, 0);
        var onOneOfTwo = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(0), List.of(7L));
        var both = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
        cpus(0, 0, 0, 0, 0, 0);
        DisturbanceMeter.Mark one = onOneOfTwo.mark();
        cpus(50, 50, 0, 50, 50, 0);
        process(8, 5, 60);
        assertThat(onOneOfTwo.since(one).yielding().optional()).isEmpty();
        assertThat(onOneOfTwo.since(one).foreign().orElseThrow()).isCloseTo(0.5, EXACT);

        // the trial itself runs at idle priority: nobody gives way to it
        process(7, 5, 0);
        DisturbanceMeter.Mark idle = both.mark();
        cpus(100, 100, 0, 100, 100, 0);
        process(8, 5, 120);
        assertThat(both.since(idle).foreign().orElseThrow()).isCloseTo(0.5, EXACT);
        assertThat(both.since(idle).yielding().orElseThrow()).isCloseTo(0, EXACT);
    }

    /** The scheduler shares among groups first: what is idle in a group of its own gives way to nobody else's. */
    @Test
    void whoIsInAnotherGroupOfTheSchedulerDoesNotGiveWay() throws IOException {
        Path autogroup = root.resolve("sys/kernel/sched_autogroup_enabled");
        Files.createDirectories(autogroup.getParent());
        for (boolean alike : new boolean[] {true, false}) {
            for (String sessions : List.of("0\n", "1\n")) {
                Files.writeString(autogroup, sessions);
                var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
                cpus(0, 0, 0, 0, 0, 0);
                process(8, 5, 0);
                group("8", alike ? "/a" : "/b");
                DisturbanceMeter.Mark begin = meter.mark();
                cpus(50, 50, 0, 50, 50, 0);
                process(8, 5, 60);
                group("8", alike ? "/a" : "/b");
                Disturbance seen = meter.since(begin);
                boolean givesWay = alike && sessions.startsWith("0");
                assertThat(seen.foreign().orElseThrow()).isCloseTo(givesWay ? 0.2 : 0.5, EXACT);
            }
        }

        // the target is in a container
        Files.writeString(autogroup, "0\n");
        group("7", "/container");
        var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
        cpus(0, 0, 0, 0, 0, 0);
        process(8, 5, 0);
        DisturbanceMeter.Mark begin = meter.mark();
        cpus(50, 50, 0, 50, 50, 0);
        process(8, 5, 60);
        assertThat(meter.since(begin).foreign().orElseThrow()).isCloseTo(0.5, EXACT);
    }

    @Test
    void stretchesMayOverlap() throws IOException {
        var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of(7L));
        cpus(0, 0, 0, 0, 0, 0);
        DisturbanceMeter.Mark first = meter.mark();
        cpus(50, 50, 0, 0, 100, 0);
        process(7, 50);
        DisturbanceMeter.Mark second = meter.mark();
        cpus(150, 50, 0, 60, 140, 0);
        process(7, 150);
        DisturbanceMeter.Mark third = meter.mark();

        assertThat(meter.between(first, second).foreign().orElseThrow()).isCloseTo(0, EXACT);
        assertThat(meter.between(second, third).foreign().orElseThrow()).isCloseTo(0.3, EXACT);
        assertThat(meter.between(first, third).foreign().orElseThrow()).isCloseTo(0.15, EXACT);
    }

    @Test
    void nothingIsGuessedInNoTimeOrOfUnknownProcesses() throws IOException {
        cpus(5, 5, 5, 5, 5, 5);
        var meter = new DisturbanceMeter(new Proc(root), Set.of(0), Set.of(1), List.of());
        DisturbanceMeter.Mark now = meter.mark();
        assertThat(meter.since(now)).isEqualTo(Disturbance.UNKNOWN);
        cpus(6, 5, 5, 5, 5, 5);
        assertThat(meter.since(now).foreign().optional()).isEmpty();
        assertThat(meter.since(now).steal().optional()).hasValue(0);
        Files.delete(root.resolve("stat"));
        assertThat(meter.since(now)).isEqualTo(Disturbance.UNKNOWN);
    }
}
