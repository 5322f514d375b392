package dev.fettle.lab.hooks;

import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.Setting;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where hooks run, and the values of their placeholders.
 *
 * @param folder their working directory, {@code {dir}}; their output goes there
 * @param java the value of {@code {java}}: Fettle's own, since hooks are not measured
 * @param cpus the generator's CPUs; the target's are reserved for it
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
