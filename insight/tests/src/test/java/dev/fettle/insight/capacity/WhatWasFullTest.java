package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatWasFullTest {
    private static final double SECONDS = 5;

    private static String said(Aggregates host, Map<String, String> effective) {
        var probe = Probes.of(Probe.Phase.BRACKET, 1, SECONDS, 5, LatencySummary.NONE, 0, 0, Duration.ZERO);
        return WhatWasFull.words(Probes.seeing(probe, Probes.evidence(2, host, OptionalInt.of(100), effective, 0, 0)));
    }

    private static OptionalFigure figure(@Nullable Double value) {
        return value == null ? OptionalFigure.empty() : OptionalFigure.of(value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # cpu | busy | workers | most | queued | gc | dropped | what is said
            0.35 | 19.8 | 20  | 20  |    | 0.01 | 0 | 19.8 of its 20 worker threads were busy
            0.35 | 18.9 | 20  | 20  |    | 0.01 | 0 | nothing that was watched in it was full (18.9 of 20 worker threads busy, 35 % of its 2 CPUs used)
            0.35 | 10   | 10  | 200 |    | 0.01 | 0 | nothing that was watched in it was full (10 of 200 worker threads busy, 35 % of its 2 CPUs used)
            0.35 | 10   | 10  | 200 | 4  | 0.01 | 0 | 10 of its 10 worker threads were busy
            0.35 | 5    | 5   |     |    |      |   | 5 of its 5 worker threads were busy
            0.97 |      |     |     |    |      | 0 | it used 97 % of its 2 CPUs
            0.97 | 20   | 20  | 20  |    | 0.25 | 0 | 20 of its 20 worker threads were busy and it used 97 % of its 2 CPUs and garbage collection took 25 % of the time
            0.10 |      |     |     |    |      | 7 | nothing that was watched in it was full (10 % of its 2 CPUs used, 7 connections were dropped at full accept queues in its network namespace, its own or another's)
            0.10 |      |     |     |    |      |   | nothing that was watched in it was full (10 % of its 2 CPUs used)
                 |      |     |     |    |      |   | ''
            """)
    void whatWasFullIsNamed(
            @Nullable Double cpu,
            @Nullable Double busy,
            @Nullable Double workers,
            @Nullable Long most,
            @Nullable Double queued,
            @Nullable Double gc,
            @Nullable Double dropped,
            String said) {
        var host = Aggregates.NOTHING
                .with(Aggregate.SERVER_CPU_SECONDS, figure(cpu == null ? null : cpu * 2 * SECONDS))
                .with(Aggregate.BUSY_WORKERS, figure(busy))
                .with(Aggregate.WORKERS, figure(workers))
                .with(Aggregate.QUEUED, figure(queued))
                .with(Aggregate.GC_MILLIS, figure(gc == null ? null : gc * 1000 * SECONDS))
                .with(Aggregate.LISTEN_OVERFLOWS, figure(dropped));
        assertThat(said(host, most == null ? Map.of() : Map.of("threads.max", Long.toString(most))))
                .isEqualTo(said);
    }

    /** Half of the CPU time of two CPUs, but nearly all that it may use. */
    @Test
    void aQuotaThatIsUsedUpIsFull() {
        var host = Aggregates.NOTHING.with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(0.98 * SECONDS));
        var timeline = Timeline.of(0, 500, Map.of("cgroup.quota", Series.of(1.0, 1.0)), Map.of(), List.of());
        var probe = Probes.of(Probe.Phase.BRACKET, 1, SECONDS, 5, LatencySummary.NONE, 0, 0, Duration.ZERO);
        var seen = Probes.evidence(2, host, OptionalInt.empty(), Map.of(), 0, 0).withTimeline(timeline);
        assertThat(WhatWasFull.words(Probes.seeing(probe, seen)))
                .isEqualTo("it used 98 % of the 1.00 CPUs that its quota allows");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # most waiting | dropped by its own socket | in the namespace | what is said
            100 | 0 | 0 | its accept queue of 100 was full
            101 | 12 | 14 | 12 connections were dropped at its full accept queue of 100
            # one or seven are not what a thousand requests waited for
            101 | 1 | 1 | nothing that was watched in it was full (10 % of its 2 CPUs used, one connection was dropped at its full accept queue of 100, too few to be what broke it)
            101 | 7 | 9 | nothing that was watched in it was full (10 % of its 2 CPUs used, 7 connections were dropped at its full accept queue of 100, too few to be what broke it, 2 connections were dropped at full accept queues in its network namespace, not its own)
            40  | 0 | 7 | nothing that was watched in it was full (10 % of its 2 CPUs used, 7 connections were dropped at full accept queues in its network namespace, not its own)
            """)
    void onlyItsOwnAcceptQueueIsSaidToBeFull(int most, double own, double namespace, String said) {
        var host = Aggregates.NOTHING
                .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(0.1 * 2 * SECONDS))
                .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(namespace))
                .with(Aggregate.ACCEPT_QUEUE_MAX, OptionalFigure.of(most))
                .with(Aggregate.ACCEPT_QUEUE_DROPS, OptionalFigure.of(own));
        assertThat(said(host, Map.of())).isEqualTo(said);
    }
}
