package dev.fettle.lab.measure;

import dev.fettle.insight.gate.GateInput;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.HostWatch;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Assembles the evidence on a target after its load. */
public final class TrialEvidence {
    /** Share of the CPUs used by others from which it is noted for a process Fettle did not start. */
    private static final double NOTABLE = 0.1;

    private TrialEvidence() {}

    /** The CPUs the target may use: those it was given, or those it already had. */
    public static Set<Integer> serverCpus(LabEnvironment env, RunningTarget target) {
        Set<Integer> own = target.guest
                .<Set<Integer>>map(g -> env.proc().allowedCpus(Long.toString(g.pid())))
                .orElse(Set.of());
        return own.isEmpty()
                ? ProcessKnobs.cpus(Setting.of(target.effective), env.cpus().server())
                : own;
    }

    /**
     * @param acceptQueue the listening socket's limit, if known
     * @param kept whether the target is used again; its notes are then only those from its launch
     * @param timeline what was seen over time
     */
    static Evidence of(
            LabEnvironment env,
            RunningTarget target,
            HostWatch.Seen host,
            Measuring measuring,
            OptionalInt acceptQueue,
            boolean kept,
            Timeline timeline) {
        boolean watched = target.watched();
        var notes = new ArrayList<>(target.notes);
        Map<String, String> facts = new TreeMap<>(target.facts);
        Set<Integer> cpus = serverCpus(env, target);
        // other processes may belong to a process we did not start, as its database does: only its owner knows
        OptionalDouble foreign = host.disturbance().foreign();
        if (target.guest.isPresent() && foreign.orElse(0) > NOTABLE && !kept) {
            notes.add(String.format(
                    Locale.ROOT,
                    "other processes used %.0f %% of the CPUs while it was measured: unless they belong to it, as its database"
                            + " does, measure when they are idle",
                    100 * foreign.getAsDouble()));
        }
        facts.put(GateInput.SERVER_CPUS, CpuList.text(cpus));
        facts.put(GateInput.GENERATOR_CPUS, CpuList.text(env.cpus().generator()));
        return new Evidence(
                cpus.size(),
                watched ? host.cpuSeconds() : OptionalDouble.empty(),
                watched ? host.compilerSeconds() : OptionalDouble.empty(),
                OptionalDouble.of(measuring.generatorCpuShare()),
                measuring.sendLagP99Millis(),
                host.disturbance().steal(),
                target.guest.isPresent() ? OptionalDouble.empty() : foreign,
                host.busyWorkers(),
                host.busyWorkersMax(),
                host.workers(),
                host.queued(),
                host.gcMillis(),
                host.listenOverflows(),
                host.synRetransmits(),
                acceptQueue,
                host.loadAverage(),
                target.startupMillis,
                target.effective,
                facts,
                notes,
                host.disturbance().serverSteal(),
                host.disturbance().generatorSteal(),
                host.acceptQueueMax(),
                host.acceptQueueDrops(),
                timeline);
    }
}
