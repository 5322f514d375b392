package dev.fettle.lab.launch;

import dev.fettle.lab.guest.ProcessVisit;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.load.api.Tls;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Launches targets, each in its own folder. */
public final class TargetLauncher {
    private final LabEnvironment env;
    private final Artifacts artifacts;
    private final ProgramLauncher launching;
    private final OwnServers servers;
    private final List<OwnKnob> own;
    private final TrialFiles files;
    private final Consumer<String> note;

    /**
     * For a plan with knobs of the user's application.
     *
     * @param own the knobs that it declares
     * @param files what is known already of the files that its targets are made of
     * @param note receives what the user should know at once
     */
    public TargetLauncher(
            LabEnvironment env,
            Artifacts artifacts,
            Calibration calibration,
            List<OwnKnob> own,
            TrialFiles files,
            Consumer<String> note) {
        this.files = files;
        this.own = List.copyOf(own);
        this.note = note;
        this.env = env;
        this.artifacts = artifacts;
        this.launching = new ProgramLauncher(env);
        this.servers = new OwnServers(env, calibration);
    }

    /**
     * Launches the target of a trial; it may not answer yet.
     *
     * @param ports the hooks' ports, which the target may refer to
     */
    public RunningTarget launch(TrialSpec spec, Path folder, Ports ports)
            throws TrialFailure, LabException, InterruptedException {
        files.check(TrialFiles.of(spec.target(), spec.load()));
        files.check(TargetParts.ofFettle(spec.target()).stream()
                .map(env.home()::resolve)
                .toList());
        var texts = new OwnTexts(own, spec.setting());
        Target target = texts.target(FilledTarget.target(spec.target(), spec.setting(), ports));
        if (!speaksAsTold(target, spec.load().wire().tls())) {
            return launch(target, spec, folder, texts, Optional.empty());
        }
        try (ServerKey key = ServerKey.make(folder, env.clock().instant())) {
            RunningTarget running = launch(target, spec, folder, texts, Optional.of(key));
            running.secured(key.certificate());
            return running;
        }
    }

    /**
     * Whether Fettle configures TLS in this server as the load asks; others configure it themselves, or don't support
     * it.
     */
    private static boolean speaksAsTold(Target target, Optional<Tls> tls) {
        // an app may have a certificate of its own, and then the load says which to trust
        return tls.isPresent()
                && target.hasConnector()
                && (target.getsCertificate()
                        || tls.get().authorities().isEmpty() && !tls.get().insecure());
    }

    private RunningTarget launch(Target target, TrialSpec spec, Path folder, OwnTexts texts, Optional<ServerKey> key)
            throws TrialFailure, LabException, InterruptedException {
        Setting setting = spec.setting();
        Map<String, String> variables = texts.variables();
        var launching = new ProgramLauncher(env, variables);
        return switch (target) {
            case Target.Embedded embedded -> servers.embedded(embedded, setting, key, variables, folder);
            case Target.War war -> servers.war(war, setting, key, variables, folder);
            case Target.Standalone standalone ->
                new StandaloneLauncher(env, launching, artifacts, texts::files)
                        .launch(standalone, setting, key, folder);
            case Target.Boot boot ->
                new BootLauncher(env, launching)
                        .launch(
                                boot,
                                BootJar.configuration((Target.Boot) spec.target())
                                        .own(),
                                setting,
                                key,
                                folder);
            case Target.Command command ->
                new CommandLauncher(env, this.launching, artifacts).launch(command, texts.written(setting), folder);
            case Target.Running running -> new ProcessVisit(env, note).visit(running, setting);
            case Target.Url(var base) -> new RunningTarget(HostGuard.check(base, env.ownHosts()), Optional.empty(), 0);
        };
    }
}
