package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.nio.file.Path;

/** TODO */
final class StandaloneLauncher {
    private final LabEnvironment env;
    private final Launching launching;
    private final Artifacts artifacts;

    StandaloneLauncher(LabEnvironment env, Launching launching, Artifacts artifacts) {
        this.env = env;
        this.launching = launching;
        this.artifacts = artifacts;
    }

    RunningTarget launch(Target.Standalone target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        throw new LabException("not yet");
    }
}
