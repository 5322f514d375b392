package dev.fettle.lab.measure;

import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.util.Map;

/**
 * Targets that are launched or found on this machine.
 *
 * @param effective reads back what was set
 */
public record LocalTargets(LabEnvironment env, TargetLauncher launcher, EffectiveValues effective)
        implements TargetPort {
    @Override
    public TargetHandle launch(TrialSpec spec, Path folder, Map<String, Integer> ports)
            throws TrialFailure, LabException, InterruptedException {
        RunningTarget target = launcher.launch(spec, folder, new Ports(ports));
        target.process().ifPresent(p -> p.boundLogs(folder));
        return new LocalTarget(env, target, effective);
    }
}
