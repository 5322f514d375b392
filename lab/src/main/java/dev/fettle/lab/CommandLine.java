package dev.fettle.lab;

import dev.fettle.model.Placeholders;
import dev.fettle.model.Secrets;
import dev.fettle.model.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Fills the placeholders of a command target. Values stay single arguments, whatever characters they hold. */
final class CommandLine {
    private CommandLine() {}

    /**
     * What placeholders stand for.
     *
     * @param jvm the flags that {@code {jvm}} expands to, an argument each
     */
    record Values(int port, Path java, Path folder, List<String> jvm, Map<String, Path> artifacts, Setting setting) {

        Optional<String> value(String name) {
            return switch (name) {
                case "port" -> Optional.of(Integer.toString(port));
                case "java" -> Optional.of(java.toString());
                case "dir" -> Optional.of(folder.toString());
                default ->
                    name.startsWith("artifact:")
                            ? Optional.ofNullable(artifacts.get(name.substring("artifact:".length())))
                                    .map(Path::toString)
                            : setting.get(name);
            };
        }
    }

    /** The argument list; a group with a placeholder that has no value is left out as a whole. */
    static List<String> fill(List<List<String>> groups, Values values) {
        var command = new ArrayList<String>();
        for (List<String> group : groups) {
            if (group.equals(List.of("{jvm}"))) {
                command.addAll(values.jvm());
                continue;
            }
            List<Optional<String>> filled =
                    group.stream().map(argument -> fill(argument, values)).toList();
            if (filled.stream().allMatch(Optional::isPresent)) {
                filled.forEach(f -> command.add(f.orElseThrow()));
            }
        }
        return command;
    }

    /** Environment values; a variable with a placeholder that has no value is left out. */
    static Map<String, String> fill(Map<String, String> environment, Values values) {
        var filled = new LinkedHashMap<String, String>();
        environment.forEach((name, text) -> fill(text, values).ifPresent(v -> filled.put(name, v)));
        return filled;
    }

    private static Optional<String> fill(String text, Values values) {
        return Placeholders.expand(text, values::value);
    }

    /** A command as it may be journalled: values of arguments that look like secrets are hidden. */
    static List<String> redacted(List<String> command) {
        var safe = new ArrayList<String>();
        boolean hideNext = false;
        for (String argument : command) {
            String name = argument.split("=", 2)[0].toLowerCase(Locale.ROOT);
            boolean secret = Secrets.looksSecret(name);
            if (hideNext && !argument.startsWith("-")) {
                safe.add(Secrets.MASK);
            } else {
                safe.add(
                        secret && argument.contains("=")
                                ? argument.substring(0, name.length()) + "=" + Secrets.MASK
                                : argument);
            }
            hideNext = secret && !argument.contains("=");
        }
        return safe;
    }
}
