package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CrashOutput;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.ListenOwner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts programs that listen on a given port, and waits until they do. */
public final class ProgramLauncher {
    /** The file in a trial's folder for the target's output. */
    static final String LOG = "target.log";

    /** How often a port that another process holds is checked, 20 ms apart: it may only be held for a moment. */
    private static final int OTHERS = 500;

    private final LabEnvironment env;
    private final Map<String, String> always;

    ProgramLauncher(LabEnvironment env) {
        this(env, Map.of());
    }

    /** @param always environment variables that every program gets, in addition to its own */
    public ProgramLauncher(LabEnvironment env, Map<String, String> always) {
        this.env = env;
        this.always = Map.copyOf(always);
    }

    /**
     * Starts a program with the setting's process knobs on the server's CPUs, and returns once the program itself
     * listens on its port. It may not answer yet. Until it listens the port is free, and another process may take it.
     */
    public RunningTarget listening(
            List<String> command, Map<String, String> environment, Path folder, int port, Setting setting)
            throws TrialFailure, LabException, InterruptedException {
        return listening(command, environment, List.of(), folder, port, setting);
    }

    /**
     * As above.
     *
     * @param told what it reads from a file, see {@link Child#start}
     */
    RunningTarget listening(
            List<String> command,
            Map<String, String> environment,
            List<String> told,
            Path folder,
            int port,
            Setting setting)
            throws TrialFailure, LabException, InterruptedException {
        var variables = new HashMap<>(always);
        variables.putAll(environment);
        long begin = System.nanoTime();
        Child child = Child.start(
                "target",
                ProcessKnobs.around(command, setting, ownNice()),
                variables,
                told,
                folder,
                folder.resolve(LOG),
                ProcessKnobs.cpus(setting, env.cpus().server()));
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        boolean up = false;
        int others = 0;
        try {
            while (!up) {
                if (!child.alive()) {
                    throw new TrialFailure(
                            new CrashOutput(child).kind(Kind.DID_NOT_START),
                            new CrashOutput(child).ended("target", "before it listened on port " + port));
                }
                if (child.overdue()) {
                    throw new TrialFailure(
                            Kind.NEVER_READY,
                            "nothing listens on port " + port + " after "
                                    + child.age().toSeconds() + " s: " + child.tail(4));
                }
                up = Readiness.listens(address);
                if (up && new ListenOwner().isOfAnother(child.pid(), port)) {
                    up = false;
                    others++;
                    if (others > OTHERS || child.lineWith("in use").isPresent()) {
                        throw new TrialFailure(
                                Kind.LAB,
                                "port " + port + " of 127.0.0.1 belongs to another process: "
                                        + child.lineWith("in use").orElseGet(() -> child.tail(3)));
                    }
                }
                if (!up) {
                    Thread.sleep(20);
                }
            }
        } finally {
            if (!up) {
                child.close();
            }
        }
        var running = new RunningTarget(address, Optional.of(child), (System.nanoTime() - begin) / 1e6);
        new ListenOwner().serving(child.pid(), port).ifPresent(running::servedBy);
        return running;
    }

    int ownNice() {
        return env.proc().nice(ProcessHandle.current().pid()).orElse(0);
    }
}
