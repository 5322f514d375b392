package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.nio.file.Path;

/** TODO */
final class BootLauncher {
    private final LabEnvironment env;
    private final Launching launching;

    BootLauncher(LabEnvironment env, Launching launching) {
        this.env = env;
        this.launching = launching;
    }

    RunningTarget launch(Target.Boot target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        throw new LabException("not yet");
    }
}
