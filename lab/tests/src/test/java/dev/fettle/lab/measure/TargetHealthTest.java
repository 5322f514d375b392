package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetHealthTest {
    @Test
    void aGeneratorThatFailedIsNotTheTargetsFault() throws Exception {
        TargetHealth.generator(Optional.empty());
        assertThatThrownBy(() -> TargetHealth.generator(Optional.of("engine thread 0 ended early: OutOfMemoryError")))
                .hasMessageContaining("the load generator failed: engine thread 0")
                .isInstanceOfSatisfying(
                        TrialFailure.class,
                        e -> assertThat(e.asFailure().kind()).isEqualTo(Kind.LAB));
    }

    @ParameterizedTest
    @CsvSource({
        // no port was free here
        "0, OTHER, true",
        // it was asked, or it is it that refuses
        "3, OTHER, false",
        "0, OTHER REFUSED, false",
        "0, CONNECT_TIMEOUT, false",
        "0, '', false",
    })
    void aTargetThatNothingReachedDoesNotHang(int connections, String errors, boolean neverAsked) {
        Set<ErrorKind> kinds = Arrays.stream(errors.split(" "))
                .filter(e -> !e.isEmpty())
                .map(ErrorKind::valueOf)
                .collect(Collectors.toSet());
        assertThat(TargetHealth.neverAsked(connections, kinds)).isEqualTo(neverAsked);
    }
}
