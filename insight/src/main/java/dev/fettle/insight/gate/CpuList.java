package dev.fettle.insight.gate;

import java.util.Set;
import java.util.TreeSet;

/** CPU lists as Linux writes them. */
final class CpuList {
    private CpuList() {}

    /** {@code 0,2-3} as a set; what can't be read is left out. */
    static Set<Integer> parse(String text) {
        var cpus = new TreeSet<Integer>();
        for (String part : text.split(",", -1)) {
            String[] ends = part.strip().split("-", 2);
            try {
                int from = Integer.parseInt(ends[0]);
                int to = ends.length == 2 ? Integer.parseInt(ends[1]) : from;
                for (int cpu = from; cpu <= to && cpus.size() < 4096; cpu++) {
                    cpus.add(cpu);
                }
            } catch (NumberFormatException e) {
                // an unreadable list is an unknown list
            }
        }
        return cpus;
    }
}
