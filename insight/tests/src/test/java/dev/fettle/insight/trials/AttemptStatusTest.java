package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is held to have caused that an attempt is void. */
class AttemptStatusTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static TrialOutcome trial(Phase phase) {
        var spec = new TrialSpec(
                phase, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(SERVER.clients()));
        return SERVER.run(1, spec);
    }

    /** Rules that may pass have a plus sign. */
    private static TrialOutcome voided(TrialOutcome o, String rules) {
        return o.withVerdict(new Verdict(Stream.of(rules.split(" "))
                .map(r -> new Verdict.Reason(r.replace("+", ""), "because", r.endsWith("+")))
                .toList()));
    }

    private static TrialOutcome failing(TrialOutcome o, Map<ErrorKind, Long> errors) {
        Measurement m = o.measurement().orElseThrow();
        return Tamper.measured(o, Tamper.errors(m, 100, errors), o.verdict());
    }

    private static ErrorKind generators() {
        return List.of(ErrorKind.values()).stream()
                .filter(ErrorKind::isGenerators)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "disturbed+,            DISTURBED",
        "disturbed+ send-lag+,  DISTURBED",
        "send-lag+,             OUTSIDE",
        "warm-up,               MOVED",
        "warm-up disturbed+,    DISTURBED",
        "warm-up send-lag+,     VOID",
        "wrong-answers,         FAILED",
        "littles-law,           VOID",
        "littles-law disturbed+, VOID",
    })
    void theReasonsSayWhoCausedIt(String rules, AttemptStatus fate) {
        assertThat(AttemptStatus.of(voided(trial(Phase.SEARCH), rules))).isEqualTo(fate);
    }

    @Test
    void aGeneratorWithoutDescriptorsIsNotTheTargetsFailure() {
        TrialOutcome own =
                failing(voided(trial(Phase.DUEL), "mostly-failed generator-limit"), Map.of(generators(), 900L));
        assertThat(AttemptStatus.of(own)).as("its pair is repeated").isEqualTo(AttemptStatus.OUTSIDE);
        assertThat(AttemptStatus.failure(own)).isEmpty();

        TrialOutcome both = failing(
                voided(trial(Phase.DUEL), "mostly-failed generator-limit"),
                Map.of(generators(), 900L, ErrorKind.READ_TIMEOUT, 150L));
        assertThat(AttemptStatus.of(both)).as("so did the target").isEqualTo(AttemptStatus.FAILED);

        TrialOutcome wrong = failing(
                voided(trial(Phase.DUEL), "wrong-answers mostly-failed generator-limit"), Map.of(generators(), 900L));
        assertThat(AttemptStatus.of(wrong)).isEqualTo(AttemptStatus.FAILED);
    }

    @Test
    void theGeneratorsLimitIsFromOutsideInADuel() {
        assertThat(AttemptStatus.of(voided(trial(Phase.DUEL), "generator-limit")))
                .isEqualTo(AttemptStatus.OUTSIDE);
        assertThat(AttemptStatus.of(voided(trial(Phase.DUEL), "generator-limit littles-law")))
                .isEqualTo(AttemptStatus.VOID);
        assertThat(AttemptStatus.of(voided(trial(Phase.SEARCH), "generator-limit")))
                .as("trying again would not help")
                .isEqualTo(AttemptStatus.VOID);
    }

    @Test
    void aSecondOfSilenceAfterAnEarlyEndIsNoFailure() {
        TrialOutcome silent = voided(trial(Phase.SEARCH), GateRules.NOTHING_MEASURED);
        assertThat(AttemptStatus.of(silent)).as("one that ran to its end").isEqualTo(AttemptStatus.FAILED);
        Evidence e = silent.evidence().orElseThrow();
        TrialOutcome early =
                silent.withEvidence(Optional.of(e.withConditions(Conditions.ALONE.withAtBest(OptionalFigure.of(40)))));
        assertThat(AttemptStatus.of(early)).isEqualTo(AttemptStatus.OUTSIDE);
        assertThat(AttemptStatus.failure(early)).isEmpty();
        assertThat(AttemptStatus.of(failing(early, Map.of(ErrorKind.READ_TIMEOUT, 5L))))
                .as("requests failed")
                .isEqualTo(AttemptStatus.FAILED);
    }

    /** A void that the target or its setting has to answer for counts against it, the generator's and what passes do not. */
    @ParameterizedTest
    @CsvSource({
        "littles-law,             true",
        "response-size,           true",
        "connect-queue,           true",
        "littles-law disturbed+,  true",
        "generator-limit,         false",
        "no-capacity,             false",
        "warm-up send-lag+,       false",
        "disturbed+,              false",
        "send-lag+,               false",
        "wrong-answers,           false",
    })
    void whatCanNotBeUsedIsHeldAgainstWhomItConcerns(String rules, boolean counts) {
        assertThat(AttemptStatus.gaveNothingUsable(voided(trial(Phase.SWEEP), rules)))
                .isEqualTo(counts);
    }

    /** No local port is left: most attempts fail, and none at the server. */
    @Test
    void attemptsThatFailAtTheGeneratorAreNotHeldAgainstTheSetting() {
        assertThat(AttemptStatus.gaveNothingUsable(failing(
                        voided(trial(Phase.SWEEP), "mostly-failed generator-limit"), Map.of(generators(), 900L))))
                .isFalse();
    }
}
