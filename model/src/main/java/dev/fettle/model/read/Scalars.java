package dev.fettle.model.read;

import dev.fettle.model.text.NearestName;
import dev.fettle.model.text.Units;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads single values and lists. An invalid value becomes a problem, and the result is empty. */
record Scalars(Problems problems) {
    /** Any scalar as written. */
    Optional<String> text(Node node, String what) {
        if (node instanceof ScalarNode scalar && !YamlFields.isNull(node)) {
            return Optional.of(scalar.getValue());
        }
        problems.add(node, "%s is text, not %s".formatted(what, YamlFields.kind(node)));
        return Optional.empty();
    }

    /** A file or folder, relative to another folder. */
    Optional<Path> path(Node node, String what, Path folder) {
        return text(node, what).flatMap(t -> {
            try {
                return Optional.of(folder.resolve(t).normalize());
            } catch (InvalidPathException e) {
                problems.add(node, "%s is no name of a file: %s".formatted(what, e.getReason()));
                return Optional.empty();
            }
        });
    }

    /** A number without quotes. */
    Optional<Integer> integer(Node node, String what, int min, int max) {
        return wholeNumber(node, what, min, max).map(Long::intValue);
    }

    Optional<Long> wholeNumber(Node node, String what, long min, long max) {
        if (node instanceof ScalarNode s && s.isPlain() && s.getValue().matches("-?(0|[1-9][0-9]{0,17})")) {
            long value = Long.parseLong(s.getValue());
            if (value >= min && value <= max) {
                return Optional.of(value);
            }
        }
        String range = max == Long.MAX_VALUE ? "from %d".formatted(min) : "from %d to %d".formatted(min, max);
        problems.add(node, "%s is a whole number %s, not %s".formatted(what, range, quoted(node)));
        return Optional.empty();
    }

    Optional<Boolean> bool(Node node, String what) {
        if (node instanceof ScalarNode s && s.isPlain() && s.getValue().matches("true|false")) {
            return Optional.of(Boolean.valueOf(s.getValue()));
        }
        problems.add(node, "%s is true or false, not %s".formatted(what, quoted(node)));
        return Optional.empty();
    }

    Optional<Duration> duration(Node node, String what, Duration min, Duration max) {
        Optional<Duration> read = text(node, what).flatMap(t -> tried(node, what, t, Units::duration));
        if (read.isPresent() && (read.get().compareTo(min) < 0 || read.get().compareTo(max) > 0)) {
            problems.add(node, "%s lies between %s and %s".formatted(what, Units.text(min), Units.text(max)));
            return Optional.empty();
        }
        return read;
    }

    Optional<Long> size(Node node, String what, long max) {
        Optional<Long> read = text(node, what).flatMap(t -> tried(node, what, t, Units::size));
        if (read.isPresent() && read.get() > max) {
            problems.add(node, "%s is at most %s".formatted(what, Units.sizeText(max)));
            return Optional.empty();
        }
        return read;
    }

    Optional<Double> share(Node node, String what) {
        return text(node, what).flatMap(t -> tried(node, what, t, Units::share));
    }

    Optional<String> oneOf(Node node, String what, List<String> choices) {
        Optional<String> read = text(node, what);
        if (read.isPresent() && !choices.contains(read.get())) {
            String meant = NearestName.nearest(read.get(), choices)
                    .map(n -> "; did you mean '" + n + "'?")
                    .orElse("");
            problems.add(
                    node, "%s is one of %s, not '%s'%s".formatted(what, String.join(", ", choices), read.get(), meant));
            return Optional.empty();
        }
        return read;
    }

    /** The items of a non-empty list. */
    List<Node> list(Node node, String what) {
        if (!(node instanceof SequenceNode sequence)) {
            problems.add(node, "%s is a list, not %s".formatted(what, YamlFields.kind(node)));
            return List.of();
        }
        if (sequence.getValue().isEmpty()) {
            problems.add(node, "%s is empty".formatted(what));
        }
        return sequence.getValue();
    }

    /** Calls one of the model's parse methods, whose exception messages are for the user. */
    <T> Optional<T> tried(Node node, String what, String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            problems.add(node, what.isEmpty() ? String.valueOf(e.getMessage()) : what + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** JVM flags. */
    List<String> flags(Node node, String what) {
        var out = new ArrayList<String>();
        for (Node item : list(node, what)) {
            text(item, "a JVM flag").ifPresent(flag -> {
                if (!flag.matches("-\\S(.*\\S)?")) {
                    problems.add(item, "a JVM flag starts with '-', not '%s'".formatted(flag));
                }
                out.add(flag);
            });
        }
        return out;
    }

    private static String quoted(Node node) {
        return node instanceof ScalarNode s && !s.isPlain()
                ? "the text \"" + s.getValue() + "\""
                : YamlFields.kind(node);
    }
}
