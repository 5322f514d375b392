package dev.fettle.watch.jvm;

import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.StackFrames;
import dev.fettle.watch.heap.HeapHistogram;
import dev.fettle.watch.heap.HeapHolders;
import dev.fettle.watch.heap.JvmCounters;
import dev.fettle.watch.host.Proc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/** Commands of {@code jcmd}, over the bean that has them. */
public final class DiagnosticCommand {
    private static final String BEAN = "com.sun.management:type=DiagnosticCommand";

    /** In a heap of tens of gigabytes it takes half a minute. */
    private static final Duration HISTOGRAM_BOUND = Duration.ofMinutes(2);

    /** The part of the heap in use from which on it is full. */
    private static final double FULL = 0.9;

    private static final int MOST_CLASSES = 3;

    /** The largest heap that is dumped: it takes some seconds. */
    private static final double DUMPED_HEAP = 1 << 30;

    /** Free space for a dump, over the heap's size. */
    private static final double ROOM = 2;

    private DiagnosticCommand() {}

    /**
     * What a command prints.
     *
     * @param what it prints, for the message if it does not
     * @throws IOException if the JVM does not answer in time, or has no such command
     */
    static String run(RunningJvm jvm, Duration bound, String what, String command, String... arguments)
            throws IOException {
        return CallTimeout.once(bound, "the JVM", () -> unbounded(jvm, what, command, arguments));
    }

    /**
     * The same for who bounds the time by itself.
     *
     * @throws IOException if the JVM has no such command
     */
    static String unbounded(RunningJvm jvm, String what, String command, String... arguments) throws IOException {
        try {
            return RunningJvm.text(
                    jvm.beans().invoke(new ObjectName(BEAN), command, new Object[] {arguments}, new String[] {
                        String[].class.getName()
                    }));
        } catch (JMException e) {
            throw new IOException("no " + what + ": " + e.getMessage(), e);
        }
    }

    /**
     * The classes of the heap with the number and size of their objects, as {@code jcmd PID GC.class_histogram} prints them. Of the objects
     * that are in use: the JVM collects all garbage first, while all its threads stand still.
     *
     * @throws IOException as {@link #run}
     */
    public static String classHistogram(RunningJvm jvm) throws IOException {
        return run(jvm, HISTOGRAM_BOUND, "histogram", "gcClassHistogram");
    }

    /**
     * The classes that fill a heap, and the program's own that hold most, of a JVM whose heap is full and which can be attached to but answers no call of management:
     * that needs room, and this does not. Nothing is collected for it.
     *
     * @param dump whether the heap may be dumped, too, for who holds most of it; asked only if it is full
     * @return empty if the heap is not full, or the JVM can't be asked
     * @throws IOException if the JVM refuses
     */
    public static List<Sighting> inAFullHeap(long pid, BooleanSupplier dump) throws IOException {
        boolean full = JvmCounters.of(new Proc(), pid)
                .flatMap(JvmCounters::read)
                .filter(h -> h.share() >= FULL)
                .isPresent();
        if (!full || !AttachSocket.listens(pid)) {
            return List.of();
        }
        var text = new BufferedReader(new StringReader(AttachSocket.jcmd(pid, "GC.class_histogram -all")));
        HeapHistogram held = HeapHistogram.read(text).getFirst();
        var seen = new ArrayList<Sighting>();
        seen.add(new Sighting(Sighting.HISTOGRAM, Sighting.HISTOGRAM_ALL, held.bytes()));
        List<Map.Entry<String, HeapHistogram.Held>> largest = held.classes().entrySet().stream()
                .filter(c -> !StackFrames.isGenerated(c.getKey()) && !c.getKey().contains("$$"))
                .sorted(Comparator.comparingDouble(c -> -c.getValue().bytes()))
                .toList();
        Stream.concat(
                        largest.stream().limit(MOST_CLASSES),
                        largest.stream()
                                .filter(c -> !JdkPackages.have(c.getKey())
                                        && !c.getKey().endsWith("[]"))
                                .limit(MOST_CLASSES))
                .distinct()
                .forEach(c -> seen.add(new Sighting(
                        Sighting.HISTOGRAM,
                        c.getKey(),
                        c.getValue().bytes(),
                        Math.round(c.getValue().instances()) + " objects")));
        if (held.bytes() <= DUMPED_HEAP && dump.getAsBoolean()) {
            seen.addAll(holders(pid, held.bytes()));
        }
        return seen;
    }

    /**
     * Who holds most of a heap, by a dump of it, which the JVM writes into a file that only its user can read and that is deleted at once. Of
     * a small heap only: meanwhile all its threads stand still.
     */
    private static List<Sighting> holders(long pid, double bytes) throws IOException {
        String name = "/tmp/fettle-" + UUID.randomUUID() + ".hprof";
        Path file = Path.of("/proc/" + pid + "/root" + name);
        if (Files.getFileStore(file.resolveSibling("")).getUsableSpace() < ROOM * bytes) {
            return List.of();
        }
        file.toFile().deleteOnExit(); // if this ends before it is read
        try {
            AttachSocket.jcmd(pid, "GC.heap_dump -all " + name);
            return HeapHolders.read(file).map(HeapHolders.Held::sightings).orElse(List.of());
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
