package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.watch.host.HostLimits;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitCheckTest {
    private static final OptionalLong NONE = OptionalLong.empty();

    private static HostLimits has(long files, long nproc, long user, long pids, long group, long ports, long memory) {
        return new HostLimits(
                known(files), known(nproc), known(user), known(pids), known(group), known(ports), known(memory));
    }

    private static OptionalLong known(long n) {
        return n < 0 ? NONE : OptionalLong.of(n);
    }

    private static LimitCheck.Needs needs(long connections, long threads, long heap) {
        return new LimitCheck.Needs(connections, 1, known(threads), known(heap));
    }

    @Test
    void enoughOfEverythingIsSilent() {
        LimitCheck.Found found =
                LimitCheck.check(needs(300, 200, 1L << 30), has(1024, 4096, 300, 2000, 100, 28_232, 8L << 30));
        assertThat(found.refused()).isEmpty();
        assertThat(found.warnings()).isEmpty();
    }

    @Test
    void whatIsNotKnownIsNotJudged() {
        LimitCheck.Found found = LimitCheck.check(needs(1_000_000, 100_000, 1L << 50), has(-1, -1, -1, -1, -1, -1, -1));
        assertThat(found.refused()).isEmpty();
        assertThat(found.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1024 | 28232 | 1,024 connections are as many open files, and this process may have 1,024: raise ulimit -n",
                "-1 | 1000 | 1,024 connections need a local port each, and there are 1,000",
            })
    void connectionsThatCannotBeOpenedAreRefused(long files, long ports, String words) {
        LimitCheck.Found found = LimitCheck.check(needs(1024, -1, -1), has(files, -1, -1, -1, -1, ports, -1));
        assertThat(found.refused()).singleElement().asString().contains(words);
        assertThat(found.warnings()).isEmpty();
    }

    @Test
    void moreSourceAddressesHaveMorePorts() {
        var has = has(-1, -1, -1, -1, -1, 1000, -1);
        assertThat(LimitCheck.check(new LimitCheck.Needs(1024, 2, NONE, NONE), has)
                        .refused())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000 | -1 | -1 | -1 | -1 | -1 | 960 connections leave 40 open files",
                "-1 | 600 | 450 | -1 | -1 | -1 | threads.max 200: the server's user may start 150 more threads (ulimit -u is 600)",
                "-1 | 600 | 900 | -1 | -1 | -1 | the server's user may start 0 more threads",
                "-1 | -1 | -1 | 512 | 300 | -1 | the control group may start 212 more threads (pids.max is 512)",
                "-1 | -1 | -1 | -1 | -1 | 1200 | jvm.heap 1,024 MB: 1,200 MB of memory are available",
            })
    void whatMayNotBeEnoughIsWarnedOfInOneLine(
            long files, long nproc, long user, long pids, long group, long megabytes, String words) {
        long memory = megabytes < 0 ? -1 : megabytes << 20;
        LimitCheck.Found found =
                LimitCheck.check(needs(960, 200, 1L << 30), has(files, nproc, user, pids, group, 28_232, memory));
        assertThat(found.refused()).isEmpty();
        assertThat(found.warnings()).singleElement().asString().contains(words);
    }
}
