package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A {@code server.xml}: Executors and the Connectors that name them. */
record TomcatConflicts(ConflictChecks t) {
    private static final Set<String> OF_THE_POOL =
            Set.of("maxThreads", "minSpareThreads", "maxQueueSize", "threadsMaxIdleTime");

    private static final Set<String> OF_AN_EXECUTOR = Set.of(
            "maxThreads",
            "minSpareThreads",
            "maxQueueSize",
            "maxIdleTime",
            "prestartminSpareThreads",
            "threadPriority");
    private static final Pattern AJP = Pattern.compile("(?i)AJP/1\\.3|org\\.apache\\.coyote\\.ajp\\.\\w+");
    /** Of the documentation's http.xml, and not of its ajp.xml. */
    private static final Set<String> OF_HTTP = Set.of("""
            maxKeepAliveRequests compression compressionMinSize compressibleMimeType noCompressionUserAgents
            maxHttpHeaderSize maxHttpRequestHeaderSize maxHttpResponseHeaderSize maxSwallowSize maxTrailerSize
            disableUploadTimeout connectionUploadTimeout useSendfile restrictedUserAgents SSLEnabled""".split("\\s+"));

    static void of(ConflictChecks t) {
        var c = new TomcatConflicts(t);
        c.executors();
        c.unused();
        c.ajp();
        c.secure();
    }

    private Stream<FoundSetting> set(String name) {
        return t.named(name)
                .filter(f -> f.kind() == SettingKind.TOMCAT && !f.scope().equals("text"));
    }

    private Stream<FoundSetting> beside(FoundSetting of, String name) {
        return t.named(name).filter(o -> ConflictChecks.beside(o, of));
    }

    /** Executors that no Connector names, in files that have a Connector. */
    private void unused() {
        set("Executor.name")
                .filter(e -> t.all().stream()
                        .anyMatch(c -> c.kind() == SettingKind.TOMCAT
                                && c.name().equals("Connector")
                                && c.place().file().equals(e.place().file())))
                .filter(e -> t.named("Connector.executor")
                        .noneMatch(c -> c.value().equals(e.value())
                                && c.place().file().equals(e.place().file())))
                .forEach(e -> t.all().stream()
                        .filter(f -> f.name().startsWith("Executor.") && ConflictChecks.beside(f, e))
                        .filter(f -> OF_AN_EXECUTOR.contains(f.name().substring("Executor.".length())))
                        .forEach(f -> t.say(
                                "unused",
                                f,
                                AuditVerdict.NO_EFFECT,
                                "executor=\"" + e.value() + "\" on the Connector",
                                "No Connector names the Executor '%s': each keeps a pool of its own, of 200 threads unless its own"
                                        + " maxThreads says otherwise.",
                                e.value())));
    }

    /** The releases that do not start an AJP Connector without a secret; a line without a third number is its newest. */
    static boolean wantsASecret(Release r) {
        List<Integer> n = r.numbers();
        boolean whole = n.size() < 3;
        return switch (n.getFirst()) {
            case 7 -> whole || r.in(">=7.0.100");
            case 8 -> n.size() > 1 && n.get(1) == 5 && (whole || r.in(">=8.5.51"));
            case 9 -> whole || r.in(">=9.0.31");
            default -> n.getFirst() > 9;
        };
    }

    private void ajp() {
        boolean wanted = t.context()
                .release("tomcat")
                .filter(TomcatConflicts::wantsASecret)
                .isPresent();
        set("Connector.protocol").filter(p -> AJP.matcher(p.value()).matches()).forEach(p -> {
            boolean secret = t.all().stream()
                    .anyMatch(f -> ConflictChecks.beside(f, p)
                            && (f.name().equals("Connector.secret") || f.name().equals("Connector.requiredSecret"))
                            && !f.value().isEmpty());
            boolean open = beside(p, "Connector.secretRequired")
                    .anyMatch(f -> !f.value().equals("true"));
            if (wanted && !secret && !open) {
                t.say(
                        "ajp",
                        p,
                        AuditVerdict.FATAL,
                        "secret=\"…\" here and in the proxy; secretRequired=\"false\" only on an address that nobody else reaches;"
                                + " or HTTP/1.1 from the proxy",
                        "The Connector does not start without a secret, since 9.0.31, 8.5.51 and 7.0.100: secretRequired is true by"
                                + " default.");
            }
            t.all().stream()
                    .filter(f -> f.name().startsWith("Connector.") && ConflictChecks.beside(f, p))
                    .filter(f -> OF_HTTP.contains(f.name().substring("Connector.".length())))
                    .forEach(f -> t.say(
                            "ajp",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "delete it",
                            "It is an attribute of HTTP Connectors, and this one speaks AJP."));
        });
    }

    /** A plain HTTP Connector whose requests say that they came by TLS. */
    private void secure() {
        set("Connector.secure").filter(s -> s.value().equals("true")).forEach(s -> {
            boolean tls =
                    beside(s, "Connector.SSLEnabled").anyMatch(f -> f.value().equals("true"))
                            || beside(s, "Connector.protocol")
                                    .anyMatch(f -> AJP.matcher(f.value()).matches());
            boolean proxy = Stream.of("Connector.proxyPort", "Connector.proxyName")
                            .anyMatch(n -> beside(s, n).findAny().isPresent())
                    || beside(s, "Connector.address").anyMatch(f -> f.value().matches("127\\..*|localhost|::1"));
            boolean https =
                    beside(s, "Connector.scheme").anyMatch(f -> f.value().equals("https"));
            if (!tls && !proxy) {
                t.say(
                        "secure",
                        s,
                        https ? AuditVerdict.SITUATIONAL : AuditVerdict.WRONG,
                        "RemoteIpValve, which takes it from the proxy's header, or SSLEnabled=\"true\"",
                        "The Connector speaks plain HTTP, and each request says that it came by TLS, one that did not pass a TLS proxy as"
                                + " well%s.",
                        https ? "" : "; its scheme is http all the same");
            }
        });
    }

    private void executors() {
        List<FoundSetting> named = t.all().stream()
                .filter(f -> f.kind() == SettingKind.TOMCAT && f.name().equals("Connector.executor"))
                .toList();
        for (FoundSetting use : named) {
            Optional<FoundSetting> pool = t.named("Executor.name")
                    .filter(e -> e.value().equals(use.value())
                            && e.place().file().equals(use.place().file()))
                    .findFirst();
            if (pool.isEmpty()) {
                t.say(
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
                FoundSetting element = t.all().stream()
                        .filter(f -> f.name().equals("Executor") && ConflictChecks.beside(f, pool.get()))
                        .findFirst()
                        .orElse(pool.get());
                t.say(
                        "executor",
                        element,
                        AuditVerdict.WRONG,
                        "the Executor in front of the Connector",
                        "The Executor stands behind the Connector that names it, so Tomcat ignores it without a word.");
            }
            t.all().stream()
                    .filter(f -> f.name().startsWith("Connector.")
                            && ConflictChecks.beside(f, use)
                            && OF_THE_POOL.contains(f.name().substring("Connector.".length())))
                    .forEach(f -> t.say(
                            "pool",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "the attribute on the Executor",
                            behind
                                    ? "It is meant to be ignored next to an Executor; here it counts only because the Executor stands behind."
                                    : "The Connector runs on an Executor, and Tomcat ignores it."));
        }
    }
}
