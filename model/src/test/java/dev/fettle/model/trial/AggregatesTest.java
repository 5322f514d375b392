package dev.fettle.model.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates.Stretch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AggregatesTest {
    private static final ObjectMapper JSON = Json.mapper();

    private static Stretch stretch(Aggregate a, String value, double seconds) {
        return new Stretch(
                value == null ? Aggregates.NOTHING : Aggregates.NOTHING.with(a, Double.parseDouble(value)), seconds);
    }

    /** Three stretches of 1 s, 1 s and 2 s; an empty figure was not observed. */
    @ParameterizedTest
    @CsvSource({
        "SERVER_CPU_SECONDS, 1, 2, 3, 6",
        "SERVER_CPU_SECONDS, 1,  , 3, ",
        "FOREIGN_CPU, 0.1, 0.3, 0.2, 0.2",
        "FOREIGN_CPU,    , 0.3, 0.6, 0.5",
        "FOREIGN_CPU,    ,    ,    , ",
        "WORKERS, 5, 9, 7, 9",
        "WORKERS, 5,  , 7, 7",
        "WORKERS,  ,  ,  , ",
        "LOAD_AVERAGE, 5, 9, 7, 7",
        "LOAD_AVERAGE, 5, 9,  , ",
    })
    void severalStretchesAreJoinedByTheKindOfFigure(Aggregate a, String one, String two, String three, Double joined) {
        Aggregates all = Stretch.join(List.of(stretch(a, one, 1), stretch(a, two, 1), stretch(a, three, 2)));
        if (joined == null) {
            assertThat(all.get(a).optional()).isEmpty();
        } else {
            assertThat(all.get(a).orElseThrow()).isCloseTo(joined, within(1e-9));
        }
        assertThat(all.figures().keySet()).isSubsetOf(a);
    }

    @Test
    void ofNoStretchNothingIsKnown() {
        assertThat(Stretch.join(List.of())).isEqualTo(Aggregates.NOTHING);
    }

    /** Zero was observed, and what was not is missing. */
    @ParameterizedTest
    @EnumSource(Aggregate.class)
    void whatWasReadIsWrittenUnderItsNameAndReadBack(Aggregate a) throws Exception {
        Aggregates zero = Aggregates.NOTHING.with(a, 0);
        String json = JSON.writeValueAsString(zero);
        assertThat(json).isEqualTo("{\"" + a.id() + "\":0.0}");
        assertThat(JSON.readValue(json, Aggregates.class)).isEqualTo(zero);
        assertThat(zero.with(a, OptionalFigure.empty())).isEqualTo(Aggregates.NOTHING);
        assertThat(a.about()).endsWith(".");
    }

    @Test
    void namesAreDistinct() {
        assertThat(Arrays.stream(Aggregate.values()).map(Aggregate::id)).doesNotHaveDuplicates();
    }

    @Test
    void othersUseIsReplaced() {
        Aggregates seen = new Aggregates(
                Map.of(Aggregate.FOREIGN_CPU, 0.4, Aggregate.SERVER_STEAL, 0.1, Aggregate.SERVER_CPU_SECONDS, 3.0));
        Aggregates known = seen.withOthers(OptionalFigure.of(0.2), OptionalFigure.empty());
        assertThat(known.byId()).containsExactly(Map.entry("serverCpuSeconds", 3.0), Map.entry("foreignCpuShare", 0.2));
        assertThat(known.withoutCpuTime().byId()).containsOnlyKeys("foreignCpuShare");
    }
}
