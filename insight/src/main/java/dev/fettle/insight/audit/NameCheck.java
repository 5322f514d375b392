package dev.fettle.insight.audit;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.KnownNames;
import dev.fettle.model.audit.KnownNames.Known;
import dev.fettle.model.audit.KnownNames.Sort;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names that the release judged for has no more, has not yet, or that none has ever had: properties, modules, classes, setters. */
record NameCheck(AuditContext context) {
    private static final Pattern TOMCAT_CLASS = Pattern.compile(
            "org\\.apache\\.(?:catalina\\.(?:core|valves|realm|mbeans)|coyote\\.(?:http11|ajp))\\.\\w*(?:Listener|Valve|Realm|Protocol|Executor)");

    /** Settings whose value is the name of a class that Tomcat makes while it starts. */
    private static boolean isTomcatClass(FoundSetting f) {
        return f.kind() == SettingKind.TOMCAT
                && (f.name().endsWith(".className") && !f.name().startsWith("Executor.")
                        || f.name().equals("Resource.factory"))
                && f.value().startsWith("org.apache.");
    }

    /** What only names a class, and needs no verdict if there is one. */
    static boolean onlyNamesAClass(FoundSetting f) {
        return (f.kind() == SettingKind.JETTY && f.name().equals("class"))
                || (f.kind() == SettingKind.TOMCAT
                        && f.name().endsWith(".className")
                        && !f.name().startsWith("Executor."));
    }

    /** The verdict on a name that the release does not have; empty if it has it, or if that is not known. */
    Optional<AuditFinding> of(FoundSetting f) {
        Optional<Release> release = context.release(f.kind().id());
        if (release.isEmpty() || f.scope().equals("text")) {
            return Optional.empty();
        }
        Release r = release.get();
        return switch (f.kind()) {
            case TOMCAT ->
                isTomcatClass(f)
                        ? type(f, r, "Tomcat", TOMCAT_CLASS.matcher(f.value()).matches())
                        : Optional.empty();
            case JETTY -> jetty(f, r);
            default -> Optional.empty();
        };
    }

    private Optional<AuditFinding> jetty(FoundSetting f, Release r) {
        if (f.name().equals("class")) {
            return type(f, r, "Jetty", false);
        }
        if (f.name().equals("--module")) {
            return KnownNames.find(f.kind(), Sort.MODULE, f.value())
                    .filter(k -> !k.in(r))
                    .map(k -> say(
                            f,
                            k.goneIn(r) ? AuditVerdict.REMOVED : AuditVerdict.FATAL,
                            k.goneIn(r)
                                    ? "Jetty has no such module since %s: the start fails.".formatted(k.until())
                                    : "The module came with Jetty %s: the start fails.".formatted(k.from()),
                            modules(f.value(), r),
                            since("Jetty", k),
                            ""));
        }
        if (f.scope().startsWith("xml")) {
            return setter(f, r);
        }
        Optional<Known> known = KnownNames.find(f.kind(), Sort.NAME, f.name());
        if (known.isPresent()) {
            return known.filter(k -> !k.in(r)).map(k -> property(f, r, k, "Jetty"));
        }
        boolean module = f.name().startsWith("jetty.");
        return module ? Optional.of(nobodys(f, r)) : Optional.empty();
    }

    /** What took a module's place: the core one, or that of the newest Jakarta EE, which end in the same word. */
    private static String modules(String gone, Release r) {
        List<String> like = KnownNames.all(SettingKind.JETTY, Sort.MODULE).stream()
                .filter(k -> k.in(r))
                .map(Known::name)
                .filter(name -> name.endsWith("-" + gone)
                        && name.substring(0, name.length() - gone.length() - 1).matches("core|ee1\\d"))
                .toList();
        return like.isEmpty() ? "java -jar start.jar --list-modules=* lists what there is" : String.join(", ", like);
    }

    /** A property of Spring Boot's that no rule knows. */
    Optional<AuditFinding> spring(FoundSetting f) {
        return context.release("spring")
                .flatMap(r -> KnownNames.find(f.kind(), Sort.NAME, f.name())
                        .filter(k -> k.goneIn(r))
                        .map(k -> property(f, r, k, "Spring Boot")));
    }

    private static AuditFinding property(FoundSetting f, Release r, Known k, String of) {
        if (!k.goneIn(r)) {
            return say(
                    f,
                    AuditVerdict.NO_EFFECT,
                    "%s %s does not read it: it came with %s.".formatted(of, r, k.from()),
                    "",
                    "",
                    "");
        }
        boolean renamed = !k.now().isEmpty();
        return say(
                f,
                renamed ? AuditVerdict.RENAMED : AuditVerdict.REMOVED,
                "%s ignores it since %s%s, so what it should set stays at its default."
                        .formatted(of, k.until(), renamed ? " (it is " + k.now() + " today)" : ""),
                renamed ? k.now() : "delete it",
                since(of, k),
                renamed ? "name " + k.now() : "delete");
    }

    private static AuditFinding nobodys(FoundSetting f, Release r) {
        Optional<Known> near = NearestName.nearest(
                        f.name(),
                        KnownNames.all(f.kind(), Sort.NAME).stream()
                                .map(Known::name)
                                .toList())
                .flatMap(n -> KnownNames.find(f.kind(), Sort.NAME, n));
        boolean slip =
                near.filter(n -> NearestName.isOneEditAway(f.name(), n.name())).isPresent();
        return say(
                f,
                slip ? AuditVerdict.TYPO : AuditVerdict.NO_EFFECT,
                "No module of Jetty 9.4 to 12.1 reads such a property: it is ignored, unless a module or an XML file of your own has it.",
                near.map(k -> k.in(r) ? k.name() : k.now())
                        .filter(n -> !n.isEmpty())
                        .orElse("java -jar start.jar --list-config shows what is read"),
                "",
                "");
    }

    private Optional<AuditFinding> setter(FoundSetting f, Release r) {
        String object = f.scope().replaceFirst("^xml ?", "");
        if (object.isEmpty() || f.name().contains(" ")) {
            return Optional.empty();
        }
        String property = f.name().substring(0, 1).toLowerCase(java.util.Locale.ROOT)
                + f.name().substring(1);
        Optional<Known> known = KnownNames.find(f.kind(), Sort.SETTER, object + "#" + property);
        List<Known> all = KnownNames.all(f.kind(), Sort.SETTER).stream()
                .filter(k -> k.name().startsWith(object + "#"))
                .toList();
        if (all.isEmpty() || known.filter(k -> k.in(r)).isPresent()) {
            return Optional.empty();
        }
        if (known.isPresent()) {
            return Optional.of(say(
                    f,
                    AuditVerdict.FATAL,
                    known.get().goneIn(r)
                            ? "%s has no such setter since Jetty %s, and the start fails.%s"
                                    .formatted(object, known.get().until(), constructor(property))
                            : "The setter of %s came with Jetty %s: the start fails."
                                    .formatted(object, known.get().from()),
                    constructor(property).isEmpty() ? "delete it" : "the module threadpool, with jetty.threadPool.*",
                    since("Jetty", known.get()),
                    ""));
        }
        Optional<String> near = NearestName.nearest(
                property,
                all.stream()
                        .filter(k -> k.in(r))
                        .map(k -> k.name().substring(object.length() + 1))
                        .toList());
        boolean slip = near.filter(n -> NearestName.isOneEditAway(property, n)).isPresent();
        return Optional.of(say(
                f,
                slip ? AuditVerdict.TYPO : AuditVerdict.FATAL,
                "%s has no setter of that name in any Jetty since 8, and the start fails.".formatted(object),
                near.orElse("delete it"),
                "",
                ""));
    }

    /** Where the value goes that a setter took once. */
    private static String constructor(String property) {
        return property.equals("threadPool") ? " The pool goes into the constructor." : "";
    }

    /** @param ours whether a class of this name would be in the table if there ever was one */
    private static Optional<AuditFinding> type(FoundSetting f, Release r, String of, boolean ours) {
        Optional<Known> known = KnownNames.find(f.kind(), Sort.CLASS, f.value());
        if (known.isPresent()) {
            return known.filter(k -> !k.in(r))
                    .map(k -> say(
                            f,
                            AuditVerdict.FATAL,
                            k.goneIn(r)
                                    ? "%s has no such class since %s: %s".formatted(of, k.until(), consequence(f))
                                    : "The class came with %s %s: %s".formatted(of, k.from(), consequence(f)),
                            k.now().isEmpty() ? replacement(f.value()) : k.now(),
                            since(of, k),
                            ""));
        }
        List<String> names = KnownNames.all(f.kind(), Sort.CLASS).stream()
                .filter(k -> k.in(r))
                .map(Known::name)
                .toList();
        Optional<String> near = names.stream()
                .filter(n -> NearestName.isOneEditAway(n, f.value()))
                .findFirst();
        if (!ours && near.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(say(
                f,
                near.isPresent() ? AuditVerdict.TYPO : AuditVerdict.FATAL,
                "No release of %s since 6 has a class of that name: %s".formatted(of, consequence(f)),
                near.orElse("delete it"),
                "",
                ""));
    }

    private static String consequence(FoundSetting f) {
        if (f.kind() == SettingKind.JETTY) {
            return "the start fails with a ClassNotFoundException.";
        }
        return f.name().equals("Resource.factory")
                ? "the resource can't be made, and code that asks for it gets an error."
                : "server.xml can't be read, and Tomcat does not start.";
    }

    private static String replacement(String gone) {
        String name = gone.substring(gone.lastIndexOf('.') + 1);
        if (name.matches("(?:Select|Blocking)ChannelConnector|SocketConnector|LocalConnector")) {
            return "org.eclipse.jetty.server.ServerConnector, or the module http";
        }
        if (name.matches("Ssl(?:Select|Socket)\\w*Connector")) {
            return "ServerConnector with SslConnectionFactory, or the module https";
        }
        if (name.startsWith("Ajp13")) {
            return "HTTP between proxy and Jetty";
        }
        return "delete it";
    }

    private static String since(String of, Known k) {
        return k.until().isEmpty() ? of + " " + k.from() : of + " " + k.until();
    }

    private static AuditFinding say(
            FoundSetting f, AuditVerdict verdict, String why, String instead, String since, String fix) {
        return new AuditFinding(
                f,
                verdict,
                Optional.empty(),
                "",
                why,
                instead,
                since,
                fix,
                Basis.SOURCED,
                List.of("names.tsv"),
                Optional.empty());
    }
}
