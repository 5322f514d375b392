package dev.fettle.lab.measure;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Checks that a loaded target is alive and answers, and if not, finds its last words. */
record TargetHealth(TargetHandle target, Load load, TrialHooks hooks) {
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

    /** @throws TrialFailure if the target or a hook has ended */
    void check() throws TrialFailure, LabException, InterruptedException {
        target.check();
        hooks.check("under load");
    }

    /** @throws TrialFailure if the load generator has failed: that is not the target's doing */
    static void generator(Optional<String> failure) throws TrialFailure {
        if (failure.isPresent()) {
            throw new TrialFailure(Kind.LAB, "the load generator failed: " + failure.get());
        }
    }

    /** @throws TrialFailure if the target printed what usually are last words; it may run on, with one thread less */
    void words() throws TrialFailure, InterruptedException {
        target.words();
    }

    /**
     * @param seconds time without an answer; wrong ones count as answers
     * @param window the last one
     * @param seen supplies what was seen of it meanwhile, if it was silent too long
     * @throws TrialFailure if it was silent too long
     */
    void silence(double seconds, int connections, Window window, Supplier<List<Sighting>> seen)
            throws TrialFailure, InterruptedException {
        Duration most = longestSilence(load);
        if (seconds > most.toNanos() / 1e9) {
            words(); // a server that can't create threads stays up but does not answer
            if (neverAsked(connections, window.errors().keySet())) {
                throw new TrialFailure(
                        Kind.LAB,
                        String.format(
                                "for %s no connection could be opened from this machine, so the target was not asked%s",
                                Format.seconds(seconds), firstError(window)));
            }
            List<Sighting> all = seen.get();
            throw new TrialFailure(
                    Kind.HUNG,
                    String.format(
                            "no valid response for %s while %d connections were open%s%s",
                            Format.seconds(seconds),
                            connections,
                            firstError(window),
                            all.isEmpty() || all.getLast().detail().isEmpty()
                                    ? ""
                                    : "; " + all.getLast().detail()),
                    all);
        }
    }

    /** How long a target may be silent before it is taken for hung. */
    static Duration longestSilence(Load load) {
        return load.timeout().compareTo(LONGEST_SILENCE) > 0 ? load.timeout() : LONGEST_SILENCE;
    }

    /**
     * Whether no request reached the target: no local port or descriptor was left, perhaps because of other programs.
     */
    static boolean neverAsked(int connections, Set<ErrorKind> errors) {
        return connections == 0 && errors.equals(Set.of(ErrorKind.OTHER));
    }

    private String firstError(Window window) {
        return window.errors().entrySet().stream()
                .findFirst()
                .map(e -> "; errors: " + e.getKey().text() + " "
                        + answers().message(e.getValue().example()))
                .orElse("");
    }

    /** What may be shown of the target's answers. */
    WrongAnswers answers() {
        return new WrongAnswers(Optional.of(load));
    }
}
