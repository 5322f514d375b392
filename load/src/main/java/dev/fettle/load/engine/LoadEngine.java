package dev.fettle.load.engine;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.scenario.CompiledScenario;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Starts loads.
 *
 * <p>For the JVM in which it runs: {@code -XX:AutoBoxCacheMax=65536} spares 16 bytes of garbage an event, because the JDK's
 * epoll selector boxes the file descriptor's number, and the JDK caches boxed numbers only up to 127 otherwise;
 * {@code --enable-native-access=ALL-UNNAMED} lets pinning work without a warning. Neither is needed for it to be right.
 */
public final class LoadEngine {

    private LoadEngine() {}

    /**
     * Looks for what is wrong with the scenario of a load, if it has one.
     *
     * @throws IllegalArgumentException as {@link #start} would
     */
    public static void check(LoadSpec spec) {
        spec.scenario()
                .ifPresent(it -> CompiledScenario.of(it, spec.hostHeader(), spec.keepAlive(), Wiring.heads(spec)));
    }

    /**
     * Starts a load and returns at once. A server that does not answer is not an error here: it shows in the windows.
     *
     * @throws IllegalArgumentException if the scenario is wrong, or the certificates which TLS is to trust cannot be read
     * @throws UncheckedIOException if this host cannot give what the engine needs, for example file descriptors
     */
    public static LoadRun start(LoadSpec spec) {
        try {
            return EngineRun.start(spec);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the load engine: " + e.getMessage(), e);
        }
    }
}
