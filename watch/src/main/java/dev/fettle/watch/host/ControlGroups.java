package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The control groups of a process, in version 1 or 2 of the kernel's interface. */
final class ControlGroups {
    /** Where they are mounted. */
    static final Path MOUNT = Path.of("/sys/fs/cgroup");

    private ControlGroups() {}

    /**
     * The groups that apply to this process for a controller: its own first, then each one above it, up to the root.
     * Both versions are read, because a system may use both.
     */
    static Stream<Path> upwards(Proc proc, String pid, Path mount, String controller) {
        return proc.groups(pid).flatMap(line -> {
            String[] f = line.split(":", 3); // hierarchy, controllers, path; version 2 has 0 and none
            if (f.length < 3 || !f[1].isEmpty() && !Stream.of(f[1].split(",")).anyMatch(controller::equals)) {
                return Stream.empty();
            }
            Path root = f[1].isEmpty() ? mount : mount.resolve(controller);
            Path own = root.resolve(f[2].substring(1)).normalize();
            return Stream.iterate(own, g -> g != null && g.startsWith(root), Path::getParent);
        });
    }

    /** The group on the way from the process's own to the root whose file has the smallest number; empty if none has one. */
    static Optional<Path> tightest(Proc proc, String pid, Path mount, String controller, String file) {
        return upwards(proc, pid, mount, controller)
                .filter(g -> number(g.resolve(file)).isPresent())
                .min(Comparator.comparingLong(g -> number(g.resolve(file)).orElseThrow()));
    }

    /** The only number in a file; empty for {@code max}, and if there is no such file. */
    static OptionalLong number(Path file) {
        return text(file)
                .filter(t -> t.matches("-?[0-9]{1,18}"))
                .map(t -> OptionalLong.of(Long.parseLong(t)))
                .orElse(OptionalLong.empty());
    }

    /** A file's text; empty if there is none. */
    static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty(); // the root has none
        }
    }
}
