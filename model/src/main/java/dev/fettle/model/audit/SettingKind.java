package dev.fettle.model.audit;

import dev.fettle.model.knob.ServerKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a setting configures. */
public enum SettingKind {
    /** The kernel, {@code net.core.somaxconn}. */
    SYSCTL("Kernel settings (sysctl)"),
    /** A limit of the user's or the service's: {@code nofile}, {@code nproc}. */
    LIMIT("Limits"),
    /** The machine apart from sysctl: huge pages, the CPUs' governor, the clock. */
    HOST("The machine"),
    /** The JVM's command line. */
    JVM("JVM options"),
    /** Tomcat's {@code server.xml}: {@code Connector.maxThreads}. */
    TOMCAT("Tomcat"),
    /** Jetty's modules and XML. */
    JETTY("Jetty"),
    UNDERTOW("Undertow"),
    /** Spring Boot's properties. */
    SPRING("Spring Boot"),
    /** A proxy in front. */
    NGINX("nginx in front"),
    /** A container, in Docker, Compose or Kubernetes. */
    CONTAINER("Containers"),
    /** Things done by hand: commands, paths, tools. */
    PRACTICE("Commands, files and tools");

    private final String title;

    SettingKind(String title) {
        this.title = title;
    }

    /** The name in the rule files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For a heading. */
    public String title() {
        return title;
    }

    /** The server whose settings these are, if they are one's: its kind has the server's id. */
    public Optional<ServerKind> server() {
        return ServerKind.of(id());
    }

    static SettingKind of(String id) {
        return Arrays.stream(values())
                .filter(k -> k.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of setting is called " + id));
    }
}
