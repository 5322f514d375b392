package dev.fettle.config.undertow;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.Escapes;
import dev.fettle.config.ServerConfig;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.List;
import java.util.Optional;

/** The builder of an embedded Undertow, and the command that starts its program. */
public final class UndertowConfig implements ServerConfig {
    @Override
    public ServerKind server() {
        return ServerKind.UNDERTOW;
    }

    @Override
    public ConfigFile knobs(Wanted wanted) {
        return BuilderCode.of(wanted.setting(), wanted.configured(), wanted.whole());
    }

    @Override
    public ConfigFile flags(String takenOut, List<String> flags) {
        return ConfigFile.starting(takenOut + "java " + Escapes.shell(flags));
    }

    @Override
    public String embedded(NativeKnob knob) {
        return switch (knob.holder()) {
            case "code" -> knob.name();
            case "server" -> "Builder.setServerOption(UndertowOptions." + knob.property() + ", …)";
            case "socket" -> "Builder.setSocketOption(Options." + knob.property() + ", …)";
            case "worker" -> "Builder.setWorkerOption(Options." + knob.property() + ", …)";
            default -> "Builder." + ServerConfig.setter(knob);
        };
    }

    /** Those of WildFly: Undertow by itself has no files. */
    @Override
    public String standalone(NativeKnob knob) {
        return knob.standalone();
    }

    @Override
    public String standaloneTitle() {
        return "WildFly";
    }

    @Override
    public Optional<String> program(Optional<String> code, int port) {
        String builder = code.orElse("Undertow.builder()").stripTrailing();
        return Optional.of(
                """
                import io.undertow.*;
                import io.undertow.server.*;
                import io.undertow.server.handlers.*;
                import org.xnio.Options;

                class Rendered {
                    public static void main(String[] arguments) {
                        HttpHandler handler = exchange -> exchange.getResponseSender().send("ok");
                        Undertow.Builder builder =
                %s;
                        %s
                        builder.addHttpListener(%d, "127.0.0.1").build().start();
                    }
                }
                """.formatted(builder, builder.contains(".setHandler(") ? "" : "builder.setHandler(handler);", port));
    }
}
