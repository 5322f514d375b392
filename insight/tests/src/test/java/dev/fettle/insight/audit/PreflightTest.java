package dev.fettle.insight.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.Preflight.Disturbed;
import dev.fettle.insight.audit.Preflight.Found;
import dev.fettle.insight.audit.Preflight.Needs;
import dev.fettle.insight.audit.Preflight.Room;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreflightTest {
    private static final OptionalLong NONE = OptionalLong.empty();

    private static OptionalLong known(long n) {
        return n < 0 ? NONE : OptionalLong.of(n);
    }

    /** In the order of {@link Room}, -1 for what is not known; memory in MB. */
    private static Room room(long... n) {
        return new Room(
                known(n[0]),
                known(n[1]),
                known(n[2]),
                known(n[3]),
                known(n[4]),
                known(n[5]),
                known(n[6]),
                known(n[7] < 0 ? -1 : n[7] << 20),
                known(n[8] < 0 ? -1 : n[8] << 20),
                known(n[9]),
                Disturbed.NOT_LOOKED_AT);
    }

    private static Needs needs(long connections, int sources, long threads, long backlog, long megabytes) {
        return new Needs(
                true,
                connections,
                false,
                sources,
                known(threads),
                NONE,
                known(backlog),
                known(megabytes < 0 ? -1 : megabytes << 20),
                NONE);
    }

    @Test
    void enoughOfEverythingIsSilent() {
        assertThat(Preflight.problems(
                        needs(300, 1, 200, 100, 1024),
                        room(1024, 1024, 4096, 300, 2000, 100, 28_232, 8192, 8192, 4096)))
                .isEmpty();
    }

    @Test
    void whatIsNotKnownIsNotJudged() {
        assertThat(Preflight.problems(
                        needs(1_000_000, 1, 100_000, 1_000_000, 1L << 30),
                        room(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1)))
                .isEmpty();
        assertThat(Preflight.problems(needs(1, 1, -1, -1, -1), room(99, 99, 100, 50, 100, 50, 1, 1, 1, 1)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // files, target's, nproc, now, pids, now, ports, free, memory, somaxconn
                "1024 -1 -1 -1 -1 -1 -1 -1 -1 -1 | files | 1,024 connections are as many open files, and this process may have 1,024: raise ulimit -n",
                "9999 1024 -1 -1 -1 -1 -1 -1 -1 -1 | files | open files in the target, and its process may have 1,024",
                "-1 -1 -1 -1 -1 -1 1023 -1 -1 -1 | ports | 1,024 connections need a local port each, and there are 1,023",
                "-1 -1 600 588 -1 -1 -1 -1 -1 -1 | processes | may start 12 more threads (ulimit -u is 600), and a JVM needs 13 to start",
                "-1 -1 600 700 -1 -1 -1 -1 -1 -1 | processes | may start 0 more threads",
                "-1 -1 -1 -1 64 60 -1 -1 -1 -1 | tasks | the control group may start 4 more threads (pids.max is 64), and a JVM needs 13",
                "-1 -1 -1 -1 -1 -1 -1 -1 -1 127 | backlog | backlog 128: the kernel cuts it to net.core.somaxconn, which is 127 on this host",
                "-1 -1 -1 -1 -1 -1 -1 500 1024 -1 | memory | jvm.heap 1,024 MiB is more than all memory that the server can get, 1,024 MiB",
            })
    void whatCannotBeValidIsRefused(String room, String rule, String words) {
        var all = Preflight.problems(needs(1024, 1, 200, 128, 1024), room(numbers(room)));
        assertThat(all).singleElement().satisfies(p -> {
            assertThat(p.refused()).isTrue();
            assertThat(p.rule()).isEqualTo(rule);
            assertThat(p.words()).contains(words);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000 -1 -1 -1 -1 -1 -1 -1 -1 -1 | files | 960 connections leave 40 open files",
                "9999 1000 -1 -1 -1 -1 -1 -1 -1 -1 | files | leave the target 40 open files",
                "-1 -1 600 450 -1 -1 -1 -1 -1 -1 | processes | threads.max 200: the server's user may start 150 more threads (ulimit -u is 600)",
                "-1 -1 -1 -1 512 300 -1 -1 -1 -1 | tasks | the control group may start 212 more threads (pids.max is 512)",
                "-1 -1 -1 -1 -1 -1 -1 1100 9000 -1 | memory | jvm.heap 1,024 MiB: 1,100 MiB of memory are available",
                "-1 -1 -1 -1 -1 -1 -1 1200 9000 -1 | memory | jvm.heap 1,024 MiB and 200 stacks of together 200 MiB: 1,200 MiB",
            })
    void whatMayNotBeEnoughIsWarnedOf(String room, String rule, String words) {
        var all = Preflight.problems(needs(960, 1, 200, 128, 1024), room(numbers(room)));
        assertThat(all).singleElement().satisfies(p -> {
            assertThat(p.refused()).isFalse();
            assertThat(p.rule()).isEqualTo(rule);
            assertThat(p.words()).contains(words);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // one more than in the tables above
                "1089 1089 -1 -1 -1 -1 1024 -1 -1 128",
                "-1 -1 600 360 512 272 -1 1345 1345 -1",
            })
    void nearMisses(String room) {
        assertThat(Preflight.problems(needs(1024, 1, 200, 128, 1024), room(numbers(room))))
                .isEmpty();
    }

    @Test
    void moreSourceAddressesHaveMorePorts() {
        assertThat(Preflight.problems(needs(1024, 2, -1, -1, -1), room(-1, -1, -1, -1, -1, -1, 600, -1, -1, -1)))
                .isEmpty();
    }

    @Test
    void anOpenLoadOpensWhatTheFilesAllow() {
        assertThat(Preflight.openConnections(OptionalLong.empty())).isEqualTo(1_000);
        assertThat(Preflight.openConnections(known(4096))).isEqualTo(1_000);
        assertThat(Preflight.openConnections(known(256))).isEqualTo(192);
        assertThat(Preflight.openConnections(known(30))).isEqualTo(1);
        // it may take fewer than it may open
        Room small = room(-1, 512, -1, -1, -1, -1, -1, -1, -1, -1);
        var open = new Needs(false, 1_000, true, 1, NONE, NONE, NONE, NONE, NONE);
        assertThat(Preflight.check(open, small).refused()).isEmpty();
        assertThat(Preflight.check(open, small).warnings())
                .singleElement()
                .asString()
                .contains("may open 1,000");
        var closed = new Needs(false, 1_000, false, 1, NONE, NONE, NONE, NONE, NONE);
        assertThat(Preflight.check(closed, small).refused()).hasSize(1);
    }

    @Test
    void whatRunsAlreadyNeedsNoThreadsAndNoMemory() {
        var loads = new Needs(false, 10, false, 1, known(200), known(20), NONE, known(1L << 40), NONE);
        assertThat(Preflight.problems(loads, room(-1, -1, 10, 10, 10, 10, -1, 1, 1, -1)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5000, 256, 1", "217, 256, 1", "216, 256, 0", "-1, 256, 0", "5000, -1, 0"})
    void moreThreadsThanThePlanItselfAllowsTheUserAreNamed(long threads, long nproc, int problems) {
        var needs = new Needs(true, 10, false, 1, known(threads), known(nproc), NONE, NONE, NONE);
        Found found = Preflight.check(needs, room(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
        assertThat(found.refused()).isEmpty(); // a user may want to see just that
        assertThat(found.warnings()).hasSize(problems).allMatch(w -> w.contains("process.nproc allows its user 256"));
    }

    @ParameterizedTest
    @CsvSource({"0.10, 0.05, 0", "0.11, 0.05, 1", "0.10, 0.06, 1", "0.6, 0.2, 2"})
    void othersOnTheCpusAreNamedFromTheGatesBoundsOn(double foreign, double steal, int problems) {
        Room quiet = room(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
        var disturbed = new Disturbed(
                OptionalFigure.of(foreign), OptionalFigure.of(steal), List.of("make, pid 7, 96 % of a CPU"));
        Found found = Preflight.check(
                needs(10, 1, -1, -1, -1),
                new Room(quiet.files(), NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, disturbed));
        assertThat(found.refused()).isEmpty();
        assertThat(found.warnings()).hasSize(problems);
        if (foreign > 0.1) {
            assertThat(found.warnings().getFirst()).contains("make, pid 7, 96 % of a CPU");
        }
    }

    private static long[] numbers(String text) {
        return List.of(text.split(" ")).stream().mapToLong(Long::parseLong).toArray();
    }
}
