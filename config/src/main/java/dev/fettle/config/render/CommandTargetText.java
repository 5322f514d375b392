package dev.fettle.config.render;

import dev.fettle.config.Escapes;
import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command target's arguments with a setting filled in, as a shell command to copy. */
final class CommandTargetText {
    private CommandTargetText() {}

    /** The command, with a comment on what differs from the default. */
    static String text(Target.Command command, Setting setting, OwnPlaces own) {
        var lines = new ArrayList<String>();
        command.environment().forEach((name, text) -> {
            if (!Placeholders.in(text).isEmpty()) { // others are the user's own, and may be secret
                Placeholders.expand(text, placeholder -> value(command, placeholder, setting, own))
                        .ifPresent(v -> lines.add(name + "=" + Escapes.shell(v)));
            }
        });
        var changed = new ArrayList<String>();
        for (List<String> group : command.arguments()) {
            boolean knobs = group.equals(List.of("{jvm}"))
                    || group.stream()
                            .anyMatch(x -> Placeholders.in(x).stream().anyMatch(command.configures()::containsKey));
            var filled = fill(command, group, setting, own);
            if (filled.isPresent()) {
                lines.add(filled.get());
                if (knobs) {
                    changed.add(filled.get());
                }
            }
        }
        var out = new StringBuilder();
        if (!changed.isEmpty()) {
            out.append("# what differs from the default: ")
                    .append(Escapes.comment(String.join(" ", changed)))
                    .append('\n');
        }
        out.append(String.join(" \\\n  ", lines)).append('\n');
        return out.toString();
    }

    /** A file of the command's, filled in except for what is only known when it is started. */
    static String template(Target.Command command, String text, Setting setting, OwnPlaces own) {
        return Placeholders.expandLines(text, name -> value(command, name, setting, own));
    }

    /** The group as shell text; empty if one of its knobs is left at the default. */
    private static Optional<String> fill(Target.Command command, List<String> group, Setting setting, OwnPlaces own) {
        var parts = new ArrayList<String>();
        if (group.equals(List.of("{jvm}"))) {
            var flags = new ArrayList<>(command.jvm().flags());
            flags.addAll(JvmFlags.of(setting));
            flags.addAll(own.flags());
            return Optional.of(Escapes.shell(flags)).filter(f -> !f.isEmpty());
        }
        for (String argument : group) {
            Optional<String> filled = Placeholders.expand(argument, name -> value(command, name, setting, own));
            if (filled.isEmpty()) {
                return Optional.empty();
            }
            parts.add(Escapes.shell(filled.get()));
        }
        return Optional.of(String.join(" ", parts));
    }

    private static Optional<String> value(Target.Command command, String name, Setting setting, OwnPlaces own) {
        if (name.startsWith("artifact:")) {
            String coordinates = command.artifacts().getOrDefault(name.substring("artifact:".length()), name);
            String[] parts = coordinates.split(":", -1);
            return Optional.of(parts.length == 3 ? parts[1] + "-" + parts[2] + ".jar" : coordinates);
        }
        return switch (name) {
            case "java" -> Optional.of(JdkChoice.program(setting));
            case "port", "dir" -> Optional.of("{" + name + "}");
            default ->
                name.startsWith("port:")
                        ? Optional.of("{" + name + "}")
                        : Optional.ofNullable(own.written().get(name)).or(() -> setting.get(name));
        };
    }
}
