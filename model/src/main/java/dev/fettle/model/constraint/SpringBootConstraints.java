package dev.fettle.model.constraint;

import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.OptionalInt;

/** Finds settings that are rejected or have no effect for a server inside a Spring Boot app. */
final class SpringBootConstraints {
    private static final int OLDEST_JAVA = 17;

    private SpringBootConstraints() {}

    /** Problems caused by the setting; the app's own configuration is not judged. */
    static List<Reason> reasons(Target.Boot app, Setting setting, int cpus, int somaxconn) {
        List<Reason> out = Constraints.caused(app.server(), app.configured(), setting, cpus, somaxconn, app.jvm());
        Constraints.settable(
                app.server(),
                setting,
                n -> n.bootProperty().isPresent(),
                "Spring Boot " + app.version() + "'s properties for "
                        + app.server().id(),
                out);
        ignored(app, setting, out);
        app.server()
                .rules()
                .bootMinThreads()
                .ifPresent(min -> minThreads(
                        app.server(), min, setting, Constraints.inForce(app.server(), app.configured(), setting), out));
        virtual(app, setting, out);
        JvmConstraints.oldest(setting, OLDEST_JAVA, "Spring Boot " + app.version(), out);
        JvmConstraints.collector(app.jvm().flags(), "the target's jvm flags", setting, out);
        return out;
    }

    private static void ignored(Target.Boot app, Setting setting, List<Reason> out) {
        setting.values()
                .forEach((name, value) -> Knobs.find(name)
                        .map(k -> k.on(app.server()))
                        .filter(n -> n.ignoredByBoot(value))
                        .ifPresent(n -> out.add(new Reason(
                                name,
                                "%s=%s is not possible here: Spring Boot ignores %s=%s"
                                        .formatted(name, value, n.boot(), value)))));
    }

    /** Spring Boot passes its own default on even if the most threads are fewer. */
    private static void minThreads(ServerKind server, long min, Setting setting, Setting together, List<Reason> out) {
        boolean few = fit(setting).number("threads.max").orElse(min) < min;
        if (few && together.get("threads.min").isEmpty() && !Defaults.virtual(together)) {
            out.add(new Reason(
                    "threads.max",
                    "threads.max=%s is below Spring Boot's threads.min=%d for %s, which would not start: set threads.min too"
                            .formatted(setting.get("threads.max").orElse(""), min, server.title())));
        }
    }

    /** The setting if its {@code threads.max} is a number, else the default: anything else is reported separately. */
    private static Setting fit(Setting setting) {
        return setting.get("threads.max").filter(v -> v.matches("[0-9]{1,6}")).isPresent() ? setting : Setting.DEFAULT;
    }

    private static void virtual(Target.Boot app, Setting setting, List<Reason> out) {
        OptionalInt release = app.jvm().under(setting).release();
        if (Defaults.virtual(setting) && release.isPresent() && release.getAsInt() < JvmConstraints.VIRTUAL_SINCE) {
            out.add(new Reason(
                    "threads.virtual",
                    "threads.virtual=true has no effect in Java %d: Spring Boot uses virtual threads from Java %d on"
                            .formatted(release.getAsInt(), JvmConstraints.VIRTUAL_SINCE)));
        }
    }
}
