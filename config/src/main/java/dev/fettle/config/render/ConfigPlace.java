package dev.fettle.config.render;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Target;
import java.util.Locale;
import java.util.Optional;

/** The kinds of configuration that can be written. */
public enum ConfigPlace {
    TOMCAT,
    JETTY,
    UNDERTOW,
    WILDFLY,
    SPRING_BOOT,
    SYSTEMD,
    KUBERNETES,
    DOCKER,
    COMMAND_LINE;

    /** The name on the command line: {@code spring-boot}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The server whose files these are, if they belong to one server. */
    public Optional<ServerKind> server() {
        return switch (this) {
            case TOMCAT -> Optional.of(ServerKind.TOMCAT);
            case JETTY -> Optional.of(ServerKind.JETTY);
            case UNDERTOW, WILDFLY -> Optional.of(ServerKind.UNDERTOW);
            case SPRING_BOOT, SYSTEMD, KUBERNETES, DOCKER, COMMAND_LINE -> Optional.empty();
        };
    }

    /** Whether these are files of a server, rather than of what it runs in. */
    public boolean ofServer() {
        return server().isPresent();
    }

    /** The default place for a target's configuration. */
    public static ConfigPlace of(Target target) {
        if (target instanceof Target.Boot) {
            return SPRING_BOOT;
        }
        return target.knownServer()
                .map(s -> switch (s) {
                    case TOMCAT -> TOMCAT;
                    case JETTY -> JETTY;
                    case UNDERTOW -> UNDERTOW;
                })
                .orElse(COMMAND_LINE);
    }
}
