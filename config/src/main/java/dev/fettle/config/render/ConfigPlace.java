package dev.fettle.config.render;

import dev.fettle.config.ServerConfig;
import dev.fettle.config.jetty.JettyConfig;
import dev.fettle.config.tomcat.TomcatConfig;
import dev.fettle.config.undertow.UndertowConfig;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Target;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of configuration that can be written. Each server has one that is its own. */
public enum ConfigPlace {
    TOMCAT(new TomcatConfig()),
    JETTY(new JettyConfig()),
    UNDERTOW(new UndertowConfig()),
    WILDFLY(ServerKind.UNDERTOW),
    SPRING_BOOT,
    SYSTEMD,
    KUBERNETES,
    DOCKER,
    COMMAND_LINE;

    private final Optional<ServerKind> server;
    private final Optional<ServerConfig> config;

    ConfigPlace() {
        this(Optional.empty(), Optional.empty());
    }

    ConfigPlace(ServerConfig config) {
        this(Optional.of(config.server()), Optional.of(config));
    }

    ConfigPlace(ServerKind inside) {
        this(Optional.of(inside), Optional.empty());
    }

    ConfigPlace(Optional<ServerKind> server, Optional<ServerConfig> config) {
        this.server = server;
        this.config = config;
    }

    /** The name on the command line: {@code spring-boot}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The server whose files these are, if they belong to one server. */
    public Optional<ServerKind> server() {
        return server;
    }

    /** What writes them, if this is a server's own place. */
    public Optional<ServerConfig> config() {
        return config;
    }

    /** Whether these are files of a server, rather than of what it runs in. */
    public boolean ofServer() {
        return server.isPresent();
    }

    /** The default place for a target's configuration. */
    public static ConfigPlace of(Target target) {
        if (target.takesProperties()) {
            return SPRING_BOOT;
        }
        return target.knownServer().map(ConfigPlace::of).orElse(COMMAND_LINE);
    }

    /** A server's own place. */
    static ConfigPlace of(ServerKind server) {
        return Arrays.stream(values())
                .filter(p -> p.config.filter(c -> c.server() == server).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing writes the configuration of " + server.title()));
    }

    /** How a server is configured. */
    public static ServerConfig config(ServerKind server) {
        return of(server).config.orElseThrow();
    }
}
