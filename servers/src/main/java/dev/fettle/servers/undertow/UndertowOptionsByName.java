package dev.fettle.servers.undertow;

import dev.fettle.agent.Beans;
import dev.fettle.agent.Knob;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Settings;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.predicate.Predicates;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.encoding.ContentEncodingRepository;
import io.undertow.server.handlers.encoding.EncodingHandler;
import io.undertow.server.handlers.encoding.GzipEncodingProvider;
import java.util.Map;
import org.xnio.Option;
import org.xnio.Options;

/** Sets Undertow's options under the catalogue's names: {@code server.MAX_HEADERS}, {@code socket.BACKLOG}. */
final class UndertowOptionsByName {
    private static final int ANY_CONTENT = 50;
    /** The value that {@code Undertow} itself uses for the pool it creates. */
    private static final int DEFAULT_LOCAL_BUFFERS = 4;

    private static final int ZLIBS_OWN_LEVEL = -1;

    private UndertowOptionsByName() {}

    static void configure(Undertow.Builder builder, Settings settings) throws LaunchFailure {
        settings.knobs().apply(settings, Map.of("builder", builder));
        for (Knob knob : settings.knobs().all()) {
            Object value = settings.get(knob.name());
            if (value != null && isOption(knob)) {
                set(builder, knob, option(knob), String.valueOf(value));
            }
        }
        int most = settings.number("connections.max", -1);
        if (most > 0) {
            builder.setSocketOption(Options.CONNECTION_HIGH_WATER, most);
            builder.setSocketOption(Options.CONNECTION_LOW_WATER, most);
        }
        if (settings.has("buffers.pool") || settings.has("buffers.pool.local")) {
            builder.setByteBufferPool(new DefaultByteBufferPool(
                    Boolean.TRUE.equals(Beans.field(builder, "directBuffers")),
                    Beans.field(builder, "bufferSize") instanceof Integer size ? size : 16_364,
                    settings.number("buffers.pool", -1),
                    settings.number("buffers.pool.local", DEFAULT_LOCAL_BUFFERS)));
        }
    }

    static boolean isOption(Knob knob) {
        return switch (knob.holder()) {
            case "server", "socket", "worker" -> true;
            default -> false;
        };
    }

    /** The constant behind a knob. */
    static Option<?> option(Knob knob) {
        Class<?> holder = knob.holder().equals("server") ? UndertowOptions.class : Options.class;
        return Option.fromString(
                holder.getName() + "." + knob.property(), UndertowOptionsByName.class.getClassLoader());
    }

    private static <T> void set(Undertow.Builder builder, Knob knob, Option<T> option, String text)
            throws LaunchFailure {
        T value;
        try {
            value = option.parseValue(text, UndertowOptionsByName.class.getClassLoader());
        } catch (IllegalArgumentException e) {
            throw LaunchFailure.badArgument(knob.name() + "=" + text + " does not fit " + option.getName());
        }
        switch (knob.holder()) {
            case "server" -> builder.setServerOption(option, value);
            case "socket" -> builder.setSocketOption(option, value);
            default -> builder.setWorkerOption(option, value);
        }
    }

    /** Compresses responses of at least the configured length. */
    static HttpHandler compressing(Settings settings, HttpHandler next) {
        return new EncodingHandler(
                next,
                new ContentEncodingRepository()
                        .addEncodingHandler(
                                "gzip",
                                new GzipEncodingProvider(settings.number("compression.level", ZLIBS_OWN_LEVEL)),
                                ANY_CONTENT,
                                settings.has("compression.min")
                                        ? Predicates.minContentSize(settings.number("compression.min", 0))
                                        : Predicates.truePredicate()));
    }
}
