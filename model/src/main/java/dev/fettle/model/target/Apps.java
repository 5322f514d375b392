package dev.fettle.model.target;

import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sample apps of embedded targets and their options. */
public final class Apps {
    private static final Map<String, List<String>> OPTIONS = Map.of(
            "hello", List.of("session"),
            "work", List.of("cpu", "wait"),
            "payload", List.of("bytes", "type"),
            "static", List.of("bytes", "type"),
            "login", List.of("cpu", "fault", "session"));

    /** Content types of a body; all but images can be compressed. */
    private static final List<String> TYPES = List.of("text", "html", "css", "json", "image");

    /** The login app's default backend. */
    public static final Target.Backend LOGIN_BACKEND = new Target.Backend(Duration.ofMillis(50), 200);

    private Apps() {}

    /** {@code hello}, {@code work}, {@code payload}, {@code static}, {@code login}. */
    public static List<String> names() {
        return List.of("hello", "work", "payload", "static", "login");
    }

    /** The options of an app; empty for an unknown one. */
    public static List<String> options(String app) {
        return OPTIONS.getOrDefault(app, List.of());
    }

    /** An app's default backend. */
    public static Optional<Target.Backend> defaultBackend(String app) {
        return app.equals("login") ? Optional.of(LOGIN_BACKEND) : Optional.empty();
    }

    /**
     * The canonical value of an option: {@code cpu} and {@code wait} in milliseconds with unit ({@code 0.1ms}), {@code
     * bytes} as a plain number.
     *
     * @throws IllegalArgumentException with a message for the user, if the app has no such option or the value is invalid
     */
    public static String canonical(String app, String option, String value) {
        List<String> known = options(app);
        if (!known.contains(option)) {
            throw new IllegalArgumentException(
                    "the %s app has no option '%s'; it has %s".formatted(app, option, String.join(", ", known)));
        }
        return switch (option) {
            case "bytes" -> bytes(value);
            case "fault" -> fault(value);
            case "session" -> oneOf(option, value, List.of("true", "false"));
            case "type" -> oneOf(option, value, TYPES);
            default -> duration(option, value);
        };
    }

    private static String fault(String value) {
        if (!value.matches("[a-z0-9]++(?:[-+][a-z0-9]++)*+")) {
            throw new IllegalArgumentException(
                    "fault is a name such as log-lock, or several: log-lock+parse-uncached, not %s".formatted(value));
        }
        return value;
    }

    private static String oneOf(String option, String value, List<String> values) {
        if (!values.contains(value)) {
            throw new IllegalArgumentException(
                    "%s is one of %s, not %s".formatted(option, String.join(", ", values), value));
        }
        return value;
    }

    private static String duration(String option, String value) {
        Duration d = Units.duration(value);
        if (d.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("%s is at most 1m, not %s".formatted(option, value));
        }
        return Units.millis(d);
    }

    private static String bytes(String value) {
        long bytes = Units.size(value);
        if (bytes > 64L << 20) {
            throw new IllegalArgumentException("bytes is at most 64m, not %s".formatted(value));
        }
        return Long.toString(bytes);
    }
}
