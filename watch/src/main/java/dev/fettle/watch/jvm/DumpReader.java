package dev.fettle.watch.jvm;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Sighting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a thread dump shows of a target that answers nothing: at which call, lock or pool most threads of each kind stand, from which
 * method of the application, and who holds the lock and what that one does. It reads what {@code jcmd PID Thread.print} prints, with or
 * without {@code -l}; without it the dump does not name the owners of locks of java.util.concurrent. A lock's owner is named only if the
 * same dump has it. Of virtual threads such a dump has those that are on a
 * carrier.
 *
 * <p>In time linear in the text.
 */
public final class DumpReader {
    private static final double MICROS = 1e3;

    /** Groups of threads reported. */
    private static final int MOST_GROUPS = 3;

    /** Methods of the application named for a group. */
    private static final int MOST_METHODS = 3;

    /** Part of the threads of one kind that stand at one place from which it is reported. */
    private static final double MOST_OF_A_KIND = 0.5;

    /** Packages of servers, frameworks, drivers and clients: their frames are not the application's own. */
    private static final List<String> LIBRARIES = Stream.concat(
                    Arrays.stream(ServerKind.values()).flatMap(s -> s.rules().packages().stream()),
                    Stream.of("""
                            com.zaxxer. com.mchange. com.alibaba.druid. com.mysql. com.microsoft.sqlserver.
                            com.mongodb. com.fasterxml. com.google. io.agroal. io.grpc. io.lettuce. io.micrometer.
                            io.netty. io.r2dbc. io.vertx. jakarta. kotlin. kotlinx. ch.qos.logback. okhttp3. okio.
                            oracle. org.apache. org.eclipse. org.h2. org.hibernate. org.jboss. org.mariadb.
                            org.postgresql. org.slf4j. org.springframework. org.vibur. org.xnio. reactor.
                            redis.clients. scala.""".split("\\s+")))
            .toList();

    /** Threads of the JVM and of its management. */
    static final List<String> OF_THE_JVM = List.of(
            "Attach Listener",
            "Common-Cleaner",
            "Finalizer",
            "JMX ",
            "Reference Handler",
            "RMI ",
            "Signal Dispatcher",
            "DestroyJavaVM");

    /** Of these, those that finalize and clean. */
    static final Set<String> FREEING = Set.of("Finalizer", "Common-Cleaner");

    /** What Fettle has inside a target: its agent, and the control port of the bundled servers. */
    static final String OF_FETTLE = "dev.fettle.agent.";

    /** Before the stack of a virtual thread that is on its carrier. */
    private static final String MOUNTED = "Mounted virtual thread #";

    /** It waits until all end. */
    private static final String MAIN = "main";

    private DumpReader() {}

    /** A thread of a dump. */
    private static final class Dumped {
        private final String name;
        private long id = -1;
        private double cpuMillis;
        private Thread.State state = Thread.State.RUNNABLE;
        private final List<StackTraceElement> frames = new ArrayList<>();
        private String waitsFor = "";
        private String waitsForClass = "";
        private boolean gaveItUp;
        private final List<String> holds = new ArrayList<>();

        Dumped(String name) {
            this.name = name;
        }

        StackTraceElement[] stack() {
            return frames.toArray(StackTraceElement[]::new);
        }

        WorkerState doing() {
            return WorkerState.of(state, stack());
        }

        String kind() {
            return ThreadMoments.kind(name);
        }

        private static boolean isOwn(StackTraceElement f) {
            return !JdkPackages.have(f.getClassName()) && LIBRARIES.stream().noneMatch(f.getClassName()::startsWith);
        }

        /** Whether it answers Fettle, and no request. */
        boolean isFettles() {
            return frames.stream().anyMatch(f -> f.getClassName().startsWith(OF_FETTLE));
        }

        /** Whether a frame of the application is on its stack. */
        boolean inApplication() {
            return frames.stream().anyMatch(Dumped::isOwn);
        }

        /** The place of the application's innermost frame; without one, that of the innermost outside the JDK; -1 without either. */
        int own() {
            int outside = -1;
            for (int i = 0; i < frames.size(); i++) {
                if (isOwn(frames.get(i))) {
                    return i;
                }
                outside = outside < 0 && !JdkPackages.have(frames.get(i).getClassName()) ? i : outside;
            }
            return outside;
        }

        /** The application's method, as {@code com.example.Cart.total}. */
        String method() {
            return own() < 0 ? "" : words(frames.get(own()));
        }

        /** What that method calls; empty if the method itself is the innermost. */
        String call() {
            return own() <= 0 ? "" : words(frames.get(own() - 1));
        }

        /** What those have in common that stand at the same place. */
        String place() {
            WorkerState doing = doing();
            return doing + " "
                    + switch (doing) {
                        case POOL -> WorkerState.pool(stack()).orElse("");
                        case LOCKED -> waitsFor.isEmpty() ? call() : waitsFor;
                        default -> call().isEmpty() ? method() : call();
                    };
        }
    }

    /**
     * What a dump shows.
     *
     * @return one sighting for each place at which most threads of a kind stand, those with most threads first, how many threads work in
     *     all ({@link Sighting#DUMP_BUSY}), and which finalizes or cleans something ({@link Sighting#DUMP_FREEING})
     */
    public static List<Sighting> read(String dump) {
        List<Dumped> all = threads(dump);
        Map<String, Dumped> holders = new HashMap<>();
        all.forEach(t -> t.holds.forEach(lock -> holders.put(lock, t)));
        Map<String, Long> ofKind = all.stream().collect(Collectors.groupingBy(Dumped::kind, Collectors.counting()));
        List<Dumped> working = all.stream()
                .filter(t -> t.doing().busy() && t.own() >= 0 && !t.name.equals(MAIN))
                .filter(t -> OF_THE_JVM.stream().noneMatch(t.name::startsWith))
                .filter(t -> !t.isFettles())
                .toList();
        List<Dumped> ofApplication =
                working.stream().filter(Dumped::inApplication).toList();
        Map<List<String>, List<Dumped>> groups = (ofApplication.isEmpty() ? working : ofApplication)
                .stream()
                        .collect(Collectors.groupingBy(
                                t -> List.of(t.kind(), t.place()), LinkedHashMap::new, Collectors.toList()));
        var found = new ArrayList<Sighting>();
        groups.entrySet().stream()
                .filter(g -> g.getValue().size()
                        >= MOST_OF_A_KIND * ofKind.getOrDefault(g.getKey().getFirst(), 0L))
                .map(Map.Entry::getValue)
                .sorted(Comparator.<List<Dumped>>comparingInt(List::size).reversed())
                .limit(MOST_GROUPS)
                .forEach(g -> found.add(told(g, ofKind.getOrDefault(g.getFirst().kind(), 0L), holders)));
        if (!ofApplication.isEmpty()) {
            found.add(new Sighting(
                    Sighting.DUMP_BUSY, "threads in the application that do not wait for work", ofApplication.size()));
        }
        all.stream()
                .filter(t -> FREEING.contains(t.name) && t.inApplication())
                .forEach(t -> found.add(new Sighting(Sighting.DUMP_FREEING, t.name, 1, t.method())));
        return found;
    }

    private static Sighting told(List<Dumped> group, long ofKind, Map<String, Dumped> holders) {
        Dumped one = group.getFirst();
        String kind = one.kind();
        int n = group.size();
        var detail = new StringBuilder(does(one, n));
        Map<String, Long> methods = new TreeMap<>(group.stream()
                .filter(t -> !t.method().isEmpty())
                .collect(Collectors.groupingBy(Dumped::method, Collectors.counting())));
        List<String> most = methods.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_METHODS)
                .map(m -> m.getKey() + (methods.size() > 1 ? " (" + m.getValue() + ")" : ""))
                .toList();
        if (!most.isEmpty() && !detail.toString().endsWith(most.getFirst())) {
            detail.append(", called from ").append(String.join(", ", most));
        }
        detail.append(object(group, holders));
        return new Sighting(
                Sighting.DUMP_STACK + one.doing().name().toLowerCase(Locale.ROOT),
                ofKind == 1 ? "the thread " + kind : n + " of the " + ofKind + " threads " + kind,
                n,
                detail.toString());
    }

    private static String does(Dumped one, int n) {
        WorkerState doing = one.doing();
        String call = one.call().isEmpty() ? one.method() : one.call();
        String in = " in " + call;
        String does = switch (doing) {
            case LOCKED -> "wait for a lock";
            case POOL -> "wait for a pool (" + WorkerState.pool(one.stack()).orElse("?") + ")";
            case SOCKET -> "wait for a socket";
            case CLIENT -> "read from or write to their clients";
            case LOOKUP -> "look up a name";
            case FILE -> "read or write a file";
            case SLEEP -> "sleep";
            case RUNNING -> "run";
            default -> "wait";
        };
        return (n == 1 ? singular(does) : does) + in;
    }

    private static String singular(String does) {
        int end = does.indexOf(' ') < 0 ? does.length() : does.indexOf(' ');
        return does.substring(0, end) + "s" + does.substring(end);
    }

    /** What they wait for, if it is one object, who holds it, and what that thread does. */
    private static String object(List<Dumped> group, Map<String, Dumped> holders) {
        Dumped one = group.getFirst();
        boolean same = !one.waitsFor.isEmpty() && group.stream().allMatch(t -> t.waitsFor.equals(one.waitsFor));
        // that of a pool is one of its own parts
        if (!same || one.doing() == WorkerState.POOL) {
            return "";
        }
        String what = (group.size() > 1 ? ", all for the same " : ", for a ") + one.waitsForClass;
        Dumped owner = holders.get(one.waitsFor);
        if (owner != null && !owner.equals(one)) {
            return what + ", which \"" + owner.name + "\" holds; that thread " + state(owner);
        }
        return one.doing() == WorkerState.LOCKED ? what + "; no thread of the dump is shown as its owner" : what;
    }

    /** What a thread does, in the singular, with its call and the application's method. */
    private static String state(Dumped t) {
        if (t.frames.isEmpty()) {
            return "shows no stack";
        }
        if (!t.doing().busy()) {
            return "waits for work: it has ended its task without giving the lock back";
        }
        String method = t.method();
        String does = does(t, 1);
        return does + (method.isEmpty() || does.endsWith(method) ? "" : ", called from " + method);
    }

    private static List<Dumped> threads(String dump) {
        var all = new ArrayList<Dumped>();
        var frames =
                new HashMap<String, Optional<StackTraceElement>>(); // most threads share theirs, and so does memory
        Dumped now = null;
        boolean synchronizers = false;
        for (String line : (Iterable<String>) dump.lines()::iterator) {
            if (line.startsWith("\"") && line.endsWith(":")) {
                now = null; // of a deadlock, whose threads were listed
                continue;
            }
            if (line.startsWith("\"")) {
                int end = line.lastIndexOf("\" ");
                now = new Dumped(line.substring(1, end > 0 ? end : line.length()));
                long id = (long) number(line, "#", Math.max(0, end));
                now.id = id < 0 ? address(line, all.size()) : id;
                now.cpuMillis = Math.max(0, number(line, " cpu=", Math.max(0, end)));
                all.add(now);
                synchronizers = false;
                continue;
            }
            if (now == null) {
                continue;
            }
            String text = line.strip();
            if (text.isEmpty()) {
                // a thread's synchronizers follow an empty line
                synchronizers = false;
            } else if (text.startsWith("Found ") || text.startsWith("JNI global")) {
                now = null; // what follows repeats threads that were listed
            } else if (text.startsWith(MOUNTED)) {
                // of Java 21 and later, below the stack of its carrier
                now = new Dumped(DumpedThreads.NAMELESS);
                now.id = (long) number(text, "#", MOUNTED.length() - 1);
                all.add(now);
            } else if (text.startsWith("java.lang.Thread.State: ")) {
                now.state = state(text.substring("java.lang.Thread.State: ".length()));
            } else if (text.startsWith("at ")) {
                frames.computeIfAbsent(text, t -> frame(t.substring(3))).ifPresent(now.frames::add);
            } else if (text.startsWith("Locked ownable synchronizers:")) {
                synchronizers = true;
            } else if (text.startsWith("- ")) {
                object(now, text.substring(2), synchronizers);
            }
        }
        all.forEach(t -> {
            if (t.gaveItUp) {
                t.holds.removeIf(t.waitsFor::equals); // Object.wait gives the monitor up
            }
        });
        return all;
    }

    /** The number after a mark in the head of a thread; -1 if there is none. */
    private static double number(String line, String mark, int from) {
        int at = line.indexOf(mark, from);
        if (at < 0) {
            return -1;
        }
        int begin = at + mark.length();
        int end = begin;
        while (end < line.length() && (Character.isDigit(line.charAt(end)) || line.charAt(end) == '.')) {
            end++;
        }
        try {
            return Double.parseDouble(line.substring(begin, end));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The threads of a dump, each with the owner of what it waits for where the dump shows it. */
    static List<SeenThread> seen(String dump) {
        List<Dumped> all = threads(dump);
        Map<String, Long> owners = new HashMap<>();
        all.forEach(t -> t.holds.forEach(lock -> owners.put(lock, t.id)));
        return all.stream()
                .map(t -> {
                    long owner = owners.getOrDefault(t.waitsFor, -1L);
                    return new SeenThread(
                            t.id,
                            t.name,
                            t.state,
                            t.waitsFor.isEmpty() ? "" : t.waitsForClass + "@" + t.waitsFor,
                            owner == t.id ? -1 : owner,
                            Math.round(t.cpuMillis * MICROS),
                            t.stack());
                })
                .toList();
    }

    /** JDK 6 and 7 print no number of a thread, and where its structure lies. */
    private static long address(String line, int otherwise) {
        int at = line.lastIndexOf(" tid=0x");
        int begin = at + " tid=0x".length();
        int end = begin;
        while (at >= 0 && end < line.length() && end - begin < 15 && Character.digit(line.charAt(end), 16) >= 0) {
            end++;
        }
        return at < 0 || end == begin ? otherwise : Long.parseLong(line.substring(begin, end), 16);
    }

    private static Thread.State state(String text) {
        String name = text.indexOf(' ') < 0 ? text : text.substring(0, text.indexOf(' '));
        return Arrays.stream(Thread.State.values())
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElse(Thread.State.RUNNABLE);
    }

    /** {@code com.example.Cart.total(Cart.java:12)}. */
    static Optional<StackTraceElement> frame(String text) {
        int open = text.indexOf('(');
        String method = open < 0 ? text : text.substring(0, open);
        int dot = method.lastIndexOf('.');
        return dot <= 0
                ? Optional.empty()
                : Optional.of(new StackTraceElement(
                        module(method.substring(0, dot)), method.substring(dot + 1), null, line(text)));
    }

    /** {@code java.lang.Thread} for {@code java.lang.Thread} of {@code java.base@25/java.lang.Thread}. */
    private static String module(String type) {
        int slash = type.contains("$$Lambda") ? -1 : type.lastIndexOf('/');
        return type.substring(slash + 1);
    }

    private static int line(String text) {
        int colon = text.lastIndexOf(':');
        int end = text.lastIndexOf(')');
        return colon > 0 && end > colon ? (int) number(text.substring(0, end), ":", colon) : -1;
    }

    private static void object(Dumped t, String text, boolean synchronizers) {
        int open = text.indexOf('<');
        int end = text.indexOf('>', open + 1);
        if (open < 0 || end < 0) {
            return;
        }
        String id = text.substring(open, end + 1);
        if (synchronizers || text.startsWith("locked <")) {
            t.holds.add(id);
        } else if (t.waitsFor.isEmpty() && (text.startsWith("waiting") || text.startsWith("parking to wait for"))) {
            t.waitsFor = id;
            int a = text.indexOf("(a ", end);
            int close = text.lastIndexOf(')');
            t.waitsForClass = a > 0 && close > a ? text.substring(a + 3, close) : "object";
            t.gaveItUp = text.startsWith("waiting on") || text.startsWith("waiting to re-lock");
        }
    }

    static String words(StackTraceElement f) {
        return f.getClassName() + "." + f.getMethodName();
    }
}
