package dev.fettle.model.constraint;

import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds settings that are rejected or have no effect for a server inside a Spring Boot app. */
final class SpringBootConstraints {
    private static final int OLDEST_JAVA = 17;
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,2})\\.(\\d)");

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
        layout(app, setting, out);
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

    /** Its jars have had the tools that extract them since Spring Boot 3.3. */
    private static void layout(Target.Boot app, Setting setting, List<Reason> out) {
        Matcher m = RELEASE.matcher(app.version());
        boolean old = m.lookingAt() && 10 * Integer.parseInt(m.group(1)) + Integer.parseInt(m.group(2)) < 33;
        if (BootLayout.isExtracted(setting) && old) {
            out.add(new Reason(
                    BootLayout.KNOB,
                    "%s=%s needs Spring Boot 3.3 or newer, whose jars have the tools for it; this one is %s"
                            .formatted(BootLayout.KNOB, BootLayout.EXTRACTED, app.version())));
        }
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
