package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import java.util.List;
import java.util.stream.Stream;

/** Pairs of settings of which one must not exceed the other. */
record PrecedenceChecks(ConflictChecks t) {
    private static final String EXECUTOR_MOST = "Executor.maxThreads";
    /** Tomcat's default. */
    private static final int EXECUTOR_SPARE = 25;

    static void of(ConflictChecks t) {
        var c = new PrecedenceChecks(t);
        c.pools();
    }

    private void pools() {
        pair(
                "Connector.minSpareThreads",
                "Connector.maxThreads",
                AuditVerdict.WRONG,
                "minSpareThreads at most maxThreads");
        pair("Executor.minSpareThreads", EXECUTOR_MOST, AuditVerdict.FATAL, "minSpareThreads at most maxThreads");
        executors();
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

    /** An Executor, unlike a Connector, does not lower its spare threads by itself. */
    private void executors() {
        t.named(EXECUTOR_MOST)
                .filter(f -> !f.scope().equals("text"))
                .filter(f -> ConflictChecks.number(f).orElse(EXECUTOR_SPARE) < EXECUTOR_SPARE)
                .filter(f -> t.named("Executor.minSpareThreads").noneMatch(o -> ConflictChecks.beside(o, f)))
                .filter(f -> t.named("Executor.className")
                        .filter(o -> ConflictChecks.beside(o, f))
                        .allMatch(o -> o.value().endsWith(".StandardThreadExecutor")))
                .forEach(f -> t.say(
                        "order",
                        f,
                        AuditVerdict.FATAL,
                        "minSpareThreads=\"" + f.value() + "\" next to it",
                        "It is below minSpareThreads, which is %d unless it is set: the Executor does not start, and neither does"
                                + " Tomcat.",
                        EXECUTOR_SPARE));
    }

    private void resized() {
        numbers("-Xms", "-Xmx", (s, a, l, b) -> {
            if (a < b) {
                t.say(
                        "resized",
                        s,
                        AuditVerdict.SITUATIONAL,
                        "-Xms as large as -Xmx on a server",
                        "It is below %s, so the heap grows and shrinks under load.",
                        l.written());
            }
        });
    }

    /** Reports where the first exceeds the second. */
    private void pair(String small, String large, AuditVerdict verdict, String instead) {
        numbers(small, large, (s, a, l, b) -> {
            boolean unlimited = b < 0;
            if (!unlimited && a > b) {
                t.say("order", s, verdict, instead, "%s is above %s.", s.written(), l.written());
            }
        });
    }

    /** Two settings that belong together, and their values. */
    private interface Numbers {
        void of(FoundSetting small, double a, FoundSetting large, double b);
    }

    /**
     * Those that belong together: on one line, or close by if neither line has a counterpart. Alternatives stand on one line
     * each.
     */
    private void numbers(String small, String large, Numbers look) {
        List<Value> all = values(large);
        List<Value> alone = all.stream().filter(l -> !t.onLine(l.of(), small)).toList();
        for (Value s : values(small)) {
            Stream<Value> near = t.onLine(s.of(), large)
                    ? all.stream().filter(l -> l.line() == s.line())
                    : alone.stream().filter(l -> close(s, l));
            near.filter(l -> ConflictChecks.beside(s.of(), l.of()))
                    .forEach(l -> look.of(s.of(), s.number(), l.of(), l.number()));
        }
    }

    private List<Value> values(String name) {
        return t.named(name)
                .flatMap(f -> ConflictChecks.number(f).stream().mapToObj(n -> new Value(f, n)))
                .toList();
    }

    /** A setting whose value is a number. */
    private record Value(FoundSetting of, double number) {
        int line() {
            return of.place().line();
        }
    }

    /** A text speaks of many things, one after the other. */
    private static boolean close(Value a, Value b) {
        return !a.of().scope().equals("text") || Math.abs(a.line() - b.line()) <= 2;
    }
}
