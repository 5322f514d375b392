package dev.fettle.model.trial;

import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the watch saw of the target, the host and the generator during one trial's measuring phase. A figure that could
 * not be read is empty, never zero.
 *
 * @param serverCpus how many CPUs the target may use
 * @param cpus which ones, and which the generator has
 * @param aggregates what was observed of the target's process and of the host over all of that time
 * @param generatorCpuShare the busiest generator thread's share of one core, 0 to 1
 * @param sendLagP99Millis how late requests left the generator at p99; empty in the closed model
 * @param acceptQueueLimit the listening socket's effective backlog
 * @param startupMillis from launch to ready
 * @param effective knob values read back from the running target; includes ones that nobody set
 * @param facts versions and names: server, JDK, process arguments without secrets
 * @param notes what could not be read, and why
 * @param timeline these figures and more, over time
 * @param profiles where its time went, if that was asked for
 * @param conditions how it was run next to others
 * @param agents the hosts that sent the load; empty where this one did
 */
@RecordBuilder
public record Evidence(
        int serverCpus,
        Cpus cpus,
        Aggregates aggregates,
        OptionalFigure generatorCpuShare,
        OptionalFigure sendLagP99Millis,
        OptionalInt acceptQueueLimit,
        double startupMillis,
        Map<String, String> effective,
        Map<String, String> facts,
        List<String> notes,
        Timeline timeline,
        List<Profile> profiles,
        Conditions conditions,
        List<AgentFigures> agents)
        implements EvidenceBuilder.With {
    public Evidence {
        profiles = List.copyOf(profiles);
        effective = Collections.unmodifiableMap(new TreeMap<>(effective));
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
        notes = List.copyOf(notes);
        agents = List.copyOf(Objects.requireNonNullElse(agents, List.of())); // a recording of before has none
    }

    /** Of a load that one generator sent. */
    public Evidence(
            int serverCpus,
            Cpus cpus,
            Aggregates aggregates,
            OptionalFigure generatorCpuShare,
            OptionalFigure sendLagP99Millis,
            OptionalInt acceptQueueLimit,
            double startupMillis,
            Map<String, String> effective,
            Map<String, String> facts,
            List<String> notes,
            Timeline timeline,
            List<Profile> profiles,
            Conditions conditions) {
        this(
                serverCpus,
                cpus,
                aggregates,
                generatorCpuShare,
                sendLagP99Millis,
                acceptQueueLimit,
                startupMillis,
                effective,
                facts,
                notes,
                timeline,
                profiles,
                conditions,
                List.of());
    }

    /**
     * The CPUs of both sides.
     *
     * @param server those that the target may use; empty if unknown
     * @param generator those that the generator may use; empty if unknown
     */
    public record Cpus(Set<Integer> server, Set<Integer> generator) {
        /** Both are unknown. */
        public static final Cpus UNKNOWN = new Cpus(Set.of(), Set.of());

        public Cpus {
            server = Collections.unmodifiableSortedSet(new TreeSet<>(server));
            generator = Collections.unmodifiableSortedSet(new TreeSet<>(generator));
        }
    }

    /** Whether the target's own accept queue was full: it was seen full, or its socket dropped connections. */
    public boolean acceptQueueWasFull() {
        boolean full = acceptQueueLimit.isPresent()
                && get(Aggregate.ACCEPT_QUEUE_MAX).orElse(-1) >= acceptQueueLimit.getAsInt();
        return full || get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(0) > 0;
    }

    /** A figure over all of the measured time; empty if it could not be read. */
    public OptionalFigure get(Aggregate a) {
        return aggregates.get(a);
    }

    /** A copy with more notes. */
    public Evidence noted(List<String> others) {
        var more = new ArrayList<>(notes);
        more.addAll(others);
        return withNotes(more);
    }
}
