package dev.fettle.model.knob;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The servers' default values as numbers: the catalogue's, or a formula. Sources: Tomcat 11.0 {@code AbstractEndpoint}, Jetty
 * 12.1 {@code QueuedThreadPool}, {@code ServerConnector}, {@code SelectorManager} and {@code ReservedThreadExecutor}, Undertow
 * 2.3 {@code Undertow.Builder}.
 */
public final class Defaults {
    private Defaults() {}

    /**
     * The value of a numeric knob under a setting: the one set, or the server's default, which may depend on the CPUs and on
     * other knobs of the setting.
     *
     * @param cpus CPUs the server may use
     * @return empty if the server does not have the knob, or its value is unlimited or not a number
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
        OptionalLong computed = formula(server, knob, setting, cpusSeen(setting, cpus));
        return computed.isPresent()
                ? computed
                : written(known.get(), known.get().on(server), setting);
    }

    /** The number of CPUs a server's JVM sees, from which it sizes its pools. */
    public static int cpusSeen(Setting setting, int cpus) {
        int usable = Math.min(cpus, number(setting, "process.cpus", cpus));
        return number(setting, "jvm.cpus", usable);
    }

    private static int number(Setting setting, String knob, int otherwise) {
        return setting.get(knob)
                .filter(v -> v.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(otherwise);
    }

    /** The number at the start of the catalogue's text: {@code 60s, as request.timeout}. */
    private static OptionalLong written(Knob knob, NativeKnob on, Setting setting) {
        if (!knob.needs().keySet().stream().allMatch(k -> setting.get(k).isPresent())) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(knob.number(on.byDefault().split("[ ,]", 2)[0]));
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty(); // no limit, or words
        }
    }

    private static OptionalLong formula(ServerKind server, String knob, Setting setting, int cpus) {
        return switch (server) {
            case TOMCAT -> tomcat(knob, setting, cpus);
            case JETTY -> jetty(knob, setting, cpus);
            case UNDERTOW -> undertow(knob, setting, cpus);
        };
    }

    private static OptionalLong tomcat(String knob, Setting setting, int cpus) {
        return knob.equals("threads.min")
                ? OptionalLong.of(Math.min(10, threadsMax(ServerKind.TOMCAT, setting, cpus)))
                : OptionalLong.empty();
    }

    private static long threadsMax(ServerKind server, Setting setting, int cpus) {
        return effective(server, "threads.max", setting, cpus).orElse(200);
    }

    private static OptionalLong jetty(String knob, Setting setting, int cpus) {
        return switch (knob) {
            case "threads.min" -> OptionalLong.of(Math.min(8, threadsMax(ServerKind.JETTY, setting, cpus)));
            case "threads.selectors" -> // a pool of virtual threads is not "sized", so its size does not count
                OptionalLong.of(Math.max(
                        1,
                        virtual(setting)
                                ? cpus / 2
                                : Math.min(cpus / 2, threadsMax(ServerKind.JETTY, setting, cpus) / 16)));
            case "threads.reserved" ->
                OptionalLong.of(
                        virtual(setting)
                                ? 0
                                : Math.max(
                                        1,
                                        ceilingPowerOf2(
                                                Math.min(cpus, threadsMax(ServerKind.JETTY, setting, cpus) / 8))));
            case "buffers.aggregate" ->
                OptionalLong.of(effective(ServerKind.JETTY, "buffers.output", setting, cpus)
                                .orElse(32_768)
                        / 4);
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong undertow(String knob, Setting setting, int cpus) {
        return switch (knob) {
            // the builder computes it from its own default of ioThreads, so threads.selectors does not count
            case "threads.max" -> OptionalLong.of(8L * Math.max(2, cpus));
            case "threads.min" -> OptionalLong.of(threadsMax(ServerKind.UNDERTOW, setting, cpus));
            case "threads.selectors" -> OptionalLong.of(Math.max(2, cpus));
            default -> OptionalLong.empty();
        };
    }

    public static boolean virtual(Setting setting) {
        return setting.get("threads.virtual").filter("true"::equals).isPresent();
    }

    private static long ceilingPowerOf2(long n) {
        return n <= 1 ? 1 : Long.highestOneBit(n - 1) << 1;
    }
}
