package dev.fettle.model.constraint;

import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knob.Part;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Finds settings that a server rejects or that would have no effect. Every reason is one line and contains the figures.
 *
 * <p>Refused are only settings that can't work or in which a requested value would do nothing. A value that is merely wasteful
 * next to a default (more threads than Tomcat's default {@code maxConnections}) passes: only one of the two was requested.
 */
public final class Constraints {
    private Constraints() {}

    /**
     * A reason and the knob to change.
     *
     * @param knob the knob that breaks the rule
     * @param text one line
     */
    public record Reason(String knob, String text) {}

    /**
     * Why a target can't run with a setting.
     *
     * @param cpus CPUs the server may use
     * @param somaxconn the kernel's {@code net.core.somaxconn} in the server's network namespace
     * @return one line per reason; empty if the setting is fine
     */
    public static List<String> check(Target target, Setting setting, int cpus, int somaxconn) {
        return texts(reasons(target, setting, cpus, somaxconn));
    }

    /** As {@link #check(Target, Setting, int, int)}, each reason with the knob to change. */
    public static List<Reason> reasons(Target target, Setting whole, int cpus, int somaxconn) {
        Setting setting = whole.catalogued();
        if (whole.get(ServerKind.CHOICE).isPresent() && !target.movable()) {
            return List.of(new Reason(
                    ServerKind.CHOICE,
                    "server: only a sample app or a WAR that Fettle deploys can run on another server, and %s is neither"
                            .formatted(target.label())));
        }
        Optional<Reason> layout = layout(target, setting);
        if (layout.isPresent()) {
            return List.of(layout.get());
        }
        return switch (target.under(whole)) {
            case Target.Embedded e -> embedded(e.server(), e.jvm(), setting, cpus, somaxconn);
            case Target.War w -> embedded(w.server(), w.jvm(), setting, cpus, somaxconn);
            case Target.Standalone s -> {
                List<Reason> all = caused(s.server(), s.configured(), setting, cpus, somaxconn, s.jvm());
                settable(s.server(), setting, NativeKnob::inFiles, s.server().id() + "'s configuration files", all);
                JvmConstraints.collector(s.jvm().flags(), "the target's jvm flags", setting, all);
                JvmConstraints.oldest(setting, s.oldestJava(), s.label(), all);
                JvmConstraints.virtualThreads(setting, s.jvm(), all);
                TlsConstraints.java(setting, s.jvm(), all);
                yield all;
            }
            case Target.Boot b -> SpringBootConstraints.reasons(b, setting, cpus, somaxconn);
            case Target.Command c -> command(c, setting, cpus, somaxconn);
            case Target.Running r -> RunningConstraints.reasons(r, setting, cpus, somaxconn);
            case Target.Url u ->
                setting.values().keySet().stream()
                        .map(k -> new Reason(k, "%s cannot be set: %s is already running".formatted(k, u.base())))
                        .toList();
        };
    }

    private static Optional<Reason> layout(Target target, Setting setting) {
        return setting.get(BootLayout.KNOB).isEmpty() || target.takesProperties()
                ? Optional.empty()
                : Optional.of(new Reason(
                        BootLayout.KNOB,
                        "%s: only a Spring Boot jar that Fettle starts has a layout, and %s is none"
                                .formatted(BootLayout.KNOB, target.label())));
    }

    private static List<Reason> embedded(ServerKind server, Target.Jvm jvm, Setting setting, int cpus, int somaxconn) {
        var all = new ArrayList<>(server(server, setting, cpus, somaxconn, jvm));
        JvmConstraints.collector(jvm.flags(), "the target's jvm flags", setting, all);
        JvmConstraints.oldest(setting, 17, "an embedded server", all);
        JvmConstraints.virtualThreads(setting, jvm, all);
        TlsConstraints.embedded(setting, all);
        return all;
    }

    /** Problems caused by a setting. Those the server's own configuration has without it are not reported. */
    static List<Reason> caused(
            ServerKind server, Setting configured, Setting setting, int cpus, int somaxconn, Target.Jvm jvm) {
        var all = new ArrayList<>(server(server, inForce(server, configured, setting), cpus, somaxconn, jvm));
        all.removeAll(server(server, configured, cpus, somaxconn, jvm));
        return all;
    }

    /**
     * A setting on top of the server's own configuration, without the latter's JVM knobs, which the setting replaces, and
     * without knobs that have no effect next to it.
     */
    static Setting inForce(ServerKind server, Setting configured, Setting setting) {
        Setting own = Setting.DEFAULT;
        for (var e : configured.values().entrySet()) {
            Optional<Knob> knob = Knobs.find(e.getKey()).filter(k -> k.part() == Part.SERVER);
            boolean moot = knob.isEmpty()
                    || knob.get().on(server).without().entrySet().stream()
                            .anyMatch(w -> setting.get(w.getKey())
                                    .filter(w.getValue()::equals)
                                    .isPresent());
            if (!moot) {
                own = own.with(e.getKey(), e.getValue());
            }
        }
        return own.with(setting);
    }

    /** Reports knobs that the server has but that can't be set when it is run this way. */
    static void settable(
            ServerKind server, Setting setting, Predicate<NativeKnob> can, String where, List<Reason> out) {
        for (String name : setting.values().keySet()) {
            Knobs.find(name)
                    .filter(k -> k.part() == Part.SERVER)
                    .map(k -> k.on(server))
                    .filter(n -> n.applies() && !can.test(n))
                    .ifPresent(n -> out.add(new Reason(
                            name, "%s is not tunable here: %s has no place in %s".formatted(name, n.name(), where))));
        }
    }

    private static List<Reason> command(Target.Command command, Setting setting, int cpus, int somaxconn) {
        var out = new ArrayList<Reason>();
        Setting fit = fitting(setting, out);
        for (String knob : fit.values().keySet()) {
            boolean launcher = Knobs.find(knob).orElseThrow().part() == Part.PROCESS;
            if (!launcher && !command.takes(knob)) {
                String where =
                        knob.equals(Target.Jvm.JDK) ? "{java}" : knob.startsWith("jvm.") ? "{jvm}" : "{" + knob + "}";
                out.add(new Reason(knob, "%s: nothing would change, %s is not in the command".formatted(knob, where)));
            }
        }
        common(fit, cpus, somaxconn, out);
        JvmConstraints.check(fit, command.jvm(), out);
        fit.number("threads.min").ifPresent(min -> minAtMostMax(min, command.configures(), fit, out));
        JvmConstraints.collector(command.jvm().flags(), "the target's jvm flags", fit, out);
        return out;
    }

    private static void minAtMostMax(long min, Map<String, String> defaults, Setting setting, List<Reason> out) {
        String max = setting.get("threads.max").orElse(defaults.getOrDefault("threads.max", ""));
        if (max.matches("[0-9]{1,9}") && min > Long.parseLong(max)) {
            out.add(new Reason("threads.min", "threads.min=%d is above threads.max=%s".formatted(min, max)));
        }
    }

    static List<Reason> server(ServerKind server, Setting setting, int cpus, int somaxconn, Target.Jvm targetJvm) {
        var out = new ArrayList<Reason>();
        Setting fit = applicable(server, fitting(setting, out), out);
        common(fit, cpus, somaxconn, out);
        JvmConstraints.check(fit, targetJvm, out);
        for (String name : fit.values().keySet()) {
            Knob knob = Knobs.find(name).orElseThrow();
            if (!noEffect(knob, server, fit, out)) {
                atMost(knob, server, fit, cpus, out);
            }
        }
        server.rules().refused(fit, cpus, (knob, text) -> out.add(new Reason(knob, text)));
        return out;
    }

    /** Keeps the well-formed values; the others become reasons. */
    private static Setting fitting(Setting setting, List<Reason> out) {
        Setting fit = Setting.DEFAULT;
        for (var e : setting.values().entrySet()) {
            String name = e.getKey();
            var knob = Knobs.find(name);
            if (knob.isEmpty()) {
                out.add(new Reason(
                        name,
                        "unknown knob '%s'%s"
                                .formatted(
                                        name,
                                        Knobs.nearest(name)
                                                .map(n -> "; did you mean '" + n + "'?")
                                                .orElse(""))));
                continue;
            }
            try {
                fit = fit.with(name, knob.get().canonical(e.getValue()));
            } catch (IllegalArgumentException problem) {
                out.add(new Reason(name, String.valueOf(problem.getMessage())));
            }
        }
        return fit;
    }

    /** Keeps the values of knobs that the server has; the others become reasons. */
    private static Setting applicable(ServerKind server, Setting setting, List<Reason> out) {
        Setting kept = Setting.DEFAULT;
        for (var e : setting.values().entrySet()) {
            NativeKnob on = Knobs.find(e.getKey()).orElseThrow().on(server);
            if (on.applies()) {
                kept = kept.with(e.getKey(), e.getValue());
            } else {
                out.add(new Reason(
                        e.getKey(), "%s does not exist on %s: %s".formatted(e.getKey(), server.title(), on.name())));
            }
        }
        return kept;
    }

    private static void common(Setting s, int cpus, int somaxconn, List<Reason> out) {
        s.number("backlog").ifPresent(b -> {
            if (b > somaxconn) {
                out.add(new Reason(
                        "backlog",
                        "backlog=%d is above net.core.somaxconn=%d: the kernel would cut it to %d"
                                .formatted(b, somaxconn, somaxconn)));
            }
        });
        s.number("process.cpus").ifPresent(n -> {
            if (n > cpus) {
                out.add(new Reason(
                        "process.cpus", "process.cpus=%d is above the target's %s".formatted(n, plural(cpus, "CPU"))));
            }
        });
        for (String name : s.values().keySet()) {
            Knob knob = Knobs.find(name).orElseThrow();
            OptionalLong n = knob.hasNoLimit() ? s.number(name) : OptionalLong.empty();
            if (n.isPresent() && n.getAsLong() > knob.min() && n.getAsLong() < knob.least()) {
                out.add(new Reason(
                        name,
                        "%s=%d has no meaning: at least %d, or -1 for no limit"
                                .formatted(name, n.getAsLong(), knob.least())));
            }
            knob.needs().forEach((other, value) -> {
                if (!s.get(other).map(v -> value.isEmpty() || v.equals(value)).orElse(false)) {
                    out.add(new Reason(
                            name,
                            "%s has no effect without %s%s"
                                    .formatted(name, other, value.isEmpty() ? "" : "=" + value)));
                }
            });
        }
        OptionalLong connections = s.number("connections.max");
        OptionalLong threads = s.number("threads.max");
        if (connections.isPresent()
                && threads.isPresent()
                && connections.getAsLong() > 0
                && connections.getAsLong() < threads.getAsLong()) {
            out.add(new Reason(
                    "connections.max",
                    "connections.max=%d is below threads.max=%d: %d threads could never be busy over HTTP/1.1"
                            .formatted(
                                    connections.getAsLong(),
                                    threads.getAsLong(),
                                    threads.getAsLong() - connections.getAsLong())));
        }
        OptionalLong files = s.number("process.nofile");
        if (files.isPresent() && connections.isPresent() && connections.getAsLong() >= files.getAsLong()) {
            out.add(new Reason(
                    "process.nofile",
                    "process.nofile=%d leaves no room for connections.max=%d: each is an open file"
                            .formatted(files.getAsLong(), connections.getAsLong())));
        }
    }

    /** Whether another knob's value makes this one ineffective. */
    private static boolean noEffect(Knob knob, ServerKind server, Setting s, List<Reason> out) {
        for (var e : knob.on(server).without().entrySet()) {
            if (s.get(e.getKey()).filter(e.getValue()::equals).isPresent()) {
                out.add(new Reason(
                        knob.name(),
                        "%s has no effect on %s with %s=%s"
                                .formatted(knob.name(), server.title(), e.getKey(), e.getValue())));
                return true;
            }
        }
        return false;
    }

    private static void atMost(Knob knob, ServerKind server, Setting s, int cpus, List<Reason> out) {
        if (knob.atMost().isEmpty()) {
            return;
        }
        String other = knob.atMost().get();
        OptionalLong value = s.number(knob.name());
        OptionalLong bound = Defaults.effective(server, other, s, cpus);
        if (value.isPresent() && bound.isPresent() && value.getAsLong() > bound.getAsLong()) {
            Knob bounding = Knobs.find(other).orElseThrow();
            String whose = s.get(other).isPresent()
                    ? ""
                    : ", %s default".formatted(knob.part() == Part.SERVER ? server.title() + "'s" : "the");
            out.add(new Reason(
                    knob.name(),
                    "%s=%s is above %s=%s%s"
                            .formatted(
                                    knob.name(),
                                    knob.text(value.getAsLong()),
                                    other,
                                    bounding.text(bound.getAsLong()),
                                    whose)));
        }
    }

    private static String plural(long n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }

    private static List<String> texts(List<Reason> reasons) {
        return reasons.stream().map(Reason::text).distinct().toList();
    }
}
