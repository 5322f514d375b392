package dev.fettle.watch.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Memory available for new processes, on the machine or in this process's control group. */
public final class AvailableMemory {
    private final Proc proc;
    private final Path groups;

    /** Memory of this machine. */
    public AvailableMemory(Proc proc) {
        this(proc, ControlGroups.MOUNT);
    }

    /** @param groups where the control groups are mounted */
    AvailableMemory(Proc proc, Path groups) {
        this.proc = proc;
        this.groups = groups;
    }

    /**
     * Bytes available without swapping: {@code MemAvailable} of proc(5), or what a control group has left if that is
     * less (its limit minus its usage, not counting inactive caches). Empty if unknown.
     */
    public OptionalLong available() {
        OptionalLong machine = kilobytes("MemAvailable");
        OptionalLong group = left();
        return group.isPresent() && (machine.isEmpty() || group.getAsLong() < machine.getAsLong()) ? group : machine;
    }

    /** Memory of the whole machine, in bytes. */
    public OptionalLong total() {
        return kilobytes("MemTotal");
    }

    private OptionalLong kilobytes(String key) {
        return proc.info("meminfo", key).map(v -> v.replaceAll("[^0-9]", "")).filter(v -> !v.isEmpty()).stream()
                .mapToLong(v -> Long.parseLong(v) << 10)
                .findFirst();
    }

    /** The most that this process can ever get, in bytes: that of the machine, or of its control group if that is less. */
    public OptionalLong most() {
        return Stream.concat(
                        total().stream().boxed(),
                        groups((group, unified) ->
                                ControlGroups.number(group.resolve(unified ? "memory.max" : "memory.limit_in_bytes"))))
                .mapToLong(Long::longValue)
                .min();
    }

    /** Memory left in the tightest control group, from this process's own up to the root. */
    private OptionalLong left() {
        return groups((group, unified) -> unified
                        ? left(group, "memory.max", "memory.current", "inactive_file")
                        : left(group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"))
                .mapToLong(Long::longValue)
                .min();
    }

    /** One figure for each of this process's groups, from its own up to the root. Version 1 has a separate tree for memory. */
    private Stream<Long> groups(BiFunction<Path, Boolean, OptionalLong> figure) {
        return ControlGroups.upwards(proc, "self", groups, "memory")
                .map(g -> figure.apply(g, Files.exists(g.resolve("memory.max"))))
                .flatMap(n -> n.stream().boxed());
    }

    private static OptionalLong left(Path group, String limit, String usage, String cache) {
        OptionalLong most = ControlGroups.number(group.resolve(limit));
        OptionalLong used = ControlGroups.number(group.resolve(usage));
        if (most.isEmpty() || used.isEmpty()) {
            return OptionalLong.empty();
        }
        long caches = ControlGroups.text(group.resolve("memory.stat")).stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith(cache + " "))
                .mapToLong(l -> Long.parseLong(l.substring(cache.length() + 1).trim()))
                .findFirst()
                .orElse(0);
        return OptionalLong.of(Math.max(0, most.getAsLong() - used.getAsLong() + caches));
    }
}
