package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Memory available for new processes, on the machine or in this process's control group. */
public final class AvailableMemory {
    private static final Pattern SIZE = Pattern.compile("([0-9]+)([kKmMgGtT]?)");

    private final Proc proc;
    private final Path groups;

    /** Memory of this machine. */
    public AvailableMemory(Proc proc) {
        this(proc, Path.of("/sys/fs/cgroup"));
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

    /**
     * What the tightest group has left, from this process's own up to the root. Version 1 has a separate tree for
     * memory.
     */
    private OptionalLong left() {
        OptionalLong least = OptionalLong.empty();
        for (String line : proc.controlGroups()) {
            String[] part = line.split(":", 3);
            boolean unified = part[1].isEmpty();
            if (!unified && !List.of(part[1].split(",")).contains("memory")) {
                continue;
            }
            Path root = unified ? groups : groups.resolve("memory");
            // in a container the path may be the host's, of which only the root is visible
            for (Path group = root.resolve(part[2].substring(1)).normalize();
                    group != null && group.startsWith(root);
                    group = group.getParent()) {
                OptionalLong left = unified
                        ? left(group, "memory.max", "memory.current", "inactive_file")
                        : left(group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
                if (left.isPresent() && (least.isEmpty() || left.getAsLong() < least.getAsLong())) {
                    least = left;
                }
            }
        }
        return least;
    }

    private static OptionalLong left(Path group, String limit, String usage, String cache) {
        OptionalLong most = number(group.resolve(limit));
        OptionalLong used = number(group.resolve(usage));
        if (most.isEmpty() || used.isEmpty()) {
            return OptionalLong.empty();
        }
        long caches = text(group.resolve("memory.stat"))
                .lines()
                .filter(l -> l.startsWith(cache + " "))
                .mapToLong(l -> Long.parseLong(l.substring(cache.length() + 1).trim()))
                .findFirst()
                .orElse(0);
        return OptionalLong.of(Math.max(0, most.getAsLong() - used.getAsLong() + caches));
    }

    /** Reads a file that contains one number; empty if it is missing, or says {@code max}. */
    private static OptionalLong number(Path file) {
        String text = text(file).trim();
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** Parses a size as the JVM does: {@code 512m}, {@code 2g}, {@code 1048576}; empty if it is not a size. */
    public static OptionalLong bytes(String size) {
        Matcher m = SIZE.matcher(size);
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        int shift = "kmgt".indexOf(m.group(2).toLowerCase(Locale.ROOT)) + 1;
        return OptionalLong.of(Long.parseLong(m.group(1)) << (m.group(2).isEmpty() ? 0 : 10 * shift));
    }
}
