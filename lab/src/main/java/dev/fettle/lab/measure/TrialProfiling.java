package dev.fettle.lab.measure;

import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which trials are recorded: for a second opinion; those of a diagnosis, of a target that Fettle launched; those that explain a gate's
 * answer; or those of the first pair, since one recording of each side is enough.
 */
final class TrialProfiling {
    private TrialProfiling() {}

    /**
     * Begins to record a target that is up, if its trial is to be recorded. If that can't be done, a note says why.
     *
     * @param folder where the recording is kept
     */
    static Optional<Profiling> begin(LabEnvironment env, TrialSpec spec, RunningTarget up, Path folder) {
        // a diagnosis' tests are compared with its first trial, so what recording costs has to be in both
        boolean diagnosis = spec.phase() == Phase.DIAGNOSE || spec.phase() == Phase.TEST;
        boolean opinion = env.secondOpinion() && diagnosis;
        boolean own = up.process().isPresent();
        boolean explains = spec.phase() == Phase.EXPLAIN;
        ProfileWish wish = explains ? ProfileWish.COSTS : env.profile();
        boolean stacks = own && (explains || diagnosis && !wish.isNone());
        if (!up.watched() || !(opinion || stacks || isOfFirstPair(env, spec))) {
            return Optional.empty();
        }
        try {
            int port = up.address().getPort();
            Optional<Debts> debts = own ? Optional.empty() : Optional.of(new Debts(env.state(), env.proc()));
            Profiling begun = opinion
                    ? Profiling.forSecondOpinion(up.pid(), port, debts, wish, folder)
                    : stacks
                            ? Profiling.ofStacks(up.pid(), port, wish, folder)
                            : Profiling.begin(up.pid(), port, debts, wish, folder);
            up.owns(begun);
            up.whenMeasured(begun::measuringBegins);
            return Optional.of(begun);
        } catch (IOException e) {
            up.note("not profiled: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean isOfFirstPair(LabEnvironment env, TrialSpec spec) {
        return !env.profile().isNone()
                && spec.block() == 0
                && switch (spec.phase()) {
                    case DUEL, COMPARE, SWEEP -> true;
                    default -> false;
                };
    }
}
