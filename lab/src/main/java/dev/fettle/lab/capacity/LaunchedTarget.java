package dev.fettle.lab.capacity;

import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.hooks.RunningHooks;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.Calibration;
import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.TrialEvidence;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CompilerThreads;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostLimits;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A plan's target, with the knobs that the plan holds, launched once for many probes. */
public final class LaunchedTarget implements ProbeTarget, AutoCloseable {
    private final RunningTarget running;
    private final PlanHooks hooks;
    private final RunningHooks around;
    private final LabEnvironment env;
    private final CompilerThreads compilers;
    private final OptionalInt acceptQueue;

    /** Something that somebody else has started. */
    record Url(InetSocketAddress address) implements ProbeTarget {
        @Override
        public Set<Integer> generatorCpus() {
            return Set.of();
        }

        @Override
        public void tend() {}
    }

    private LaunchedTarget(
            RunningTarget running, PlanHooks hooks, RunningHooks around, LabEnvironment env, OptionalInt acceptQueue) {
        this.acceptQueue = acceptQueue;
        this.running = running;
        this.hooks = hooks;
        this.around = around;
        this.env = env;
        this.compilers = new CompilerThreads(env.proc(), running.process.map(Child::jvmPid));
    }

    /** Launches it, waits for the right answer, and reads back what was set. */
    public static LaunchedTarget launch(Plan plan, Load load, LabEnvironment env, Path folder, Consumer<String> note)
            throws LabException, InterruptedException {
        List<String> broken = Constraints.check(
                plan.target(),
                plan.hold(),
                env.cpus().server().size(),
                env.proc().somaxconn());
        if (!broken.isEmpty()) {
            throw new LabException("impossible setting: " + String.join("; ", broken));
        }
        LimitCheck.Found limits =
                LimitCheck.check(LimitCheck.Needs.of(load, plan.hold()), HostLimits.of(env.proc(), "self"));
        if (!limits.refused().isEmpty()) {
            throw new LabException(String.join("; ", limits.refused()));
        }
        limits.warnings().forEach(note);
        var launcher = new TargetLauncher(env, Artifacts.of(env, note), new Calibration(folder), note);
        var spec = new TrialSpec(TrialSpec.Phase.BASELINE, "", Map.of(), 0, plan.target(), plan.hold(), load);
        var hooks = new PlanHooks(env, plan.hooks().orElse(Hooks.NONE), folder, note);
        RunningHooks around = null;
        RunningTarget up = null;
        boolean ready = false;
        try {
            Ports ports = hooks.ports();
            around = hooks.around(folder, ports, plan.hold());
            up = launcher.launch(spec, folder, ports);
            Readiness.await(up, load);
            OptionalInt acceptQueue = new EffectiveValues(env.proc()).readBack(up, plan.target(), plan.hold());
            ready = true;
            return new LaunchedTarget(up, hooks, around, env, acceptQueue);
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        } finally {
            if (!ready) {
                close(up, hooks, around);
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return running.address;
    }

    @Override
    public Set<Integer> generatorCpus() {
        // a process that runs already keeps its CPUs, all of them as a rule: then a corner of our own is only smaller
        return running.guest.isPresent() ? Set.of() : env.cpus().generator();
    }

    @Override
    public Optional<ProbeWatch> watch() {
        if (!running.watched()) {
            return Optional.empty();
        }
        var own = new ArrayList<>(running.processes());
        own.addAll(hooks.pids());
        own.addAll(around.pids());
        Set<Integer> generator = running.guest.isPresent()
                ? env.proc().allowedCpus("self")
                : env.cpus().generator();
        var disturbances = new DisturbanceMeter(env.proc(), TrialEvidence.serverCpus(env, running), generator, own);
        return Optional.of(new ProbeWatch(env.proc(), running, acceptQueue, disturbances));
    }

    @Override
    public List<String> notes() {
        return List.copyOf(running.notes);
    }

    @Override
    public void tend() throws LabException, InterruptedException {
        compilers.keepOn(env.cpus().generator());
        hooks.check("under load");
        try {
            around.check("under load");
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
        if (!running.alive()) {
            throw new LabException(running.ended("under load"));
        }
    }

    @Override
    public void close() {
        close(running, hooks, around);
    }

    private static void close(@Nullable RunningTarget running, PlanHooks hooks, @Nullable RunningHooks around) {
        if (running != null) {
            running.close();
        }
        if (around != null) {
            hooks.end(around);
        }
        hooks.close();
    }
}
