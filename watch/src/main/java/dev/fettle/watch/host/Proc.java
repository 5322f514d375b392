package dev.fettle.watch.host;

import dev.fettle.model.text.CpuList;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of {@code /proc} that Fettle reads, parsed. See proc(5). Figures are cumulative since boot or process start;
 * callers take differences.
 */
public final class Proc {
    /** USER_HZ: the unit of CPU times in /proc; 100 on every Linux architecture in use. */
    static final double TICKS_PER_SECOND = 100;

    /** A look may read thousands of files. Up to this length the JDK reads without allocating a native buffer. */
    private static final ThreadLocal<byte[]> PIECE = ThreadLocal.withInitial(() -> new byte[8 * 1024]);

    /**
     * A read that returned less than this has returned the whole file: the kernel fills at least a page before it
     * stops.
     */
    private static final int CERTAINLY_WHOLE = 1024;

    private final Path root;

    /** The live {@code /proc}. */
    public Proc() {
        this(Path.of("/proc"));
    }

    /** A copy of {@code /proc}, for tests. */
    public Proc(Path root) {
        this.root = root;
    }

    /** CPU seconds, user and system, used by a process; empty when it is gone. */
    public OptionalDouble cpuSeconds(long pid) {
        var text = read(root.resolve(pid + "/stat"));
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        String[] f = fields(text.get());
        return OptionalDouble.of((Long.parseLong(f[11]) + Long.parseLong(f[12])) / TICKS_PER_SECOND);
    }

    /** The most memory a process has had so far, in bytes; empty when it is gone. */
    public OptionalLong peakMemory(long pid) {
        return info(pid + "/status", "VmHWM:")
                .map(v -> OptionalLong.of(Long.parseLong(v.replaceAll("[^0-9]", "")) << 10))
                .orElse(OptionalLong.empty());
    }

    /** Nice value of a process, -20 to 19; empty when it is gone. */
    public OptionalInt nice(long pid) {
        return read(root.resolve(pid + "/stat"))
                .map(t -> OptionalInt.of(Integer.parseInt(fields(t)[16])))
                .orElse(OptionalInt.empty());
    }

    /** The pids of all processes; none if they can't be listed. */
    List<Long> all() {
        var found = new ArrayList<Long>();
        try (var folders = Files.newDirectoryStream(root, "[0-9]*")) {
            folders.forEach(p -> found.add(Long.valueOf(p.getFileName().toString())));
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        return found;
    }

    /** The fields of {@code /proc/PID/stat} from the state on. The command's name before it may contain spaces and parentheses. */
    static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /** Start time of a process in ticks since boot. Together with the pid it identifies the process uniquely. */
    public OptionalLong startTicks(long pid) {
        return read(root.resolve(pid + "/stat"))
                .map(t -> OptionalLong.of(Long.parseLong(fields(t)[19])))
                .orElse(OptionalLong.empty());
    }

    /**
     * Whether a process still exists and is the same one.
     *
     * @param startTicks what {@link #startTicks} returned for it before
     */
    public boolean runs(long pid, long startTicks) {
        return read(root.resolve(pid + "/stat"))
                .map(Proc::fields)
                .filter(f -> Long.parseLong(f[19]) == startTicks && !hasEnded(f))
                .isPresent();
    }

    /** Whether any process of a process group still exists. */
    public boolean groupRuns(long group) {
        String id = Long.toString(group);
        return all().stream()
                .flatMap(pid -> read(root.resolve(pid + "/stat")).stream())
                .map(Proc::fields)
                .anyMatch(f -> f[2].equals(id) && !hasEnded(f));
    }

    /** A zombie has ended, too. */
    private static boolean hasEnded(String... stat) {
        return stat[0].equals("Z") || stat[0].equals("X");
    }

    /** The user that a process runs as, the effective one; empty when it is gone. */
    public OptionalLong user(String pid) {
        return status(pid, "Uid").stream()
                .mapToLong(u -> Long.parseLong(u.split("\\s+")[1]))
                .findFirst();
    }

    /**
     * CPU time of one CPU, or of several together.
     *
     * @param total seconds of every kind
     * @param steal seconds the hypervisor gave to someone else
     * @param process seconds used by processes, in user and in system mode, without interrupts
     */
    public record CpuTimes(double total, double steal, double process) {
        /** Share of the time since {@code earlier} that was stolen, 0 to 1. */
        public double stealSince(CpuTimes earlier) {
            double t = total - earlier.total;
            return t <= 0 ? 0 : Math.max(0, steal - earlier.steal) / t;
        }

        /** The sum over some CPUs, or over all if the set is empty. */
        static CpuTimes of(Map<Integer, CpuTimes> each, Set<Integer> cpus) {
            return each.entrySet().stream()
                    .filter(e -> cpus.isEmpty() || cpus.contains(e.getKey()))
                    .map(Map.Entry::getValue)
                    .reduce(new CpuTimes(0, 0, 0), CpuTimes::plus);
        }

        private CpuTimes plus(CpuTimes o) {
            return new CpuTimes(total + o.total, steal + o.steal, process + o.process);
        }
    }

    /** CPU times of each CPU, read at once; empty if they can't be read. */
    public Optional<Map<Integer, CpuTimes>> cpuTimes() {
        return read(root.resolve("stat")).map(text -> {
            var each = new HashMap<Integer, CpuTimes>();
            text.lines()
                    .takeWhile(l -> l.startsWith("cpu"))
                    .map(l -> l.split(" +"))
                    .filter(f -> f[0].length() > 3) // the first line is their sum
                    .forEach(f -> each.put(Integer.valueOf(f[0].substring(3)), times(f)));
            return each;
        });
    }

    private static CpuTimes times(String[] f) {
        double total = 0;
        // user nice system idle iowait irq softirq steal; guest time is already part of user
        for (int i = 1; i <= 8 && i < f.length; i++) {
            total += Long.parseLong(f[i]) / TICKS_PER_SECOND;
        }
        double process = (Long.parseLong(f[1]) + Long.parseLong(f[2]) + Long.parseLong(f[3])) / TICKS_PER_SECOND;
        return new CpuTimes(total, f.length > 8 ? Long.parseLong(f[8]) / TICKS_PER_SECOND : 0, process);
    }

    /**
     * TCP counters of the network namespace a process lives in, by name ({@code ListenOverflows}, {@code
     * TCPSynRetrans}…). The two-line format is read by header name, because order and number of fields differ between
     * kernels.
     */
    public Map<String, Long> tcpCounters(long pid) {
        var all = new HashMap<String, Long>();
        for (String file : List.of("netstat", "snmp")) {
            var lines = read(root.resolve(pid + "/net/" + file))
                    .map(t -> t.lines().toList())
                    .orElse(List.of());
            for (int i = 0; i + 1 < lines.size(); i += 2) {
                if (!lines.get(i).startsWith("Tcp")) {
                    continue;
                }
                String[] names = lines.get(i).split(" ");
                String[] values = lines.get(i + 1).split(" ");
                for (int k = 1; k < Math.min(names.length, values.length); k++) {
                    try {
                        all.put(names[k], Long.valueOf(values[k]));
                    } catch (NumberFormatException e) {
                        continue; // a counter of another kind; the others still count
                    }
                }
            }
        }
        return all;
    }

    /**
     * Whether a process has the same network namespace as this one, or another, as in a container; empty for another
     * user's process, or if it is gone.
     */
    public Optional<Boolean> sharesNetwork(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(root.resolve(pid + "/ns/net"))
                    .equals(Files.readSymbolicLink(root.resolve("self/ns/net"))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** One-minute load average. */
    public OptionalDouble loadAverage() {
        return read(root.resolve("loadavg"))
                .map(t -> OptionalDouble.of(Double.parseDouble(t.split(" ")[0])))
                .orElse(OptionalDouble.empty());
    }

    /** The CPUs a process may run on; empty set when it is gone. */
    public TreeSet<Integer> allowedCpus(String pid) {
        return status(pid, "Cpus_allowed_list").map(CpuList::parse).orElseGet(TreeSet::new);
    }

    /** The value of a line of {@code /proc/PID/status}; empty when the process is gone. */
    Optional<String> status(String pid, String key) {
        return info(pid + "/status", key + ":");
    }

    /** The lines of {@code /proc/PID/cgroup}. */
    Stream<String> groups(String pid) {
        return read(root.resolve(pid + "/cgroup")).stream().flatMap(String::lines);
    }

    /** Threads of all processes of a process's user, as far as they are visible; empty when it is gone. */
    OptionalLong userThreads(String pid) {
        Optional<String> user = status(pid, "Uid").map(u -> u.split("\\s+")[0]);
        if (user.isEmpty()) {
            return OptionalLong.empty();
        }
        long threads = 0;
        try (var folders = Files.newDirectoryStream(root, "[0-9]*")) {
            for (Path p : folders) {
                String other = p.getFileName().toString();
                if (status(other, "Uid").map(u -> u.split("\\s+")[0]).equals(user)) {
                    threads += status(other, "Threads").map(Long::valueOf).orElse(0L);
                }
            }
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(threads);
    }

    /** A soft limit of a process by its name in {@code /proc/PID/limits} ({@code Max open files}); empty if unlimited. */
    public OptionalLong softLimit(String pid, String name) {
        return read(root.resolve(pid + "/limits")).stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith(name + " "))
                .map(l -> l.substring(name.length()).trim().split(" +")[0])
                .filter(v -> !v.equals("unlimited"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** A file below {@code /proc/sys}, by sysctl name. */
    public Optional<String> sysctl(String name) {
        return read(root.resolve("sys/" + name.replace('.', '/'))).map(String::trim);
    }

    /** The kernel's limit for every accept queue; its default if it can't be read. */
    public int somaxconn() {
        return sysctl("net.core.somaxconn").map(Integer::parseInt).orElse(4096);
    }

    /** First value of a key in a file of lines {@code key: value}: {@code cpuinfo}, {@code meminfo}. */
    public Optional<String> info(String file, String key) {
        return read(root.resolve(file)).stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith(key))
                .map(l -> l.substring(l.indexOf(':') + 1).trim())
                .findFirst();
    }

    /**
     * A thread of a process.
     *
     * @param name the kernel's name for it, at most 15 characters
     * @param cpuSeconds user and system
     */
    public record Task(long id, String name, double cpuSeconds) {}

    /** The threads of a process; none when it is gone. */
    public List<Task> threads(long pid) {
        var tasks = new ArrayList<Task>();
        try (var folders = Files.newDirectoryStream(root.resolve(pid + "/task"))) {
            for (Path t : folders) {
                read(t.resolve("stat")).map(Proc::task).ifPresent(tasks::add);
            }
        } catch (IOException e) {
            return tasks; // the process is gone
        }
        return tasks;
    }

    /** A thread by its folder below {@code /proc}; empty if it has ended. */
    Optional<Task> thread(String folder) {
        return read(root.resolve(folder + "/stat")).map(Proc::task);
    }

    private static Task task(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        String[] f = stat.substring(close + 2).split(" ");
        return new Task(
                Long.parseLong(stat.substring(0, open).trim()),
                stat.substring(open + 1, close),
                (Long.parseLong(f[11]) + Long.parseLong(f[12])) / TICKS_PER_SECOND);
    }

    /** A file below {@code /proc}; empty if it is not there, or may not be read. */
    Optional<String> text(String file) {
        return read(root.resolve(file));
    }

    /** The {@code /proc} folder. */
    Path root() {
        return root;
    }

    /** The argument list of a process. */
    public List<String> arguments(long pid) {
        return read(root.resolve(pid + "/cmdline"))
                .map(t -> List.of(t.split("\0")))
                .orElse(List.of());
    }

    /**
     * Reads a file of unknown length in large pieces. {@code Files.readAllBytes} does not work: when the size says 0 it
     * first asks for one byte, and the files of {@code /proc/sys} answer such a short read with that byte and nothing
     * more.
     */
    private static Optional<String> read(Path file) {
        byte[] piece = PIECE.get();
        try (var in = new FileInputStream(file.toFile())) {
            int n = Math.max(0, in.read(piece));
            int next = n < CERTAINLY_WHOLE ? 0 : in.read(piece, n, piece.length - n);
            if (next <= 0 && n < piece.length) {
                return Optional.of(new String(piece, 0, n, StandardCharsets.ISO_8859_1)); // almost always
            }
            var all = new ByteArrayOutputStream();
            all.write(piece, 0, n + Math.max(0, next));
            piece = new byte[64 * 1024];
            for (n = in.read(piece); n > 0; n = in.read(piece)) {
                all.write(piece, 0, n);
            }
            return Optional.of(all.toString(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
