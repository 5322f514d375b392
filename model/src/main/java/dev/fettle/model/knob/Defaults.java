package dev.fettle.model.knob;

import java.util.Optional;
import java.util.OptionalLong;

/** The servers' default values as numbers: the catalogue's, or what a server's {@link ServerRules} compute. */
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
        OptionalLong computed = server.rules().computed(knob, setting, cpusSeen(setting, cpus));
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

    static long threadsMax(ServerKind server, Setting setting, int cpus) {
        return effective(server, "threads.max", setting, cpus).orElse(200);
    }

    public static boolean virtual(Setting setting) {
        return setting.get("threads.virtual").filter("true"::equals).isPresent();
    }
}
