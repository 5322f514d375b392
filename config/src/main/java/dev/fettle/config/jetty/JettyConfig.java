package dev.fettle.config.jetty;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.ServerConfig;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Jetty's {@code start.d}. */
public final class JettyConfig implements ServerConfig {
    private static final Map<String, String> OBJECTS = Map.of(
            "connector", "ServerConnector",
            "http2", "HTTP2CServerConnectionFactory",
            "pool", "QueuedThreadPool",
            "http", "HttpConfiguration",
            "limit", "NetworkConnectionLimit",
            "qos", "QoSHandler",
            "low", "LowResourceMonitor",
            "gzip", "GzipCompression",
            "encoder", "GzipEncoderConfig");

    @Override
    public ServerKind server() {
        return ServerKind.JETTY;
    }

    @Override
    public ConfigFile knobs(Wanted wanted) {
        return StartIni.of(
                wanted.setting(), wanted.configured(), wanted.configured().with(wanted.whole()));
    }

    @Override
    public ConfigFile flags(String takenOut, List<String> flags) {
        return new ConfigFile(
                Kind.JETTY_INI, StartIni.JVM_FILE, takenOut + "--exec\n" + String.join("\n", flags) + "\n");
    }

    @Override
    public String embedded(NativeKnob knob) {
        return knob.holder().equals("code")
                ? knob.name()
                : OBJECTS.get(knob.holder()) + "." + ServerConfig.setter(knob);
    }

    @Override
    public String standalone(NativeKnob knob) {
        return Arrays.stream(knob.standalone().split(" "))
                .map(p -> p.contains("/")
                        ? p.substring(p.indexOf('/') + 1) + "= (module " + p.substring(0, p.indexOf('/')) + ")"
                        : "--module=" + p)
                .collect(Collectors.joining(", "));
    }

    @Override
    public List<String> remarks(Optional<String> version) {
        return version
                .map(v -> "measured on " + v.replace('/', ' ') + ": other releases may lack a module or a property")
                .stream()
                .toList();
    }

    @Override
    public Optional<Audited> audited(Knob knob) {
        return Optional.of(knob.on(ServerKind.JETTY).standalone())
                .map(s -> s.substring(s.indexOf('/') + 1))
                .filter(s -> s.startsWith("jetty."))
                .map(s -> new Audited(SettingKind.JETTY, s));
    }
}
