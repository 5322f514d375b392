package dev.fettle.cli.run;

import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.Format;
import dev.fettle.report.Environment;
import dev.fettle.watch.host.Proc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The machine in words, as journalled with each run and shown in its report. */
public final class HostFacts {
    private static final String LIMIT = "limit.";
    private static final String MEMORY = "memory";

    private static final Map<String, String> DECISIVE = new LinkedHashMap<>();

    static {
        DECISIVE.put("cpuModel", "CPU");
        DECISIVE.put("serverCpus", "the server's CPUs");
        DECISIVE.put("generatorCpus", "the generator's CPUs");
        DECISIVE.put(MEMORY, "memory");
    }

    private HostFacts() {}

    static Map<String, String> read(Proc proc, CpuLayout cpus) {
        var facts = new LinkedHashMap<String, String>();
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("cpuModel", proc.info("cpuinfo", "model name").orElse(""));
        facts.put("cpus", Integer.toString(proc.allowedCpus("self").size()));
        facts.put("serverCpus", CpuList.text(cpus.server()));
        facts.put("generatorCpus", CpuList.text(cpus.generator()));
        facts.put(
                MEMORY,
                proc.info("meminfo", "MemTotal").map(HostFacts::gibibytes).orElse(""));
        facts.put("fettleVersion", Version.text());
        facts.put("fettleJava", Runtime.version().toString());
        for (String name : new String[] {
            "net.core.somaxconn",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.tcp_max_syn_backlog",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.tcp_abort_on_overflow",
            "kernel.pid_max",
            "vm.max_map_count"
        }) {
            proc.sysctl(name).ifPresent(v -> facts.put(LIMIT + name, v.replace('\t', ' ')));
        }
        proc.softLimit("self", "Max open files").ifPresent(v -> facts.put(LIMIT + "open files", Long.toString(v)));
        proc.softLimit("self", "Max processes").ifPresent(v -> facts.put(LIMIT + "processes", Long.toString(v)));
        return facts;
    }

    /**
     * In what two machines differ that a server's speed depends on, in words; what is not known of one of them is no difference.
     * Less than a twentieth of the memory is none either: a new kernel may keep more of it to itself.
     */
    static List<String> differences(Map<String, String> then, Map<String, String> now) {
        var found = new ArrayList<String>();
        DECISIVE.forEach((name, words) -> {
            String was = then.getOrDefault(name, "");
            String is = now.getOrDefault(name, "");
            if (!was.isEmpty() && !is.isEmpty() && !was.equals(is) && !(name.equals(MEMORY) && isNear(was, is))) {
                found.add(words + " " + was + " then, " + is + " now");
            }
        });
        return found;
    }

    private static boolean isNear(String one, String other) {
        double a = number(one);
        double b = number(other);
        return Math.abs(a - b) < Math.max(a, b) / 20;
    }

    private static double number(String gibibytes) {
        return Double.parseDouble(gibibytes.replaceAll("[^0-9.]", ""));
    }

    /** Converts the journal's form to the report's. */
    public static Environment environment(Map<String, String> facts) {
        var limits = new TreeMap<String, String>();
        facts.forEach((name, value) -> {
            if (name.startsWith(LIMIT)) {
                limits.put(name.substring(LIMIT.length()), value);
            }
        });
        return new Environment(
                facts.getOrDefault("kernel", ""),
                facts.getOrDefault("cpuModel", ""),
                Integer.parseInt(facts.getOrDefault("cpus", "0")),
                facts.getOrDefault("serverCpus", ""),
                facts.getOrDefault("generatorCpus", ""),
                facts.getOrDefault(MEMORY, ""),
                facts.getOrDefault("fettleVersion", ""),
                facts.getOrDefault("fettleJava", ""),
                limits,
                RunFacts.parts(facts));
    }

    private static String gibibytes(String kilobytes) {
        return Format.bytes(Long.parseLong(kilobytes.replaceAll("[^0-9]", "")) * 1024.0);
    }
}
