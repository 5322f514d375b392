package dev.fettle.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What no server accepts, or accepts without any effect. Every reason is one line with the figures in it.
 *
 * <p>Only settings that cannot work, or in which a value that was asked for would do nothing, are refused. That is
 * also why two values which are merely wasteful by default (more threads than Tomcat's {@code maxConnections} default)
 * pass: nobody asked for both.
 */
public final class Constraints {
    private static final List<String> POOL = List.of("threads.max", "threads.min", "queue.max");

    private static final List<String> MINUS_ONE = List.of("connections.max", "keepalive.timeout", "keepalive.requests");

    private Constraints() {}

    /**
     * A reason and the knob to change.
     *
     * @param knob the knob that breaks the rule
     * @param text one line
     */
    record Reason(String knob, String text) {}

    /**
     * A broken rule of a plan.
     *
     * @param path keys from the top of the plan to what is wrong, as deep as it exists: {@code knobs}, {@code
     *     threads.max}, {@code from}
     * @param message one line
     */
    public record Violation(List<String> path, String message) {
        public Violation {
            path = List.copyOf(path);
        }
    }

    /** As {@link #check(ServerKind, Setting, int, int)}, with no limit on the backlog. */
    public static List<String> check(ServerKind server, Setting setting, int cpus) {
        return check(server, setting, cpus, Integer.MAX_VALUE);
    }

    /**
     * Why a server cannot run with a setting.
     *
     * @param cpus CPUs the server may use
     * @param somaxconn the kernel's {@code net.core.somaxconn} in the server's network namespace
     * @return one line a reason; empty if the setting is fine
     */
    public static List<String> check(ServerKind server, Setting setting, int cpus, int somaxconn) {
        return texts(server(server, setting, cpus, somaxconn));
    }

    /** Why a target cannot run with a setting; empty if it can. */
    public static List<String> check(Target target, Setting setting, int cpus, int somaxconn) {
        return texts(reasons(target, setting, cpus, somaxconn));
    }

    /**
     * What is impossible in a plan: in what it holds, at the ends of each knob's interval (or its choices), in each cell
     * of a sweep, and in each variant under each condition of a comparison. A message is reported once.
     */
    public static List<Violation> check(Plan plan, int cpus, int somaxconn) {
        return new PlanConstraints(plan, cpus, somaxconn).check();
    }

    static List<Reason> reasons(Target target, Setting setting, int cpus, int somaxconn) {
        return switch (target) {
            case Target.Embedded e -> {
                var all = new ArrayList<>(server(e.server(), setting, cpus, somaxconn));
                collector(e.jvm().flags(), "the target's jvm flags", setting, all);
                yield all;
            }
            case Target.Command c -> command(c, setting, somaxconn);
            case Target.Url u ->
                setting.values().keySet().stream()
                        .map(k -> new Reason(k, "%s cannot be set: %s is already running".formatted(k, u.base())))
                        .toList();
        };
    }

    private static List<Reason> command(Target.Command command, Setting setting, int somaxconn) {
        var out = new ArrayList<Reason>();
        Setting fit = fitting(setting, out);
        for (String knob : fit.values().keySet()) {
            if (!command.configures().containsKey(knob)) {
                String where = knob.startsWith("jvm.") ? "{jvm}" : "{" + knob + "}";
                out.add(new Reason(knob, "%s: nothing would change, %s is not in the command".formatted(knob, where)));
            }
        }
        common(fit, somaxconn, out);
        number(fit, "threads.min").ifPresent(min -> minAtMostMax(min, command.configures(), fit, out));
        collector(command.jvm().flags(), "the target's jvm flags", fit, out);
        return out;
    }

    private static void minAtMostMax(long min, Map<String, String> defaults, Setting setting, List<Reason> out) {
        String max = setting.get("threads.max").orElse(defaults.getOrDefault("threads.max", ""));
        if (max.matches("[0-9]{1,9}") && min > Long.parseLong(max)) {
            out.add(new Reason("threads.min", "threads.min=%d is above threads.max=%s".formatted(min, max)));
        }
    }

    private static List<Reason> server(ServerKind server, Setting setting, int cpus, int somaxconn) {
        var out = new ArrayList<Reason>();
        Setting fit = applicable(server, fitting(setting, out), out);
        common(fit, somaxconn, out);
        minAtMostMax(server, fit, cpus, out);
        switch (server) {
            case TOMCAT -> tomcat(fit, out);
            case JETTY -> jetty(fit, cpus, out);
            case UNDERTOW -> undertow(fit, out);
        }
        return out;
    }

    /** The values that are well formed; the others become reasons. */
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

    /** The values of knobs that the server has; the others become reasons. */
    private static Setting applicable(ServerKind server, Setting setting, List<Reason> out) {
        Setting kept = Setting.DEFAULT;
        for (var e : setting.values().entrySet()) {
            Knob.Native on = Knobs.find(e.getKey()).orElseThrow().on(server);
            if (on.applies()) {
                kept = kept.with(e.getKey(), e.getValue());
            } else {
                out.add(new Reason(
                        e.getKey(), "%s does not exist on %s: %s".formatted(e.getKey(), title(server), on.name())));
            }
        }
        return kept;
    }

    private static void common(Setting s, int somaxconn, List<Reason> out) {
        number(s, "backlog").ifPresent(b -> {
            if (b > somaxconn) {
                out.add(new Reason(
                        "backlog",
                        "backlog=%d is above net.core.somaxconn=%d: the kernel would cut it to %d"
                                .formatted(b, somaxconn, somaxconn)));
            }
        });
        for (String knob : MINUS_ONE) {
            if (number(s, knob).orElse(1) == 0) {
                out.add(new Reason(knob, "%s=0 has no meaning: at least 1, or -1 for no limit".formatted(knob)));
            }
        }
        OptionalLong connections = number(s, "connections.max");
        OptionalLong threads = number(s, "threads.max");
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
        if (s.get("admission.queue").isPresent() && s.get("admission.max").isEmpty()) {
            out.add(new Reason("admission.queue", "admission.queue has no effect without admission.max"));
        }
        jvm(s, out);
    }

    private static void jvm(Setting s, List<Reason> out) {
        String flags = s.get("jvm.flags").orElse("");
        collector(List.of(flags.split(" ")), "jvm.flags", s, out);
        if (s.get("jvm.heap").isPresent()
                && (" " + flags).matches(".* -(Xmx|Xms|XX:MaxHeapSize=|XX:InitialHeapSize=).*")) {
            out.add(new Reason("jvm.flags", "jvm.flags and jvm.heap both set the heap size: keep one"));
        }
    }

    /** A JVM told to use two collectors does not start. */
    private static void collector(List<String> flags, String where, Setting s, List<Reason> out) {
        for (String flag : flags) {
            if (flag.matches("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC")
                    && s.get("jvm.gc").isPresent()) {
                out.add(new Reason(
                        "jvm.gc",
                        "jvm.gc=%s: %s already choose a collector with %s; the JVM would not start"
                                .formatted(s.get("jvm.gc").get(), where, flag)));
            }
        }
    }

    private static void minAtMostMax(ServerKind server, Setting s, int cpus, List<Reason> out) {
        OptionalLong min = number(s, "threads.min");
        OptionalLong max = Defaults.effective(server, "threads.max", s, cpus);
        if (min.isPresent() && max.isPresent() && min.getAsLong() > max.getAsLong() && !Defaults.virtual(s)) {
            String whose = s.get("threads.max").isPresent() ? "" : ", %s's default".formatted(title(server));
            out.add(new Reason(
                    "threads.min",
                    "threads.min=%d is above threads.max=%d%s".formatted(min.getAsLong(), max.getAsLong(), whose)));
        }
    }

    private static void tomcat(Setting s, List<Reason> out) {
        ignoredPool(ServerKind.TOMCAT, s, out);
        if (number(s, "threads.min").orElse(1) < 1) {
            out.add(new Reason("threads.min", "threads.min=0: Tomcat needs at least 1"));
        }
    }

    private static void undertow(Setting s, List<Reason> out) {
        ignoredPool(ServerKind.UNDERTOW, s, out);
        if (number(s, "admission.queue").orElse(1) < 1) {
            out.add(new Reason(
                    "admission.queue", "admission.queue=0: Undertow takes 0 as an unlimited queue; use 1 or more"));
        }
    }

    /**
     * Jetty's thread budget: {@code maxThreads >= acceptors + selectors + reserved + 1} (Jetty 12 {@code
     * ThreadPoolBudget}); the server refuses to start otherwise. A pool of virtual threads reserves none and would start,
     * but never serve.
     */
    private static void jetty(Setting s, int cpus, List<Reason> out) {
        if (Defaults.virtual(s)) {
            noEffect(List.of("threads.min", "threads.reserved"), ServerKind.JETTY, s, out);
        }
        long max = Defaults.effective(ServerKind.JETTY, "threads.max", s, cpus).orElseThrow();
        long acceptors = Defaults.effective(ServerKind.JETTY, "threads.acceptors", s, cpus)
                .orElseThrow();
        long selectors = Defaults.effective(ServerKind.JETTY, "threads.selectors", s, cpus)
                .orElseThrow();
        long reserved = Defaults.effective(ServerKind.JETTY, "threads.reserved", s, cpus)
                .orElseThrow();
        long needed = acceptors + selectors + reserved + 1;
        if (max < needed) {
            out.add(new Reason(
                    "threads.max",
                    "threads.max=%d is below Jetty's thread budget: %s + %s + %d reserved + 1 = %d needed"
                            .formatted(
                                    max,
                                    plural(acceptors, "acceptor"),
                                    plural(selectors, "selector"),
                                    reserved,
                                    needed)));
        }
        if (acceptors > cpus) {
            out.add(new Reason(
                    "threads.acceptors",
                    "threads.acceptors=%d is above the server's %d CPUs".formatted(acceptors, cpus)));
        }
    }

    /** With a virtual thread a request, Tomcat and Undertow have no worker pool. */
    private static void ignoredPool(ServerKind server, Setting s, List<Reason> out) {
        if (poolUnused(server, s)) {
            noEffect(POOL, server, s, out);
        }
    }

    private static void noEffect(List<String> knobs, ServerKind server, Setting s, List<Reason> out) {
        for (String knob : knobs) {
            if (s.get(knob).isPresent()) {
                out.add(new Reason(
                        knob, "%s has no effect on %s with threads.virtual=true".formatted(knob, title(server))));
            }
        }
    }

    /** Whether requests run on no pool; Jetty's pool of virtual threads still has a size. */
    private static boolean poolUnused(ServerKind server, Setting s) {
        return server != ServerKind.JETTY && Defaults.virtual(s);
    }

    private static OptionalLong number(Setting s, String knob) {
        return s.get(knob)
                .map(v -> OptionalLong.of(Knobs.find(knob).orElseThrow().number(v)))
                .orElse(OptionalLong.empty());
    }

    private static String plural(long n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }

    private static String title(ServerKind server) {
        return server.name().charAt(0) + server.id().substring(1);
    }

    private static List<String> texts(List<Reason> reasons) {
        return reasons.stream().map(Reason::text).distinct().toList();
    }
}
