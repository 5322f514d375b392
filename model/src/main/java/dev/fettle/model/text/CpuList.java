package dev.fettle.model.text;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** CPU lists in the format of the kernel and taskset(1): {@code 0,2-3}. */
public final class CpuList {
    private static final int MOST = 4096;

    private CpuList() {}

    /** Parses a list; unreadable parts are left out. */
    public static TreeSet<Integer> parse(String text) {
        var cpus = new TreeSet<Integer>();
        for (String part : text.split(",", -1)) {
            String[] ends = part.strip().split("-", 2);
            try {
                int from = Integer.parseInt(ends[0]);
                int to = ends.length == 2 ? Integer.parseInt(ends[1]) : from;
                for (int cpu = from; cpu <= to && cpus.size() < MOST; cpu++) {
                    cpus.add(cpu);
                }
            } catch (NumberFormatException e) {
                // an unreadable list is an unknown list
            }
        }
        return cpus;
    }

    /** The CPUs without ranges: {@code 0,1}. */
    public static String text(Set<Integer> cpus) {
        return new TreeSet<>(cpus).stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
