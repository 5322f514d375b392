package dev.fettle.insight.audit;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** What several settings mean together: conflicts, and values that cancel each other. */
final class Together {
    /** Bytes that a JVM takes besides heap, stacks, metaspace and direct buffers: its own code, the code cache, the collector. */
    private static final double BESIDES = 120.0 * (1 << 20);

    private static final double MEBI = 1 << 20;
    private static final Set<String> COLLECTORS = Set.of(
            "-XX:UseSerialGC",
            "-XX:UseParallelGC",
            "-XX:UseG1GC",
            "-XX:UseZGC",
            "-XX:UseShenandoahGC",
            "-XX:UseEpsilonGC");
    private static final List<String> BACKLOGS = List.of(
            "Connector.acceptCount",
            "jetty.http.acceptQueueSize",
            "acceptQueueSize",
            "server.tomcat.accept-count",
            "BACKLOG");
    private static final Set<String> OF_THE_POOL =
            Set.of("maxThreads", "minSpareThreads", "maxQueueSize", "threadsMaxIdleTime");

    private final List<FoundSetting> all;
    private final AuditContext context;
    private final List<AuditFinding> out = new ArrayList<>();

    private Together(List<FoundSetting> all, AuditContext context) {
        this.all = all;
        this.context = context;
    }

    static List<AuditFinding> of(List<FoundSetting> all, AuditContext context) {
        var t = new Together(all, context);
        t.backlogs();
        t.executors();
        t.pools();
        t.heaps();
        t.collectors();
        t.ports();
        t.keepAlive();
        t.database();
        t.twice();
        return t.out;
    }

    private void say(
            String id, FoundSetting at, AuditVerdict verdict, String instead, String format, Object... values) {
        out.add(new AuditFinding(
                at,
                verdict,
                Optional.empty(),
                "together-" + id,
                String.format(Locale.ROOT, format, values),
                instead,
                "",
                "",
                Basis.COMPARED,
                List.of(),
                Optional.empty()));
    }

    private Stream<FoundSetting> named(String name) {
        return all.stream().filter(f -> f.name().equals(name) && !f.value().isEmpty());
    }

    private static OptionalDouble number(FoundSetting f) {
        return Amounts.of(f.value());
    }

    /** Beside each other in one element or container of one file. */
    private static boolean beside(FoundSetting a, FoundSetting b) {
        return a.place().file().equals(b.place().file()) && a.scope().equals(b.scope());
    }

    // -- the kernel --------------------------------------------------------------------------------------------------

    private void backlogs() {
        Optional<FoundSetting> written = named("net.core.somaxconn").reduce((a, b) -> b);
        OptionalDouble cap = written.isPresent()
                ? number(written.get())
                : context.host("net.core.somaxconn").map(Amounts::of).orElse(OptionalDouble.empty());
        if (cap.isEmpty()) {
            return;
        }
        for (String name : BACKLOGS) {
            named(name)
                    .filter(f -> number(f).orElse(0) > cap.getAsDouble())
                    .forEach(f -> say(
                            "backlog",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "net.core.somaxconn as large, or " + Math.round(cap.getAsDouble()),
                            "The kernel cuts it to net.core.somaxconn, which is %,.0f %s.",
                            cap.getAsDouble(),
                            written.map(w -> "at " + w.place()).orElse("on this host")));
        }
    }

    private void ports() {
        Optional<FoundSetting> range = named("net.ipv4.ip_local_port_range").reduce((a, b) -> b);
        if (range.isEmpty()
                || named("net.ipv4.ip_local_reserved_ports").findAny().isPresent()) {
            return;
        }
        OptionalDouble low = Amounts.of(Amounts.field(range.get().value(), 1));
        OptionalDouble high = Amounts.of(Amounts.field(range.get().value(), 2));
        Stream.of("Connector.port", "Connector.redirectPort", "jetty.http.port", "server.port")
                .flatMap(this::named)
                .forEach(p -> {
                    OptionalDouble n = number(p);
                    if (n.isPresent()
                            && low.isPresent()
                            && high.isPresent()
                            && !p.name().endsWith("redirectPort")
                            && n.getAsDouble() >= low.getAsDouble()
                            && n.getAsDouble() <= high.getAsDouble()) {
                        say(
                                "port",
                                p,
                                AuditVerdict.SITUATIONAL,
                                "net.ipv4.ip_local_reserved_ports = " + p.value(),
                                "Port %s lies in the range for outgoing connections (%s): a restart fails while one of them has it.",
                                p.value(),
                                range.get().value());
                    }
                });
    }

    // -- Tomcat ------------------------------------------------------------------------------------------------------

    private void executors() {
        List<FoundSetting> named = all.stream()
                .filter(f -> f.kind() == SettingKind.TOMCAT && f.name().equals("Connector.executor"))
                .toList();
        for (FoundSetting use : named) {
            Optional<FoundSetting> pool = named("Executor.name")
                    .filter(e -> e.value().equals(use.value())
                            && e.place().file().equals(use.place().file()))
                    .findFirst();
            if (pool.isEmpty()) {
                say(
                        "executor",
                        use,
                        AuditVerdict.WRONG,
                        "an Executor of that name in front of the Connector",
                        "There is no Executor '%s' in the file: Tomcat says nothing, and the Connector has a pool of its own.",
                        use.value());
                continue;
            }
            boolean behind = pool.get().place().start() > use.place().start();
            if (behind) {
                FoundSetting element = all.stream()
                        .filter(f -> f.name().equals("Executor") && beside(f, pool.get()))
                        .findFirst()
                        .orElse(pool.get());
                say(
                        "executor",
                        element,
                        AuditVerdict.WRONG,
                        "the Executor in front of the Connector",
                        "The Executor stands behind the Connector that names it, so Tomcat ignores it without a word.");
            }
            all.stream()
                    .filter(f -> f.name().startsWith("Connector.")
                            && beside(f, use)
                            && OF_THE_POOL.contains(f.name().substring("Connector.".length())))
                    .forEach(f -> say(
                            "pool",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "the attribute on the Executor",
                            behind
                                    ? "It is meant to be ignored beside an Executor; here it counts only because the Executor stands behind."
                                    : "The Connector runs on an Executor, and Tomcat ignores it."));
        }
    }

    private void pools() {
        pair(
                "Connector.minSpareThreads",
                "Connector.maxThreads",
                AuditVerdict.WRONG,
                "minSpareThreads at most maxThreads");
        pair(
                "Executor.minSpareThreads",
                "Executor.maxThreads",
                AuditVerdict.WRONG,
                "minSpareThreads at most maxThreads");
        pair(
                "jetty.threadPool.minThreads",
                "jetty.threadPool.maxThreads",
                AuditVerdict.FATAL,
                "minThreads at most maxThreads");
        pair(
                "server.tomcat.threads.min-spare",
                "server.tomcat.threads.max",
                AuditVerdict.WRONG,
                "min-spare at most max");
        pair(
                "Connector.maxThreads",
                "Connector.maxConnections",
                AuditVerdict.NO_EFFECT,
                "maxConnections at least maxThreads");
        pair(
                "server.tomcat.threads.max",
                "server.tomcat.max-connections",
                AuditVerdict.NO_EFFECT,
                "max-connections at least threads.max");
        pair("-Xms", "-Xmx", AuditVerdict.FATAL, "-Xms at most -Xmx");
        resized();
        pair("-Xmn", "-Xmx", AuditVerdict.NO_EFFECT, "-Xmn well below -Xmx");
        pair("-XX:MetaspaceSize", "-XX:MaxMetaspaceSize", AuditVerdict.WRONG, "MetaspaceSize at most MaxMetaspaceSize");
    }

    private void resized() {
        named("-Xms")
                .forEach(s -> named("-Xmx")
                        .filter(l -> beside(s, l) && near(s, l))
                        .forEach(l -> {
                            OptionalDouble a = number(s);
                            OptionalDouble b = number(l);
                            if (a.isPresent() && b.isPresent() && a.getAsDouble() < b.getAsDouble()) {
                                say(
                                        "resized",
                                        s,
                                        AuditVerdict.SITUATIONAL,
                                        "-Xms as large as -Xmx on a server",
                                        "It is below %s, so the heap grows and shrinks under load.",
                                        l.written());
                            }
                        }));
    }

    /** The first must not exceed the second. */
    private void pair(String small, String large, AuditVerdict verdict, String instead) {
        named(small)
                .forEach(s -> named(large)
                        .filter(l -> beside(s, l) && near(s, l))
                        .forEach(l -> {
                            OptionalDouble a = number(s);
                            OptionalDouble b = number(l);
                            boolean unlimited = b.isPresent() && b.getAsDouble() < 0;
                            if (a.isPresent() && b.isPresent() && !unlimited && a.getAsDouble() > b.getAsDouble()) {
                                say("order", s, verdict, instead, "%s is above %s.", s.written(), l.written());
                            }
                        }));
    }

    /** In prose, settings that stand far apart belong to different examples. */
    private static boolean near(FoundSetting a, FoundSetting b) {
        return !a.scope().equals("text")
                || Math.abs(a.place().line() - b.place().line()) <= 2;
    }

    // -- the JVM -----------------------------------------------------------------------------------------------------

    private void collectors() {
        Map<String, List<FoundSetting>> sets = new LinkedHashMap<>();
        all.stream()
                .filter(f -> COLLECTORS.contains(f.name())
                        && f.value().equals("true")
                        && !f.scope().equals("text"))
                .forEach(f -> sets.computeIfAbsent(
                                f.place().file() + " " + f.scope() + " "
                                        + f.place().comment(),
                                k -> new ArrayList<>())
                        .add(f));
        for (List<FoundSetting> set : sets.values()) {
            if (set.stream().map(FoundSetting::name).distinct().count() > 1) {
                say(
                        "collectors",
                        set.getLast(),
                        AuditVerdict.FATAL,
                        "one of them",
                        "Two collectors are asked for (%s), and the JVM does not start.",
                        String.join(
                                ", ",
                                set.stream()
                                        .map(FoundSetting::written)
                                        .distinct()
                                        .toList()));
            }
        }
    }

    private void heaps() {
        List<FoundSetting> limits = all.stream()
                .filter(f -> (f.kind() == SettingKind.CONTAINER && f.name().equals("memory"))
                        || f.name().equals("MemoryMax"))
                .toList();
        for (FoundSetting limit : limits) {
            OptionalDouble most = number(limit);
            Optional<FoundSetting> heap =
                    named("-Xmx").filter(h -> beside(h, limit)).reduce((a, b) -> b);
            if (most.isEmpty() || heap.isEmpty() || number(heap.get()).isEmpty()) {
                continue;
            }
            double need = number(heap.get()).getAsDouble();
            double heapOnly = need;
            double meta = value("-XX:MaxMetaspaceSize", limit).orElse(0);
            double direct = value("-XX:MaxDirectMemorySize", limit).orElse(0);
            double code = value("-XX:ReservedCodeCacheSize", limit).orElse(0);
            need += meta + direct + code + BESIDES;
            if (need > most.getAsDouble()) {
                say(
                        "memory",
                        heap.get(),
                        heapOnly >= most.getAsDouble() ? AuditVerdict.DANGEROUS : AuditVerdict.SITUATIONAL,
                        "-XX:MaxRAMPercentage=60 to 75 in place of -Xmx",
                        "Heap %,.0f MiB%s and some %,.0f MiB for code and collector are more than the limit of %,.0f MiB (%s): the"
                                + " kernel kills the process.",
                        heapOnly / MEBI,
                        meta + direct + code > 0
                                ? String.format(
                                        Locale.ROOT,
                                        ", metaspace, direct buffers and code %,.0f MiB",
                                        (meta + direct + code) / MEBI)
                                : "",
                        BESIDES / MEBI,
                        most.getAsDouble() / MEBI,
                        limit.place());
            }
        }
        Optional<OptionalDouble> memory = context.host("memory").map(Amounts::of);
        if (memory.isPresent() && memory.get().isPresent() && limits.isEmpty()) {
            named("-Xmx")
                    .filter(h -> number(h).orElse(0) > memory.get().getAsDouble())
                    .forEach(h -> say(
                            "memory",
                            h,
                            AuditVerdict.DANGEROUS,
                            "-XX:MaxRAMPercentage=60",
                            "The heap is larger than this machine's memory of %,.0f MiB.",
                            memory.get().getAsDouble() / MEBI));
        }
    }

    private OptionalDouble value(String name, FoundSetting beside) {
        return named(name)
                .filter(f -> beside(f, beside))
                .reduce((a, b) -> b)
                .map(Together::number)
                .orElse(OptionalDouble.empty());
    }

    // -- hop to hop --------------------------------------------------------------------------------------------------

    private void keepAlive() {
        if (all.stream()
                .noneMatch(f -> f.kind() == SettingKind.NGINX && f.name().equals("keepalive"))) {
            return;
        }
        double proxy = named("upstream.keepalive_timeout")
                .map(f -> Amounts.seconds(f.value(), 1))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max()
                .orElse(60);
        Stream.concat(
                        Stream.of("Connector.keepAliveTimeout", "jetty.http.idleTimeout")
                                .flatMap(this::named)
                                .map(f -> Map.entry(f, 0.001)),
                        Stream.of("server.tomcat.keep-alive-timeout", "server.jetty.connection-idle-timeout")
                                .flatMap(this::named)
                                .map(f -> Map.entry(f, 0.001)))
                .forEach(e -> {
                    OptionalDouble own = Amounts.seconds(e.getKey().value(), e.getValue());
                    if (own.isPresent() && own.getAsDouble() >= 0 && own.getAsDouble() <= proxy) {
                        say(
                                "keepalive",
                                e.getKey(),
                                AuditVerdict.DANGEROUS,
                                String.format(
                                        Locale.ROOT,
                                        "longer than %.0f s, or keepalive_timeout in the upstream shorter",
                                        proxy),
                                "nginx keeps idle connections %.0f s and the server closes them after %.0f s: some requests meet a"
                                        + " connection that is being closed, and clients get 502.",
                                proxy,
                                own.getAsDouble());
                    }
                });
    }

    private void database() {
        OptionalDouble most = Stream.of("max_connections", "-c max_connections")
                .flatMap(this::named)
                .map(Together::number)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min();
        if (most.isPresent()) {
            named("spring.datasource.hikari.maximum-pool-size")
                    .filter(p -> number(p).orElse(0) >= most.getAsDouble())
                    .forEach(p -> say(
                            "database",
                            p,
                            AuditVerdict.WRONG,
                            "a pool that fits, with all instances together",
                            "The pool is as large as the database's max_connections of %,.0f.",
                            most.getAsDouble()));
        }
    }

    private void twice() {
        var last = new LinkedHashMap<String, FoundSetting>();
        var told = new HashSet<String>();
        for (FoundSetting f : all) {
            boolean single = f.kind() == SettingKind.SYSCTL || f.kind() == SettingKind.SPRING;
            if (!single || f.value().isEmpty() || f.scope().equals("text")) {
                continue;
            }
            String key = f.place().file() + " " + f.name();
            FoundSetting before = last.put(key, f);
            if (before != null && !before.value().equals(f.value()) && told.add(key)) {
                say(
                        "twice",
                        before,
                        AuditVerdict.NO_EFFECT,
                        "one of the two lines",
                        "It is set again at %s, and the last one counts.",
                        f.place());
            }
        }
    }
}
