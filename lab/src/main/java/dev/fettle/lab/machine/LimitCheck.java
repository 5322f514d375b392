package dev.fettle.lab.machine;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.watch.host.HostLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Compares what a trial needs with this machine's limits, before launch. */
public final class LimitCheck {
    /** Open files of a JVM besides its connections: jars, logs, pipes. */
    private static final int OTHER_FILES = 64;
    /** Threads of a JVM besides the server's workers: collector, compilers, acceptors. */
    private static final int OTHER_THREADS = 40;
    /** Memory of a JVM relative to its heap: code, metaspace and stacks come on top. */
    private static final double BESIDES_HEAP = 1.25;

    private LimitCheck() {}

    /**
     * What a trial needs.
     *
     * @param connections open at once in the generator
     * @param sources number of source addresses, each with its own local ports
     * @param threads of the server's pool, if known
     * @param heap of its JVM in bytes, if set
     */
    public record Needs(long connections, int sources, OptionalLong threads, OptionalLong heap) {
        public static Needs of(Load load, Setting setting) {
            return new Needs(
                    load.connections(),
                    Math.max(1, load.wire().sources().size()),
                    number(setting, "threads.max"),
                    number(setting, "jvm.heap"));
        }

        private static OptionalLong number(Setting setting, String name) {
            return Knobs.find(name).stream()
                    .flatMap(
                            k -> setting.get(name).stream().mapToLong(k::number).boxed())
                    .mapToLong(Long::longValue)
                    .findFirst();
        }
    }

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

    /** Compares; an unknown limit is not judged. */
    public static Found check(Needs needs, HostLimits has) {
        var refused = new ArrayList<String>();
        var warnings = new ArrayList<String>();
        has.files().ifPresent(most -> {
            if (needs.connections >= most) {
                refused.add(say(
                        "%,d connections are as many open files, and this process may have %,d: raise ulimit -n",
                        needs.connections, most));
            } else if (needs.connections + OTHER_FILES > most) {
                warnings.add(say(
                        "%,d connections leave %,d open files for everything else (ulimit -n is %,d)",
                        needs.connections, most - needs.connections, most));
            }
        });
        has.ports().ifPresent(each -> {
            if (needs.connections > each * needs.sources) {
                refused.add(say(
                        "%,d connections need a local port each, and there are %,d (net.ipv4.ip_local_port_range): give the"
                                + " load more source addresses, or widen the range",
                        needs.connections, each * needs.sources));
            }
        });
        needs.threads.ifPresent(pool -> {
            long threads = pool + OTHER_THREADS;
            room(has.processes(), has.processesNow())
                    .filter(left -> left < threads)
                    .ifPresent(left -> warnings.add(say(
                            "threads.max %,d: the server's user may start %,d more threads (ulimit -u is %,d)",
                            pool, left, has.processes().orElse(0))));
            room(has.tasks(), has.tasksNow())
                    .filter(left -> left < threads)
                    .ifPresent(left -> warnings.add(say(
                            "threads.max %,d: the control group may start %,d more threads (pids.max is %,d)",
                            pool, left, has.tasks().orElse(0))));
        });
        needs.heap.ifPresent(heap -> has.memory().ifPresent(memory -> {
            if (heap * BESIDES_HEAP > memory) {
                warnings.add(say(
                        "jvm.heap %,d MB: %,d MB of memory are available, and a JVM takes about a quarter more than its heap",
                        heap >> 20, memory >> 20));
            }
        }));
        return new Found(refused, warnings);
    }

    private static Optional<Long> room(OptionalLong most, OptionalLong now) {
        return most.isPresent() && now.isPresent()
                ? Optional.of(Math.max(0, most.getAsLong() - now.getAsLong()))
                : Optional.empty();
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
