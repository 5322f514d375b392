package dev.fettle.cli.option;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Whether a run is shown on a page while it goes on. */
public final class LivePageOptions {
    private static final int ANY_PORT = 0;

    @Option(
            names = "--live-page",
            paramLabel = "PORT",
            arity = "0..1",
            fallbackValue = "0",
            preprocessor = PortOrNothing.class,
            description =
                    "Show it on a page while it goes on, and as the report at the end: prints a link with a token, on 127.0.0.1"
                            + " only (from elsewhere: ssh -L). On a terminal the page stays until Ctrl-C. Default port: any"
                            + " that is free")
    private @Nullable Integer port;

    @Option(
            names = "--keep-page",
            paramLabel = "TIME",
            description = "How long the page of --live-page stays at the end: 10m; 0 is not at all.")
    private @Nullable Duration keep;

    /** What follows the option is its port only if it is a number, or stands after {@code =}: else it is the plan or the URL. */
    static final class PortOrNothing implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> left, CommandSpec command, ArgSpec option, Map<String, Object> how) {
            if ("=".equals(how.get("separator"))
                    || !left.isEmpty() && left.peek().matches("^[0-9]{1,9}$")) {
                return false; // it is read as usual
            }
            option.setValue(ANY_PORT);
            return true;
        }
    }

    /** The port, if a page is wanted; 0 is any that is free. */
    public OptionalInt port() {
        if (port == null) {
            if (keep != null) {
                throw Parse.usage(
                        "--keep-page says how long the page of --live-page stays: without that there is none");
            }
            return OptionalInt.empty();
        }
        if (port < ANY_PORT || port > Parse.MOST_PORTS) {
            throw Parse.usage("--live-page " + port + " is no port: 0 to " + Parse.MOST_PORTS + " would be right");
        }
        return OptionalInt.of(port);
    }

    /** With a page also if only the plan asks for one. */
    public LivePageOptions or(boolean plan) {
        port = port == null && plan ? Integer.valueOf(ANY_PORT) : port;
        return this;
    }

    /** How long it stays, if that was said. */
    public Optional<Duration> keep() {
        return Optional.ofNullable(keep);
    }

    /** Whether any of this was asked for. */
    public boolean asked() {
        return port != null || keep != null;
    }
}
