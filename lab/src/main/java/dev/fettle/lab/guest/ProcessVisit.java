package dev.fettle.lab.guest;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.CommandArguments;
import dev.fettle.lab.process.Guest;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.lab.target.ServerAgent;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.jvm.JvmProbe;
import dev.fettle.watch.jvm.JvmSignals;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import dev.fettle.watch.jvm.WorkerNames;
import dev.fettle.watch.jvm.WorkerProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A trial on a process that is already running: live knobs are set at the start and restored on close; the process, its CPUs
 * and its threads are left alone.
 */
public record ProcessVisit(LabEnvironment env, Consumer<String> note) {
    /** The server is up: the agent finds it at once or not at all. */
    private static final Duration AGENT_BOUND = Duration.ofSeconds(3);

    /** For a first look at its workers, before there is load. */
    private static final Duration LOOK_BOUND = Duration.ofSeconds(10);

    /**
     * Opens a visit.
     *
     * @throws LabException if the process is gone, or has values of an earlier trial that can't be put back, so that no further
     *     trial is possible
     * @throws TrialFailure if the setting can't be applied
     */
    public RunningTarget visit(Target.Running asked, Setting setting)
            throws LabException, TrialFailure, InterruptedException {
        Target.Running target = asked.found().isPresent() ? asked : new ProcessInspection(env, note).at(asked);
        Target.Found found = target.found().orElseThrow();
        var guest = new Guest(env.proc(), target.pid(), found.started());
        if (!guest.alive()) {
            throw new LabException(guest.ended()
                    + ": nothing can be measured any more; when it is up again, start a new run" + " with its new id");
        }
        URI url = target.url().orElseThrow();
        InetSocketAddress address = HostGuard.check(url, env.ownHosts());
        var running = RunningTarget.of(address, guest);
        boolean up = false;
        try {
            outside(running, guest);
            ValueRestore.putBack(debts(), guest, note);
            inside(running, target, guest, setting);
            up = true;
            return running;
        } finally {
            if (!up) {
                running.close();
            }
        }
    }

    /** Adds what the kernel knows about the process. */
    private void outside(RunningTarget running, Guest guest) {
        running.fact("pid", Long.toString(guest.pid()));
        running.fact(
                "command", String.join(" ", CommandArguments.redacted(env.proc().arguments(guest.pid()))));
        var shared = new TreeSet<>(env.proc().allowedCpus(Long.toString(guest.pid())));
        shared.retainAll(env.cpus().generator());
        if (!shared.isEmpty()) {
            running.note("process " + guest.pid() + " and the generator share CPU " + CpuList.text(shared)
                    + " (it keeps the CPUs it has): good for comparing, not as absolute figures");
        }
    }

    /** Adds what its JVM knows, and applies the setting. */
    private void inside(RunningTarget running, Target.Running target, Guest guest, Setting setting)
            throws LabException, TrialFailure, InterruptedException {
        RunningJvm jvm;
        try {
            jvm = RunningJvm.attach(guest.pid());
        } catch (IOException e) {
            ValueRestore.checkInterrupted();
            if (!setting.isDefault()) { // the first look did reach it
                throw unreached(e);
            }
            running.note("the process was watched from outside only: " + e.getMessage());
            running.add(JvmSignals.refused(
                    guest.pid(), String.valueOf(e.getMessage()), env.dumps().any()));
            return;
        }
        running.owns(jvm);
        for (String knob : List.of("jvm.gc", "jvm.heap")) {
            Knobs.find(knob).flatMap(k -> EffectiveValues.read(jvm, k)).ifPresent(v -> running.readBack(knob, v));
        }
        jvm.systemProperty("java.runtime.version").ifPresent(v -> running.fact("javaVersion", v));
        int port = running.address().getPort();
        if (!setting.isDefault()) {
            set(running, jvm, guest, setting);
        }
        try {
            describe(running, jvm, port, setting, env.dumps().any());
        } catch (IOException e) {
            ValueRestore.checkInterrupted();
            running.note("the server's MBeans were not read: " + e.getMessage());
            running.unread(Kind.LAB, "the server's MBeans were not read: " + e.getMessage());
        }
        if (target.agent()) {
            ask(running, setting, folder(guest));
        }
    }

    /** For its agent; named by pid and start time, so that a later process with the same pid gets another one. */
    private Path folder(Guest guest) throws LabException {
        return env.workspace().part("processes").resolve(guest.pid() + "-" + guest.started());
    }

    private Debts debts() {
        return new Debts(env.state(), env.proc());
    }

    private static TrialFailure unreached(IOException e) {
        return new TrialFailure(Kind.LAB, "the setting could not be set: " + e.getMessage());
    }

    /**
     * Sets a setting.
     *
     * @throws TrialFailure of kind LAB if the server could not be asked, which says nothing about the setting
     */
    void set(RunningTarget running, RunningJvm jvm, Guest guest, Setting setting)
            throws TrialFailure, LabException, InterruptedException {
        int port = running.address().getPort();
        Optional<LiveKnobs.Values> server;
        try {
            server = ValueRestore.settable(jvm, port, ValueRestore.CALL_BOUND);
        } catch (IOException e) {
            ValueRestore.checkInterrupted();
            throw unreached(e);
        }
        if (server.isEmpty()) {
            throw new TrialFailure(
                    Kind.IMPOSSIBLE_SETTING, "nothing can be set: the server has no MBeans in process " + guest.pid());
        }
        var live = new LiveKnobs(server.get(), new OriginalValues(debts(), guest), guest, port, note);
        running.owns(live);
        live.set(setting).forEach(running::note);
    }

    private static void describe(RunningTarget running, RunningJvm jvm, int port, Setting setting, boolean allThreads)
            throws IOException {
        Optional<ServerBeans> beans = jvm.ask(ValueRestore.CALL_BOUND, () -> ServerBeans.of(jvm, port));
        Optional<WorkerNames> workers = WorkerNames.of(jvm, port);
        beans.map(ServerBeans::server)
                .or(() -> workers.map(WorkerNames::server))
                .map(ServerKind::id)
                .ifPresent(id -> running.fact("server", id));
        boolean counted = false;
        if (beans.isPresent()) {
            running.inForce(jvm.ask(ValueRestore.CALL_BOUND, beans.get()::read), setting);
            WorkerProbe own = beans.get().probe();
            // Undertow's pool counts busy threads only if that was enabled at start
            counted = jvm.ask(LOOK_BOUND, own::sample)
                    .map(s -> s.busy().isPresent())
                    .orElse(false);
            running.countWorkers(jvm.patient(own));
        }
        Optional<JvmProbe> stacks = workers.map(w -> w.probe(jvm));
        // a pool that makes its threads when the first requests come has none yet
        running.add(JvmSignals.over(jvm, port, stacks)
                .withThreads(allThreads)
                .withBusy(!counted && beans.isPresent() && stacks.isEmpty()));
        if (!counted && stacks.isPresent()) {
            running.countWorkers(jvm.patient(stacks.get()));
        } else if (beans.isEmpty()) {
            running.countWorkers(jvm.patient(jvm.collections()));
            running.note("busy threads not read: no Tomcat, Jetty or Undertow was found in process " + running.pid());
        }
    }

    /** Asks the agent, which knows more than the MBeans. It is loaded once and stays. */
    private void ask(RunningTarget running, Setting setting, Path folder) throws LabException {
        var agent = new ServerAgent(env);
        try {
            Folders.make(folder);
            agent.load(running.pid(), folder);
            agent.describe(running, Optional.empty(), setting, folder, AGENT_BOUND);
        } catch (IOException e) {
            running.note("the agent could not be loaded: " + e.getMessage());
        }
    }
}
