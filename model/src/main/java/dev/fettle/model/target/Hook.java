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
 * A command of the user's own around a target: it starts what the target needs, or puts it back in order. In its texts,
 * {@code {dir}} is the folder of the trial, {@code {java}} the JDK that runs Fettle, {@code {port:NAME}} a free port, and
 * {@code {KNOB}} a knob's value.
 *
 * @param run groups of arguments, as those of a {@link Target.Command}
 * @param environment extra environment variables
 * @param background whether it stays up; it is ended with what it was started for
 * @param ready what must be seen before anything goes on; empty: nothing
 * @param within how long it may take to end, or, if there is something to wait for, to be ready
 * @param exit the exit code that one in the foreground has to end with
 * @param scope what it is run for
 */
public record Hook(
        List<List<String>> run,
        Map<String, String> environment,
        boolean background,
        Optional<Ready> ready,
        Duration within,
        int exit,
        Scope scope) {
    /** The {@code within} of a hook that has none of its own. */
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

    /** All texts that may hold placeholders. */
    Stream<String> texts() {
        return Stream.of(
                        run.stream().flatMap(List::stream),
                        environment.values().stream(),
                        ready.stream().flatMap(Ready::texts))
                .flatMap(s -> s);
    }

    /** How often a hook runs. */
    public enum Scope {
        /** For each trial anew. */
        TRIAL,
        /** Once for all trials of a run. */
        RUN
    }

    /** What shows that a hook has done what it was started for. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.Tcp.class, name = "tcp"),
        @JsonSubTypes.Type(value = Ready.Http.class, name = "http"),
        @JsonSubTypes.Type(value = Ready.Log.class, name = "log"),
        @JsonSubTypes.Type(value = Ready.Probe.class, name = "probe")
    })
    public sealed interface Ready {
        /** Its texts that may hold placeholders. */
        Stream<String> texts();

        /**
         * Something accepts connections.
         *
         * @param address {@code host:port}
         */
        record Tcp(String address) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of(address);
            }
        }

        /** A GET gives a status. */
        record Http(String url, int status) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of(url);
            }
        }

        /** The hook has said something on its standard output or error. */
        record Log(String text) implements Ready {
            @Override
            public Stream<String> texts() {
                return Stream.of();
            }
        }

        /** A command, tried again and again, exits with 0. */
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
