package dev.fettle.load.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Part;
import dev.fettle.load.RequestTemplate.Header;
import dev.fettle.load.Scenario;
import dev.fettle.load.Scenario.Body;
import dev.fettle.load.Scenario.Feed;
import dev.fettle.load.Scenario.Flow;
import dev.fettle.load.Scenario.Order;
import dev.fettle.load.Scenario.Step;
import dev.fettle.load.Scenario.Think;
import dev.fettle.load.http1.Http1Head;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users and rows of a scenario that several processes play together: nobody's twice, and none left over. */
class PartsOfAScenarioTest {
    private static final int ROWS = 30;

    private static CompiledScenario scenario(Order order) {
        var step = new Step(
                "a",
                "GET",
                "/?name=${name}&user=${user}",
                List.<Header>of(),
                Body.NONE,
                Set.of(),
                List.of(),
                List.of(),
                new Think(Duration.ZERO, Duration.ZERO),
                false);
        var rows = IntStream.range(0, ROWS).mapToObj(i -> List.of("r" + i)).toList();
        var scenario = new Scenario(
                List.of(new Flow("f", 1, List.of(step))),
                List.of(new Feed("names.csv", List.of("name"), rows, order)),
                Map.of(),
                true,
                7);
        return CompiledScenario.of(scenario, "h:81", true, new Http1Head());
    }

    private static List<String> lines(CompiledScenario scenario, int user, Part part, int iterations) {
        var player = new User(scenario, user, part);
        var lines = new ArrayList<String>();
        for (int i = 0; i < iterations; i++) {
            lines.add(player.line());
            player.answer("200 OK", "x");
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource(names = {"RANDOM", "USER"})
    void eachUserDoesWhatItWouldDoInOneProcess(Order order) {
        CompiledScenario whole = scenario(order);
        for (int index = 0; index < 3; index++) {
            var part = new Part(index, 3, false);
            CompiledScenario own = scenario(order);
            for (int here = 0; here < 2; here++) {
                int user = (int) part.number(here);
                assertThat(lines(own, user, part, 5)).isEqualTo(lines(whole, user, Part.WHOLE, 5));
            }
        }
    }

    @Test
    void rowsInOrderAreDealtOutInTurn() {
        var all = new ArrayList<String>();
        for (int index = 0; index < 3; index++) {
            var part = new Part(index, 3, false);
            all.addAll(lines(scenario(Order.SEQUENTIAL), (int) part.number(0), part, ROWS / 3).stream()
                    .map(l -> l.substring(l.indexOf("name=") + 5, l.indexOf('&')))
                    .toList());
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, ROWS).mapToObj(i -> "r" + i).toList());
    }
}
