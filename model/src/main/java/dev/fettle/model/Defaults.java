package dev.fettle.model;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The servers' defaults in numbers, where a formula decides. Sources: Tomcat 11.0 {@code AbstractEndpoint}, Jetty 12.1
 * {@code QueuedThreadPool}, {@code ServerConnector}, {@code SelectorManager} and {@code ReservedThreadExecutor},
 * Undertow 2.3 {@code Undertow.Builder}.
 */
public final class Defaults {
    private Defaults() {}

    /**
     * The value that a numeric knob has under a setting: the one it sets, or else the server's default, which may depend
     * on the CPUs and on other knobs of the setting.
     *
     * @param cpus CPUs the server may use
     * @return empty when the server has no such knob, no limit, or no number for it
     */
    public static OptionalLong effective(ServerKind server, String knob, Setting setting, int cpus) {
        Optional<String> set = setting.get(knob);
        Optional<Knob> known = Knobs.find(knob);
        if (known.isEmpty()
                || !known.get().hasInterval()
                || !known.get().on(server).applies()) {
            return OptionalLong.empty();
        }
        if (set.isPresent()) {
            try {
                return OptionalLong.of(known.get().number(set.get()));
            } catch (IllegalArgumentException e) {
                return OptionalLong.empty();
            }
        }
        return switch (server) {
            case TOMCAT -> tomcat(knob, setting, cpus);
            case JETTY -> jetty(knob, setting, cpus);
            case UNDERTOW -> undertow(knob, setting, cpus);
        };
    }

    private static OptionalLong tomcat(String knob, Setting setting, int cpus) {
        return switch (knob) {
            case "threads.max" -> OptionalLong.of(200);
            case "threads.min" ->
                OptionalLong.of(Math.min(
                        10,
                        effective(ServerKind.TOMCAT, "threads.max", setting, cpus)
                                .orElse(200)));
            case "backlog", "keepalive.requests" -> OptionalLong.of(100);
            case "connections.max" -> OptionalLong.of(8192);
            case "keepalive.timeout" -> OptionalLong.of(60_000);
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong jetty(String knob, Setting setting, int cpus) {
        long max = knob.equals("threads.max")
                ? 200
                : effective(ServerKind.JETTY, "threads.max", setting, cpus).orElse(200);
        return switch (knob) {
            case "threads.max" -> OptionalLong.of(200);
            case "threads.min" -> OptionalLong.of(Math.min(8, max));
            case "threads.acceptors" -> OptionalLong.of(1);
            case "threads.selectors" -> // a pool of virtual threads is not "sized", so its size does not count
                OptionalLong.of(Math.max(1, virtual(setting) ? cpus / 2 : Math.min(cpus / 2, max / 16)));
            case "threads.reserved" ->
                OptionalLong.of(virtual(setting) ? 0 : Math.max(1, ceilingPowerOf2(Math.min(cpus, max / 8))));
            case "backlog" -> OptionalLong.of(50);
            case "keepalive.timeout" -> OptionalLong.of(30_000);
            case "admission.queue" ->
                setting.get("admission.max").isPresent() ? OptionalLong.of(1024) : OptionalLong.empty();
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong undertow(String knob, Setting setting, int cpus) {
        return switch (knob) {
            // the builder computes it from its own default of ioThreads, so threads.selectors does not count
            case "threads.max" -> OptionalLong.of(8L * Math.max(2, cpus));
            case "threads.min" -> effective(ServerKind.UNDERTOW, "threads.max", setting, cpus);
            case "threads.selectors" -> OptionalLong.of(Math.max(2, cpus));
            case "backlog" -> OptionalLong.of(1000);
            case "keepalive.timeout" -> OptionalLong.of(60_000);
            default -> OptionalLong.empty();
        };
    }

    static boolean virtual(Setting setting) {
        return setting.get("threads.virtual").filter("true"::equals).isPresent();
    }

    private static long ceilingPowerOf2(long n) {
        return n <= 1 ? 1 : Long.highestOneBit(n - 1) << 1;
    }
}
