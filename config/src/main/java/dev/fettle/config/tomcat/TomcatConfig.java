package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.config.ServerConfig;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.List;
import java.util.Optional;

/** Tomcat's {@code server.xml} and {@code setenv.sh}. */
public final class TomcatConfig implements ServerConfig {
    @Override
    public ServerKind server() {
        return ServerKind.TOMCAT;
    }

    @Override
    public ConfigFile knobs(Wanted wanted) {
        return ConnectorText.of(wanted.setting(), wanted.configured(), wanted.executor());
    }

    @Override
    public ConfigFile flags(String takenOut, List<String> flags) {
        return new ConfigFile(Kind.SETENV, "bin/setenv.sh", takenOut + Escapes.appended("CATALINA_OPTS", flags));
    }

    @Override
    public String embedded(NativeKnob knob) {
        return switch (knob.holder()) {
            case "code" -> knob.name();
            case "http2" -> "Http2Protocol." + ServerConfig.setter(knob);
            default -> "Connector.setProperty(\"%s\", …)".formatted(knob.property());
        };
    }

    @Override
    public String standalone(NativeKnob knob) {
        return "server.xml: " + knob.standalone();
    }

    @Override
    public Optional<Audited> audited(Knob knob) {
        return Optional.of(knob.on(ServerKind.TOMCAT).name())
                .filter(n -> n.matches("[A-Za-z]+"))
                .map(n -> new Audited(SettingKind.TOMCAT, "Connector." + n));
    }
}
