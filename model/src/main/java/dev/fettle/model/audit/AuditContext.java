package dev.fettle.model.audit;

import java.util.Map;
import java.util.Optional;

/**
 * What settings are judged for.
 *
 * @param releases by {@code kernel}, {@code jdk}, {@code tomcat}, {@code jetty}, {@code spring}…; a missing one is
 *     unknown
 * @param host figures of the machine, such as {@code net.core.somaxconn}, {@code memory} in bytes and {@code cpus};
 *     empty when the settings are for another machine
 */
public record AuditContext(Map<String, Release> releases, Map<String, String> host) {
    public AuditContext {
        releases = Map.copyOf(releases);
        host = Map.copyOf(host);
    }

    public Optional<Release> release(String of) {
        return Optional.ofNullable(releases.get(of));
    }

    public Optional<String> host(String name) {
        return Optional.ofNullable(host.get(name));
    }
}
