package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** nginx: groups of servers, and the names by which requests are passed to them. */
record NginxConflicts(ConflictChecks t) {
    private static final Pattern GROUP = Pattern.compile(".*\\bupstream ([\\w.-]+)(?: >.*)?");
    private static final Pattern PASSED = Pattern.compile("https?://([^/:$\\s\"']+)(:\\d+)?(?:/[^\\s]*)?");

    static void of(ConflictChecks t) {
        new NginxConflicts(t).passed();
    }

    private void passed() {
        Map<String, FoundSetting> groups = new LinkedHashMap<>();
        for (FoundSetting f : t.all()) {
            Matcher m = GROUP.matcher(f.scope());
            if (f.kind() == SettingKind.NGINX && m.matches()) {
                groups.putIfAbsent(m.group(1).toLowerCase(java.util.Locale.ROOT), f);
            }
        }
        List<FoundSetting> passes =
                t.named("proxy_pass").filter(f -> f.kind() == SettingKind.NGINX).toList();
        for (FoundSetting pass : passes) {
            Matcher m = PASSED.matcher(pass.value());
            if (!m.matches()) {
                continue;
            }
            String host = m.group(1).toLowerCase(java.util.Locale.ROOT);
            Optional<FoundSetting> group = Optional.ofNullable(groups.get(host));
            if (group.isPresent()) {
                kept(pass, host, group.get());
            } else if (!host.contains(".") && m.group(2) == null) {
                groups.entrySet().stream()
                        .filter(g -> NearestName.isOneEditAway(g.getKey(), host))
                        .findFirst()
                        .ifPresent(g -> t.say(
                                "upstream",
                                pass,
                                AuditVerdict.FATAL,
                                "proxy_pass http://" + g.getKey(),
                                "There is no upstream '%s', only '%s' (%s): nginx takes it for a host's name, finds none (\"host not found in"
                                        + " upstream\"), and does not start.",
                                m.group(1),
                                g.getKey(),
                                g.getValue().place()));
            }
        }
        // the group that a slip in a name misses is meant all the same
        if (passes.stream().noneMatch(p -> PASSED.matcher(p.value()).matches() && groups.containsKey(host(p)))) {
            groups.forEach((name, g) -> passes.stream().findFirst().ifPresent(p -> kept(g, name, g)));
        }
    }

    private static String host(FoundSetting pass) {
        Matcher m = PASSED.matcher(pass.value());
        return m.matches() ? m.group(1).toLowerCase(java.util.Locale.ROOT) : "";
    }

    /** Without {@code keepalive} each request opens a connection; since 1.29.7 nginx keeps some by itself. */
    private void kept(FoundSetting at, String group, FoundSetting of) {
        boolean keeps = t.all().stream()
                .anyMatch(f -> f.kind() == SettingKind.NGINX
                        && f.name().equals("keepalive")
                        && f.scope().equals(of.scope()));
        if (!keeps
                && t.out().stream()
                        .noneMatch(o ->
                                o.id().equals("together-reconnects") && o.why().contains("'" + group + "'"))) {
            t.say(
                    "reconnects",
                    at,
                    AuditVerdict.SITUATIONAL,
                    "keepalive 32 in the upstream, proxy_http_version 1.1, and proxy_set_header Connection \"\"",
                    "The upstream '%s' has no keepalive: before nginx 1.29.7 each request opens a connection to the server behind it.",
                    group);
        }
    }
}
