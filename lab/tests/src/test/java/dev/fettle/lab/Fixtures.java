package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.JvmSignals;
import dev.fettle.watch.jvm.WorkerProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Short loads and small targets for tests. */
public final class Fixtures {
    /** Of a warm-up and of what is measured: one window. No server is steady by then, and what these tests ask is not that. */
    public static final Duration SHORT = Duration.ofMillis(500);

    /** Targets live for seconds, and how fast they get is not asked: what C2 compiles in them is not worth it. */
    public static final String QUICK = "-XX:TieredStopAtLevel=1";

    /** Many of them are up at the same time; of two such flags the later one counts. */
    private static final String SMALL = "-Xmx128m";

    /** Clients that pause: how fast a server is these tests do not ask, and others run beside them. */
    public static final Arrivals RESTING = new Arrivals.Closed(Duration.ofMillis(10));

    private Fixtures() {}

    /** A runner for a plan without hooks. */
    public static TrialRunner runner(LabEnvironment env, Path folder, LabListener listener) {
        return runner(env, folder, Hooks.NONE, listener);
    }

    public static TrialRunner runner(LabEnvironment env, Path folder, Hooks hooks, LabListener listener) {
        return new TrialRunner(
                env,
                folder,
                hooks,
                List.of(),
                Set.of(),
                Optional.empty(),
                Objective.Metric.THROUGHPUT,
                new TrialFiles(),
                listener);
    }

    public static Load load(int connections, String contains) {
        return load(connections, contains, SHORT);
    }

    public static Load load(int connections, String contains, Duration measure) {
        return load(connections, contains, Duration.ofSeconds(2), measure);
    }

    /** Of a client that waits: on a machine that is busy with other things, an answer may take seconds. */
    public static Load patient(int connections, String contains) {
        return patient(connections, contains, SHORT);
    }

    public static Load patient(int connections, String contains, Duration measure) {
        return load(connections, contains, Duration.ofSeconds(30), measure);
    }

    static Load load(int connections, String contains, Duration timeout, Duration measure) {
        return new Load(
                connections,
                true,
                Load.Request.get("/"),
                new Load.Expect(200, OptionalInt.empty(), Optional.of(contains)),
                timeout,
                SHORT,
                measure,
                1,
                RESTING,
                Wire.PLAIN,
                Optional.empty());
    }

    /** A command that runs a class of these tests in a JVM of its own. */
    public static ProcessBuilder java(List<String> flags, Class<?> main, Object... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(QUICK, "-XX:+UseSerialGC"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command);
    }

    public static Target faulty(String fault, String... jvmFlags) {
        return new Target.Command(
                List.of(
                        List.of("{java}"),
                        List.of("{jvm}"),
                        List.of("-cp"),
                        List.of(System.getProperty("java.class.path")),
                        List.of(FaultyServer.class.getName()),
                        List.of(fault),
                        List.of("{port}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("faulty-"),
                Map.of(),
                new Target.Jvm(
                        Optional.empty(),
                        Stream.concat(Stream.of(QUICK, SMALL), Stream.of(jvmFlags))
                                .toList()));
    }

    public static Target.Embedded hello(ServerKind server) {
        return new Target.Embedded(
                server, "hello", Map.of(), Optional.empty(), new Target.Jvm(Optional.empty(), List.of(QUICK)));
    }

    public static TrialSpec spec(Target target, Setting setting, Load load) {
        return new TrialSpec(TrialSpec.Phase.SEARCH, "", Map.of(), 0, target, setting, load);
    }

    /** A knob of the application's own, {@code own.x}, that nothing takes and that is read back so. */
    public static OwnKnob own(OwnKnob.ReadBack how) {
        return new OwnKnob(
                "own.x",
                Knob.Type.TEXT,
                Knob.Scale.LOG,
                0,
                0,
                List.of(),
                Optional.empty(),
                "",
                "",
                new OwnKnob.Variable("NOBODY"),
                Optional.of(how));
    }

    public static LabEnvironment environment(Path workspace) throws LabException {
        return environment(workspace, CpuLayout.of(new Proc().allowedCpus("self")));
    }

    /** For servers whose speed is not asked: they start quicker on all CPUs. */
    public static LabEnvironment unloaded(Path workspace) throws LabException {
        Set<Integer> all = Set.copyOf(new Proc().allowedCpus("self"));
        return environment(workspace, new CpuLayout(all, all));
    }

    private static LabEnvironment environment(Path workspace, CpuLayout cpus) throws LabException {
        return new LabEnvironment(
                home(),
                Workspace.open(workspace),
                Jdks.system(),
                cpus,
                new Proc(),
                Set.of(),
                Clock.SYSTEM,
                workspace.resolveSibling("state"));
    }

    /** Short trials until one has an answer, or fails: on a busy machine none may come in so short a time. */
    public static TrialOutcome answered(TrialRunner runner, TrialSpec spec, LabListener listener) throws Exception {
        for (int ordinal = 1; ; ordinal++) {
            TrialOutcome o = runner.run(ordinal, spec, listener);
            if (o.failure().isPresent() || o.measurement().orElseThrow().responses() > 0) {
                return o;
            }
        }
    }

    /**
     * The same trial until its target's heap and workers were read: a JVM that gets little CPU time may not have answered when a short one
     * ends. That is the only reason that counts.
     */
    public static TrialOutcome observed(Callable<TrialOutcome> trial) throws Exception {
        while (true) {
            TrialOutcome o = trial.call();
            assertThat(o.failure()).isEmpty();
            Timeline seen = o.evidence().orElseThrow().timeline();
            if (Stream.of(Signals.HEAP_USED, Signals.WORKERS_BUSY)
                    .allMatch(id -> seen.find(id).isPresent())) {
                return o;
            }
            assertThat(seen.notObserved().getOrDefault("heap.*", JvmSignals.NOT_YET))
                    .containsAnyOf(JvmSignals.NOT_YET, "did not answer within");
        }
    }

    /** What this JVM has started in a folder or below it, and is still running: pids and command lines. */
    public static List<String> runningIn(Path folder) {
        return ProcessHandle.current()
                .descendants()
                .filter(p -> worksIn(p, folder))
                .map(p -> p.pid() + " " + p.info().commandLine().orElse("?"))
                .toList();
    }

    /** Kills all that this JVM has started in a folder or below it. */
    static void kill(Path folder) {
        ProcessHandle.current().descendants().filter(p -> worksIn(p, folder)).forEach(ProcessHandle::destroyForcibly);
    }

    private static boolean worksIn(ProcessHandle process, Path folder) {
        try {
            return Path.of("/proc", Long.toString(process.pid()), "cwd")
                    .toRealPath()
                    .startsWith(folder.toRealPath());
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /** Fettle's own folder: the nearest one above that has the launcher. */
    public static Path home() {
        Path p = Path.of("").toAbsolutePath();
        while (!Files.exists(p.resolve("fettle")) && p.getParent() != null) {
            p = p.getParent();
        }
        return p;
    }

    /** A look at the workers; on a busy machine one may come too late to count. */
    public static WorkerProbe.Sample sample(WorkerProbe probe) {
        return Stream.generate(probe::sample)
                .limit(100)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }
}
