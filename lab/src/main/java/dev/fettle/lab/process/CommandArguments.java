package dev.fettle.lab.process;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.text.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Fills the placeholders of a command target. Values stay single arguments, whatever characters they contain. */
public final class CommandArguments {
    private CommandArguments() {}

    /**
     * The values of placeholders.
     *
     * @param jvm the flags that {@code {jvm}} expands to, one argument each
     */
    public record Values(
            int port, Path java, Path folder, List<String> jvm, Map<String, Path> artifacts, Setting setting) {

        public Optional<String> value(String name) {
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

    /** The argument list of a target; {@code {jvm}} becomes the JVM's flags. */
    public static List<String> fill(List<List<String>> groups, Values values) {
        var command = new ArrayList<String>();
        for (List<String> group : groups) {
            command.addAll(group.equals(List.of("{jvm}")) ? values.jvm() : fill(List.of(group), values::value));
        }
        return command;
    }

    /** An argument list; a group with a placeholder that has no value is left out as a whole. */
    public static List<String> fill(List<List<String>> groups, Function<String, Optional<String>> values) {
        var command = new ArrayList<String>();
        for (List<String> group : groups) {
            List<Optional<String>> filled = group.stream()
                    .map(argument -> Placeholders.expand(argument, values))
                    .toList();
            if (filled.stream().allMatch(Optional::isPresent)) {
                filled.forEach(f -> command.add(f.orElseThrow()));
            }
        }
        return command;
    }

    /** Environment values; a variable with a placeholder that has no value is left out. */
    public static Map<String, String> fill(Map<String, String> environment, Function<String, Optional<String>> values) {
        var filled = new LinkedHashMap<String, String>();
        environment.forEach((name, text) -> Placeholders.expand(text, values).ifPresent(v -> filled.put(name, v)));
        return filled;
    }

    /** The command in a form fit for the journal: arguments that look like secrets are masked. */
    public static List<String> redacted(List<String> command) {
        var safe = new ArrayList<String>();
        boolean hideNext = false;
        for (String argument : Secrets.flags(command)) {
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
