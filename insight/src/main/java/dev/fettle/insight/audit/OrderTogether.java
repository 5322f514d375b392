package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import java.util.OptionalDouble;

/** Pairs of settings of which one must not exceed the other. */
record OrderTogether(Together t) {
    static void of(Together t) {
        var c = new OrderTogether(t);
        c.pools();
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

    private void numbers(String small, String large, Numbers look) {
        t.named(small)
                .forEach(s -> t.named(large)
                        .filter(l -> Together.beside(s, l) && near(s, l))
                        .forEach(l -> {
                            OptionalDouble a = Together.number(s);
                            OptionalDouble b = Together.number(l);
                            if (a.isPresent() && b.isPresent()) {
                                look.of(s, a.getAsDouble(), l, b.getAsDouble());
                            }
                        }));
    }

    /**
     * Whether two belong together: on one line, or close by if neither line has a counterpart. Alternatives stand on
     * one line each.
     */
    private boolean near(FoundSetting a, FoundSetting b) {
        if (a.place().line() == b.place().line()) {
            return true;
        }
        boolean paired = alone(a, b.name()) && alone(b, a.name());
        return paired
                && (!a.scope().equals("text")
                        || Math.abs(a.place().line() - b.place().line()) <= 2);
    }

    /** Whether a setting's line has no setting of this name. */
    private boolean alone(FoundSetting f, String name) {
        return t.named(name)
                .noneMatch(o ->
                        Together.beside(o, f) && o.place().line() == f.place().line());
    }
}
