package dev.fettle.watch.jvm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.text.Json;
import dev.fettle.watch.host.CpuOfThreads;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The threads of a JVM as {@code jcmd PID Thread.dump_to_file -format=json} writes them (Java 21 and later), virtual ones among them: into a
 * file of this user's own that is deleted at once. The JVM does not stand still meanwhile: each thread's stack is of one moment, and those of
 * two threads are some milliseconds apart. A JVM of Java 25 may crash in it while virtual threads go on or off their carriers (JDK-8364343): one
 * is asked for it only when none was seen to run for a while.
 */
final class DumpedThreads {
    /** The kind of virtual threads without a name. */
    static final String NAMELESS = "virtual threads";

    private static final int FIRST_THAT_CRASHES = 25;

    /** What the names of carriers begin with. */
    private static final String CARRIER = "ForkJoinPool-";

    /** A larger dump is not read, and none is asked for again. */
    private static final long MOST_BYTES = 32L << 20;

    /** Has the JVM write a dump. */
    interface Command {
        /**
         * @param arguments of the command
         * @throws IOException if it does not do so
         */
        void run(List<String> arguments) throws IOException;
    }

    /** So many looks, one after the other, see no virtual thread that runs. */
    private static final int QUIET_LOOKS = 6;

    private static final int TRIES = 3;
    private static final long PAUSE_MILLIS = 50;

    private final Command command;
    private final BooleanSupplier mayAsk;
    private final boolean all;
    private boolean tooMany;

    /**
     * @param mayAsk whether the JVM can be asked for it now without harm
     * @param all whether also platform threads
     */
    DumpedThreads(Command command, BooleanSupplier mayAsk, boolean all) {
        this.command = command;
        this.mayAsk = mayAsk;
        this.all = all;
    }

    /** Virtual threads only, by the command's MBean. */
    static DumpedThreads virtual(RunningJvm jvm) {
        return new DumpedThreads(
                arguments -> DiagnosticCommand.unbounded(
                        jvm, "dump of virtual threads", "threadDumpToFile", arguments.toArray(String[]::new)),
                () -> !mayCrash(jvm) || atRest(() -> HeapBeans.runningVirtual(jvm.beans()), carriers(jvm.pid())),
                false);
    }

    /** Whether a JVM is one that may crash in it. */
    static boolean mayCrash(RunningJvm jvm) {
        return jvm.feature() >= FIRST_THAT_CRASHES;
    }

    /**
     * Whether no virtual thread went on or off a carrier for a while. Looks alone do not show that: one may have run in between, so the
     * carriers must have had no CPU time either.
     *
     * @param running how many virtual threads run, or are ready to; anything but 0 if that is not known
     * @param carriers nanoseconds of CPU time that the carriers have had; empty if there are none
     */
    static boolean atRest(IntSupplier running, Supplier<OptionalLong> carriers) {
        try {
            for (int i = 0; i < TRIES; i++) {
                OptionalLong before = carriers.get();
                int looks = 0;
                while (looks < QUIET_LOOKS && running.getAsInt() == 0) {
                    looks++;
                    Thread.sleep(PAUSE_MILLIS);
                }
                if (looks == QUIET_LOOKS && carriers.get().equals(before)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** CPU time of a process's carriers so far. */
    static Supplier<OptionalLong> carriers(long pid) {
        return () -> new CpuOfThreads(new Proc(), pid, name -> name.startsWith(CARRIER), 1).nanos();
    }

    /** Whether a JVM has any, by the names of its threads: one of them wakes those that sleep. */
    static boolean any(List<SeenThread> platform) {
        return platform.stream().anyMatch(t -> t.name().startsWith("VirtualThread-un"));
    }

    /** What they do now; empty if the JVM does not say. */
    List<SeenThread> look() {
        if (tooMany || !mayAsk.getAsBoolean()) {
            return List.of();
        }
        try {
            // a folder that is nobody else's
            Path folder = Files.createTempDirectory("fettle-threads");
            Path file = folder.resolve("threads.json");
            try {
                command.run(List.of("-format=json", file.toString()));
                // that of a JVM in a container is written there
                if (!Files.isRegularFile(file)) {
                    return List.of();
                }
                tooMany = Files.size(file) > MOST_BYTES;
                return tooMany ? List.of() : read(Files.readString(file), all);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            return List.of(); // an older JVM has no such command
        }
    }

    /**
     * The threads of a dump, with the monitors that they hold and wait for.
     *
     * @param all whether also platform threads
     * @throws IOException if it is no dump
     */
    static List<SeenThread> read(String json, boolean all) throws IOException {
        var found = new ArrayList<JsonNode>();
        Map<String, Long> owners = new HashMap<>();
        for (JsonNode container :
                Json.mapper().readTree(json).path("threadDump").path("threadContainers")) {
            for (JsonNode t : container.path("threads")) {
                if (all || isVirtual(t)) {
                    found.add(t);
                    t.path("monitorsOwned")
                            .forEach(m -> m.path("locks")
                                    .forEach(l ->
                                            owners.put(l.asText(), t.path("tid").asLong())));
                }
            }
        }
        return found.stream().map(t -> thread(t, owners)).toList();
    }

    private static boolean isVirtual(JsonNode t) {
        if (t.path("virtual").asBoolean()) {
            return true;
        }
        // before Java 24 it is not said
        JsonNode stack = t.path("stack");
        return stack.size() > 0 && stack.get(stack.size() - 1).asText().contains("java.lang.VirtualThread.run(");
    }

    private static SeenThread thread(JsonNode t, Map<String, Long> owners) {
        var stack = new ArrayList<StackTraceElement>();
        t.path("stack").forEach(f -> frame(f.asText()).ifPresent(stack::add));
        String blocked = t.path("blockedOn").asText("");
        String lock = !blocked.isEmpty()
                ? blocked
                : t.path("parkBlocker")
                        .path("object")
                        .asText(t.path("waitingOn").asText(""));
        long id = t.path("tid").asLong();
        long owner = blocked.isEmpty() ? -1 : owners.getOrDefault(blocked, -1L);
        String name = t.path("name").asText("");
        return new SeenThread(
                id,
                name.isEmpty() ? NAMELESS : name,
                state(t.path("state").asText(""), stack),
                lock,
                owner == id ? -1 : owner,
                stack.toArray(StackTraceElement[]::new));
    }

    /** Older JVMs don't tell it: one that waits has left its carrier. */
    static Thread.State state(String told, List<StackTraceElement> stack) {
        for (Thread.State s : Thread.State.values()) {
            if (s.name().equals(told.toUpperCase(Locale.ROOT))) {
                return s;
            }
        }
        boolean parked = !stack.isEmpty() && stack.getFirst().getClassName().equals("java.lang.VirtualThread");
        return parked ? Thread.State.WAITING : Thread.State.RUNNABLE;
    }

    /** {@code java.base/java.lang.VirtualThread.park(VirtualThread.java:742)}. */
    static Optional<StackTraceElement> frame(String text) {
        int open = text.indexOf('(');
        return (open < 0 ? text : text.substring(0, open)).contains("$$Lambda/")
                ? Optional.empty()
                : DumpReader.frame(text);
    }
}
