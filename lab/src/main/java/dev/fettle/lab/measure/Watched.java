package dev.fettle.lab.measure;

import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.guest.ProcessInspection;
import dev.fettle.lab.guest.ProcessVisit;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.jvm.WorkerProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** An already running process, watched under load. Nothing is set in it, and closing this leaves it alone. */
public final class Watched implements AutoCloseable {
    private final LabEnvironment env;
    private final RunningTarget target;
    private final OptionalInt acceptQueue;
    private boolean underLoad;
    private Optional<Profiling> profiling = Optional.empty();

    private Watched(LabEnvironment env, RunningTarget target, OptionalInt acceptQueue) {
        this.env = env;
        this.target = target;
        this.acceptQueue = acceptQueue;
    }

    /**
     * Starts watching.
     *
     * @param url the loaded URL; the process must be the one listening there
     * @param note receives what the user should know
     * @throws LabException if there is no such process of this user, or another one listens
     */
    public static Watched open(long pid, URI url, LabEnvironment env, Consumer<String> note)
            throws LabException, InterruptedException {
        var asked = new Target.Running(pid, Optional.of(url), false, false, Optional.empty());
        try {
            RunningTarget target =
                    new ProcessVisit(env, note).visit(new ProcessInspection(env, note).at(asked), Setting.DEFAULT);
            return new Watched(env, target, target.queueLimit(env.proc()));
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Starts a recording of where its JVM spends time; it ends when the evidence is asked for.
     *
     * @param folder where the recording is kept
     * @throws LabException if it can't be recorded; the message says why
     */
    public void profile(ProfileWish wish, Path folder) throws LabException {
        try {
            var debts = Optional.of(new Debts(env.state(), env.proc()));
            profiling =
                    Optional.of(Profiling.begin(target.pid(), target.address().getPort(), debts, wish, folder));
        } catch (IOException e) {
            throw new LabException("process " + target.pid() + " can't be profiled: " + e.getMessage(), e);
        }
    }

    /** Takes a thread dump when it hangs; empty if it may not. */
    Optional<DumpKeeper> dumps(Load load) {
        return DumpKeeper.of(env, target, load);
    }

    /** The warm-up is over. */
    void measuringBegins() {
        profiling.ifPresent(Profiling::measuringBegins);
    }

    long pid() {
        return target.pid();
    }

    HostWatch watch(DisturbanceMeter disturbances) {
        return TrialEvidence.watch(env, target, disturbances, probe());
    }

    /** Samples its workers; only in the middle of a load, since a bench begins and ends without one. */
    void sample(HostWatch watch) {
        underLoad = true;
        watch.sample();
        underLoad = false;
    }

    private WorkerProbe probe() {
        return new WorkerProbe() {
            @Override
            public Optional<Sample> sample() {
                return underLoad ? target.probe().sample() : target.probe().collections();
            }

            @Override
            public Optional<Sample> glance() {
                return underLoad ? target.probe().glance() : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    /** Adds what was observed of the process to the machine's evidence. */
    Evidence evidence(Evidence machine, Aggregates seen) {
        Set<Integer> cpus = env.proc().allowedCpus(Long.toString(target.pid()));
        Evidence all = machine.with()
                .serverCpus(cpus.size())
                .cpus(new Evidence.Cpus(cpus, env.proc().allowedCpus("self")))
                // from the machine's evidence, take what depends on which process is the server
                .aggregates(seen.withOthers(machine.get(Aggregate.FOREIGN_CPU), machine.get(Aggregate.SERVER_STEAL)))
                .acceptQueueLimit(acceptQueue)
                .effective(target.effective())
                .facts(target.facts())
                .build();
        return profiling.map(p -> p.end(all)).orElse(all);
    }

    @Override
    public void close() {
        profiling.ifPresent(Profiling::close);
        target.close();
    }
}
