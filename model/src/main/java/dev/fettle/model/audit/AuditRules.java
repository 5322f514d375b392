package dev.fettle.model.audit;

import dev.fettle.model.text.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The rules of {@code dev/fettle/model/audit/*.yaml}. */
public final class AuditRules {
    private static final List<String> FILES =
            List.of("sysctl", "limits", "jvm", "tomcat", "jetty", "undertow", "spring", "nginx", "practice");

    private final List<AuditRule> rules;
    private final Map<String, AuditRule> byName = new LinkedHashMap<>();

    private AuditRules(List<AuditRule> rules) {
        this.rules = List.copyOf(rules);
        for (AuditRule r : rules) {
            var names = new ArrayList<>(r.aliases());
            names.add(r.name());
            for (String name : names) {
                if (byName.putIfAbsent(key(r.kind(), name), r) != null) {
                    throw new IllegalStateException(r.kind().id() + ": '" + name + "' has two rules");
                }
            }
        }
    }

    /** Read on first use. */
    private static final class Holder {
        static final AuditRules ALL = new AuditRules(
                FILES.stream().flatMap(f -> RuleFile.read(f).stream()).toList());
    }

    /** The rules that Fettle ships. */
    public static AuditRules all() {
        return Holder.ALL;
    }

    private static String key(SettingKind kind, String name) {
        return kind.id() + " " + plain(kind, name);
    }

    /**
     * Spring binds {@code max-threads}, {@code maxThreads} and {@code MAX_THREADS} alike; sysctl takes slashes for dots; {@code <Set
     * name="threadPool">} and {@code "ThreadPool"} call the same setter of Jetty's.
     */
    static String plain(SettingKind kind, String name) {
        return switch (kind) {
            case SPRING -> name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
            case SYSCTL -> name.replace('/', '.');
            case UNDERTOW, PRACTICE -> name.toLowerCase(Locale.ROOT);
            case JETTY ->
                name.matches("[A-Z]\\w*") ? name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1) : name;
            case LIMIT, HOST, JVM, TOMCAT, NGINX, CONTAINER -> name;
        };
    }

    /** Whether two names of one kind stand for the same setting, however they are written. */
    public static boolean same(SettingKind kind, String a, String b) {
        return plain(kind, a).equals(plain(kind, b));
    }

    public List<AuditRule> rules() {
        return rules;
    }

    /** The rule for a name or an alias. */
    public Optional<AuditRule> find(SettingKind kind, String name) {
        return Optional.ofNullable(byName.get(key(kind, name)));
    }

    /** The name that was probably meant. */
    public Optional<String> nearest(SettingKind kind, String name) {
        return NearestName.nearest(
                name,
                rules.stream()
                        .filter(r -> r.kind() == kind)
                        .map(AuditRule::name)
                        .toList());
    }

    /** The kinds in the order of the documentation, each with its rules. */
    public Map<SettingKind, List<AuditRule>> byKind() {
        var out = new LinkedHashMap<SettingKind, List<AuditRule>>();
        Arrays.stream(SettingKind.values())
                .forEach(k ->
                        out.put(k, rules.stream().filter(r -> r.kind() == k).toList()));
        out.values().removeIf(List::isEmpty);
        return out;
    }
}
