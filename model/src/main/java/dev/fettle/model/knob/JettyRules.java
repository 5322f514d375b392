package dev.fettle.model.knob;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Jetty 12.0 and 12.1. Sources of its formulas: {@code QueuedThreadPool}, {@code ServerConnector}, {@code SelectorManager} and {@code
 * ReservedThreadExecutor}.
 */
final class JettyRules implements ServerRules {
    private static final String MAX = "threads.max";
    private static final String ACCEPTORS = "threads.acceptors";
    private static final String SELECTORS = "threads.selectors";
    private static final String RESERVED = "threads.reserved";

    @Override
    public String library() {
        return "jetty-server";
    }

    @Override
    public List<String> packages() {
        return List.of("org.eclipse.jetty.");
    }

    @Override
    public String workerThreads() {
        return "qtp\\d|jetty-";
    }

    @Override
    public Optional<String> bootModule() {
        return Optional.of("spring-boot-jetty");
    }

    @Override
    public OptionalLong bootMinThreads() {
        return OptionalLong.of(8);
    }

    @Override
    public Optional<String> beansHint() {
        return Optional.of("Jetty's module jmx gives it Jetty's");
    }

    @Override
    public boolean hasDistribution() {
        return true;
    }

    /** Acceptors and selectors run on threads of the pool; its reserved threads do run requests. */
    @Override
    public List<String> takenFromPool() {
        return List.of(ACCEPTORS, SELECTORS);
    }

    /** For a minute and more. */
    @Override
    public boolean poolKeepsThreads() {
        return true;
    }

    @Override
    public OptionalLong computed(String knob, Setting setting, int cpus) {
        return switch (knob) {
            case "threads.min" -> OptionalLong.of(Math.min(8, max(setting, cpus)));
            case SELECTORS -> // a pool of virtual threads is not "sized", so its size does not count
                OptionalLong.of(Math.max(
                        1, Defaults.virtual(setting) ? cpus / 2 : Math.min(cpus / 2, max(setting, cpus) / 16)));
            case RESERVED ->
                OptionalLong.of(
                        Defaults.virtual(setting)
                                ? 0
                                : Math.max(1, ceilingPowerOf2(Math.min(cpus, max(setting, cpus) / 8))));
            case "buffers.aggregate" ->
                OptionalLong.of(Defaults.effective(ServerKind.JETTY, "buffers.output", setting, cpus)
                                .orElse(32_768)
                        / 4);
            default -> OptionalLong.empty();
        };
    }

    private static long max(Setting setting, int cpus) {
        return Defaults.threadsMax(ServerKind.JETTY, setting, cpus);
    }

    private static long ceilingPowerOf2(long n) {
        return n <= 1 ? 1 : Long.highestOneBit(n - 1) << 1;
    }

    /**
     * The thread budget: {@code maxThreads >= acceptors + selectors + reserved + 1} (Jetty 12 {@code ThreadPoolBudget}); the server refuses
     * to start otherwise. A pool of virtual threads reserves none and would start, but never serve.
     */
    @Override
    public void refused(Setting setting, int cpus, BiConsumer<String, String> out) {
        long max = value(MAX, setting, cpus);
        long acceptors = value(ACCEPTORS, setting, cpus);
        long selectors = value(SELECTORS, setting, cpus);
        long reserved = value(RESERVED, setting, cpus);
        long needed = acceptors + selectors + reserved + 1;
        if (max < needed) {
            out.accept(
                    MAX,
                    "threads.max=%d is below Jetty's thread budget: %s + %s + %d reserved + 1 = %d needed"
                            .formatted(
                                    max,
                                    plural(acceptors, "acceptor"),
                                    plural(selectors, "selector"),
                                    reserved,
                                    needed));
        }
        int seen = Defaults.cpusSeen(setting, cpus);
        if (acceptors > seen) {
            out.accept(
                    ACCEPTORS,
                    "threads.acceptors=%d is above the server's %s".formatted(acceptors, plural(seen, "CPU")));
        }
    }

    private static long value(String knob, Setting setting, int cpus) {
        return Defaults.effective(ServerKind.JETTY, knob, setting, cpus).orElseThrow();
    }

    private static String plural(long n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }
}
