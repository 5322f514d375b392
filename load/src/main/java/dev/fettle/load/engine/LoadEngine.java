package dev.fettle.load.engine;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.scenario.CompiledScenario;
import dev.fettle.load.schedule.Schedule;
import dev.fettle.load.schedule.Schedules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * Starts loads.
 *
 * <p>Two options help the JVM in which it runs, but neither is needed for correct results: {@code
 * -XX:AutoBoxCacheMax=65536} saves 16 bytes of garbage per event, because the JDK's epoll selector boxes file
 * descriptor numbers, and the JDK by default caches boxed numbers only up to 127; {@code
 * --enable-native-access=ALL-UNNAMED} lets pinning work without a warning.
 */
public final class LoadEngine {

    private LoadEngine() {}

    /**
     * Checks the scenario of a load for mistakes, if it has one.
     *
     * @throws IllegalArgumentException as {@link #start} would
     */
    public static void check(LoadSpec spec) {
        spec.scenario()
                .ifPresent(it -> CompiledScenario.of(it, spec.hostHeader(), spec.keepAlive(), Wiring.heads(spec)));
    }

    /**
     * Counts what falls due of an open load, without sending it. Each call gives a time of the load, in nanoseconds, not before the last
     * one, and gets how many requests fell due since then. Of a closed load nothing falls due.
     */
    public static LongUnaryOperator due(LoadSpec spec) {
        if (!(spec.arrivals() instanceof Arrivals.Open)) {
            return _ -> 0;
        }
        List<Schedule> all = IntStream.range(0, spec.threads())
                .mapToObj(i -> Schedules.of(spec, i))
                .toList();
        return until -> all.stream().mapToLong(s -> s.advancePast(until)).sum();
    }

    /**
     * Starts a load and returns at once. A server that does not answer is not an error here: it shows in the windows.
     *
     * @throws IllegalArgumentException if the scenario is wrong, or the trusted certificates cannot be read
     * @throws UncheckedIOException if this host lacks what the engine needs, for example file descriptors
     */
    public static LoadRun start(LoadSpec spec) {
        try {
            return EngineRun.start(spec);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the load engine: " + e.getMessage(), e);
        }
    }
}
