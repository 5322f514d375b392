package dev.fettle.lab.port;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;

/** Launches the targets of trials. */
@FunctionalInterface
public interface TargetPort {
    /**
     * Launches the target of a trial; it may not answer yet.
     *
     * @param folder the trial's own
     * @param ports those of its hooks, which the target may refer to
     */
    TargetHandle launch(TrialSpec spec, Path folder, Ports ports)
            throws TrialFailure, LabException, InterruptedException;
}
