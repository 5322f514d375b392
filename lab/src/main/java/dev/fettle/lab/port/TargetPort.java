package dev.fettle.lab.port;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.util.Map;

/** Launches the targets of trials. */
@FunctionalInterface
public interface TargetPort {
    /**
     * Launches the target of a trial; it may not answer yet.
     *
     * @param folder the trial's own, where the target is
     * @param ports those of its hooks by name, which the target may refer to
     */
    TargetHandle launch(TrialSpec spec, Path folder, Map<String, Integer> ports)
            throws TrialFailure, LabException, InterruptedException;
}
