package dev.fettle.lab.hooks;

import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.Setting;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where hooks run, and what their placeholders stand for.
 *
 * @param folder their working directory, {@code {dir}}; it takes their output
 * @param java what {@code {java}} stands for: hooks are no part of what is measured, so it is Fettle's own
 * @param cpus the generator's: the target's are for the target alone
 */
record HookContext(Path folder, Path java, Set<Integer> cpus, Ports ports, Setting setting) {
    HookContext {
        cpus = Set.copyOf(cpus);
    }

    Optional<String> value(String name) {
        return switch (name) {
            case "dir" -> Optional.of(folder.toString());
            case "java" -> Optional.of(java.toString());
            default -> ports.value(name).or(() -> setting.get(name));
        };
    }
}
