package dev.fettle.insight.audit;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.Steal;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Compares what a run needs with what the machine has, before there is any load. What is unknown is not judged. */
public final class Preflight {
    /** Open files of a JVM besides its connections: jars, logs, pipes. */
    private static final int OTHER_FILES = 64;
    /** Threads of a JVM besides the server's workers: collector, compilers, acceptors. */
    private static final int OTHER_THREADS = 40;
    /**
     * Fewest threads with which a JVM reaches {@code main}: on two CPUs Temurin 25 has 13 by then with the serial
     * collector, 18 with G1, and 22 with ZGC.
     */
    private static final int LEAST_THREADS = 13;

    private Preflight() {}

    /**
     * What a run needs.
     *
     * @param launches whether the run starts the target
     * @param connections open at once in the generator
     * @param asItTakes whether they are opened only if the load takes them: an open load
     * @param sources number of source addresses, each with its own local ports
     * @param threads of the server's pool, if known
     * @param processes that its user may have by its setting, if that has a limit
     * @param backlog configured in the server, if known
     * @param heap of its JVM in bytes, if set
     * @param stack size of one of its threads in bytes, if set
     */
    public record Needs(
            boolean launches,
            long connections,
            boolean asItTakes,
            int sources,
            OptionalLong threads,
            OptionalLong processes,
            OptionalLong backlog,
            OptionalLong heap,
            OptionalLong stack) {}

    /**
     * What the machine has.
     *
     * @param files that Fettle may open
     * @param targetFiles that the target's process may open, if it already runs
     * @param processes that the user may have, and {@code processesNow} the number there are
     * @param tasks that the control group may have, and {@code tasksNow} the number there are
     * @param ports for connections to one address
     * @param memory available, in bytes
     * @param mostMemory in all, of the machine or of the control group
     * @param somaxconn the kernel's limit on a backlog
     * @param disturbance what others take of the CPUs
     */
    public record Room(
            OptionalLong files,
            OptionalLong targetFiles,
            OptionalLong processes,
            OptionalLong processesNow,
            OptionalLong tasks,
            OptionalLong tasksNow,
            OptionalLong ports,
            OptionalLong memory,
            OptionalLong mostMemory,
            OptionalLong somaxconn,
            Disturbed disturbance) {}

    /**
     * What others take of the CPUs that a run will use.
     *
     * @param foreign share that other processes use, 0 to 1
     * @param steal share that the hypervisor takes, 0 to 1
     * @param busiest the processes that use most, for people
     */
    public record Disturbed(OptionalFigure foreign, OptionalFigure steal, List<String> busiest) {
        /** Value for when nobody looked. */
        public static final Disturbed NOT_LOOKED_AT =
                new Disturbed(OptionalFigure.empty(), OptionalFigure.empty(), List.of());

        public Disturbed {
            busiest = List.copyOf(busiest);
        }
    }

    /**
     * A problem.
     *
     * @param rule its id
     * @param refused whether a run can't be valid with it
     */
    public record Problem(String rule, boolean refused, String words) {}

    /**
     * Problems found, one line each.
     *
     * @param refused what can't work
     * @param warnings what may fail
     */
    public record Found(List<String> refused, List<String> warnings) {
        public Found {
            refused = List.copyOf(refused);
            warnings = List.copyOf(warnings);
        }
    }

    /** A rule: judges one of the needs. */
    @FunctionalInterface
    private interface Judge {
        Optional<Problem> of(Needs needs, Room room);
    }

    private static final List<Judge> RULES = List.of(
            Preflight::files,
            Preflight::ports,
            Preflight::processes,
            Preflight::tasks,
            Preflight::ownLimit,
            Preflight::backlog,
            Preflight::memory,
            Preflight::neighbours,
            Preflight::steal);

    /** The problems, in the rules' order. */
    public static List<Problem> problems(Needs needs, Room room) {
        return RULES.stream().flatMap(r -> r.of(needs, room).stream()).toList();
    }

    /** The problems in words. */
    public static Found check(Needs needs, Room room) {
        List<Problem> all = problems(needs, room);
        return new Found(words(all, true), words(all, false));
    }

    private static List<String> words(List<Problem> all, boolean refused) {
        return all.stream()
                .filter(p -> p.refused() == refused)
                .map(Problem::words)
                .toList();
    }

    private static Optional<Problem> refuse(String rule, String format, Object... values) {
        return Optional.of(new Problem(rule, true, String.format(Locale.ROOT, format, values)));
    }

    private static Optional<Problem> warn(String rule, String format, Object... values) {
        return Optional.of(new Problem(rule, false, String.format(Locale.ROOT, format, values)));
    }

    /**
     * How many connections an open load may open that does not say it: {@link Load#OPEN_CONNECTIONS}, or as many as open files allow.
     *
     * @param files that Fettle may open; empty: any number
     */
    public static int openConnections(OptionalLong files) {
        return (int) Math.clamp(files.orElse(Long.MAX_VALUE) - OTHER_FILES, 1, Load.OPEN_CONNECTIONS);
    }

    private static Optional<Problem> files(Needs needs, Room room) {
        long n = needs.connections;
        long most = room.files.orElse(Long.MAX_VALUE);
        long target = room.targetFiles.orElse(Long.MAX_VALUE);
        if (n >= most) {
            return refuse(
                    "files",
                    "%,d connections are as many open files, and this process may have %,d: raise ulimit -n",
                    n,
                    most);
        }
        if (n >= target && needs.asItTakes) {
            return warn(
                    "files",
                    "the load may open %,d connections, as many open files in the target, and its process may have %,d:"
                            + " give the load fewer, or raise its LimitNOFILE or ulimit -n",
                    n,
                    target);
        }
        if (n >= target) {
            return refuse(
                    "files",
                    "%,d connections are as many open files in the target, and its process may have %,d: raise its LimitNOFILE"
                            + " or ulimit -n, and start it again",
                    n,
                    target);
        }
        if (n + OTHER_FILES > most) {
            return warn(
                    "files",
                    "%,d connections leave %,d open files for everything else (ulimit -n is %,d)",
                    n,
                    most - n,
                    most);
        }
        return n + OTHER_FILES > target
                ? warn(
                        "files",
                        "%,d connections leave the target %,d open files for everything else (its limit is %,d)",
                        n,
                        target - n,
                        target)
                : Optional.empty();
    }

    private static Optional<Problem> ports(Needs needs, Room room) {
        long all = room.ports.orElse(Long.MAX_VALUE / 1024) * Math.max(1, needs.sources);
        return needs.connections > all
                ? refuse(
                        "ports",
                        "%,d connections need a local port each, and there are %,d (net.ipv4.ip_local_port_range): give the"
                                + " load more source addresses, or widen the range",
                        needs.connections,
                        all)
                : Optional.empty();
    }

    private static Optional<Problem> processes(Needs needs, Room room) {
        return threads(
                "processes",
                needs,
                room.processes,
                room.processesNow,
                "the server's user may start %,d more threads (ulimit -u is %,d)");
    }

    private static Optional<Problem> tasks(Needs needs, Room room) {
        return threads(
                "tasks",
                needs,
                room.tasks,
                room.tasksNow,
                "the control group may start %,d more threads (pids.max is %,d)");
    }

    /** Against the limit that the setting itself asks for. */
    private static Optional<Problem> ownLimit(Needs needs, Room room) {
        long pool = needs.threads.orElse(0);
        long most = needs.processes.orElse(Long.MAX_VALUE);
        return needs.launches && pool > 0 && pool + OTHER_THREADS > most
                ? warn(
                        "own-limit",
                        "threads.max %,d: process.nproc allows its user %,d processes and threads, unless that user is root",
                        pool,
                        most)
                : Optional.empty();
    }

    private static Optional<Problem> threads(
            String rule, Needs needs, OptionalLong most, OptionalLong now, String words) {
        if (most.isEmpty() || now.isEmpty() || !needs.launches) {
            return Optional.empty();
        }
        long left = Math.max(0, most.getAsLong() - now.getAsLong());
        String said = String.format(Locale.ROOT, words, left, most.getAsLong());
        if (left < LEAST_THREADS) {
            return refuse(rule, "%s, and a JVM needs %d to start", said, LEAST_THREADS);
        }
        long pool = needs.threads.orElse(0);
        if (left >= pool + OTHER_THREADS) {
            return Optional.empty();
        }
        return pool > 0
                ? warn(rule, "threads.max %,d: %s", pool, said)
                : warn(rule, "%s, and a server's JVM has some %d besides its pool", said, OTHER_THREADS);
    }

    private static Optional<Problem> backlog(Needs needs, Room room) {
        boolean cut = needs.backlog.isPresent()
                && room.somaxconn.isPresent()
                && Bounds.cut(needs.backlog.getAsLong(), room.somaxconn.getAsLong());
        return cut
                ? refuse(
                        "backlog",
                        "backlog %,d: the kernel cuts it to net.core.somaxconn, which is %,d on this host",
                        needs.backlog.getAsLong(),
                        room.somaxconn.getAsLong())
                : Optional.empty();
    }

    private static Optional<Problem> memory(Needs needs, Room room) {
        if (needs.heap.isEmpty() || !needs.launches) {
            return Optional.empty();
        }
        double heap = needs.heap.getAsLong();
        if (room.mostMemory.isPresent() && Bounds.fit(heap, 0, 0, room.mostMemory.getAsLong()) == Bounds.Fit.NEVER) {
            return refuse(
                    "memory",
                    "jvm.heap %,d MiB is more than all memory that the server can get, %,d MiB: the kernel kills it when it fills",
                    mega(heap),
                    mega(room.mostMemory.getAsLong()));
        }
        if (room.memory.isEmpty()) {
            return Optional.empty();
        }
        double stacks = needs.threads.orElse(0)
                * needs.stack.stream().asDoubleStream().findFirst().orElse(Bounds.STACK);
        double there = room.memory.getAsLong();
        return switch (Bounds.fit(heap, 0, stacks, there)) {
            case FITS -> Optional.empty();
            case STACKS ->
                warn(
                        "memory",
                        "jvm.heap %,d MiB and %,d stacks of together %,d MiB: %,d MiB of memory are available",
                        mega(heap),
                        needs.threads.orElse(0),
                        mega(stacks),
                        mega(there));
            case TIGHT, NEVER ->
                warn(
                        "memory",
                        "jvm.heap %,d MiB: %,d MiB of memory are available, and a JVM takes some %,d MiB besides its heap",
                        mega(heap),
                        mega(there),
                        mega(Bounds.BESIDES));
        };
    }

    private static long mega(double bytes) {
        return (long) bytes >> 20;
    }

    private static Optional<Problem> neighbours(Needs needs, Room room) {
        double share = room.disturbance.foreign.orElse(0);
        return share > GateRules.FOREIGN_CPU
                ? warn(
                        "neighbours",
                        "other processes use %s of the CPUs%s: trials are void while they use more than %s",
                        Format.share(share),
                        room.disturbance.busiest.isEmpty()
                                ? ""
                                : " (" + String.join(", ", room.disturbance.busiest) + ")",
                        Format.exactShare(GateRules.FOREIGN_CPU))
                : Optional.empty();
    }

    private static Optional<Problem> steal(Needs needs, Room room) {
        double share = room.disturbance.steal.orElse(0);
        return share > Steal.MOST
                ? warn(
                        "steal",
                        "the hypervisor takes %s of the CPUs' time: trials are void while it takes more than %s",
                        Format.share(share),
                        Format.exactShare(Steal.MOST))
                : Optional.empty();
    }
}
