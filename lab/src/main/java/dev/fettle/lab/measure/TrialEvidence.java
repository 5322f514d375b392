package dev.fettle.lab.measure;

import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.TimelineRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Assembles the evidence on a target after its load. */
public final class TrialEvidence {
    /** Share of the CPUs used by others from which it is noted for a process Fettle did not start. */
    private static final double NOTABLE = 0.1;

    private TrialEvidence() {}

    /** The CPUs the target may use: those it was given, or those it already had; empty of a URL, whose process nobody knows. */
    static Set<Integer> serverCpus(LabEnvironment env, RunningTarget target) {
        if (!target.watched()) {
            return Set.of();
        }
        Set<Integer> own = target.guest()
                .<Set<Integer>>map(g -> env.proc().allowedCpus(Long.toString(g.pid())))
                .orElse(Set.of());
        return own.isEmpty()
                ? ProcessKnobs.cpus(Setting.of(target.effective()), env.cpus().server())
                : own;
    }

    /**
     * What measures how others disturb a target and its generator.
     *
     * @param own all processes of the trial; empty if unknown
     */
    static DisturbanceMeter meter(LabEnvironment env, RunningTarget target, Set<Integer> generator, List<Long> own) {
        Set<Integer> server = new TreeSet<>(serverCpus(env, target));
        if (server.isEmpty()) {
            server.addAll(generator);
        }
        if (!target.watched() && !target.isElsewhere()) {
            server.addAll(env.cpus().server()); // it may be on any of them
        }
        return new DisturbanceMeter(env.proc(), server, generator, own);
    }

    /** A watch of a target; not begun yet. */
    static HostWatch watch(
            LabEnvironment env, RunningTarget target, DisturbanceMeter disturbances, WorkerProbe workers) {
        Optional<ListenQueue> queue = target.queue(env.proc());
        return new HostWatch(
                env.proc(),
                target.pid(),
                disturbances,
                () -> queue.flatMap(ListenQueue::state),
                workers,
                target.signals(env.proc(), env.dumps()),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
    }

    /** What is known of a target on this machine. */
    static TargetHandle.About about(LabEnvironment env, RunningTarget target) {
        var origin = target.process().isPresent()
                ? TargetHandle.Origin.LAUNCHED
                : target.guest().isPresent() ? TargetHandle.Origin.VISITED : TargetHandle.Origin.URL;
        return new TargetHandle.About(
                target.address(), target.pid(), origin, target.startupMillis(), serverCpus(env, target));
    }

    /** Without what this process's own figures were taken for, and another machine's. */
    static Aggregates known(TargetHandle.About target, Aggregates host) {
        Aggregates known = target.isWatched() ? host : host.withoutCpuTime();
        return target.isElsewhere() ? known.with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.empty()) : known;
    }

    /**
     * @param agents the hosts that sent the load; empty: this one did
     * @param acceptQueue the listening socket's limit, if known
     * @param kept whether the target is used again; its notes are then only those from its launch
     * @param timeline what was seen over time
     */
    static Evidence of(
            LabEnvironment env,
            TargetHandle target,
            Aggregates host,
            Measuring measuring,
            List<AgentFigures> agents,
            OptionalInt acceptQueue,
            boolean kept,
            Timeline timeline) {
        var notes = new ArrayList<>(target.notes());
        TargetHandle.About about = target.about();
        boolean visited = about.origin() == TargetHandle.Origin.VISITED;
        // other processes may belong to a process we did not start, as its database does: only its owner knows
        OptionalFigure foreign = host.get(Aggregate.FOREIGN_CPU);
        if (visited && foreign.orElse(0) > NOTABLE && !kept) {
            notes.add(String.format(
                    Locale.ROOT,
                    "other processes used %s of the CPUs while it was measured: unless they belong to it, as its database"
                            + " does, measure when they are idle",
                    Format.share(foreign.getAsDouble())));
        }
        Aggregates known = known(about, host)
                .withOthers(
                        visited ? OptionalFigure.empty() : foreign,
                        about.isWatched() ? host.get(Aggregate.SERVER_STEAL) : OptionalFigure.empty());
        var cpus = new Evidence.Cpus(about.cpus(), agents.isEmpty() ? env.cpus().generator() : Set.of());
        // of this machine it says nothing if neither side is on it
        Aggregates relevant = agents.isEmpty() || about.isWatched() ? known : Aggregates.NOTHING;
        return ofMachine(cpus, relevant, measuring, notes, timeline)
                .with()
                .agents(agents)
                .serverCpus(about.cpus().size())
                .acceptQueueLimit(acceptQueue)
                .startupMillis(about.startupMillis())
                .effective(target.effective())
                .facts(target.facts())
                .build();
    }

    /** What is known without a target: of this machine, and of the generator. */
    static Evidence ofMachine(
            Evidence.Cpus cpus, Aggregates seen, Measuring measuring, List<String> notes, Timeline timeline) {
        return new Evidence(
                0,
                cpus,
                seen,
                OptionalFigure.of(measuring.generatorCpuShare()),
                measuring.sendLagP99Millis(),
                OptionalInt.empty(),
                0,
                Map.of(),
                Map.of(),
                notes,
                timeline,
                List.of(),
                Conditions.ALONE);
    }
}
