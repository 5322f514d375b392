package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class OptionalFigureTest {
    private static final OptionalFigure TWO = OptionalFigure.of(2);
    private static final OptionalFigure NO_HEAP = OptionalFigure.missing("the JVM has ended");
    private static final OptionalFigure NO_CPU = OptionalFigure.missing("no such process");

    record Pair(OptionalFigure known, OptionalFigure missing) {}

    @Test
    void aFigureMadeOfOneThatIsMissingIsMissingForTheSameReason() {
        assertThat(NO_HEAP.map(v -> v + 1).why()).isEqualTo("the JVM has ended");
        assertThat(NO_HEAP.with(NO_CPU, Double::sum).why()).isEqualTo("the JVM has ended");
        assertThat(TWO.with(NO_CPU, Double::sum).why()).isEqualTo("no such process");
        assertThat(TWO.with(OptionalFigure.of(4), (a, b) -> a / b)).isEqualTo(OptionalFigure.of(0.5));
        assertThat(NO_HEAP.or(() -> NO_CPU).why()).isEqualTo("no such process");
        assertThat(NO_HEAP.or(() -> TWO)).isEqualTo(TWO);
        assertThat(TWO.or(() -> NO_CPU)).isEqualTo(TWO);
        assertThat(TWO.map(v -> v * 3).why()).isEmpty();
    }

    @Test
    void itIsFilteredAndAsked() {
        assertThat(TWO.filter(v -> v > 1)).isEqualTo(TWO);
        assertThat(TWO.filter(v -> v > 2).isEmpty()).isTrue();
        assertThat(NO_HEAP.filter(v -> v > 2).why()).isEqualTo("the JVM has ended");
        assertThat(TWO.is(v -> v > 1)).isTrue();
        assertThat(TWO.is(v -> v > 2)).isFalse();
        assertThat(NO_HEAP.is(v -> true)).isFalse();
        assertThat(TWO.mapTo(v -> "x" + v)).contains("x2.0");
        assertThat(NO_HEAP.mapTo(v -> "x" + v)).isEmpty();
        assertThat(NO_HEAP.orElse(7)).isEqualTo(7);
        assertThat(NO_HEAP.orElseGet(() -> 8)).isEqualTo(8);
        assertThat(NO_HEAP.stream()).isEmpty();
    }

    @Test
    void itIsMadeOfWhatMayNotBeThere() {
        assertThat(OptionalFigure.of(OptionalDouble.empty()).isEmpty()).isTrue();
        assertThat(OptionalFigure.of(OptionalDouble.of(2))).isEqualTo(TWO);
        assertThat(OptionalFigure.from(Optional.of("ab"), s -> OptionalFigure.of(s.length())))
                .isEqualTo(TWO);
        assertThat(OptionalFigure.from(Optional.<String>empty(), s -> OptionalFigure.of(s.length()))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void theReasonIsInTheErrorAndNotInWhatIsEqual() {
        assertThatThrownBy(NO_HEAP::getAsDouble)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("the JVM has ended");
        assertThat(NO_HEAP).isEqualTo(NO_CPU).isEqualTo(OptionalFigure.empty()).hasSameHashCodeAs(NO_CPU);
        assertThat(OptionalFigure.of(Double.NaN)).isEqualTo(OptionalFigure.of(Double.NaN));
        assertThat(OptionalFigure.of(0)).isNotEqualTo(OptionalFigure.empty());
    }

    @Test
    void inJsonItIsANumberOrLeftOut() throws Exception {
        ObjectMapper json = Json.mapper();
        assertThat(json.writeValueAsString(new Pair(TWO, NO_CPU))).isEqualTo("{\"known\":2.0}");
        assertThat(json.readValue("{\"known\":2}", Pair.class)).isEqualTo(new Pair(TWO, OptionalFigure.empty()));
        assertThat(json.readValue("{\"known\":null,\"missing\":2.0}", Pair.class))
                .isEqualTo(new Pair(OptionalFigure.empty(), TWO));
    }
}
