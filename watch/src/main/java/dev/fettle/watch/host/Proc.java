package dev.fettle.watch.host;

import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.OptionalFigure;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The files of {@code /proc} that Fettle reads, parsed. See proc(5). Figures are cumulative since boot or process start;
 * callers take differences.
 */
public final class Proc {
    /** USER_HZ: the unit of CPU times in /proc; 100 on every Linux architecture in use. */
    static final double TICKS_PER_SECOND = 100;

    private static final long KERNEL_THREAD = 0x0020_0000;

    /** A look may read thousands of files. Up to this length the JDK reads without allocating a native buffer. */
    private static final ThreadLocal<byte[]> PIECE = ThreadLocal.withInitial(() -> new byte[8 * 1024]);

    /**
     * A read that returned less than this has returned the whole file: the kernel fills at least a page before it
     * stops.
     */
    private static final int CERTAINLY_WHOLE = 1024;

    private final Path root;
    private final String below;

    /** The live {@code /proc}. */
    public Proc() {
        this(Path.of("/proc"));
    }

    /** A copy of {@code /proc}, for tests. */
    public Proc(Path root) {
        this.root = root;
        this.below = root + "/";
    }

    /** CPU seconds, user and system, used by a process; empty when it is gone. */
    public OptionalFigure cpuSeconds(long pid) {
        return OptionalFigure.from(read(pid + "/stat"), t -> OptionalFigure.of(cpu(t)));
    }

    /** CPU seconds, user and system, in a {@code stat} of a process or a thread. */
    static double cpu(String stat) {
        return (field(stat, 11) + field(stat, 12)) / TICKS_PER_SECOND;
    }

    /** The most memory a process has had so far, in bytes; empty when it is gone. */
    public OptionalLong peakMemory(long pid) {
        return info(pid + "/status", "VmHWM:")
                .map(v -> OptionalLong.of(Long.parseLong(v.replaceAll("[^0-9]", "")) << 10))
                .orElse(OptionalLong.empty());
    }

    /** Nice value of a process, -20 to 19; empty when it is gone. */
    public OptionalInt nice(long pid) {
        return read(pid + "/stat").map(t -> OptionalInt.of((int) field(t, 16))).orElse(OptionalInt.empty());
    }

    /** The pids of all processes; none if they can't be listed. */
    public List<Long> all() {
        return numbered("");
    }

    /** The ids of a process's threads; none when it is gone. */
    List<Long> tasks(long pid) {
        return numbered(pid + "/task");
    }

    /** The numbers that are names in a folder; none if it can't be listed. */
    private List<Long> numbered(String of) {
        var found = new ArrayList<Long>();
        // a stream of paths makes several objects for each of hundreds of names, each time
        for (String name : Objects.requireNonNullElse(new File(below + of).list(), new String[0])) {
            if (name.charAt(0) >= '0' && name.charAt(0) <= '9') {
                found.add(Long.valueOf(name));
            }
        }
        return found;
    }

    /** Whether it is a thread of the kernel ({@code PF_KTHREAD} of Linux's {@code sched.h}), which has no memory of its own. */
    public boolean isKernelThread(long pid) {
        return read(pid + "/stat").map(t -> (field(t, 6) & KERNEL_THREAD) != 0).orElse(false);
    }

    /** The fields of {@code /proc/PID/stat} from the state on. The command's name before it may contain spaces and parentheses. */
    static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /** One of those fields, a number. */
    static long field(String stat, int number) {
        int at = stat.lastIndexOf(')') + 2;
        for (int i = 0; i < number; i++) {
            int space = stat.indexOf(' ', at);
            if (space < 0) {
                throw new IllegalArgumentException("no field " + number + ": " + stat);
            }
            at = space + 1;
        }
        return Long.parseLong(stat, at, Fields.blank(stat, at, stat.length()), 10);
    }

    /** Start time of a process in ticks since boot. Together with the pid it identifies the process uniquely. */
    public OptionalLong startTicks(long pid) {
        return read(pid + "/stat").map(t -> OptionalLong.of(field(t, 19))).orElse(OptionalLong.empty());
    }

    /**
     * Whether a process still exists and is the same one.
     *
     * @param startTicks what {@link #startTicks} returned for it before
     */
    public boolean runs(long pid, long startTicks) {
        return read(pid + "/stat")
                .map(Proc::fields)
                .filter(f -> Long.parseLong(f[19]) == startTicks && !hasEnded(f))
                .isPresent();
    }

    /** Whether any process of a process group still exists. */
    public boolean groupRuns(long group) {
        String id = Long.toString(group);
        return all().stream()
                .flatMap(pid -> read(pid + "/stat").stream())
                .map(Proc::fields)
                .anyMatch(f -> f[2].equals(id) && !hasEnded(f));
    }

    /** A zombie has ended, too. */
    private static boolean hasEnded(String... stat) {
        return stat[0].equals("Z") || stat[0].equals("X");
    }

    /**
     * Why a process may not be looked into: it is another user's, root's included, and root may not look into a user's either: what
     * it answers, and what it says of itself, is that user's to choose. Only {@code /proc} tells of it.
     *
     * @return one line, without an end; empty for a process all of whose user ids (real, effective, saved) are the effective one of
     *     this process, and for one that is gone
     */
    public Optional<String> isAnothers(long pid) {
        Optional<String> me = status("self", "Uid").map(u -> u.split("\\s+")[1]);
        return status(Long.toString(pid), "Uid")
                .filter(uids -> !Stream.of(uids.split("\\s+")).allMatch(u -> me.isPresent() && u.equals(me.get())))
                .map(_ -> "process " + pid + " belongs to another user: run Fettle as that user");
    }

    /** The program that a process runs, behind all links; empty when it is gone, or may not be told. */
    public Optional<Path> program(long pid) {
        try {
            Path link = root.resolve(pid + "/exe");
            Path program = Files.readSymbolicLink(link);
            // in a container it is another file that has this name here, or none
            return Files.isSameFile(link, program) ? Optional.of(program.toRealPath()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The user that a process runs as, the effective one; empty when it is gone. */
    public OptionalLong user(String pid) {
        return status(pid, "Uid").stream()
                .mapToLong(u -> Long.parseLong(u.split("\\s+")[1]))
                .findFirst();
    }

    /** A process's id in its own namespace. */
    public String inside(long pid) {
        return status(Long.toString(pid), "NSpid")
                .map(ids -> ids.substring(ids.lastIndexOf('\t') + 1))
                .orElse(Long.toString(pid));
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

        /** Share of the time of all CPUs from one reading to another that processes used, 0 to 1. */
        public static double busyShare(Map<Integer, CpuTimes> from, Map<Integer, CpuTimes> to) {
            CpuTimes a = of(from, Set.of());
            CpuTimes b = of(to, Set.of());
            return b.total <= a.total ? 0 : Math.clamp((b.process - a.process) / (b.total - a.total), 0, 1);
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
        return read("stat").map(Proc::cpuTimes);
    }

    private static Map<Integer, CpuTimes> cpuTimes(String text) {
        var each = new HashMap<Integer, CpuTimes>();
        for (int line = 0; text.startsWith("cpu", line); line = Fields.end(text, line) + 1) {
            int end = Fields.end(text, line);
            int space = Fields.blank(text, line, end);
            if (space > line + 3) { // the first line is their sum
                // user nice system idle iowait irq softirq steal; guest time is already part of user
                var ticks = new long[8];
                Fields.numbers(text, space, end, ticks);
                each.put(
                        Integer.parseInt(text, line + 3, space, 10),
                        new CpuTimes(
                                LongStream.of(ticks).sum() / TICKS_PER_SECOND,
                                ticks[7] / TICKS_PER_SECOND,
                                (ticks[0] + ticks[1] + ticks[2]) / TICKS_PER_SECOND));
            }
        }
        return each;
    }

    /** The {@link TcpCounters} of the network namespace a process lives in, by name. */
    public Map<String, Long> tcpCounters(long pid) {
        return TcpCounters.in(Stream.of("netstat", "snmp")
                .flatMap(file -> read(pid + "/net/" + file).stream())
                .toList());
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
    public OptionalFigure loadAverage() {
        return read("loadavg")
                .map(t -> OptionalFigure.of(Double.parseDouble(t.split(" ")[0])))
                .orElse(OptionalFigure.empty());
    }

    /** The CPUs a process may run on; empty set when it is gone. */
    public TreeSet<Integer> allowedCpus(String pid) {
        return status(pid, "Cpus_allowed_list").map(CpuList::parse).orElseGet(TreeSet::new);
    }

    /** If an id is that of a thread, as {@code top -H} shows it and {@code /proc} answers to it: words that name its process. */
    public Optional<String> isAThread(long id) {
        return status(Long.toString(id), "Tgid")
                .filter(process -> Long.parseLong(process) != id)
                .map(process -> id + " is a thread of process " + process + ": name that one");
    }

    /** The value of a line of {@code /proc/PID/status}; empty when the process is gone, or the kernel has no such line. */
    public Optional<String> status(String pid, String key) {
        return info(pid + "/status", key + ":");
    }

    /** The lines of {@code /proc/PID/cgroup}. */
    Stream<String> groups(String pid) {
        return read(pid + "/cgroup").stream().flatMap(String::lines);
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
        return read(pid + "/limits").stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith(name + " "))
                .map(l -> l.substring(name.length()).trim().split(" +")[0])
                .filter(v -> !v.equals("unlimited"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** A file below {@code /proc/sys}, by sysctl name. */
    public Optional<String> sysctl(String name) {
        return read("sys/" + name.replace('.', '/')).map(String::trim);
    }

    /** The kernel's limit for every accept queue; its default if it can't be read. */
    public int somaxconn() {
        return sysctl("net.core.somaxconn").map(Integer::parseInt).orElse(4096);
    }

    /** First value of a key in a file of lines {@code key: value}: {@code cpuinfo}, {@code meminfo}. */
    public Optional<String> info(String file, String key) {
        return read(file).stream()
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
        return tasks(pid).stream()
                .flatMap(id -> thread(pid + "/task/" + id).stream())
                .toList();
    }

    /** A thread by its folder below {@code /proc}; empty if it has ended. */
    Optional<Task> thread(String folder) {
        return read(folder + "/stat").map(Proc::task);
    }

    private static Task task(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        return new Task(Long.parseLong(stat.substring(0, open).trim()), stat.substring(open + 1, close), cpu(stat));
    }

    /** A file below {@code /proc}; empty if it is not there, or may not be read. */
    public Optional<String> text(String file) {
        return read(file);
    }

    /** The {@code /proc} folder. */
    Path root() {
        return root;
    }

    /** The argument list of a process. */
    public List<String> arguments(long pid) {
        return read(pid + "/cmdline").map(t -> List.of(t.split("\0"))).orElse(List.of());
    }

    /**
     * Reads a file of unknown length in large pieces. {@code Files.readAllBytes} does not work: when the size says 0 it
     * first asks for one byte, and the files of {@code /proc/sys} answer such a short read with that byte and nothing
     * more.
     */
    private Optional<String> read(String file) {
        byte[] piece = PIECE.get();
        try (var in = new FileInputStream(below + file)) {
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
