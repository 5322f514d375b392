package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A plan's target, launched to be inspected: as for a trial, with its hooks, on its CPUs, but without load. */
public final class StandingTarget implements AutoCloseable {
    private final TrialRunner runner;
    private final URI url;
    private final long pid;

    private StandingTarget(TrialRunner runner, TrialRunner.Standing standing) {
        this.runner = runner;
        this.pid = standing.pid();
        this.url = URI.create("http://127.0.0.1:" + standing.port());
    }

    /**
     * Launches it with the knobs that the plan holds, and waits until it gives the right answer.
     *
     * @param dir where its logs are kept
     * @throws LabException if it does not start
     */
    public static StandingTarget launch(Plan plan, Path dir, Screen screen) throws LabException, InterruptedException {
        var machine = new Machine();
        machine.pinSelf().ifPresent(screen::say);
        Workspace workspace = Workspace.open(dir);
        LabEnvironment env = machine.lab(workspace, Set.of());
        var listener = new LabListener() {
            @Override
            public void note(String message) {
                screen.say(message);
            }
        };
        var runner = new TrialRunner(
                env,
                workspace.freshRunFolder("watch"),
                plan.hooks().orElse(Hooks.NONE),
                plan.own(),
                Set.of(),
                Optional.empty(),
                plan.objective().metric(),
                new TrialFiles(),
                listener);
        try {
            var spec = new TrialSpec(Phase.DIAGNOSE, "", Map.of(), 0, plan.target(), plan.hold(), plan.load());
            return new StandingTarget(runner, runner.stand(spec, listener));
        } catch (LabException | InterruptedException | RuntimeException e) {
            runner.close();
            throw e;
        }
    }

    public long pid() {
        return pid;
    }

    /** Where it listens; for watching, it does not matter whether that is with TLS. */
    public URI url() {
        return url;
    }

    /** Ends the target and its hooks. */
    @Override
    public void close() {
        runner.close();
    }
}
