package dev.fettle.model.target;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A user's command around a target: it starts or resets what the target needs. In its texts, {@code {dir}} is the trial's
 * folder, {@code {java}} the JDK that runs Fettle, {@code {port:NAME}} a free port, and {@code {KNOB}} a knob's value.
 *
 * @param run groups of arguments, as in a {@link Target.Command}
 * @param environment extra environment variables
 * @param background whether it stays up; it is ended with its trial or run
 * @param ready what to wait for before going on; empty: nothing
 * @param within how long it may take to end or, with {@code ready}, to be ready
 * @param exit the expected exit code of a foreground hook
 * @param scope whether it runs for each trial or once
 */
public record Hook(
        List<List<String>> run,
        Map<String, String> environment,
        boolean background,
        Optional<Ready> ready,
        Duration within,
        int exit,
        Scope scope) {
    /** The default of {@code within}. */
    public static final Duration WITHIN = Duration.ofSeconds(30);

    public Hook {
        run = run.stream().map(List::copyOf).toList();
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** The name of its program: {@code redis-server}. */
    public String program() {
        String first = run.getFirst().getFirst();
        return first.substring(first.lastIndexOf('/') + 1).replaceAll("[{}]", "");
    }

    /** All texts that may contain placeholders. */
    Stream<String> texts() {
        return Stream.of(
                        run.stream().flatMap(List::stream),
                        environment.values().stream(),
                        ready.stream().flatMap(Ready::texts))
                .flatMap(s -> s);
    }

    /** How often a hook runs. */
    public enum Scope {
        TRIAL,
        /** Once per run. */
        RUN
    }

    /** The condition for a hook to be ready. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.Tcp.class, name = "tcp"),
        @JsonSubTypes.Type(value = Ready.Http.class, name = "http"),
        @JsonSubTypes.Type(value = Ready.Log.class, name = "log"),
        @JsonSubTypes.Type(value = Ready.Probe.class, name = "probe")
    })
    public sealed interface Ready {
        /** Its texts that may contain placeholders. */
        Stream<String> texts();

        /**
         * An address accepts connections.
         *
         * @param address {@code host:port}
         */
        record Tcp(String address) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of(address);
            }
        }

        /** A GET returns a status. */
        record Http(String url, int status) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of(url);
            }
        }

        /** A text appears in the hook's standard output or error. */
        record Log(String text) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of();
            }
        }

        /** A command, run repeatedly, exits with 0. */
        record Probe(List<List<String>> run) implements Ready {
            public Probe {
                run = run.stream().map(List::copyOf).toList();
            }

            @Override
            public Stream<String> texts() {
                return run.stream().flatMap(List::stream);
            }
        }
    }
}
