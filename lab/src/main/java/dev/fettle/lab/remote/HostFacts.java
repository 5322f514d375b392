package dev.fettle.lab.remote;

import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known of another machine, and what of it is in the way of running Fettle there or of measuring.
 *
 * @param kernel with its system and machine: {@code Linux 6.1.0 x86_64}
 * @param cpus that the user's processes may run on; empty if it is not known
 * @param jdk the version of the JDK that Fettle would run on; empty if there is none
 * @param jdks feature releases of the JDKs that were found
 * @param busy share of all CPUs that is used, 0 to 1, over about a second
 * @param stolen share that the hypervisor gave to others
 * @param busiest the programs that used most, with CPUs: {@code java 1.2}
 * @param memory free, in bytes
 * @param disk free where Fettle is copied to, in bytes
 * @param files most open files of a process
 * @param governor of the CPUs' frequency; empty if none can be set
 * @param mtu of each network device: {@code eth0=1500}
 * @param problems what is in the way, the worst first
 */
public record HostFacts(
        String kernel,
        OptionalLong cpus,
        String jdk,
        List<String> jdks,
        OptionalDouble busy,
        OptionalDouble stolen,
        List<String> busiest,
        OptionalLong memory,
        OptionalLong disk,
        OptionalLong files,
        String governor,
        List<String> mtu,
        List<Problem> problems) {
    private static final long LEAST_DISK = 200L << 20;
    private static final long LEAST_MEMORY = 1L << 30;
    private static final long LEAST_FILES = 4096;

    /** As the gate of trials has it: what others take of the CPUs is in every figure. */
    private static final double MOST_BUSY = Bounds.value("foreign-cpu");

    private static final double MOST_STOLEN = 0.02;
    private static final double HARDLY = 0.05;
    private static final int MOST_NAMED = 3;

    /** Copies the lists. */
    public HostFacts {
        jdks = List.copyOf(jdks);
        busiest = List.copyOf(busiest);
        mtu = List.copyOf(mtu);
        problems = List.copyOf(problems);
    }

    /** How much a problem matters. */
    public enum Severity {
        /** Fettle can't run there. */
        ERROR,
        /** It runs, and what it measures there is worth less. */
        WARNING,
        /** Good to know. */
        NOTE
    }

    /**
     * What is in the way.
     *
     * @param id stays the same: {@code no-jdk}
     */
    public record Problem(Severity severity, String id, String text) {}

    /**
     * Reads what {@code probe.sh} printed.
     *
     * @throws IllegalArgumentException if it is not whole
     */
    static HostFacts read(String printed) {
        var facts = new HashMap<String, List<String>>();
        printed.lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (space > 0 && space < line.length() - 1) {
                facts.computeIfAbsent(line.substring(0, space), _ -> new ArrayList<>())
                        .add(line.substring(space + 1).strip());
            }
        });
        if (!facts.containsKey("complete")) {
            throw new IllegalArgumentException("the machine did not answer to the end");
        }
        List<String> jdks = words(one(facts, "jdks")).stream().distinct().toList();
        var cpu = CpuShares.of(one(facts, "cpu1"), one(facts, "cpu2"));
        OptionalLong cpus = number(one(facts, "cpus"));
        List<String> busiest = busiest(
                facts.getOrDefault("process1", List.of()), facts.getOrDefault("process2", List.of()), cpu.ticks());
        var read = new HostFacts(
                (one(facts, "system") + " " + one(facts, "kernel") + " " + one(facts, "machine")).strip(),
                cpus,
                one(facts, "jdk"),
                jdks,
                cpu.busy(),
                cpu.stolen(),
                busiest,
                scaled(number(one(facts, "memory"))),
                scaled(number(one(facts, "disk"))),
                number(one(facts, "files")),
                one(facts, "governor"),
                facts.getOrDefault("mtu", List.of()),
                List.of());
        return read.with(problems(read, facts));
    }

    private HostFacts with(List<Problem> found) {
        return new HostFacts(kernel, cpus, jdk, jdks, busy, stolen, busiest, memory, disk, files, governor, mtu, found);
    }

    private static List<Problem> problems(HostFacts host, Map<String, List<String>> facts) {
        var found = new ArrayList<Problem>();
        if (!one(facts, "system").equals("Linux")) {
            found.add(new Problem(
                    Severity.ERROR, "no-linux", "it runs " + one(facts, "system") + "; Fettle runs on Linux"));
        }
        if (host.jdk().isEmpty()) {
            found.add(new Problem(
                    Severity.ERROR,
                    "no-jdk",
                    "it has no JDK 25 or newer for Fettle; found: "
                            + (host.jdks().isEmpty() ? "none" : String.join(", ", host.jdks()))));
        }
        List<String> missing = facts.getOrDefault("missing", List.of());
        if (!missing.isEmpty()) {
            found.add(new Problem(Severity.ERROR, "no-tools", "it lacks " + String.join(", ", missing)));
        }
        facts.getOrDefault("unwritable", List.of())
                .forEach(at -> found.add(new Problem(
                        Severity.ERROR,
                        "no-folder",
                        "this user can't write in " + at + ", where Fettle is copied to")));
        if (host.disk().isPresent() && host.disk().getAsLong() < LEAST_DISK) {
            found.add(new Problem(
                    Severity.ERROR, "disk-full", "less than " + (LEAST_DISK >> 20) + " MiB of disk are free"));
        }
        if (host.memory().isPresent() && host.memory().getAsLong() < LEAST_MEMORY) {
            found.add(new Problem(
                    Severity.WARNING, "memory", "less than " + (LEAST_MEMORY >> 20) + " MiB of memory are free"));
        }
        if (host.busy().orElse(0) > MOST_BUSY) {
            found.add(new Problem(
                    Severity.WARNING,
                    "busy",
                    "its CPUs are busy already"
                            + (host.busiest().isEmpty() ? "" : ": " + String.join(", ", host.busiest()) + " CPUs")));
        }
        if (host.stolen().orElse(0) > MOST_STOLEN) {
            found.add(new Problem(
                    Severity.WARNING, "stolen", "its hypervisor gives a part of its CPUs to other machines"));
        }
        if (host.files().isPresent() && host.files().getAsLong() < LEAST_FILES) {
            found.add(new Problem(
                    Severity.WARNING,
                    "few-files",
                    "a process may open " + host.files().getAsLong() + " files, and so at most as many connections"));
        }
        if (words(host.governor()).stream().anyMatch(g -> g.equals("powersave") || g.equals("ondemand"))) {
            found.add(new Problem(
                    Severity.NOTE, "governor", "its CPUs change their speed (governor " + host.governor() + ")"));
        }
        if (one(facts, "io_uring").equals("2")) {
            found.add(new Problem(
                    Severity.NOTE, "no-io-uring", "io_uring is switched off: Fettle's load uses NIO there"));
        }
        return found;
    }

    /** The name of a process may hold spaces and brackets: what follows it is read from the last bracket on. */
    private static List<String> busiest(List<String> before, List<String> after, long ticks) {
        if (ticks <= 0) {
            return List.of();
        }
        Map<String, long[]> begun = new HashMap<>();
        before.forEach(line -> process(line, (key, used) -> begun.put(key, new long[] {used})));
        Map<String, Long> used = new LinkedHashMap<>();
        after.forEach(line -> process(line, (key, now) -> {
            long[] then = begun.get(key);
            if (then != null && now > then[0]) {
                used.merge(key.substring(key.indexOf(' ') + 1), now - then[0], Long::sum);
            }
        }));
        return used.entrySet().stream()
                .filter(e -> e.getValue() > HARDLY * ticks)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMED)
                .map(e -> e.getKey() + " " + Format.number((double) e.getValue() / ticks))
                .toList();
    }

    private interface Used {
        void by(String key, long ticks);
    }

    private static void process(String line, Used to) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        if (open < 0 || close < open) {
            return;
        }
        List<String> rest = words(line.substring(close + 1));
        if (rest.size() > 12) {
            OptionalLong user = number(rest.get(11));
            OptionalLong system = number(rest.get(12));
            if (user.isPresent() && system.isPresent()) {
                to.by(
                        line.substring(0, open).strip() + " " + line.substring(open + 1, close),
                        user.getAsLong() + system.getAsLong());
            }
        }
    }

    private record CpuShares(OptionalDouble busy, OptionalDouble stolen, long ticks) {
        private static final CpuShares UNKNOWN = new CpuShares(OptionalDouble.empty(), OptionalDouble.empty(), 0);

        /** Lines of {@code cpu} of {@code /proc/stat}: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user. */
        static CpuShares of(String before, String after) {
            List<OptionalLong> a = words(before).stream().map(HostFacts::number).toList();
            List<OptionalLong> b = words(after).stream().map(HostFacts::number).toList();
            if (a.size() < 8 || b.size() < 8) {
                return UNKNOWN;
            }
            var d = new long[8];
            long all = 0;
            for (int i = 0; i < 8; i++) {
                d[i] = Math.max(0, b.get(i).orElse(0) - a.get(i).orElse(0));
                all += d[i];
            }
            return all == 0
                    ? UNKNOWN
                    : new CpuShares(
                            OptionalDouble.of((double) (all - d[3] - d[4] - d[7]) / all),
                            OptionalDouble.of((double) d[7] / all),
                            all);
        }
    }

    private static OptionalLong scaled(OptionalLong kilobytes) {
        return kilobytes.isPresent() && kilobytes.getAsLong() < Long.MAX_VALUE >> 10
                ? OptionalLong.of(kilobytes.getAsLong() << 10)
                : OptionalLong.empty();
    }

    private static String one(Map<String, List<String>> facts, String key) {
        return facts.getOrDefault(key, List.of("")).getFirst();
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split(" +"));
    }

    private static OptionalLong number(String text) {
        try {
            long n = Long.parseLong(text.strip());
            return n < 0 ? OptionalLong.empty() : OptionalLong.of(n);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * How its clock differs from this machine's.
     *
     * @param offset how far it is ahead
     * @param error at most so much off; half of the shortest round trip
     * @param roundTrip the shortest
     */
    public record ClockOffset(Duration offset, Duration error, Duration roundTrip) {}
}
